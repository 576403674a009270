// A store sends what it has: to a sink that fails at every call, and to a scan that fails at every batch.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "index/store/segment_reader.h"
#include "tests/support/failing_sink.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

// Three segments: bugs and runs of every kind, a run of several chunks, and one more run.
class SnapshotSend : public testing::Test {
 protected:
  SnapshotSend() {
    Sample sample = ShortSample();
    Trace& trace = sample.runs[1].traces.emplace_back();
    trace.header.process = 3;
    trace.events.assign(limits::kChunkEvents + 10, sample.symbols.Intern("loop"));
    trace.FinishHeader();
    const auto ingest = Must(store_.BeginIngest({}));
    Must(Send(sample, *ingest));
    Must(ingest->Commit());
    Must(CommitRuns(store_, {{1, "b", "abc"}, {2, "c", "abd"}}));
    Must(CommitRuns(store_, {{3, "b", ""}}));
  }

  Status SendAll(RunSink& sink, bool skip_damaged) const {
    Snapshot snapshot = Must(store_.Read());
    snapshot.SkipDamaged(skip_damaged);
    Status sent = snapshot.Send([](const StoredRun&) { return true; }, sink);
    EXPECT_TRUE(snapshot.damaged().empty()) << "an error of the sink is no damage";
    return sent;
  }

  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
};

TEST_F(SnapshotSend, EndsWithTheErrorOfTheSinkAtEveryCall) {
  EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return SendAll(sink, false); }), "");
}

// A sink may meet damage of its own, of the store it writes to: that is no reason to leave a segment of this one out.
TEST_F(SnapshotSend, EndsWithTheErrorOfTheSinkWhenDamageIsSkipped) {
  const ErrorCode codes[] = {ErrorCode::kCorrupt, ErrorCode::kIo};
  EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return SendAll(sink, true); }, codes), "");
}

TEST_F(SnapshotSend, TheErrorOfTheSinkComesAsItIs) {
  FailingSink whole;
  ASSERT_OK(SendAll(whole, false));
  for (uint64_t n = 1; n <= whole.calls(); ++n) {
    FailingSink sink(n, Error{ErrorCode::kIo, "write out.jsonl: No space left on device"});
    EXPECT_EQ(SendAll(sink, false).error().message, "write out.jsonl: No space left on device") << whole.log()[n - 1];
  }
}

TEST_F(SnapshotSend, RunsThatAreNotKeptAreNotSent) {
  const Snapshot snapshot = Must(store_.Read());
  const auto send = [&](RunSink& sink) {
    return snapshot.Send([](const StoredRun& run) { return run.header.bug != "b" && run.header.bug != "342"; }, sink);
  };
  EXPECT_EQ(FailingSinkProblem(send), "");
  FailingSink some, all;
  ASSERT_OK(send(some));
  ASSERT_OK(SendAll(all, false));
  const auto runs = [](const FailingSink& sink) { return std::ranges::count(sink.log(), "end of run"); };
  EXPECT_EQ(runs(all), 6);
  EXPECT_EQ(runs(some), 3);
}

TEST_F(SnapshotSend, AScanEndsWithTheErrorOfItsCaller) {
  for (const bool skip_damaged : {false, true}) {
    for (const ErrorCode code : EveryErrorCode()) {
      for (int n = 1;; ++n) {
        Snapshot snapshot = Must(store_.Read());
        snapshot.SkipDamaged(skip_damaged);
        int batches = 0;
        const Status scanned = snapshot.ScanTraces({}, [&](const TraceBatch&) -> Status {
          if (++batches == n) return Error{code, "enough"};
          return {};
        });
        if (batches < n) {
          EXPECT_OK(scanned);
          EXPECT_GT(n, 3) << "a batch for each segment";
          break;
        }
        ASSERT_FALSE(scanned.ok()) << n;
        EXPECT_EQ(scanned.error().code, code);
        EXPECT_EQ(scanned.error().message, "enough");
        EXPECT_EQ(batches, n);
        EXPECT_TRUE(snapshot.damaged().empty());
      }
    }
  }
}

// What cannot be read is an error, damage skipped or not: a disk that fails once has not damaged a segment. What was
// sent until then is a beginning, and is not ended as if it were whole.
TEST_F(SnapshotSend, AReadThatFailsIsAnErrorAndNoRunIsEndedEarly) {
  FailingSink whole;
  ASSERT_OK(SendAll(whole, false));
  for (const bool skip_damaged : {false, true}) {
    uint64_t failed = 0;
    for (uint64_t n = 1;; ++n) {
      const auto fs = fs_.Kill();
      fs->MapFiles(false);
      const Store store = Must(Store::Open(*fs, "s"));
      Snapshot snapshot = Must(store.Read());
      snapshot.SkipDamaged(skip_damaged);
      const uint64_t at = fs->reads() + n;
      fs->FailReadAt(at, ReadFault::kIoError);
      FailingSink sink;
      const Status sent = snapshot.Send([](const StoredRun&) { return true; }, sink);
      ASSERT_EQ(sink.misuse(), "") << n;
      ASSERT_TRUE(sink.calls() <= whole.calls() &&
                  std::equal(sink.log().begin(), sink.log().end(), whole.log().begin()))
          << n;
      if (fs->reads() < at) {
        EXPECT_OK(sent);
        EXPECT_EQ(sink.calls(), whole.calls());
        break;
      }
      ++failed;
      ASSERT_FALSE(sent.ok()) << n << " " << fs->read_log()[at - 1];
      EXPECT_EQ(sent.error().code, ErrorCode::kIo) << fs->read_log()[at - 1] << ": " << sent.error().message;
      EXPECT_TRUE(snapshot.damaged().empty());
    }
    EXPECT_GT(failed, 20u);
  }
}

}  // namespace
}  // namespace oscope
