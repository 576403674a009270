// Frames as ids give what frames as names give.
#include <gtest/gtest.h>

#include <random>

#include "query/similarity/frame_weigher.h"
#include "query/similarity/frame_word_counter.h"
#include "query/similarity/stack_similarity.h"

namespace oscope {
namespace {

const std::vector<std::string> kNames = {"main", "net::Socket::read", "net::Socket::readAll2", "XMLParser.parse", "",
                                         "..",   "parse parse read",  "org.x.ParserTest"};

std::vector<std::vector<uint32_t>> RandomStacks(std::mt19937& random, size_t count, size_t longest) {
  std::vector<std::vector<uint32_t>> stacks(count);
  for (std::vector<uint32_t>& stack : stacks) {
    for (size_t n = random() % (longest + 1); n > 0; --n)
      stack.push_back(static_cast<uint32_t>(random() % kNames.size()));
  }
  return stacks;
}

StackText TextOf(const std::vector<uint32_t>& stack) {
  StackText text;
  for (const uint32_t frame : stack) text.frames.push_back(kNames[frame]);
  return text;
}

std::string_view NameOf(uint32_t frame) { return kNames[frame]; }

TEST(Frames, CountAsNames) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    WordCounter by_name;
    FrameWordCounter by_id;
    for (int table = 0; table < 3; ++table) {
      // The ids of a table mean nothing in the next.
      const uint32_t shift = static_cast<uint32_t>(random() % kNames.size());
      by_id.BeginTable([shift](uint32_t frame) -> std::string_view { return kNames[(frame + shift) % kNames.size()]; });
      for (std::vector<uint32_t> stack : RandomStacks(random, 5, 6)) {
        by_name.AddStack(StackSimilarity::Words(TextOf(stack)));
        for (uint32_t& frame : stack) frame = static_cast<uint32_t>((frame + kNames.size() - shift) % kNames.size());
        by_id.AddStack(stack);
      }
    }
    const WordStatistics expected = by_name.Freeze(), counted = by_id.Freeze();
    ASSERT_EQ(counted.size(), expected.size());
    EXPECT_EQ(counted.unknown_rarity(), expected.unknown_rarity());
    for (uint32_t id = 0; id < expected.size(); ++id) {
      EXPECT_EQ(counted.word(id), expected.word(id));
      EXPECT_EQ(counted.rarity(id), expected.rarity(id));
    }
  }
}

TEST(Frames, WeighAsNames) {
  std::mt19937 random(2);
  for (int round = 0; round < 30; ++round) {
    // Of some words nothing is known.
    WordCounter counter;
    for (const std::vector<uint32_t>& stack : RandomStacks(random, 3, 2))
      counter.AddStack(StackSimilarity::Words(TextOf(stack)));
    const WordStatistics statistics = counter.Freeze();
    const StackSimilarity similarity(statistics);
    FrameWeigher weigher(statistics, NameOf);
    for (const std::vector<uint32_t>& stack : RandomStacks(random, 20, round == 0 ? 9000 : 30)) {
      const WordVector expected = similarity.Weigh(TextOf(stack)), weighed = weigher.Weigh(stack);
      EXPECT_EQ(weighed.entries, expected.entries);
      EXPECT_EQ(weighed.squared_length, expected.squared_length);
    }
  }
}

}  // namespace
}  // namespace oscope
