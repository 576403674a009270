// The filter's inner loop for any machine: vectors of 16 bytes.
#include "index/sketch/filter_loop.h"

namespace oscope {

void FilterWordsPortable(const FilterColumns& filter, uint64_t first_word, uint64_t words, uint64_t* over) {
  FilterWords<16>(filter, first_word, words, over);
}

}  // namespace oscope
