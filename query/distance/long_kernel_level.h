// A strip of Myers' bit vectors at each instruction set. For long_kernel.cc and its tests.
#pragma once

#include <cstdint>

namespace oscope {

// Some words of rows, over some columns. Lane k works on word k.
struct MyersStrip {
  const uint64_t* masks = nullptr;  // of code c and word k: masks[c * stride + k]
  uint64_t stride = 0;
  const uint32_t* codes = nullptr;  // of the columns
  uint32_t columns = 0;
  // a word a lane: where the value falls by one from row to row before the first column; else it rises
  const uint64_t* falling = nullptr;
  const int8_t* above = nullptr;  // a column: how much the value changes along the row above the strip
  int8_t* below = nullptr;        // out: the same for its last row; may be `above`
};

struct StripLevel {
  uint32_t narrow_words, wide_words;  // how many words a strip has
  void (*narrow)(const MyersStrip& strip);
  void (*wide)(const MyersStrip& strip);
};

extern const StripLevel kStripPortable, kStripAvx2, kStripAvx512;

}  // namespace oscope
