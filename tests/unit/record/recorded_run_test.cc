// A run made of a recording's files, which are written here byte by byte: what it says of its end, its losses and its
// failure.
#include "tracer/record/recorded_run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

#include "base/limits.h"
#include "tests/unit/raw/raw_bytes.h"
#include "tests/unit/symbols/built_program.h"
#include "tracer/model/granularity.h"
#include "tracer/model/null_sink.h"
#include "tracer/record/default_rules.h"

namespace oscope {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr std::string_view kSites =
    "site 0 m - 1000 main\nsite 1 m - 2000 _ZN4work1fEv\nsite 2 m - 3000 _ZN4work1gEv\nsite 3 c - 2001 _ZN4work1fEv\n"
    "site 4 c - 1001 main\nsite 5 m - 4000 _ZN7testing3RunEv\n";

// Stops the sender at its n-th call.
class FailingSink : public RunSink {
 public:
  explicit FailingSink(size_t calls) : left_(calls) {}
  Status AddBug(const Bug&) override { return Count(); }
  Status BeginRun(const RunHeader&, const SymbolTable&) override { return Count(); }
  Status BeginTrace(const TraceHeader&) override { return Count(); }
  Status AddEvents(const EventChunk&) override { return Count(); }
  Status EndTrace() override { return Count(); }
  Status EndRun() override { return Count(); }
  Status AddAttachment(const Attachment&) override { return Count(); }
  size_t calls_after_the_failure() const { return after_; }

 private:
  Status Count() {
    if (failed_) ++after_;
    if (left_ > 0) {
      --left_;
      return {};
    }
    failed_ = true;
    return IoError(ENOSPC, "keep", "the run");
  }
  size_t left_, after_ = 0;
  bool failed_ = false;
};

class RecordedRunTest : public testing::Test {
 protected:
  RecordedRunTest() {
    std::string name = testing::TempDir() + "recorded.XXXXXX";
    root_ = ::mkdtemp(name.data());
    recording_.emplace(Recording{.directory = *ScratchDirectory::Make(root_),
                                 .recorder = "pretended",
                                 .end = {},
                                 .started_ns = 7,
                                 .duration_ns = 9});
    WriteControl();
  }
  ~RecordedRunTest() override {
    recording_.reset();
    fs::remove_all(root_);
  }

  void Write(const std::string& name, std::string_view bytes) const {
    std::ofstream(recording_->directory.path() + "/" + name, std::ios::binary) << bytes;
  }
  void WriteControl() const {
    OscRawControl control{};
    control.magic = OSC_RAW_CONTROL_MAGIC;
    control.process_limit = limit_;
    control.processes = started_;
    std::string bytes(OSC_RAW_CONTROL_BYTES, '\0');
    std::memcpy(bytes.data(), &control, sizeof control);
    Write("control", bytes);
  }

  // The next process; that of the launcher without a parent.
  void Process(raw::RawBytes& bytes, uint32_t flags = OSC_RAW_FINISHED, uint32_t pid = 0,
               std::optional<uint32_t> parent = {}) {
    const std::span<const std::byte> file = bytes.File(flags);
    std::string text(reinterpret_cast<const char*>(file.data()), file.size());
    OscRawHeader header;
    std::memcpy(&header, text.data(), sizeof header);
    header.process = started_;
    header.pid = pid != 0 ? pid : 100'000'000 + started_;  // above what any system gives
    header.parent = parent.value_or(OSC_RAW_NO_PROCESS);
    header.origin = parent ? OSC_RAW_FORKED : OSC_RAW_STARTED;
    std::memcpy(text.data(), &header, sizeof header);
    Write(std::to_string(started_) + ".events", text);
    Write(std::to_string(started_) + ".sites", kSites);
    ++started_;
    WriteControl();
  }

