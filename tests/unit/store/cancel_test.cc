// A wish to stop at every place where a long operation of the store asks for it: it ends with kCancelled, nothing is
// changed (of a purge: nothing, or its first commit whole) and nothing left behind, and the next operation works.
// Removing one of the questions makes an operation ask less often than is said here.
#include <future>

#include "index/store/batching_sink.h"
#include "tests/support/counted_cancel.h"
#include "tests/support/watched_file_system.h"
#include "tests/unit/store/store_operations.h"
#include "tracer/model/null_sink.h"

namespace oscope {
namespace {

constexpr uint64_t kSegments = 8;
constexpr uint64_t kRunsPerSegment = 2;

// Two stores of kSegments segments each, with two runs of one bug in every segment. In a third one the index files are
// missing.
constexpr const char* kMergedStore = "other";
constexpr const char* kUnindexedStore = "unindexed";

const CrashFileSystem& LongDisk() {
  static const std::unique_ptr<CrashFileSystem> disk = [] {
    auto made = std::make_unique<CrashFileSystem>();
    const auto fill = [&](const std::string& path, uint64_t first_run) {
      Store store = Must(Store::Create(*made, path));
      for (uint64_t i = 0; i < kSegments; ++i) {
        const std::string bug = fmt::format("{}", i % 3);
        const uint64_t run = first_run + kRunsPerSegment * i;
        Must(CommitAgedRuns(store, {{run, bug, fmt::format("a{}", run)}, {run + 1, bug, fmt::format("b{}", run)}}));
      }
    };
    fill(kStorePath, 1);
    fill(kMergedStore, 1001);
    fill(kUnindexedStore, 2001);
    for (const std::string& name : Must(made->List(std::string(kUnindexedStore) + "/index"))) {
      Must(made->Remove(fmt::format("{}/index/{}", kUnindexedStore, name)));
    }
    return made;
  }();
  return *disk;
}

struct LongOperation {
  std::string name;
  uint64_t checks = 0;    // how often it asks, on the disk above
  uint64_t progress = 0;  // how many segments it tells of
  uint64_t soon = 0;  // how many operations on files may follow a wish to stop: those of a segment, and the cleaning up
  std::string store = kStorePath;
  std::function<Status(WatchedFileSystem&, Store&)> act;
  uint64_t asked_before_first_commit = 0;  // of two; 0: there is one, at the end
};

template <typename T>
Status Only(Result<T> result) {
  if (!result.ok()) return std::move(result).error();
  return {};
}

const std::vector<LongOperation>& LongOperations() {
  static const std::vector<LongOperation> operations = [] {
    std::vector<LongOperation> made;
    const auto add = [&](std::string name, uint64_t checks, uint64_t progress, uint64_t soon,
                         std::function<Status(WatchedFileSystem&, Store&)> act, std::string store = kStorePath) {
      made.push_back({std::move(name), checks, progress, soon, std::move(store), std::move(act)});
      return &made.back();
    };
    // A wish that comes while the first commit of a purge removes files is heard after that.
    constexpr uint64_t kSoonAfterFirstCommit = 120;
    add("check", kSegments, kSegments, 48, [](WatchedFileSystem&, Store& store) { return Only(store.Check()); });
    add("quick_check", kSegments, kSegments, 40,
        [](WatchedFileSystem&, Store& store) { return Only(store.Check({.deep = false})); });
    add("compact", kSegments, kSegments, 40, [](WatchedFileSystem&, Store& store) { return Only(store.Compact()); });
    add("compact_and_split", kSegments, kSegments, 40, [](WatchedFileSystem&, Store& store) {
      CompactOptions options;
      options.split_runs = 3;
      return Only(store.Compact(options));
    });
    // The first three segments have the reports, which stay.
    add("purge", 2 * kSegments, kSegments, kSoonAfterFirstCommit, [](WatchedFileSystem&, Store& store) {
      PurgeFilter filter;
      filter.project = "demo";
      return Only(store.Purge(filter));
    })->asked_before_first_commit = 2 * kSegments - 3;
    // So they do here, and the last three segments have the newest run of each bug.
    add("purge_but_the_last", 3 * kSegments, kSegments, kSoonAfterFirstCommit, [](WatchedFileSystem&, Store& store) {
      PurgeFilter filter;
      filter.keep_last = 1;
      return Only(store.Purge(filter));
    })->asked_before_first_commit = 3 * kSegments - 6;
    add("purge_on_trial", kSegments, 0, 40, [](WatchedFileSystem&, Store& store) {
      PurgeFilter filter;
      filter.project = "demo";
      return Only(store.Purge(filter, /*dry_run=*/true));
    });
    add("link", kSegments, kSegments, 40, [](WatchedFileSystem&, Store& store) {
      std::vector<RunId> runs;
      for (uint64_t i = 0; i < kSegments; ++i) runs.push_back(IdOf(1 + kRunsPerSegment * i));
      return Only(store.LinkRuns(runs, {"demo", "1"}));
    });
    add(
        "reindex", kSegments, kSegments, 40, [](WatchedFileSystem&, Store& store) { return Only(store.Reindex()); },
        kUnindexedStore);
    add("reindex_on_trial", kSegments, kSegments, 40,
        [](WatchedFileSystem&, Store& store) { return Only(store.Reindex({.verify = true})); });
    add("backup", kSegments, kSegments, 80,
        [](WatchedFileSystem&, Store& store) { return Only(store.Backup("copy")); });
    add("send", kSegments, kSegments, 40, [](WatchedFileSystem&, Store& store) -> Status {
      OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
      NullSink nothing;
      return snapshot.Send([](const StoredRun&) { return true; }, nothing);
    });
    // It asks after every run and every segment, and before it commits.
    add("merge", kSegments * (kRunsPerSegment + 1) + 1, 0, 40, [](WatchedFileSystem& fs, Store& store) -> Status {
      OSCOPE_ASSIGN_OR_RETURN(const Store other, Store::Open(fs, kMergedStore, {.cancel = store.cancel()}));
      return Only(store.Merge(other));
    });
    return made;
  }();
  return operations;
}

// The name of every file of the stores but of pins and locks, and every directory.
std::vector<std::string> FilesOn(FileSystem& disk) {
  std::vector<std::string> files;
  for (const char* store : {kStorePath, kMergedStore, kUnindexedStore}) {
    for (const char* directory : {"manifests", "groups", "segments", "index", "tmp"}) {
      const std::string path = fmt::format("{}/{}", store, directory);
      for (const std::string& name : Must(disk.List(path))) files.push_back(path + "/" + name);
    }
  }
  return files;
}

class LongOperationTest : public ::testing::TestWithParam<std::string> {
 protected:
  const LongOperation& operation() const {
    return *std::find_if(LongOperations().begin(), LongOperations().end(),
                         [](const LongOperation& one) { return one.name == GetParam(); });
  }

