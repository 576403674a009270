// Weighs stacks whose frames are ids: the words of a frame's name are worked out once, not once a stack.
//
// The same vectors as StackSimilarity::Weigh gives for the names.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/similarity/stack_similarity.h"
#include "query/similarity/word_rarity.h"

namespace oscope {

class FrameWeigher {
 public:
  // The statistics and the names outlive it.
  FrameWeigher(const WordStatistics& statistics, std::function<std::string_view(uint32_t frame)> name_of)
      : statistics_(statistics), name_of_(std::move(name_of)), nearness_(statistics.size()) {}

  WordVector Weigh(std::span<const uint32_t> frames);

 private:
  const std::vector<uint32_t>& WordsOf(uint32_t frame);

  const WordStatistics& statistics_;
  const std::function<std::string_view(uint32_t frame)> name_of_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> words_of_;
  std::unordered_map<std::string, uint32_t> unknown_;  // words that the statistics do not have; numbered after theirs
  std::vector<uint32_t> nearness_;                     // by word, at its best place in the stack; 0: it is not there
  std::vector<uint32_t> found_;                        // the words of the stack
};

}  // namespace oscope