  static std::vector<uint32_t> Mark(std::string_view function) {
    for (size_t i = 0; i < MarkRules().size(); ++i) {
      if (MarkRules()[i].function == function) return {500, static_cast<uint32_t>(i), 3, 0};
    }
    ADD_FAILURE() << function;
    return {};
  }

  RecordedRun Read(const ProgramEnd& end = {}) {
    recording_->end = end;
    RunHeader header;
    header.project = "p";
    header.inputs = inputs_;
    Result<RecordedRun> run = RecordedRun::Read(*recording_, settings_, header);
    EXPECT_TRUE(run.ok()) << run.error().message;
    return *std::move(run);
  }

  static oscope::Run Sent(const RecordedRun& run) {
    RunCollector collector;
    EXPECT_TRUE(run.Send(collector).ok());
    return collector.runs.at(0);
  }
  static Texts Events(const RecordedRun& run, size_t trace) {
    RunCollector collector;
    EXPECT_TRUE(run.Send(collector).ok());
    Texts names;
    for (const SymbolId event : collector.runs.at(0).traces.at(trace).events)
      names.push_back(collector.symbols.name(event));
    return names;
  }
  static std::optional<FailureMark> MarkOf(const RecordedRun& run, size_t trace = 0) {
    return run.traces().at(trace).mark;
  }

  std::string root_;
  std::optional<Recording> recording_;
  TraceSettings settings_;
  std::vector<RunInput> inputs_;
  uint32_t started_ = 0, limit_ = 8;
};

TEST_F(RecordedRunTest, APassingRunHasNoFailure) {
  raw::RawBytes bytes;
  // What a program survived is no failure.
  bytes.Entry(0, 900).Entry(1, 800).Extended(OSC_RAW_SIGNAL, {11, 0}).Entry(5, 700).Extended(OSC_RAW_EXIT, {0});
  Process(bytes);
  const RecordedRun run = Read();
  EXPECT_EQ(run.header().outcome, Outcome::kPassed);
  EXPECT_EQ(run.header().failure.exit_code, 0);
  EXPECT_EQ(run.header().failure.signal, std::nullopt);
  EXPECT_EQ(run.header().failure.message, "");
  EXPECT_EQ(run.header().failing_thread, std::nullopt);
  EXPECT_EQ(run.header().recorder, "pretended");
  EXPECT_EQ(run.header().started_ns, 7);
  EXPECT_EQ(run.header().duration_ns, 9u);
  EXPECT_EQ(run.header().language, "c++");
  EXPECT_FALSE(run.header().incomplete);
  EXPECT_EQ(run.fingerprint(), "");
  EXPECT_FALSE(run.header().failure.tells_what_went_wrong());
  EXPECT_TRUE(run.header().custom.empty());
  EXPECT_TRUE(run.notes().empty());
  EXPECT_EQ(run.events(), 2u);
  ASSERT_EQ(run.traces().size(), 1u);
  EXPECT_FALSE(MarkOf(run));
  EXPECT_FALSE(run.traces()[0].partial);
  EXPECT_EQ(Events(run, 0), (Texts{"main", "work::f"}));
  EXPECT_EQ(Sent(run).traces[0].depths, (std::vector<uint32_t>{0, 1}));
}

TEST_F(RecordedRunTest, AFailureIsMarkedWhereItsThreadWas) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900)
      .Thread(1)
      .Entry(1, 800)
      .Extended(OSC_RAW_MARK, Mark("abort"))
      .Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 2, 3, 4});
  bytes.Entry(2, 700).Thread(0).Entry(2, 600).Extended(OSC_RAW_SIGNAL, {6, 1});
  Process(bytes);
  const RecordedRun run = Read({.signal = SIGABRT});
  EXPECT_EQ(run.header().outcome, Outcome::kSignal);
  EXPECT_EQ(run.header().failure.signal, SIGABRT);
  EXPECT_EQ(run.header().failure.exit_code, std::nullopt);
  EXPECT_EQ(run.header().failure.message, "abort");
  EXPECT_EQ(run.header().failing_thread, (ThreadRef{0, 1}));
  ASSERT_EQ(run.traces().size(), 3u);
  EXPECT_FALSE(MarkOf(run, 0));
  EXPECT_EQ(MarkOf(run, 1), (FailureMark{1, "abort"}));
  EXPECT_EQ(run.traces()[2].kind, TraceKind::kStack);
  EXPECT_EQ(run.traces()[2].thread, 1u);
  EXPECT_EQ(MarkOf(run, 2), (FailureMark{2, "abort"}));
  EXPECT_EQ(Events(run, 2), (Texts{"main", "work::f"})) << "the outermost first";
  EXPECT_EQ(run.events(), 4u);
  EXPECT_EQ(run.fingerprint().size(), 16u);
}