  // That a cancelled operation changed nothing and left nothing, and that it can be done afterwards.
  void ExpectUnchanged(CrashFileSystem& disk, WatchedFileSystem& fs, Store& store,
                       const std::vector<std::string>& files, const std::string& held) {
    std::vector<std::string> now = FilesOn(disk);
    std::set<std::string> left = fs.made();
    if (operation().name == "reindex") {
      // An index file that was written anew is what it should be, and a change of nothing.
      const auto is_index = [](const std::string& path) {
        return path.starts_with(std::string(kUnindexedStore) + "/index/");
      };
      std::erase_if(now, is_index);
      std::erase_if(left, is_index);
    }
    EXPECT_EQ(now, files);
    EXPECT_EQ(left, std::set<std::string>()) << "nothing is left behind\n" << fs.log();
    EXPECT_EQ(Describe(Must(Store::Open(disk, operation().store))), held);
    EXPECT_OK(operation().act(fs, store));
  }

  // That the first of two commits is there whole and said to be, and that the same operation makes the second.
  void ExpectHalfDone(CrashFileSystem& disk, WatchedFileSystem& fs, Store& store, const std::string& message,
                      const std::string& held) {
    EXPECT_NE(message.find("; deleted: "), std::string::npos) << message;
    EXPECT_NE(message.find("; left: "), std::string::npos) << message;
    EXPECT_EQ(Unnamed(Must(Store::Open(disk, kStorePath)), fs.made()), std::vector<std::string>());
    EXPECT_NE(Describe(Must(Store::Open(disk, kStorePath))), held);
    EXPECT_OK(operation().act(fs, store));
    const auto other_disk = LongDisk().Kill();
    WatchedFileSystem other_fs(*other_disk);
    Store other = Must(Store::Open(other_fs, kStorePath));
    EXPECT_OK(operation().act(other_fs, other));
    EXPECT_EQ(Describe(Must(Store::Open(disk, kStorePath))), Describe(other));
    ExpectTidy(disk);
  }

