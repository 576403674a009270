// Exporters whose file fails at every write: the error comes back, and nothing is written after it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "tests/support/failing_sink.h"
#include "tests/unit/export/sample_runs.h"
#include "tests/unit/export/string_file.h"
#include "tracer/export/chrome_trace_writer.h"
#include "tracer/export/collapsed_stack_writer.h"
#include "tracer/export/speedscope_writer.h"

namespace oscope {
namespace {

// So many different calls that every exporter writes several pieces, at entries, at exits and at the end.
class LargeExport : public testing::Test {
 protected:
  LargeExport() {
    run_ = NestedRun(symbols_);
    for (uint32_t thread = 2; thread < 4; ++thread) {
      std::vector<std::pair<std::string, uint32_t>> calls;
      for (uint32_t i = 0; i < 9'000; ++i)
        calls.emplace_back(fmt::format("name_of_a_function_that_is_called_{}_{}", thread, i), thread == 2 ? 0 : i);
      Trace& trace = run_.traces.emplace_back();
      trace.header.thread = thread;
      for (const auto& [name, depth] : calls) {
        trace.events.push_back(symbols_.Intern(name));
        trace.depths.push_back(depth);
      }
      trace.FinishHeader();
    }
  }

  template <typename Writer>
  Status Export(WritableFile& file) const {
    Writer writer(file);
    OSCOPE_RETURN_IF_ERROR(SendRun(run_, symbols_, writer));
    return writer.Finish();
  }

  template <typename Writer>
  void ExpectErrorsComeBack() const {
    EXPECT_EQ(FailingFileProblem([&](WritableFile& file) { return Export<Writer>(file); }), "");
    FailingFile whole;
    ASSERT_TRUE(Export<Writer>(whole).ok());
    EXPECT_GT(whole.calls(), 1u);
  }

  SymbolTable symbols_;
  oscope::Run run_;
};

TEST_F(LargeExport, ChromeTracesHandErrorsOn) { ExpectErrorsComeBack<ChromeTraceWriter>(); }
TEST_F(LargeExport, SpeedscopeFilesHandErrorsOn) { ExpectErrorsComeBack<SpeedscopeWriter>(); }

TEST_F(LargeExport, CollapsedStacksHandErrorsOn) {
  // A path of thousands of frames is repeated in every line.
  run_.traces.pop_back();
  ExpectErrorsComeBack<CollapsedStackWriter>();
}

TEST_F(LargeExport, JsonIsWholeWhereverItIsCutIntoPieces) {
  StringFile chrome, speedscope;
  ASSERT_TRUE(Export<ChromeTraceWriter>(chrome).ok());
  ASSERT_TRUE(Export<SpeedscopeWriter>(speedscope).ok());
  const auto events = nlohmann::json::parse(chrome.text).at("traceEvents");
  EXPECT_EQ(std::ranges::count_if(events, [](const nlohmann::json& event) { return event.at("ph") == "B"; }),
            5 + 3 + 2 * 9'000);
  EXPECT_EQ(std::ranges::count_if(events, [](const nlohmann::json& event) { return event.at("ph") == "E"; }),
            5 + 3 + 2 * 9'000);
  const auto file = nlohmann::json::parse(speedscope.text);
  EXPECT_EQ(file.at("profiles").size(), 4u);
  EXPECT_EQ(file.at("shared").at("frames").size(), 6u + 2 * 9'000);
}

// Small files have one piece: it is written at the end, and its error is the answer.
TEST(SmallExport, ItsOnlyWriteMayFail) {
  SymbolTable symbols;
  const oscope::Run run = NestedRun(symbols);
  const auto export_with = [&](auto make) {
    return [&, make](WritableFile& file) -> Status {
      auto writer = make(file);
      OSCOPE_RETURN_IF_ERROR(SendRun(run, symbols, writer));
      return writer.Finish();
    };
  };
  EXPECT_EQ(FailingFileProblem(export_with([](WritableFile& file) { return ChromeTraceWriter(file); })), "");
  EXPECT_EQ(FailingFileProblem(export_with([](WritableFile& file) { return SpeedscopeWriter(file); })), "");
  EXPECT_EQ(FailingFileProblem(export_with([](WritableFile& file) { return CollapsedStackWriter(file); })), "");
}

TEST(CollapsedStackLimits, OfFramesInAPath) {
  const auto status = [](size_t frames) {
    SymbolTable symbols;
    oscope::Run run;
    run.header.id.value = {2, 2};
    run.header.project = "Tiny";
    Trace& trace = run.traces.emplace_back();
    trace.header.kind = TraceKind::kStack;
    trace.events.assign(frames, symbols.Intern("f"));
    trace.FinishHeader();
    StringFile file;
    CollapsedStackWriter writer(file);
    return SendRun(run, symbols, writer);
  };
  EXPECT_TRUE(status(CollapsedStackWriter::kMaxPathFrames).ok());
  const Status deeper = status(CollapsedStackWriter::kMaxPathFrames + 1);
  ASSERT_FALSE(deeper.ok());
  EXPECT_EQ(deeper.error().code, ErrorCode::kLimit);
  EXPECT_NE(deeper.error().message.find("Tiny run 00000000"), std::string::npos) << deeper.error().message;
}

// A call is left at the event that has its depth or a lesser one, and not before.
TEST(CallSinkTest, CallsAreLeftAtTheFirstEventThatIsNotDeeper) {
  SymbolTable symbols;
  const Trace trace = MakeTrace(symbols, 0, {{"a", 0}, {"b", 1}, {"c", 1}, {"d", 3}, {"e", 2}, {"f", 0}});
  oscope::Run run;
  run.header.id.value = {1, 1};
  run.header.project = "Tiny";
  run.traces = {trace};
  StringFile file;
  CollapsedStackWriter writer(file);
  ASSERT_TRUE(SendRun(run, symbols, writer).ok());
  ASSERT_TRUE(writer.Finish().ok());
  EXPECT_EQ(file.text, "a 1\na;b 1\na;c 1\na;c;d 1\na;c;e 1\nf 1\n");
}

TEST(Labels, NameTheRunAndTheThread) {
  RunHeader run;
  run.id.value = {0x0123456789abcdef, 1};
  run.project = "Tiny";
  EXPECT_EQ(RunLabel(run), "Tiny run 01234567");
  run.bug = "3";
  EXPECT_EQ(RunLabel(run), "Tiny-3 run 01234567");
  TraceHeader trace;
  EXPECT_EQ(ThreadLabel(trace), "thread 0");
  trace.process = 1;
  trace.thread = 2;
  trace.thread_name = "pool";
  trace.kind = TraceKind::kStack;
  EXPECT_EQ(ThreadLabel(trace), "process 1 thread 2 (pool) stack");
}

// The mark stands at its event, the last one that belongs to the failure.
TEST(ChromeMarks, StandAtTheFailingEvent) {
  SymbolTable symbols;
  oscope::Run run = NestedRun(symbols);
  for (const uint64_t events : {uint64_t{1}, uint64_t{3}, uint64_t{5}}) {
    run.traces[0].header.mark = FailureMark{events, "abort"};
    StringFile file;
    ChromeTraceWriter writer(file);
    ASSERT_TRUE(SendRun(run, symbols, writer).ok());
    ASSERT_TRUE(writer.Finish().ok());
    std::vector<uint64_t> at;
    const nlohmann::json written = nlohmann::json::parse(file.text);
    for (const auto& event : written.at("traceEvents")) {
      if (event.at("ph") == "i") at.push_back(event.at("ts"));
    }
    EXPECT_EQ(at, std::vector<uint64_t>{events - 1});
  }
}

}  // namespace
}  // namespace oscope
