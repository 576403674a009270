// Counts in how many stacks each word is, where frames are ids of tables of names: the words of a name are worked out
// once a table.
//
// The same statistics as a WordCounter that is given StackSimilarity::Words of every stack.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/similarity/word_rarity.h"

namespace oscope {

class FrameWordCounter {
 public:
  // The frames of the next stacks are ids of another table.
  void BeginTable(std::function<std::string_view(uint32_t frame)> name_of);
  void AddStack(std::span<const uint32_t> frames);
  WordStatistics Freeze() const;

 private:
  const std::vector<uint32_t>& WordsOf(uint32_t frame);

  std::function<std::string_view(uint32_t frame)> name_of_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> words_of_;  // of the table
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<uint64_t> stacks_with_;  // by number
  std::vector<uint64_t> last_stack_;   // that the word was counted for
  uint64_t stacks_ = 0;
};

}  // namespace oscope
