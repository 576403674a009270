#include "query/similarity/stack_similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "query/similarity/name_words.h"

namespace oscope {
namespace {

using Stacks = std::vector<StackText>;

StackSimilarity Over(const Stacks& stacks) {
  WordCounter counter;
  for (const StackText& stack : stacks) counter.AddStack(StackSimilarity::Words(stack));
  return StackSimilarity(counter.Freeze());
}

uint32_t Compare(const Stacks& all, size_t a, size_t b) {
  const StackSimilarity similarity = Over(all);
  return Similarity(similarity.Weigh(all[a]), similarity.Weigh(all[b]));
}

// The header's definition in floating point, word by word.
class Definition {
 public:
  explicit Definition(const Stacks& stacks) : stacks_(static_cast<double>(stacks.size())) {
    for (const StackText& stack : stacks) {
      for (const auto& [word, near] : Nearness(stack)) ++stacks_with_[word];
    }
  }

  double Cosine(const StackText& a, const StackText& b) const {
    const auto left = Nearness(a), right = Nearness(b);
    double product = 0;
    for (const auto& [word, near] : left) {
      if (right.contains(word)) product += near * right.at(word) * std::pow(Rarity(word), 2);
    }
    const double length = std::sqrt(Squared(left) * Squared(right));
    return length == 0 ? 0 : product / length;
  }

 private:
  using Words = std::map<std::string, double>;

  static Words Nearness(const StackText& stack) {
    Words words;
    const auto add = [&](std::string_view name, double near) {
      for (const std::string& word : NameWords(name)) words[word] = std::max(words[word], near);
    };
    add(stack.test, 1);
    add(stack.exception, 1);
    for (size_t i = 0; i < stack.frames.size(); ++i) {
      const size_t from_other_end = stack.frames.size() - 1 - i;
      add(stack.frames[i],
          std::max(1.0 / (1.0 + static_cast<double>(i)), 1.0 / (1.0 + static_cast<double>(from_other_end))));
    }
    return words;
  }

  double Rarity(const std::string& word) const { return std::log2(1 + stacks_ / stacks_with_.at(word)); }

  double Squared(const Words& words) const {
    double sum = 0;
    for (const auto& [word, near] : words) sum += std::pow(near * Rarity(word), 2);
    return sum;
  }

  double stacks_;
  std::map<std::string, double> stacks_with_;
};

// Stacks of names of a few words, so that they share some.
class RandomStacks {
 public:
  explicit RandomStacks(uint32_t seed) : random_(seed) {}

  Stacks Make(size_t count) {
    names_.clear();
    names_.reserve(count * 16);  // the views stay valid
    Stacks stacks(count);
    for (StackText& stack : stacks) {
      const size_t frames = random_() % 10;
      for (size_t i = 0; i < frames; ++i) stack.frames.push_back(Name());
      if (random_() % 2) stack.test = Name();
      if (random_() % 2) stack.exception = Name();
    }
    return stacks;
  }

 private:
  std::string_view Name() {
    static constexpr const char* kWords[] = {"Cart", "Shop",    "read", "Buffer", "Test",
                                             "x",    "2849731", "grow", "Parser"};
    std::string name;
    for (size_t i = 0, words = 1 + random_() % 3; i < words; ++i) name += std::string(kWords[random_() % 9]) + ".";
    return names_.emplace_back(std::move(name));
  }

