// The content hash as stores keep it: a hash that differs from one release to the next would make every retried upload
// a conflict.
#include <gtest/gtest.h>

#include <functional>

#include "tracer/model/content_hash.h"

namespace oscope {
namespace {

// Every field has a value of its own, none of them the default.
oscope::Run FullRun(SymbolTable& symbols) {
  oscope::Run run;
  RunHeader& header = run.header;
  header.id = RunId{{0x0123456789abcdef, 0xfedcba9876543210}};
  header.project = "demo";
  header.bug = "17";
  header.test = "Suite.Case";
  header.version = "1.2.3";
  header.language = "c++";
  header.recorder = "valgrind";
  header.command = {"./demo", "--all"};
  header.inputs = {{"-", "standard input"}, {"in.txt", "a file"}};
  header.started_ns = -5;
  header.duration_ns = 1'000'000'007;
  header.outcome = Outcome::kSignal;
  header.failure.exit_code = -1;
  header.failure.signal = 11;
  header.failure.message = "it fell";
  header.failing_thread = ThreadRef{3, 4};
  header.incomplete = true;
  header.custom = {{"branch", "main"}, {"os", "linux"}};
  for (uint32_t number = 1; number < 3; ++number) {
    Trace& trace = run.traces.emplace_back();
    trace.header.process = number;
    trace.header.thread = 10 + number;
    trace.header.kind = number == 1 ? TraceKind::kExecution : TraceKind::kStack;
    trace.header.thread_name = "worker";
    trace.header.mark = FailureMark{2, "abort"};
    trace.header.partial = true;
    trace.header.partial_note = "a ring buffer";
    for (uint32_t i = 0; i < 300; ++i) {
      trace.events.push_back(symbols.Intern(fmt::format("f{}", i % 7)));
      trace.depths.push_back(i % 5);
      trace.outcomes.push_back(static_cast<EventOutcome>(i % 5));
      trace.values.push_back(fmt::format("v{}", i));
    }
    trace.FinishHeader();
  }
  return run;
}

std::string HashOf(const oscope::Run& run, const SymbolTable& symbols) {
  ContentHasher hasher;
  hasher.Begin(run.header);
  for (const Trace& trace : run.traces) {
    hasher.BeginTrace(trace.header);
    hasher.AddEvents({trace.events, trace.depths, trace.outcomes, trace.values}, symbols);
    hasher.EndTrace();
  }
  return ToHex(hasher.Digest());
}

std::string HashOf(const RunHeader& header) { return HashOf(oscope::Run{header, {}}, SymbolTable()); }

TEST(ContentHashStays, OfARunWithEveryField) {
  SymbolTable symbols;
  EXPECT_EQ(HashOf(FullRun(symbols), symbols), "1517dd0b835ee1a9958b70ed7c4f9a32");
}

// As earlier releases had it: the fingerprint and the place were custom fields.
TEST(ContentHashStays, OfAFailureThatWasInTheCustomFields) {
  SymbolTable symbols;
  oscope::Run run = FullRun(symbols);
  run.header.custom["fingerprint"] = "6a09e667f3bcc908";
  run.header.custom["where"] = "src/list.c:5";
  const std::string hash = HashOf(run, symbols);
  EXPECT_EQ(hash, "510b6e0bf8e9fd6550bf064eefd56d00");
  TakeFailureFromCustom(run.header);
  EXPECT_EQ(run.header.custom.size(), 2u);
  EXPECT_EQ(HashOf(run, symbols), hash);
}

// The same text was imported before anybody made a failure of it.
TEST(ContentHashStays, OfATextWhoseFailureAnImporterMade) {
  SymbolTable symbols;
  oscope::Run run = FullRun(symbols);
  run.header.recorder = "import:gdb";
  const std::string hash = HashOf(run, symbols);
  run.header.failure.kind = FailureKind::kSignal;
  run.header.failure.place = {"a.c", 3, "f"};
  run.header.failure.fingerprint = "00ff";
  EXPECT_EQ(HashOf(run, symbols), hash);
  run.header.recorder = "import:jsonl";
  const std::string told = HashOf(run, symbols);
  run.header.failure.ForgetWhatWentWrong();
  EXPECT_NE(HashOf(run, symbols), told) << "what a line says itself is content";
}

TEST(ContentHashStays, OfARunWithNothing) {
  EXPECT_EQ(HashOf(RunHeader{}), "f88751783b21b05489bd260c22db57f3");
  SymbolTable symbols;
  oscope::Run run;
  run.traces.emplace_back().events = {symbols.Intern("f")};
  run.traces.emplace_back();
  for (Trace& trace : run.traces) trace.FinishHeader();
  EXPECT_EQ(HashOf(run, symbols), "170e5529006e9fea77d4d5473532c4a5");
}

TEST(ContentHashStays, OfTheNumberOfAnImportedRun) {
  EXPECT_EQ(ToString(ImportedRunId("some text", 0)), "7c1e7fd7ca2667403b2f87060a6b7530");
  EXPECT_EQ(ToString(ImportedRunId("some text", 1)), "aa837af9d0f9d7a44e8e59e018b43020");
}

// Each pair has the same bytes when they are put behind one another; only where one field ends tells them apart.
TEST(ContentHash, NothingCanBeShiftedFromOneFieldToTheNext) {
  using Change = std::function<void(RunHeader&)>;
  const std::pair<Change, Change> pairs[] = {
      {[](RunHeader& run) { run.project = "ab"; }, [](RunHeader& run) { run.project = "a", run.test = "b"; }},
      {[](RunHeader& run) { run.test = "a"; }, [](RunHeader& run) { run.version = "a"; }},
      {[](RunHeader& run) { run.language = "a"; }, [](RunHeader& run) { run.recorder = "a"; }},
      {[](RunHeader& run) { run.command = {"a", "b"}; }, [](RunHeader& run) { run.inputs = {{"a", "b"}}; }},
      {[](RunHeader& run) { run.command = {"ab"}; }, [](RunHeader& run) { run.command = {"a", "b"}; }},
      {[](RunHeader& run) { run.inputs = {{"ab", ""}}; }, [](RunHeader& run) { run.inputs = {{"a", "b"}}; }},
      {[](RunHeader& run) { run.started_ns = 7; }, [](RunHeader& run) { run.duration_ns = 7; }},
      {[](RunHeader& run) { run.failure.exit_code = 7; }, [](RunHeader& run) { run.failure.signal = 7; }},
      {[](RunHeader& run) { run.failing_thread = ThreadRef{1, 0}; },
       [](RunHeader& run) { run.failing_thread = ThreadRef{0, 1}; }},
      {[](RunHeader& run) { run.failing_thread = ThreadRef{0, 0}; }, [](RunHeader& run) { run.incomplete = true; }},
      {[](RunHeader& run) { run.custom = {{"ab", ""}}; }, [](RunHeader& run) { run.custom = {{"a", "b"}}; }},
      {[](RunHeader& run) { run.custom = {{"a", "b"}}; }, [](RunHeader& run) { run.inputs = {{"a", "b"}}; }},
  };
  size_t number = 0;
  for (const auto& [first, second] : pairs) {
    RunHeader a, b;
    first(a);
    second(b);
    EXPECT_NE(HashOf(a), HashOf(b)) << "pair " << number;
    EXPECT_NE(HashOf(a), HashOf(RunHeader{})) << "pair " << number;
    EXPECT_NE(HashOf(b), HashOf(RunHeader{})) << "pair " << number;
    ++number;
  }
}

TEST(ContentHash, AHasherThatIsUsedAgainRemembersNothingOfTheRunBefore) {
  SymbolTable symbols;
  const oscope::Run run = FullRun(symbols);
  ContentHasher hasher;
  for (int round = 0; round < 2; ++round) {
    hasher.Begin(run.header);
    for (const Trace& trace : run.traces) {
      hasher.BeginTrace(trace.header);
      hasher.AddEvents({trace.events, trace.depths, trace.outcomes, trace.values}, symbols);
      hasher.EndTrace();
    }
    EXPECT_EQ(ToHex(hasher.Digest()), HashOf(run, symbols)) << "round " << round;
  }
  // Another table of the same size numbers other names.
  SymbolTable other;
  for (int i = 0; i < 7; ++i) other.Intern(fmt::format("g{}", i));
  hasher.Begin(run.header);
  for (const Trace& trace : run.traces) {
    hasher.BeginTrace(trace.header);
    hasher.AddEvents({trace.events, trace.depths, trace.outcomes, trace.values}, other);
    hasher.EndTrace();
  }
  EXPECT_EQ(ToHex(hasher.Digest()), HashOf(run, other));
  EXPECT_NE(ToHex(hasher.Digest()), HashOf(run, symbols));
}

}  // namespace
}  // namespace oscope