TEST_F(RecordedRunTest, AStackOfOneFrameIsCompletedByTheCallsUnderWay) {
  const auto stack_of = [&](const std::vector<std::pair<uint32_t, uint32_t>>& entries, uint32_t frame) {
    raw::RawBytes bytes;
    for (const auto& [site, sp] : entries) bytes.Entry(site, sp);
    bytes.Extended(OSC_RAW_SIGNAL, {SIGSEGV, 1}).Extended(OSC_RAW_STACK, {OSC_RAW_SIGNAL, 1, frame});
    bytes.Entry(2, 100);
    started_ = 0;
    Process(bytes);
    const RecordedRun run = Read({.signal = SIGSEGV});
    EXPECT_EQ(MarkOf(run, 1), (FailureMark{Events(run, 1).size(), "SIGSEGV"}));
    return Events(run, 1);
  };
  EXPECT_EQ(stack_of({{0, 900}, {1, 800}}, 3), (Texts{"main", "work::f"}));
  EXPECT_EQ(stack_of({{0, 900}, {2, 800}, {1, 800}, {1, 700}}, 3), (Texts{"main", "work::f", "work::f"}))
      << "g has returned";
  EXPECT_EQ(stack_of({{0, 900}, {1, 800}, {2, 700}}, 3), Texts{"work::f"}) << "another function ran last";
  EXPECT_EQ(stack_of({{1, 800}}, 3), Texts{"work::f"});
  settings_.granularity = Granularity::kStatement;
  EXPECT_EQ(stack_of({{0, 900}, {1, 800}}, 3), Texts{"work::f"}) << "statements are no calls";
}

TEST_F(RecordedRunTest, ATimeOutIsAtTheEndOfWhatRanLast) {
  raw::RawBytes bytes;
  // The mark of an exit may be there: what we told it to do is not what it did.
  bytes.Entry(0, 900).Thread(1).Entry(1, 800).Entry(1, 800).Extended(OSC_RAW_MARK, Mark("abort")).Entry(2, 700);
  Process(bytes, 0);
  const RecordedRun run = Read({.exit_code = 3, .timed_out = true});
  EXPECT_EQ(run.header().outcome, Outcome::kTimeout);
  EXPECT_EQ(run.header().failure.message, "time-out");
  EXPECT_EQ(run.header().failing_thread, (ThreadRef{0, 1}));
  EXPECT_FALSE(MarkOf(run, 0));
  EXPECT_EQ(MarkOf(run, 1), (FailureMark{3, "time-out"}));
  EXPECT_EQ(run.traces().size(), 2u) << "there is no stack to see";
}

TEST_F(RecordedRunTest, AKillIsAtTheEnd) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900).Extended(OSC_RAW_MARK, Mark("abort")).Entry(1, 800).Entry(2, 700);
  Process(bytes, 0);
  const RecordedRun killed = Read({.signal = SIGKILL});
  EXPECT_EQ(killed.header().failure.message, "SIGKILL");
  EXPECT_EQ(MarkOf(killed), (FailureMark{3, "SIGKILL"}));
  // Without a record it is as the caller saw it.
  const RecordedRun other = Read({.signal = SIGABRT});
  EXPECT_EQ(MarkOf(other), (FailureMark{1, "abort"}));
}