  std::mt19937 random_;
  std::vector<std::string> names_;
};

TEST(StackSimilarity, EqualStacksAreTheSame) {
  const StackText stack{{"shop.CartTest.testEmpty", "shop.Cart.sum"}, {}, {}};
  EXPECT_EQ(Compare({stack, stack, {{"net.read"}, {}, {}}}, 0, 1), kSame);
  EXPECT_EQ(Compare({stack, stack, {{"net.read"}, {}, {}}}, 0, 2), 0u);
}

TEST(StackSimilarity, AStackWithoutWordsIsLikeNone) {
  const StackText empty, marks{{"<>", "::"}, {}, {}};
  EXPECT_EQ(Compare({empty, empty, marks}, 0, 1), 0u);
  EXPECT_EQ(Compare({empty, empty, marks}, 2, 2), 0u);
}

TEST(StackSimilarity, ARareWordCountsMoreThanACommonOne) {
  const Stacks stacks = {{{"alpha.common"}, {}, {}},
                         {{"alpha.other"}, {}, {}},
                         {{"beta.common"}, {}, {}},
                         {{"gamma.common"}, {}, {}},
                         {{"delta.common"}, {}, {}}};
  EXPECT_GT(Compare(stacks, 0, 1), Compare(stacks, 0, 2));
}

TEST(StackSimilarity, AWordNearAnEndCountsMore) {
  const Stacks stacks = {{{"one", "two", "three", "four", "five"}, {}, {}},
                         {{"one", "a", "b", "c", "d"}, {}, {}},
                         {{"e", "f", "g", "h", "five"}, {}, {}},
                         {{"i", "j", "three", "k", "l"}, {}, {}}};
  EXPECT_GT(Compare(stacks, 0, 1), Compare(stacks, 0, 3));
  EXPECT_EQ(Compare(stacks, 0, 1), Compare(stacks, 0, 2));
}

TEST(StackSimilarity, IsTheDefinition) {
  RandomStacks make(1);
  for (int round = 0; round < 50; ++round) {
    const Stacks stacks = make.Make(12);
    const StackSimilarity similarity = Over(stacks);
    const Definition definition(stacks);
    for (const StackText& a : stacks) {
      for (const StackText& b : stacks) {
        const uint32_t found = Similarity(similarity.Weigh(a), similarity.Weigh(b));
        ASSERT_NEAR(found / 1e6, definition.Cosine(a, b), 1e-4);
        ASSERT_EQ(found, Similarity(similarity.Weigh(b), similarity.Weigh(a)));
      }
    }
  }
}

TEST(StackSimilarity, TheExplanationAddsUp) {
  RandomStacks make(2);
  const Stacks stacks = make.Make(40);
  const StackSimilarity similarity = Over(stacks);
  for (const StackText& a : stacks) {
    for (const StackText& b : stacks) {
      const WordVector left = similarity.Weigh(a), right = similarity.Weigh(b);
      const std::vector<SharedWord> shared = similarity.Explain(left, right);
      uint32_t sum = 0;
      for (const SharedWord& word : shared) sum += word.share;
      ASSERT_NEAR(sum, Similarity(left, right), static_cast<double>(shared.size()) + 1);
      ASSERT_TRUE(
          std::is_sorted(shared.begin(), shared.end(), [](const auto& x, const auto& y) { return x.share > y.share; }));
    }
  }
}

TEST(StackSimilarity, AnUnknownWordOnlyMakesAStackLessAlike) {
  const Stacks counted = {{{"alpha.beta"}, {}, {}}, {{"gamma"}, {}, {}}};
  const StackSimilarity similarity = Over(counted);
  const WordVector known = similarity.Weigh(counted[0]),
                   with_unknown = similarity.Weigh({{"alpha.beta.zebra"}, {}, {}});
  EXPECT_EQ(with_unknown.entries, known.entries);
  EXPECT_LT(Similarity(known, with_unknown), kSame);
  EXPECT_GT(Similarity(known, with_unknown), 0u);
}

TEST(StackSimilarity, DeepRecursionAndLongNamesAreTaken) {
  const std::string name(200'000, 'A');
  StackText deep;
  deep.frames.assign(100'000, "f.g");
  deep.frames[50'000] = "middle";
  deep.exception = name;
  const StackSimilarity similarity = Over({deep});
  const WordVector vector = similarity.Weigh(deep);
  EXPECT_EQ(vector.entries.size(), 3u);  // f, g and the exception: the middle is out of reach
  EXPECT_EQ(Similarity(vector, vector), kSame);
}

}  // namespace
}  // namespace oscope
