// How alike two failures are by the words of their stacks: the default for stacks (docs/accuracy.md has the
// measurements).
//
// Two failures of one bug seldom have equal frames: their stacks end in different tests. But the names share words, and
// a rare word near the failure or near the test says much. So each stack becomes a vector of its words (name_words.h).
// A word weighs
//     rarity (word_rarity.h)  ·  nearness: 1 / (1 + k),  k frames away from the nearer end of the stack, at its best
//                                                        place
// and the similarity is the cosine of the two vectors. The words of the test's name and of the exception, where given,
// are at distance 0.
//
// All is integer arithmetic: the answer is the same on every machine and does not depend on the order in which stacks
// are read.
// Threads: immutable once made; may be used from any thread.
//
// Example: "shop.CartTest.testEmptyCart1" and "shop.CartTest.testEmptyCart2" differ as frames, but share shop, cart,
// test and empty.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/similarity/word_rarity.h"
#include "tracer/model/run.h"

namespace oscope {

// What is compared of a failing run.
struct StackText {
  std::vector<std::string_view> frames;  // outermost first, as a Trace has them
  std::string_view test;                 // RunHeader::test; may be empty
  std::string_view exception;            // the type that was thrown; may be empty
};

// A stack as weighed words.
struct WordVector {
  struct Entry {
    uint32_t word = 0;    // id in the statistics
    uint32_t weight = 0;  // 16.16 fixed point
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;   // by word
  uint64_t squared_length = 0;  // also of the words that the statistics do not have
};

inline constexpr uint32_t kSame = 1'000'000;  // similarities are millionths

// The cosine of the two, from 0 (no word in common) to kSame, rounded to nearest. A stack without words is like no
// other.
uint32_t Similarity(const WordVector& a, const WordVector& b);

// A word that two stacks have in common, and how many millionths of their similarity it makes.
struct SharedWord {
  std::string word;
  uint32_t share = 0;
  bool operator==(const SharedWord&) const = default;
};

class StackSimilarity {
 public:
  // Frames farther than this from both ends weigh next to nothing and are left out; so is what a name has beyond
  // limits::kMaxNameBytes.
  static constexpr size_t kReach = 4096;

  explicit StackSimilarity(WordStatistics statistics) : statistics_(std::move(statistics)) {}

  // How much a place in a stack counts, in 16.16 fixed point: 1.0 at either end. 0 beyond the reach.
  static uint32_t Nearness(size_t place, size_t frames);
  static uint32_t Weight(uint32_t rarity, uint32_t nearness);

  // What a WordCounter is to be given for this stack.
  static std::vector<std::string> Words(const StackText& stack);

  // A word that the statistics do not have is taken to be in no other stack.
  WordVector Weigh(const StackText& stack) const;

  // Why two stacks are alike: their common words, the weightiest first, then by name; the shares add up to the
  // similarity, but for rounding.
  std::vector<SharedWord> Explain(const WordVector& a, const WordVector& b) const;

 private:
  WordStatistics statistics_;
};

}  // namespace oscope