TEST_F(RecordedRunTest, AnEndThatNoRecordTells) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900).Entry(1, 800);
  Process(bytes);
  EXPECT_EQ(Read({.exit_code = 4}).header().failure.message, "exit code 4");
  EXPECT_EQ(MarkOf(Read({.exit_code = 4})), (FailureMark{2, "exit"}));
  EXPECT_EQ(MarkOf(Read({.signal = SIGTERM})), (FailureMark{2, "SIGTERM"}));
  EXPECT_EQ(MarkOf(Read({.exit_code = 128 + SIGKILL})), (FailureMark{2, "SIGKILL"})) << "a shell tells it so";
  EXPECT_EQ(MarkOf(Read({.exit_code = 128 + SIGTERM})), (FailureMark{2, "exit"}))
      << "whoever ends by another signal leaves a record";
}

TEST_F(RecordedRunTest, TheProcessWhoseFailureWasPassedOn) {
  raw::RawBytes shell, child, other;
  shell.Entry(0, 900).Extended(OSC_RAW_EXIT, {3});
  child.Entry(0, 900).Entry(1, 800).Extended(OSC_RAW_EXIT, {3});
  other.Entry(2, 900).Extended(OSC_RAW_EXIT, {0});
  Process(shell);
  Process(child, OSC_RAW_FINISHED, 0, 0);
  Process(other, OSC_RAW_FINISHED, 0, 0);
  const RecordedRun run = Read({.exit_code = 3});
  EXPECT_EQ(run.header().failing_thread, (ThreadRef{1, 0}));
  EXPECT_EQ(MarkOf(run, 1), (FailureMark{2, "exit"}));
  EXPECT_FALSE(MarkOf(run, 0) || MarkOf(run, 2));
  // Whatever the others did: the program itself was ended.
  EXPECT_EQ(Read({.timed_out = true}).header().failing_thread, (ThreadRef{0, 0}));
  EXPECT_EQ(Read({.signal = SIGKILL}).header().failing_thread, (ThreadRef{0, 0}));
}

// A shell ends with 128 and the signal.
TEST_F(RecordedRunTest, TheSignalOfAProcessThatWasPassedOnAsACode) {
  raw::RawBytes shell, child, alone;
  shell.Entry(0, 900).Extended(OSC_RAW_EXIT, {128 + SIGSEGV});
  for (raw::RawBytes* one : {&child, &alone}) {
    one->Entry(0, 900).Entry(1, 800).Extended(OSC_RAW_SIGNAL, {SIGSEGV, 1});
    one->Extended(OSC_RAW_STACK, {OSC_RAW_SIGNAL, 2, 3, 4});
  }
  Process(shell);
  Process(child, OSC_RAW_FINISHED, 0, 0);
  const RecordedRun run = Read({.exit_code = 128 + SIGSEGV});
  EXPECT_EQ(run.header().outcome, Outcome::kFailed);
  EXPECT_EQ(run.header().failure.exit_code, 128 + SIGSEGV);
  EXPECT_EQ(run.header().failure.signal, SIGSEGV);
  EXPECT_EQ(run.header().failure.kind, FailureKind::kSignal);
  const std::string passed_on = run.fingerprint();
  started_ = 0;
  Process(alone);
  EXPECT_EQ(Read({.signal = SIGSEGV}).fingerprint(), passed_on);
}

