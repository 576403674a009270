#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "quill/cache/lru_cache.h"

namespace quill::cache {
namespace {

TEST(LruCache, ForgetsTheOldest) {
  LruCache<int, int> cache(2);
  cache.Put(1, 10);
  cache.Put(2, 20);
  EXPECT_NE(cache.Get(1), nullptr);
  cache.Put(3, 30);
  EXPECT_TRUE(cache.Contains(1));
  EXPECT_FALSE(cache.Contains(2));
  EXPECT_EQ(*cache.Get(3), 30);
  EXPECT_EQ(cache.size(), 2u);
}

TEST(LruCache, CountsHitsAndMisses) {
  LruCache<int, int> cache(2);
  cache.Put(1, 10);
  cache.Get(1);
  cache.Get(2);
  EXPECT_EQ(cache.hits(), 1u);
  EXPECT_EQ(cache.misses(), 1u);
}

TEST(LruCache, ErasedEntriesAreGone) {
  LruCache<int, std::string> cache(4);
  cache.Put(1, "one");
  EXPECT_TRUE(cache.Erase(1));
  EXPECT_FALSE(cache.Erase(1));
  EXPECT_EQ(cache.Get(1), nullptr);
  EXPECT_EQ(cache.cost(), 0u);
}

TEST(LruCache, ReplacingCountsAsUse) {
  LruCache<int, int> cache(10);
  for (int key = 0; key < 30; ++key) {
    cache.Put(key, key);
    if (key % 3 == 0) cache.Get(key - 3);
  }
  cache.Put(21, 100);
  for (int key = 30; key < 39; ++key) cache.Put(key, key);
  ASSERT_NE(cache.Get(21), nullptr);
  EXPECT_EQ(*cache.Get(21), 100);
}

TEST(LruCache, NewPricesOutliveOldOnes) {
  LruCache<int, int> prices(6);
  for (int article = 100; article < 107; ++article) prices.Put(article, article * 3);
  EXPECT_EQ(*prices.Get(102), 306);
  prices.Put(101, 250);
  for (int article = 200; article < 205; ++article) prices.Put(article, 9);
  ASSERT_NE(prices.Get(101), nullptr);
  EXPECT_EQ(*prices.Get(101), 250);
}

TEST(LruCache, EntriesThatGrowStay) {
  LruCache<int, std::string> cache(40);
  for (int page = 1; page <= 20; ++page) {
    cache.Put(page, "page " + std::to_string(page), 4);
    EXPECT_LE(cache.cost(), 40u);
    EXPECT_NE(cache.Get(page), nullptr);
  }
  cache.Put(11, "page 11 with pictures", 8);
  EXPECT_EQ(cache.cost(), 40u);
  for (int page = 21; page <= 25; ++page) cache.Put(page, "page " + std::to_string(page), 4);
  EXPECT_TRUE(cache.Contains(11));
  EXPECT_FALSE(cache.Contains(16));
}

TEST(LruCache, FindsEntriesByText) {
  LruCache<std::string, int> cache(8);
  const std::vector<std::string> fruits = {"apples", "cherries", "figs", "lemons",
                                           "limes",  "pears",    "plums"};
  for (int day = 0; day < 5; ++day) {
    for (const std::string& fruit : fruits) cache.Put(fruit, day);
  }
  int* const pears = cache.Get("pears");
  ASSERT_NE(pears, nullptr);
  EXPECT_EQ(*pears, 4);
}

TEST(LruCache, FindsAgesByName) {
  LruCache<std::string, int> ages(5);
  int age = 20;
  for (const char* const name : {"Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus"}) {
    ages.Put(name, age++);
  }
  ages.Put("Fay", 44);
  int* const fay = ages.Get("Fay");
  ASSERT_NE(fay, nullptr);
  EXPECT_EQ(*fay, 44);
  EXPECT_EQ(*ages.Get("Cid"), 22);
}

TEST(LruCache, ErasesEntriesByText) {
  LruCache<std::string, std::unique_ptr<int>> cache(16);
  for (int round = 0; round < 6; ++round) {
    for (const char* const name : {"red", "green", "blue", "cyan", "pink"}) {
      cache.Put(name + std::to_string(round), std::make_unique<int>(round), 2);
    }
  }
  EXPECT_EQ(cache.size(), 8u);
  EXPECT_TRUE(cache.Erase("green5"));
  EXPECT_EQ(cache.size(), 7u);
}

TEST(LruCache, ShrinksToANewCapacity) {
  LruCache<int, int> cache(40);
  for (int key = 0; key < 60; ++key) {
    cache.Put(key, key);
    if (key % 4 == 0) EXPECT_NE(cache.Get(key), nullptr);
  }
  cache.Resize(3);
  EXPECT_EQ(cache.size(), 3u);
  EXPECT_TRUE(cache.Contains(59));
}

TEST(LruCache, ShrinksToFewSquares) {
  LruCache<int, int> squares(12);
  for (int n = 1; n <= 20; ++n) squares.Put(n, n * n);
  EXPECT_EQ(*squares.Get(15), 225);
  squares.Resize(5);
  EXPECT_EQ(squares.size(), 5u);
  EXPECT_TRUE(squares.Contains(15));
  EXPECT_FALSE(squares.Contains(16));
}

TEST(LruCache, AHeavyEntryEvictsSeveral) {
  LruCache<int, char> cache(400);
  for (int key = 0; key < 40; ++key) {
    cache.Put(key, 'x', 10);
    EXPECT_EQ(cache.cost(), static_cast<size_t>(key + 1) * 10);
  }
  cache.Put(40, 'y', 45);
  EXPECT_LE(cache.cost(), 400u);
  EXPECT_EQ(cache.Get(4), nullptr);
  EXPECT_NE(cache.Get(5), nullptr);
}

TEST(LruCache, DoesNotKeepWhatIsTooHeavy) {
  LruCache<int, int> cache(5);
  cache.Put(1, 1, 6);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.cost(), 0u);
}

}  // namespace
}  // namespace quill::cache
