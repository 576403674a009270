// Weighs a stack of ids with two shortcuts over StackSimilarity::Weigh: a frame's words are looked up once for each
// distinct frame, and a word's best place is kept in an array by word that is cleared through the list of words found.
#include "query/similarity/frame_weigher.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "query/similarity/name_words.h"

namespace oscope {

const std::vector<uint32_t>& FrameWeigher::WordsOf(uint32_t frame) {
  const auto [at, is_new] = words_of_.try_emplace(frame);
  if (!is_new) return at->second;
  for (std::string& word : NameWords(name_of_(frame).substr(0, limits::kMaxNameBytes))) {
    std::optional<uint32_t> id = statistics_.Find(word);
    if (!id)
      id = unknown_.try_emplace(std::move(word), static_cast<uint32_t>(statistics_.size() + unknown_.size()))
               .first->second;
    at->second.push_back(*id);
  }
  nearness_.resize(statistics_.size() + unknown_.size());
  return at->second;
}

WordVector FrameWeigher::Weigh(std::span<const uint32_t> frames) {
  found_.clear();
  for (size_t i = 0; i < frames.size(); ++i) {
    const uint32_t near = StackSimilarity::Nearness(i, frames.size());
    if (near == 0) continue;
    for (const uint32_t word : WordsOf(frames[i])) {
      if (nearness_[word] == 0) found_.push_back(word);
      nearness_[word] = std::max(nearness_[word], near);
    }
  }
  std::sort(found_.begin(), found_.end());
  WordVector made;
  made.entries.reserve(found_.size());
  for (const uint32_t word : found_) {
    const bool known = word < statistics_.size();
    const uint32_t weight = StackSimilarity::Weight(known ? statistics_.rarity(word) : statistics_.unknown_rarity(),
                                                    std::exchange(nearness_[word], 0));
    made.squared_length += uint64_t{weight} * weight;
    if (known) made.entries.push_back({word, weight});
  }
  return made;
}

}  // namespace oscope
