// Stores for the tests, on the crash file system or on a real directory, and what is in them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "index/store/store.h"
#include "tests/support/crash_file_system.h"
#include "tests/unit/format/sample.h"

namespace oscope {

#define ASSERT_OK(expression)                                               \
  do {                                                                      \
    auto&& assert_ok_result = (expression);                                 \
    ASSERT_TRUE(assert_ok_result.ok()) << assert_ok_result.error().message; \
  } while (false)
#define EXPECT_OK(expression)                                               \
  do {                                                                      \
    auto&& expect_ok_result = (expression);                                 \
    EXPECT_TRUE(expect_ok_result.ok()) << expect_ok_result.error().message; \
  } while (false)

// The value, or the end of the test program: for set-up that must work.
template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) std::fprintf(stderr, "Must: %s\n", result.error().message.c_str());
  return std::move(result).value();
}
inline void Must(Status status) {
  if (!status.ok()) std::fprintf(stderr, "Must: %s\n", status.error().message.c_str());
  OSCOPE_CHECK(status.ok());
}

// A run of project "demo" with one trace whose events spell `word`, letter by letter.
struct WordRun {
  uint64_t id = 0;
  std::string bug;
  std::string word;
};
RunId IdOf(uint64_t run);  // of the run with that WordRun::id
Run MakeRun(const WordRun& word, SymbolTable& symbols);
Status AddRuns(RunSink& sink, const std::vector<WordRun>& words);
Result<IngestResult> CommitRuns(Store& store, const std::vector<WordRun>& words);
// The same with runs that `change` has been at first.
Result<IngestResult> CommitChanged(Store& store, const std::vector<WordRun>& words,
                                   const std::function<void(Run&)>& change);

// The ids of the runs of a version, and that each is whole: its trace reads back as it was made.
std::set<uint64_t> RunsIn(const Snapshot& snapshot);
std::set<uint64_t> RunsIn(const Store& store);
// The word that a run's trace spells.
std::string WordOf(const Snapshot& snapshot, uint64_t run);

// Everything, as a collector has it, sorted by id.
RunCollector Everything(const Store& store);
// Empty when both hold the same bugs and runs.
std::string SampleDifference(Sample expected, const Store& store);

// Publishes a version that says of every table that an older release wrote it.
void MakeOlder(FileSystem& fs, const std::string& path);

// A directory that goes with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace oscope
