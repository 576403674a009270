#include "tracer/model/run_sink.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "tests/support/failing_sink.h"
#include "tracer/model/forwarding_sink.h"
#include "tracer/model/null_sink.h"

namespace oscope {
namespace {

TEST(SendRun, ChunksLongTraces) {
  SymbolTable symbols;
  oscope::Run run;
  Trace& trace = run.traces.emplace_back();
  trace.events.assign(2 * limits::kChunkEvents + 5, symbols.Intern("f"));
  trace.depths.assign(trace.events.size(), 1);
  trace.FinishHeader();

  struct Counter : RunCollector {
    Status AddEvents(const EventChunk& chunk) override {
      sizes.push_back(chunk.events.size());
      EXPECT_EQ(chunk.depths.size(), chunk.events.size());
      EXPECT_TRUE(chunk.values.empty());
      return RunCollector::AddEvents(chunk);
    }
    std::vector<size_t> sizes;
  } sink;
  ASSERT_TRUE(SendRun(run, symbols, sink).ok());
  EXPECT_EQ(sink.sizes, (std::vector<size_t>{limits::kChunkEvents, limits::kChunkEvents, 5}));
  EXPECT_EQ(sink.runs[0].traces[0].events.size(), trace.events.size());
}

TEST(SendRun, RefusesListsOfOtherLengths) {
  SymbolTable symbols;
  oscope::Run run;
  Trace& trace = run.traces.emplace_back();
  trace.events.assign(3, symbols.Intern("f"));
  trace.depths.assign(2, 0);
  RunCollector sink;
  EXPECT_EQ(SendRun(run, symbols, sink).error().code, ErrorCode::kInvalid);
}

// Two traces, one of them of several chunks with every list, and one without events.
oscope::Run RunOfManyCalls(SymbolTable& symbols) {
  oscope::Run run;
  run.header.id = RunId{{1, 2}};
  run.header.project = "demo";
  for (uint32_t thread = 0; thread < 3; ++thread) {
    Trace& trace = run.traces.emplace_back();
    trace.header.thread = thread;
    for (size_t i = 0; i < (thread == 1 ? 2 * limits::kChunkEvents + 1 : thread); ++i)
      trace.events.push_back(symbols.Intern(i % 2 == 0 ? "f" : "g"));
    if (thread != 1) continue;
    trace.depths.assign(trace.events.size(), 3);
    trace.outcomes.assign(trace.events.size(), EventOutcome::kReturned);
    trace.values.assign(trace.events.size(), "v");
  }
  for (Trace& trace : run.traces) trace.FinishHeader();
  return run;
}

TEST(SendRun, AnErrorOfTheSinkAtAnyCallEndsIt) {
  SymbolTable symbols;
  const oscope::Run run = RunOfManyCalls(symbols);
  EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return SendRun(run, symbols, sink); }), "");
}

TEST(SendRun, SendsNothingOfATraceWhoseListsDoNotFit) {
  SymbolTable symbols;
  oscope::Run run = RunOfManyCalls(symbols);
  for (const auto& spoil : std::vector<std::function<void(Trace&)>>{
           [](Trace& trace) { trace.depths.pop_back(); }, [](Trace& trace) { trace.outcomes.pop_back(); },
           [](Trace& trace) { trace.values.emplace_back(); }}) {
    oscope::Run spoilt = run;
    spoil(spoilt.traces[1]);
    FailingSink sink;
    EXPECT_EQ(SendRun(spoilt, symbols, sink).error().code, ErrorCode::kInvalid);
    EXPECT_EQ(sink.misuse(), "");
    EXPECT_EQ(sink.log().back(), "end of trace") << "that of the trace before";
    EXPECT_TRUE(sink.open()) << "a run of which a part is missing is not ended";
  }
}

TEST(ForwardingSinkTest, HandsEveryCallAndEveryErrorOn) {
  SymbolTable symbols;
  const oscope::Run run = RunOfManyCalls(symbols);
  Bug bug;
  bug.key = {"demo", "1"};
  const auto send = [&](RunSink& sink) -> Status {
    ForwardingSink forwarding(sink);
    OSCOPE_RETURN_IF_ERROR(forwarding.AddBug(bug));
    return SendRun(run, symbols, forwarding);
  };
  EXPECT_EQ(FailingSinkProblem(send), "");
  FailingSink direct, forwarded;
  ASSERT_TRUE(direct.AddBug(bug).ok());
  ASSERT_TRUE(SendRun(run, symbols, direct).ok());
  ASSERT_TRUE(send(forwarded).ok());
  EXPECT_EQ(forwarded.log(), direct.log());
}

TEST(NullSinkTest, TakesEverything) {
  SymbolTable symbols;
  NullSink sink;
  EXPECT_TRUE(sink.AddBug({}).ok());
  EXPECT_TRUE(SendRun(RunOfManyCalls(symbols), symbols, sink).ok());
}

TEST(RunCollector, BringsRunsOfSeveralTablesIntoOne) {
  SymbolTable first;
  SymbolTable second;
  first.Intern("a");
  oscope::Run run;
  Trace& trace = run.traces.emplace_back();
  trace.events = {first.Intern("b"), first.Intern("a")};
  trace.FinishHeader();
  oscope::Run other;
  other.traces.emplace_back().events = {second.Intern("b"), second.Intern("a")};

  RunCollector sink;
  ASSERT_TRUE(SendRun(run, first, sink).ok());
  ASSERT_TRUE(SendRun(other, second, sink).ok());
  EXPECT_EQ(sink.symbols.size(), 2u);
  EXPECT_EQ(sink.runs[0].traces[0].events, sink.runs[1].traces[0].events);
  EXPECT_TRUE(SameEvents(run.traces[0], first, other.traces[0], second));
  EXPECT_TRUE(SameEvents(run.traces[0], first, sink.runs[1].traces[0], sink.symbols));
  other.traces[0].events.pop_back();
  EXPECT_FALSE(SameEvents(run.traces[0], first, other.traces[0], second));
}

TEST(RunCollector, RefusesAnEventWithoutASymbol) {
  SymbolTable symbols;
  oscope::Run run;
  run.traces.emplace_back().events = {static_cast<SymbolId>(7)};
  RunCollector sink;
  EXPECT_EQ(SendRun(run, symbols, sink).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace oscope
