// The filter's inner loop at each instruction set (base/simd_level.h): which rows miss more tokens of a query than a
// bound allows. For sketch.cc and its tests.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oscope {

struct FilterColumns {
  // one a token of the query, the most telling first; bit set: the row does not have it
  const std::byte* const* columns;
  uint32_t count;  // at most 100
  uint32_t bound;  // below count
};

// over[i] gets the 64 rows of word first_word + i: bit set when the row misses more than the bound.
void FilterWordsPortable(const FilterColumns& filter, uint64_t first_word, uint64_t words, uint64_t* over);
void FilterWordsAvx2(const FilterColumns& filter, uint64_t first_word, uint64_t words, uint64_t* over);
void FilterWordsAvx512(const FilterColumns& filter, uint64_t first_word, uint64_t words, uint64_t* over);

}  // namespace oscope
