#include "tracer/model/run_sink.h"

#include <gtest/gtest.h>

#include "base/limits.h"

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