TEST_F(RecordedRunTest, WithoutAStackTheFingerprintIsOfTheLastEventsBeforeTheMark) {
  const auto fingerprint = [&](std::vector<uint32_t> before, std::vector<uint32_t> after) {
    raw::RawBytes bytes;
    for (const uint32_t site : before) bytes.Entry(site, 900);
    bytes.Extended(OSC_RAW_EXIT, {1});
    for (const uint32_t site : after) bytes.Entry(site, 900);
    started_ = 0;
    Process(bytes);
    return Read({.exit_code = 1}).fingerprint();
  };
  const std::string one = fingerprint({0, 1, 2, 1}, {});
  EXPECT_EQ(fingerprint({1, 1, 2, 1}, {}), one) << "three of them";
  EXPECT_NE(fingerprint({0, 0, 2, 1}, {}), fingerprint({0, 1, 1, 1}, {}));
  EXPECT_NE(fingerprint({0, 2, 2, 1}, {}), one);
  EXPECT_EQ(fingerprint({0, 1, 2, 1}, {0, 0}), one) << "what comes after it is not what the bug did";
  EXPECT_NE(fingerprint({0, 1, 2}, {1}), one);
}

TEST_F(RecordedRunTest, LossesAreTold) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900).Chunk(1);
  Process(bytes, OSC_RAW_FINISHED | OSC_RAW_DISK_FULL);
  const RecordedRun run = Read();
  EXPECT_TRUE(run.header().incomplete);
  EXPECT_TRUE(run.traces()[0].partial);
  EXPECT_EQ(run.traces()[0].partial_note,
            "only the newest events were kept (limit 8000000); the disk was full: only the newest events were kept");
  EXPECT_EQ(run.notes(), (Texts{"the disk was full: the run is marked incomplete",
                                "process 0: only the newest events were kept; --limit keeps more"}));
}

TEST_F(RecordedRunTest, SitesThatAreLostMakeItIncomplete) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900).Entry(77, 800);
  Process(bytes, OSC_RAW_FINISHED | OSC_RAW_SITES_LOST);
  const RecordedRun run = Read();
  EXPECT_TRUE(run.header().incomplete);
  EXPECT_EQ(run.events(), 1u) << "of the other nobody knows what it is";
}

TEST_F(RecordedRunTest, RecordsThatBreakOffMakeItIncomplete) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900).Add({OSC_RAW_EXTENDED_WORD(OSC_RAW_EXIT, 0xffffff)});
  Process(bytes);
  const RecordedRun run = Read();
  EXPECT_TRUE(run.header().incomplete);
  EXPECT_EQ(run.traces()[0].partial_note, "records were damaged");
}

TEST_F(RecordedRunTest, ProcessesThatAreMissingAreCounted) {
  raw::RawBytes bytes, more;
  bytes.Entry(0, 900).Extended(OSC_RAW_EXIT, {0});
  Process(bytes);
  more.Entry(1, 900);
  Process(more, 0, static_cast<uint32_t>(::getpid()), 0);  // this one has not ended
  limit_ = 2;
  started_ = 5;
  WriteControl();
  const RecordedRun run = Read();
  EXPECT_EQ(run.notes(),
            (Texts{"2 of 5 processes were recorded (--processes)", "1 process still running was left out"}));
  EXPECT_EQ(run.traces().size(), 1u);
  limit_ = 5;
  WriteControl();
  EXPECT_EQ(Read().notes(), Texts{"1 process still running was left out"});
}

TEST_F(RecordedRunTest, ChopPointsThatWereNotReachedAreTold) {
  const Texts told = {"no chop point was reached: check its name, or its file and line"};
  raw::RawBytes bytes;
  bytes.Entry(0, 900);
  Process(bytes);
  settings_.chops = {*ParseChopPoint("stop f")};
  EXPECT_EQ(Read().notes(), told);
  EXPECT_FALSE(Read().traces()[0].partial);
  settings_.chops = {*ParseChopPoint("start f")};
  EXPECT_EQ(Read().notes(), told);
  EXPECT_EQ(Read().traces()[0].partial_note, "recorded between chop points");
  settings_.chops = {*ParseChopPoint("statement within f")};
  EXPECT_EQ(Read().notes(), told);
  settings_.granularity = Granularity::kStatement;
  EXPECT_TRUE(Read().notes().empty()) << "one that changes nothing cannot be missed";
  settings_.granularity = Granularity::kMethod;
  raw::RawBytes chopped;
  chopped.Entry(0, 900).Extended(OSC_RAW_CHOP, {0});
  started_ = 0;
  Process(chopped);
  EXPECT_TRUE(Read().notes().empty());
  EXPECT_TRUE(Read().traces()[0].partial);
}

