// How rare the words of stacks are: counted once over what is searched, then frozen, so that every worker weighs alike.
//
// Rarity is inverse document frequency, log2(1 + stacks / stacks with the word), in 16.16 fixed point and computed in
// integers: the same on every machine. A word of every stack has 1.0, one of half of them log2(3).
// Threads: WordStatistics is immutable once frozen; a WordCounter belongs to one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oscope {

class WordStatistics {
 public:
  WordStatistics() = default;
  // `words` are sorted, each once; stacks_with is parallel to them, each from 1 to `stacks`.
  WordStatistics(uint64_t stacks, std::vector<std::string> words, std::span<const uint64_t> stacks_with);

  std::optional<uint32_t> Find(std::string_view word) const;  // its id: the place in sorted order
  const std::string& word(uint32_t id) const { return words_[id]; }
  uint32_t rarity(uint32_t id) const { return rarity_[id]; }
  uint32_t unknown_rarity() const { return unknown_; }  // of a word that was never counted: as if in one stack
  size_t size() const { return words_.size(); }

 private:
  std::vector<std::string> words_;
  std::vector<uint32_t> rarity_;
  uint32_t unknown_ = 0;
};

class WordCounter {
 public:
  // The words of one stack; a word that occurs twice counts once.
  void AddStack(std::vector<std::string> words);
  WordStatistics Freeze() const;

 private:
  uint64_t stacks_ = 0;
  std::map<std::string, uint64_t> stacks_with_;
};

// log2(value) in 16.16 fixed point, rounded down; `value` is not 0.
uint32_t FixedLog2(uint64_t value);

}  // namespace oscope
