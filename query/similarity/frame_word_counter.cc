// Counts words by table of names, since ids mean something in one table only. last_stack_ remembers for each word the
// stack that counted it, so that a word counts once for each stack without a set.
#include "query/similarity/frame_word_counter.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "query/similarity/name_words.h"
#include "query/similarity/stack_similarity.h"

namespace oscope {

void FrameWordCounter::BeginTable(std::function<std::string_view(uint32_t frame)> name_of) {
  name_of_ = std::move(name_of);
  words_of_.clear();
}

const std::vector<uint32_t>& FrameWordCounter::WordsOf(uint32_t frame) {
  const auto [at, is_new] = words_of_.try_emplace(frame);
  if (!is_new) return at->second;
  for (std::string& word : NameWords(name_of_(frame).substr(0, limits::kMaxNameBytes))) {
    at->second.push_back(numbers_.try_emplace(std::move(word), static_cast<uint32_t>(numbers_.size())).first->second);
  }
  stacks_with_.resize(numbers_.size());
  last_stack_.resize(numbers_.size());
  return at->second;
}

void FrameWordCounter::AddStack(std::span<const uint32_t> frames) {
  ++stacks_;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (StackSimilarity::Nearness(i, frames.size()) == 0) continue;
    for (const uint32_t word : WordsOf(frames[i])) {
      if (std::exchange(last_stack_[word], stacks_) != stacks_) ++stacks_with_[word];
    }
  }
}

WordStatistics FrameWordCounter::Freeze() const {
  std::vector<std::pair<std::string, uint64_t>> counted;
  for (const auto& [word, number] : numbers_) {
    counted.emplace_back(word, stacks_with_[number]);
  }
  std::sort(counted.begin(), counted.end());
  std::vector<std::string> words;
  std::vector<uint64_t> stacks_with;
  for (auto& [word, count] : counted) {
    words.push_back(std::move(word));
    stacks_with.push_back(count);
  }
  return WordStatistics(stacks_, std::move(words), stacks_with);
}

}  // namespace oscope
