// The sinks between a reader and the store: they hand errors on at every call, stop when they are asked to, and change
// what they should alone.
#include "cli/transfer/import_sinks.h"

#include <gtest/gtest.h>

#include "index/intake/failure_rule.h"
#include "tests/support/failing_sink.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

// Whatever the sink has to say is in the log of the calls that reach the next one.
std::vector<std::string> LogOf(const std::function<Status(RunSink&)>& send) {
  FailingSink sink;
  EXPECT_OK(send(sink));
  EXPECT_EQ(sink.misuse(), "");
  return sink.log();
}

class ImportSinks : public testing::Test {
 protected:
  const Sample sample_ = ShortSample();
};

// --- FillingSink ---

TEST_F(ImportSinks, FillingHandsErrorsOnAtEveryCall) {
  ImportOptions options;
  options.outcome = Outcome::kPassed;
  EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) {
              FillingSink filling(sink, options);
              return Send(sample_, filling);
            }),
            "");
}

TEST_F(ImportSinks, FillingChangesNothingUnlessTold) {
  const ImportOptions none;
  EXPECT_EQ(LogOf([&](RunSink& sink) {
              FillingSink filling(sink, none);
              return Send(sample_, filling);
            }),
            LogOf([&](RunSink& sink) { return Send(sample_, sink); }));
}

RunCollector Filled(const Sample& sample, const ImportOptions& options) {
  RunCollector collected;
  FillingSink filling(collected, options);
  EXPECT_OK(Send(sample, filling));
  return collected;
}

TEST_F(ImportSinks, FillingFillsInWhatTheRecordingDoesNotSay) {
  const ImportOptions options{.project = "other", .bug = "9", .test = "T", .version = "v", .language = "c"};
  const RunCollector filled = Filled(sample_, options);
  const RunHeader& said = filled.runs.at(0).header;
  EXPECT_EQ(said, sample_.runs[0].header) << "the first run says it all";
  const RunHeader& silent = filled.runs.at(1).header;
  EXPECT_EQ(silent.project, "demo");
  EXPECT_EQ(silent.bug, "9");
  EXPECT_EQ(silent.test, "T");
  EXPECT_EQ(silent.version, "v");
  EXPECT_EQ(silent.language, "c");
  EXPECT_EQ(silent.outcome, Outcome::kPassed);
}

// As for texts: a run that is said to have passed has neither a mark nor a thread that failed.
TEST_F(ImportSinks, APassingOutcomeTakesTheFailureAway) {
  ASSERT_TRUE(sample_.runs[0].header.failing_thread && sample_.runs[0].traces[0].header.mark);
  ImportOptions options;
  options.outcome = Outcome::kPassed;
  const RunCollector passed = Filled(sample_, options);
  for (const oscope::Run& run : passed.runs) {
    EXPECT_EQ(run.header.outcome, Outcome::kPassed);
    EXPECT_FALSE(run.header.failing_thread);
    for (const Trace& trace : run.traces) EXPECT_FALSE(trace.header.mark);
  }
  options.outcome = Outcome::kTimeout;
  const RunCollector failed = Filled(sample_, options);
  EXPECT_EQ(failed.runs.at(0).header.outcome, Outcome::kTimeout);
  EXPECT_EQ(failed.runs.at(0).header.failing_thread, sample_.runs[0].header.failing_thread);
  EXPECT_EQ(failed.runs.at(0).traces.at(0).header, sample_.runs[0].traces[0].header);
}

// --- WatchedSink and LookingSink ---

TEST_F(ImportSinks, WatchingHandsErrorsOnAtEveryCall) {
  Progress progress("importing", "events", 0, true);
  const auto send = [&](RunSink& sink) {
    WatchedSink watched(sink, CancelToken(), progress);
    return Send(sample_, watched);
  };
  EXPECT_EQ(FailingSinkProblem(send), "");
  EXPECT_EQ(LogOf(send), LogOf([&](RunSink& sink) { return Send(sample_, sink); }));
}

