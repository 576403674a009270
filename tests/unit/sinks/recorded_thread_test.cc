// The events of a raw recording, sent to a sink that fails at every call.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "tests/support/failing_sink.h"
#include "tests/unit/raw/raw_bytes.h"
#include "tracer/record/thread_events.h"

namespace oscope {
namespace {

class RecordedThread : public testing::Test {
 protected:
  RecordedThread() {
    EXPECT_TRUE(sites_.Add("site 0 m - 1000 main\nsite 1 m - 2000 f\n").ok());
    // Two threads: one of three chunks of a trace, one of a few events.
    constexpr uint32_t kInAChunk = 4'000;
    uint32_t left = 2 * limits::kChunkEvents + 3;
    uint64_t sequence = 0;
    while (left > 0) {
      const uint32_t count = std::min(left, kInAChunk);
      for (uint32_t i = 0; i < count; ++i) bytes_.Entry(i % 2, 1'000);
      bytes_.Chunk(sequence++);
      left -= count;
    }
    bytes_.Entry(0, 900).Entry(1, 800).Chunk(sequence, 1);
    recording_.emplace(*raw::ProcessRecording::Parse(bytes_.File()));
    names_.emplace(sites_, settings_, rules_, objects_, symbols_);
    FailureFinder finder(*names_);
    summary_ = Summarise(*recording_, *names_, finder);
  }

  Status SendAll(RunSink& sink) {
    RunHeader run;
    run.id = RunId{{1, 1}};
    run.project = "demo";
    OSCOPE_RETURN_IF_ERROR(sink.BeginRun(run, symbols_));
    for (const auto& [thread, count] : summary_.events) {
      TraceHeader trace;
      trace.thread = thread;
      trace.event_count = count;
      trace.has_depths = true;
      OSCOPE_RETURN_IF_ERROR(sink.BeginTrace(trace));
      OSCOPE_RETURN_IF_ERROR(SendThread(*recording_, *names_, thread, summary_, false, sink));
      OSCOPE_RETURN_IF_ERROR(sink.EndTrace());
    }
    return sink.EndRun();
  }

  raw::SiteTable sites_;
  raw::RawBytes bytes_;
  const TraceSettings settings_;
  const std::vector<KeepRule> rules_ = EffectiveRules(settings_);
  ObjectCache objects_;
  SymbolTable symbols_;
  std::optional<raw::ProcessRecording> recording_;
  std::optional<SiteNames> names_;
  ProcessSummary summary_;
};

TEST_F(RecordedThread, EndsWithTheErrorOfTheSinkAtEveryCall) {
  EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return SendAll(sink); }), "");
  FailingSink whole;
  ASSERT_TRUE(SendAll(whole).ok());
  EXPECT_EQ(whole.calls(), 2u + 2u * 2u + 3u + 1u) << "three chunks of the first thread and one of the second";
}

}  // namespace
}  // namespace oscope
