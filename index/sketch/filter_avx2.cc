// The filter's inner loop with vectors of 32 bytes; this source is compiled with the flags of AVX2 and called only
// where the processor has it.
#include "index/sketch/filter_loop.h"

namespace oscope {

void FilterWordsAvx2(const FilterColumns& filter, uint64_t first_word, uint64_t words, uint64_t* over) {
  FilterWords<32>(filter, first_word, words, over);
}

}  // namespace oscope
