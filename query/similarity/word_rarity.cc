// Counts words, and freezes the counts as logarithms in fixed point.
#include "query/similarity/word_rarity.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace oscope {
namespace {

// log2(1 + stacks / with), as log2(stacks + with) - log2(with).
uint32_t Rarity(uint64_t stacks, uint64_t with) { return FixedLog2(stacks + with) - FixedLog2(with); }

}  // namespace

// The integer part is the place of the highest bit. Squaring the rest, which lies in [1, 2), doubles its logarithm:
// whenever the square reaches 2, the next binary digit is 1.
uint32_t FixedLog2(uint64_t value) {
  assert(value != 0);
  const uint32_t whole = static_cast<uint32_t>(std::bit_width(value)) - 1;
  uint64_t rest = whole <= 31 ? value << (31 - whole) : value >> (whole - 31);  // 1.31 fixed point
  uint32_t log = whole;
  for (int digit = 0; digit < 16; ++digit) {
    rest = (rest * rest) >> 31;
    const bool one = (rest >> 32) != 0;
    if (one) rest >>= 1;
    log = (log << 1) | static_cast<uint32_t>(one);
  }
  return log;
}

WordStatistics::WordStatistics(uint64_t stacks, std::vector<std::string> words, std::span<const uint64_t> stacks_with)
    : words_(std::move(words)), unknown_(Rarity(stacks, 1)) {
  assert(words_.size() == stacks_with.size() && std::is_sorted(words_.begin(), words_.end()));
  rarity_.reserve(stacks_with.size());
  for (const uint64_t with : stacks_with) rarity_.push_back(Rarity(stacks, with));
}

std::optional<uint32_t> WordStatistics::Find(std::string_view word) const {
  const auto place = std::lower_bound(words_.begin(), words_.end(), word);
  if (place == words_.end() || *place != word) return std::nullopt;
  return static_cast<uint32_t>(place - words_.begin());
}

void WordCounter::AddStack(std::vector<std::string> words) {
  ++stacks_;
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  for (std::string& word : words) ++stacks_with_[std::move(word)];
}

WordStatistics WordCounter::Freeze() const {
  std::vector<std::string> words;
  std::vector<uint64_t> stacks_with;
  for (const auto& [word, count] : stacks_with_) {
    words.push_back(word);
    stacks_with.push_back(count);
  }
  return WordStatistics(stacks_, std::move(words), stacks_with);
}

}  // namespace oscope