TEST_F(RecordedRunTest, WhatItReadFromAPipeIsKept) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900);
  Process(bytes);
  Write("0.stdin", "typed");
  EXPECT_TRUE(Read().header().inputs.empty()) << "nobody asked for it";
  settings_.stdin_limit = 100;
  EXPECT_EQ(Read().header().inputs, (std::vector<RunInput>{{"-", "typed"}}));
  inputs_ = {{"-", "from a file"}};
  EXPECT_EQ(Read().header().inputs, (std::vector<RunInput>{{"-", "from a file"}}));
  inputs_ = {{"a.txt", "x"}};
  Write("0.stdin", "");
  EXPECT_EQ(Read().header().inputs, (std::vector<RunInput>{{"a.txt", "x"}}));
}

TEST_F(RecordedRunTest, AHarnessMayKnowBetter) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900).Entry(1, 800).Extended(OSC_RAW_EXIT, {0});
  Process(bytes);
  RecordedRun run = Read();
  run.SetTitle("no title for what passed");
  EXPECT_TRUE(run.header().custom.empty());
  run.SetOutcome(Outcome::kFailed);
  EXPECT_EQ(run.header().outcome, Outcome::kFailed);
  EXPECT_EQ(MarkOf(run), (FailureMark{2, "exit"}));
  EXPECT_EQ(run.fingerprint().size(), 16u);
  run.SetTitle("a title");
  run.SetMessage("a message");
  run.SetBug("12");
  EXPECT_EQ(run.header().custom.at("title"), "a title");
  EXPECT_EQ(Sent(run).header.failure.message, "a message");
  EXPECT_EQ(Sent(run).header.bug, "12");
  run.SetOutcome(Outcome::kPassed);
  EXPECT_EQ(run.header().outcome, Outcome::kPassed);
  EXPECT_FALSE(MarkOf(run));
  EXPECT_TRUE(run.header().custom.empty());
  EXPECT_EQ(run.header().failure.message, "");
  EXPECT_EQ(run.header().failing_thread, std::nullopt);
}

// A passing run has neither the place nor the stack of what a harness says was no failure, and does not get them back.
TEST_F(RecordedRunTest, WhatIsNoFailureHasNoPlaceAndNoStack) {
  BuildDirectory build;
  build.Write("program.c", "int inner(int n) {\n  return n + 1;\n}\nint main(void) {\n  return inner(1);\n}\n");
  const std::string program = build.Compile("program", "program.c", {"-g", "-O0", "-no-pie"});
  raw::RawBytes bytes;
  bytes.Entry(0, 900)
      .Entry(1, 800)
      .Extended(OSC_RAW_MARK, {500, Mark("abort")[1], 2, 0})
      .Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 2, 2, 3});
  Process(bytes);
  const uint64_t inner = AddressOf(program, "inner"), main = AddressOf(program, "main");
  Write(
      "0.sites",
      fmt::format("object 0 0 {0}\nsite 0 m 0 {1:x} main\nsite 1 m 0 {2:x} inner\nsite 2 c 0 {2:x}\nsite 3 c 0 {1:x}\n",
                  program, main, inner));
  RecordedRun run = Read({.signal = SIGABRT});
  EXPECT_EQ(run.header().failure.place, (FailurePlace{build.Path("program.c"), 1, "inner"}));
  EXPECT_EQ(run.header().failure.kind, FailureKind::kAbort);
  EXPECT_EQ(run.traces().size(), 2u);
  EXPECT_EQ(Events(run, 1), (Texts{"main", "inner"}));
  run.SetTitle("a title");
  run.SetOutcome(Outcome::kPassed);
  EXPECT_TRUE(run.header().custom.empty());
  EXPECT_EQ(run.traces().size(), 1u);
  run.SetOutcome(Outcome::kFailed);
  EXPECT_EQ(run.traces().size(), 1u) << "the stack was that of what is forgotten";
  EXPECT_EQ(MarkOf(run), (FailureMark{2, "exit"}));
  EXPECT_EQ(run.header().failure.place, FailurePlace{});
  EXPECT_EQ(run.header().failure.kind, FailureKind::kExit);
}

