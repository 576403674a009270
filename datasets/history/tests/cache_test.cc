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
  LruCache<int, int> cache(3);
  for (int key = 1; key <= 3; ++key) cache.Put(key, key);
  cache.Put(1, 100);
  cache.Put(4, 4);
  ASSERT_NE(cache.Get(1), nullptr);
  EXPECT_EQ(*cache.Get(1), 100);
}

TEST(LruCache, EntriesThatGrowStay) {
  LruCache<int, std::string> cache(10);
  cache.Put(1, "page one", 4);
  cache.Put(2, "page two", 4);
  cache.Put(1, "page one with pictures", 6);
  EXPECT_EQ(cache.cost(), 10u);
  cache.Put(3, "page three", 4);
  EXPECT_TRUE(cache.Contains(1));
  EXPECT_FALSE(cache.Contains(2));
}

TEST(LruCache, FindsEntriesByText) {
  LruCache<std::string, int> cache(8);
  cache.Put("apples", 3);
  cache.Put("pears", 5);
  int* const pears = cache.Get("pears");
  ASSERT_NE(pears, nullptr);
  EXPECT_EQ(*pears, 5);
}

TEST(LruCache, ErasesEntriesByText) {
  LruCache<std::string, std::unique_ptr<int>> cache(8);
  for (const char* const name : {"red", "green", "blue"}) {
    cache.Put(name, std::make_unique<int>(1));
  }
  EXPECT_TRUE(cache.Erase("green"));
  EXPECT_EQ(cache.size(), 2u);
}

TEST(LruCache, ShrinksToANewCapacity) {
  LruCache<int, int> cache(10);
  for (int key = 0; key < 10; ++key) cache.Put(key, key);
  cache.Resize(3);
  EXPECT_EQ(cache.size(), 3u);
  EXPECT_TRUE(cache.Contains(9));
}

TEST(LruCache, AHeavyEntryEvictsSeveral) {
  LruCache<int, char> cache(100);
  for (int key = 0; key < 10; ++key) cache.Put(key, 'x', 10);
  cache.Put(10, 'y', 45);
  EXPECT_LE(cache.cost(), 100u);
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
