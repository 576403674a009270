// One record of kind EXTENDED while it is put together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracer/raw/raw_format.h"

namespace oscope::pin {

class Record {
 public:
  explicit Record(OscRawExtended type) : type_(type), words_(1) {}

  void Word(uint32_t word) { words_.push_back(word); }
  void Wide(uint64_t number);
  void Text(const std::string& text);
  void NoText() { Word(OSC_RAW_NO_TEXT); }
  void TextIf(bool there, const std::string& text) { there ? Text(text) : NoText(); }

  // The record's words, the first of which says how many follow.
  const std::vector<uint32_t>& Finish();

 private:
  OscRawExtended type_;
  std::vector<uint32_t> words_;
};

}  // namespace oscope::pin