  CountedCancel cancel_;
};

TEST_P(LongOperationTest, AsksAndTellsAtEverySegment) {
  const auto disk = LongDisk().Kill();
  WatchedFileSystem fs(*disk);
  Store store = Must(Store::Open(fs, operation().store, {.cancel = cancel_.token()}));
  uint64_t told = 0;
  store.OnProgress([&](uint64_t segments) { told += segments; });
  cancel_.CancelAt(0);
  ASSERT_OK(operation().act(fs, store));
  EXPECT_EQ(cancel_.questions(), operation().checks);
  EXPECT_EQ(told, operation().progress);
}

TEST_P(LongOperationTest, StopsAtEveryQuestion) {
  const std::vector<std::string> files = FilesOn(*LongDisk().Kill());
  const std::string held = Describe(Must(Store::Open(*LongDisk().Kill(), operation().store)));
  for (uint64_t n = 1; n <= operation().checks; ++n) {
    SCOPED_TRACE(fmt::format("cancelled at question {}", n));
    const auto disk = LongDisk().Kill();
    WatchedFileSystem fs(*disk);
    Store store = Must(Store::Open(fs, operation().store, {.cancel = cancel_.token()}));
    cancel_.CancelAt(n);
    const Status status = operation().act(fs, store);
    EXPECT_EQ(cancel_.questions(), n);
    cancel_.Reset();
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kCancelled) << status.error().message;
    if (operation().asked_before_first_commit != 0 && n > operation().asked_before_first_commit) {
      ExpectHalfDone(*disk, fs, store, status.error().message, held);
    } else {
      ExpectUnchanged(*disk, fs, store, files, held);
    }
    if (HasFailure()) return;
  }
}

// Not only does it end: it ends soon, whatever it was doing when the wish came.
TEST_P(LongOperationTest, StopsSoonAfterAnyOperationOnFiles) {
  constexpr uint64_t kStride = 7;
  for (uint64_t n = 1;; n += kStride) {
    const auto disk = LongDisk().Kill();
    WatchedFileSystem fs(*disk);
    Store store = Must(Store::Open(fs, operation().store, {.cancel = cancel_.token()}));
    const uint64_t before = fs.operations();
    fs.BeforeEach([&](const FileOperation& now) -> Status {
      if (now.number == before + n) cancel_.Cancel();
      return {};
    });
    cancel_.CancelAt(0);
    const Status status = operation().act(fs, store);
    const uint64_t done = fs.operations() - before;
    cancel_.Reset();
    if (done < n) break;
    SCOPED_TRACE(fmt::format("cancelled at operation {} of {}", n, done));
    if (!status.ok()) {
      EXPECT_EQ(status.error().code, ErrorCode::kCancelled) << status.error().message;
      EXPECT_LE(done - n, operation().soon) << fs.log();
    } else {
      EXPECT_GT(n, 1u) << "a wish that is known from the start is heard";
    }
    if (HasFailure()) return;
  }
}

std::vector<std::string> LongOperationNames() {
  std::vector<std::string> names;
  for (const LongOperation& operation : LongOperations()) names.push_back(operation.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Store, LongOperationTest, ::testing::ValuesIn(LongOperationNames()),
                         [](const auto& one) { return one.param; });

// What was committed before the wish stays, and is told; what came after is dropped.
TEST(BatchingSinkCancel, KeepsTheBatchesBeforeTheWish) {
  constexpr uint64_t kRuns = 7, kBatch = 2;
  for (uint64_t n = 1; n <= kRuns + 1; ++n) {
    SCOPED_TRACE(fmt::format("cancelled at question {}", n));
    CrashFileSystem disk;
    CountedCancel cancel;
    Store store = Must(Store::Create(disk, kStorePath, cancel.token()));
    cancel.CancelAt(n);
    uint64_t committed = 0;
    Status status;
    {
      const auto sink = Must(BatchingSink::Open(store, kBatch));
      for (uint64_t run = 1; run <= kRuns && status.ok(); ++run)
        status = AddRuns(*sink, {{run, "7", fmt::format("w{}", run)}});
      if (status.ok()) status = Only(sink->Finish());
      committed = sink->Committed().runs_added;
    }
    EXPECT_EQ(cancel.questions(), n);
    cancel.Reset();
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
    // Question n comes after run n, before that run's batch is committed.
    const uint64_t expected = std::min((n - 1) / kBatch * kBatch, kRuns / kBatch * kBatch);
    EXPECT_EQ(committed, expected);
    EXPECT_EQ(RunsIn(store).size(), expected);
    ExpectTidy(disk);
  }
}

// --- several askers of one open store ---

// Both are in the middle when one is cancelled: it ends, and the other does all of its work.
TEST(TwoAskers, WhoIsCancelledLeavesTheOtherRunning) {
  const auto disk = LongDisk().Kill();
  Store store = Must(Store::Open(*disk, kStorePath));
  CancelSource one, other;
  Store first = store.Share(one.token()), second = store.Share(other.token());
  std::promise<void> first_begun, second_begun, first_ended;
  uint64_t told_first = 0, told_second = 0;
  first.OnProgress([&](uint64_t) {
    if (++told_first != 2) return;
    first_begun.set_value();
    second_begun.get_future().wait();
    one.Cancel();
  });
  second.OnProgress([&](uint64_t) {
    if (++told_second != 2) return;
    second_begun.set_value();
    first_ended.get_future().wait();
  });
  auto second_check = std::async(std::launch::async, [&] {
    first_begun.get_future().wait();
    return second.Check();
  });
  const auto cancelled = first.Check();
  first_ended.set_value();
  const CheckResult whole = Must(second_check.get());
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(told_first, 2u) << "nothing of it goes on after the wish";
  EXPECT_EQ(told_second, kSegments);
  EXPECT_TRUE(whole.healthy());
  const CheckResult alone = Must(store.Check());
  EXPECT_EQ(whole.files_checked, alone.files_checked);
  EXPECT_EQ(whole.bytes_checked, alone.bytes_checked);
  EXPECT_FALSE(first.Check().ok()) << "until it is taken back";
  one.Reset();
  EXPECT_OK(first.Check());
}

// What one asker could not finish must not be remembered as an answer for all.
TEST(TwoAskers, ACancelIsNotRememberedForTheOther) {
  const auto disk = LongDisk().Kill();
  for (const std::string& name : Must(disk->List(std::string(kStorePath) + "/index")))
    Must(disk->Remove(fmt::format("{}/index/{}", kStorePath, name)));
  Store store = Must(Store::Open(*disk, kStorePath, {.skip_damaged = true}));
  CountedCancel cancel;
  const Store impatient = store.Share(cancel.token());
  for (uint64_t n = 1;; ++n) {
    cancel.CancelAt(n);
    const auto keys = Must(impatient.Read()).BugKeys();
    const bool asked = cancel.questions() >= n;
    cancel.Reset();
    const Snapshot patient = Must(store.Read());
    EXPECT_EQ(Must(patient.BugKeys()).size(), 3u) << n;
    EXPECT_EQ(patient.damaged(), std::vector<std::string>()) << n;
    if (!asked) break;
    ASSERT_FALSE(keys.ok()) << n;
    EXPECT_EQ(keys.error().code, ErrorCode::kCancelled) << keys.error().message;
  }
}

TEST(TwoAskers, OfTwoImportsOneIsCancelled) {
  constexpr uint64_t kRuns = 9, kBatch = 2;
  CrashFileSystem disk;
  Store store = Must(Store::Create(disk, kStorePath));
  CancelSource one;
  Store first = store.Share(one.token()), second = store.Share(CancelSource().token());
  const auto import = [&](Store& into, uint64_t first_run, const std::function<void(uint64_t)>& before) -> Status {
    const auto sink = Must(BatchingSink::Open(into, kBatch));
    for (uint64_t run = 0; run < kRuns; ++run) {
      before(run);
      OSCOPE_RETURN_IF_ERROR(AddRuns(*sink, {{first_run + run, "7", fmt::format("w{}", first_run + run)}}));
    }
    return Only(sink->Finish());
  };
  std::promise<void> second_begun, first_ended;
  auto finished = std::async(std::launch::async, [&] {
    return import(second, 101, [&](uint64_t run) {
      if (run != kRuns / 2) return;
      second_begun.set_value();
      first_ended.get_future().wait();
    });
  });
  second_begun.get_future().wait();
  const Status cancelled = import(first, 1, [&](uint64_t run) {
    if (run == kRuns / 2) one.Cancel();
  });
  first_ended.set_value();
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_OK(finished.get());
  std::set<uint64_t> expected = {1, 2, 3, 4};
  for (uint64_t run = 0; run < kRuns; ++run) expected.insert(101 + run);
  EXPECT_EQ(RunsIn(store), expected) << "its batches before the wish, and all of the other's";
}

}  // namespace
}  // namespace oscope