TEST_F(ImportSinks, WatchingStopsWhenAskedTo) {
  Progress progress("importing", "events", 0, true);
  // The wish comes at every call; the next run or the next events are the last that are looked at.
  class Cancelling : public FailingSink {
   public:
    Cancelling(uint64_t at, CancelSource source) : at_(at), source_(std::move(source)) {}
    Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
      return Then(FailingSink::BeginRun(run, symbols));
    }
    Status BeginTrace(const TraceHeader& trace) override { return Then(FailingSink::BeginTrace(trace)); }
    Status AddEvents(const EventChunk& chunk) override { return Then(FailingSink::AddEvents(chunk)); }
    Status EndTrace() override { return Then(FailingSink::EndTrace()); }
    Status EndRun() override { return Then(FailingSink::EndRun()); }

   private:
    Status Then(Status status) {
      if (calls() == at_) source_.Cancel();
      return status;
    }
    uint64_t at_;
    CancelSource source_;
  };
  const std::vector<std::string> all = LogOf([&](RunSink& sink) { return Send(sample_, sink); });
  const auto asks = [](const std::string& call) { return call.starts_with("run ") || call.starts_with("events "); };
  const auto last_question = std::find_if(all.rbegin(), all.rend(), asks).base() - 1 - all.begin();
  for (size_t at = sample_.bugs.size() + 1; at <= static_cast<size_t>(last_question); ++at) {
    const CancelSource source;
    Cancelling sink(at, source);
    WatchedSink watched(sink, source.token(), progress);
    const Status sent = Send(sample_, watched);
    ASSERT_FALSE(sent.ok()) << at;
    EXPECT_EQ(sent.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(sink.misuse(), "");
    EXPECT_FALSE(asks(all[sink.calls() - 1]) && sink.calls() > at)
        << "call " << sink.calls() << " came through after the wish at " << at;
  }
}

TEST_F(ImportSinks, LookingTakesEverythingUntilAskedToStop) {
  size_t reports = 0;
  CancelSource source;
  LookingSink looking(source.token(), [&] { ++reports; });
  EXPECT_OK(Send(sample_, looking));
  EXPECT_EQ(reports, sample_.bugs.size());
  source.Cancel();
  EXPECT_EQ(looking.BeginRun({}, sample_.symbols).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(looking.AddEvents({}).error().code, ErrorCode::kCancelled);
}

// --- CountingSink ---

TEST_F(ImportSinks, CountingTellsWhatWouldBeAdded) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  {
    const auto ingest = Must(store.BeginIngest({}));
    Must(ingest->AddBug(sample_.bugs[0]));
    Must(SendRun(sample_.runs[0], sample_.symbols, *ingest));
    Must(ingest->Commit());
  }
  const Snapshot snapshot = Must(store.Read());
  Sample again = ShortSample();
  again.bugs[0].title = "another title";
  CountingSink sink(&snapshot);
  ASSERT_OK(Send(again, sink));
  // The same once more: what the files themselves repeat is known by then.
  ASSERT_OK(Send(again, sink));
  ASSERT_OK(sink.Finish({}));
  EXPECT_EQ(sink.result.bugs_added, 1u);
  EXPECT_EQ(sink.result.bugs_changed, 1u);
  EXPECT_EQ(sink.result.runs_added, 2u);
  EXPECT_EQ(sink.result.runs_known, 4u);
  EXPECT_EQ(sink.result.traces_added, 1u);
  EXPECT_EQ(sink.result.events_added, sample_.runs[1].traces[0].events.size());

  CountingSink nothing_known(nullptr);
  ASSERT_OK(Send(sample_, nothing_known));
  ASSERT_OK(nothing_known.Finish({}));
  EXPECT_EQ(nothing_known.result.bugs_added, 2u);
  EXPECT_EQ(nothing_known.result.runs_added, 3u);
}

// A dry run that cannot read the store must say so: else it would promise to add what is there.
TEST_F(ImportSinks, CountingHandsOnWhatTheStoreCannotRead) {
  CrashFileSystem prepared;
  {
    Store store = Must(Store::Create(prepared, "s"));
    const auto ingest = Must(store.BeginIngest({}));
    Must(Send(sample_, *ingest));
    Must(ingest->Commit());
  }
  oscope::Run failing = sample_.runs[1];
  failing.header.id = RunId{{7, 7}};
  failing.header.outcome = Outcome::kFailed;
  failing.header.failure.fingerprint = "f";
  const auto count = [&](CountingSink& sink) -> Status {
    OSCOPE_RETURN_IF_ERROR(Send(sample_, sink));
    OSCOPE_RETURN_IF_ERROR(SendRun(failing, sample_.symbols, sink));
    return sink.Finish(FailureRule());
  };
  uint64_t failed = 0;
  for (uint64_t n = 1;; ++n) {
    const auto fs = prepared.Kill();
    fs->MapFiles(false);
    const Store store = Must(Store::Open(*fs, "s"));
    const Snapshot snapshot = Must(store.Read());
    const uint64_t at = fs->reads() + n;
    fs->FailReadAt(at, ReadFault::kIoError);
    CountingSink sink(&snapshot);
    const Status counted = count(sink);
    if (!counted.ok()) {
      ++failed;
      EXPECT_EQ(counted.error().code, ErrorCode::kIo) << fs->read_log()[at - 1];
      continue;
    }
    // An index that cannot be read is made of the tables: then the answer is the right one.
    EXPECT_EQ(sink.result.runs_known, 3u) << n;
    EXPECT_EQ(sink.result.runs_added, 1u) << n;
    EXPECT_EQ(sink.runs.at(3).decision.fate, RunFate::kNew) << n;
    if (fs->reads() < at) break;
  }
  EXPECT_GT(failed, 3u);
}

}  // namespace
}  // namespace oscope::cli