TEST_F(RecordedRunTest, AMessageThatIsKnownBeforehandStays) {
  raw::RawBytes bytes;
  bytes.Entry(0, 900);
  Process(bytes);
  recording_->end = {.exit_code = 2};
  RunHeader header;
  header.failure.message = "told by somebody";
  header.language = "d";
  EXPECT_EQ(RecordedRun::Read(*recording_, settings_, header)->header().failure.message, "told by somebody");
  EXPECT_EQ(RecordedRun::Read(*recording_, settings_, header)->header().language, "d");
}

TEST_F(RecordedRunTest, NothingRecordedIsNoTrace) {
  const RecordedRun none = Read({.exit_code = 1});
  EXPECT_EQ(none.events(), 0u);
  EXPECT_TRUE(none.traces().empty());
  EXPECT_EQ(none.header().language, "");
  raw::RawBytes bytes;
  bytes.Entry(5, 900).Extended(OSC_RAW_EXIT, {1});  // of a framework alone
  Process(bytes);
  const RecordedRun left_out = Read({.exit_code = 1});
  EXPECT_EQ(left_out.events(), 0u);
  EXPECT_TRUE(left_out.traces().empty());
}

TEST_F(RecordedRunTest, ASinkThatFailsIsToldAndAskedNoMore) {
  raw::RawBytes bytes;
  for (int i = 0; i < 20'000; ++i) bytes.Entry(1, 800);
  for (uint64_t sequence = 0; sequence < 4; ++sequence) {
    if (sequence > 0) {
      for (int i = 0; i < 20'000; ++i) bytes.Entry(1, 800);
    }
    bytes.Chunk(sequence);
  }
  bytes.Thread(1)
      .Entry(2, 700)
      .Extended(OSC_RAW_MARK, Mark("abort"))
      .Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 1, 3})
      .Chunk(4);
  Process(bytes);
  const RecordedRun run = Read({.signal = SIGABRT});
  EXPECT_EQ(run.events(), 80'001u);
  ASSERT_EQ(run.traces().size(), 3u);
  const oscope::Run sent = Sent(run);
  EXPECT_EQ(sent.traces[0].events.size(), 80'000u) << "in more than one piece of " << limits::kChunkEvents;
  // BeginRun, a trace of two pieces, one of one, the stack, EndRun.
  constexpr size_t kCalls = 1 + 4 + 3 + 3 + 1;
  for (size_t calls = 0; calls < kCalls; ++calls) {
    FailingSink sink(calls);
    const Status status = run.Send(sink);
    ASSERT_FALSE(status.ok()) << calls;
    EXPECT_EQ(status.error().code, ErrorCode::kIo);
    EXPECT_EQ(sink.calls_after_the_failure(), 0u) << calls;
  }
  FailingSink enough(kCalls);
  EXPECT_TRUE(run.Send(enough).ok());
}

TEST_F(RecordedRunTest, ADirectoryThatIsNoneIsRefused) {
  Write("control", "short");
  EXPECT_EQ(RecordedRun::Read(*recording_, settings_, {}).error().code, ErrorCode::kCorrupt);
  fs::remove(recording_->directory.path() + "/control");
  EXPECT_EQ(RecordedRun::Read(*recording_, settings_, {}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace oscope
