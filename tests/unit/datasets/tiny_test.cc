// The distances that datasets/tiny/README.md promises.
#include <gtest/gtest.h>

#include "query/distance/levenshtein.h"
#include "tests/unit/datasets/failing_suffix.h"

namespace oscope {
namespace {

TEST(Tiny, DistancesAreThoseOfItsReadme) {
  RunCollector loaded;
  Load("tiny/tiny.jsonl", {}, loaded);
  EXPECT_EQ(loaded.bugs.size(), 9u);
  EXPECT_EQ(loaded.runs.size(), 10u);
  auto suffixes = FailingSuffixes(loaded, 50);
  const auto distance = [&](const char* a, const char* b) { return Levenshtein(suffixes[a], suffixes[b]); };
  EXPECT_EQ(distance("Ini-1", "Ini-2"), 1u);
  EXPECT_EQ(distance("Ini-1", "Ini-3"), 3u);
  EXPECT_EQ(distance("Ini-1", "Ini-4"), 0u);
  EXPECT_EQ(distance("Ini-2", "Ini-3"), 4u);
  EXPECT_EQ(distance("Wire-1", "Wire-3"), 2u);
}

TEST(Tiny, TheCrashAsTextIsOneFrameFromTheStoredStack) {
  RunCollector loaded;
  Load("tiny/tiny.jsonl", {}, loaded);
  ImportOptions options;
  options.project = "Wire";
  options.bug = "9";
  Load("tiny/wire_crash.gdb.txt", options, loaded);
  auto suffixes = FailingSuffixes(loaded, 50);
  EXPECT_EQ(Levenshtein(suffixes["Wire-2"], suffixes["Wire-9"]), 1u);
}

}  // namespace
}  // namespace oscope
