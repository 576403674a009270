#include "tests/unit/format/sample.h"

#include "base/limits.h"
#include "tracer/model/event.h"

namespace oscope {
namespace {

Bug FullBug() {
  Bug bug;
  bug.key = {"demo", "342"};
  bug.title = "Crash <script> \x1b[31m \xff";
  bug.status = BugStatus::kReopened;
  bug.severity = "major";
  bug.reporter = "ada";
  bug.created_ns = -5;
  bug.resolved_ns = 1'700'000'000'000'000'000;
  bug.url = "https://bugs.example/342";
  bug.version = "1.2";
  bug.text = std::string("a\0b\n", 4);
  bug.comments = {{"ada", 7, "first"}, {"bob", std::nullopt, ""}};
  bug.fix = {"c0ffee", "--- a\n+++ b\n", "bob", 9, "checked the length"};
  bug.duplicates = {{"demo", "17"}, {"other", "1"}};
  bug.custom = {{"component", "parser"}, {"os", ""}};
  return bug;
}

RunHeader FullRunHeader() {
  RunHeader run;
  run.id = RunId{{0x0123456789abcdef, 0xfedcba9876543210}};
  run.project = "demo";
  run.bug = "342";
  run.test = "Parser.BadInput";
  run.version = "c0ffee";
  run.language = "c++";
  run.recorder = "valgrind";
  run.command = {"./parser_test", "bad.txt", ""};
  run.inputs = {{"bad.txt", std::string("\0\xff", 2)}, {"-", ""}};
  run.started_ns = 1'700'000'000'000'000'000;
  run.duration_ns = UINT64_MAX;
  run.outcome = Outcome::kSignal;
  run.failure.exit_code = -1;
  run.failure.signal = 11;
  run.failure.message = "Segmentation fault";
  run.failure.kind = FailureKind::kSignal;
  run.failure.place = {"src/parser.cc", 41, "parser::Parser::next"};
  run.failure.fingerprint = "00c0ffee00c0ffee";
  run.failing_thread = ThreadRef{1, 2};
  run.custom = {{"host", "ci-7"}};
  return run;
}

Trace MixedTrace(SymbolTable& symbols) {
  Trace trace;
  trace.header.thread_name = "main";
  trace.header.mark = FailureMark{4, "SIGSEGV"};
  trace.header.partial = true;
  trace.header.partial_note = "chop point";
  SymbolAttributes attributes;
  attributes.signature = "net::Socket::read(char*, unsigned long)";
  attributes.file = "src/socket.cc";
  attributes.line = 42;
  attributes.object = "/usr/lib/libnet.so";
  attributes.build_id = "0badf00d";
  attributes.address = UINT64_MAX;
  trace.events = {symbols.Intern("main"),
                  symbols.Intern("net::Socket::read", attributes),
                  symbols.Intern(StatementEvent("net::Socket::read", "n = 0;")),
                  symbols.Intern(BlockEvent("net::Socket::read", 3, BranchOutcome::kTaken)),
                  symbols.Intern(InstructionEvent("MOV")),
                  symbols.Intern("net::Socket::read", attributes)};
  trace.depths = {0, 1, 1, 1, limits::kMaxDepth, 0};
  trace.outcomes = {EventOutcome::kNone,     EventOutcome::kReturned, EventOutcome::kTaken,
                    EventOutcome::kNotTaken, EventOutcome::kThrew,    EventOutcome::kNone};
  trace.values = {"", "n=3", "", std::string(200, 'v'), "", "\xff"};
  trace.FinishHeader();
  return trace;
}

std::string RandomText(std::mt19937_64& random, size_t limit) {
  std::string text;
  for (size_t i = random() % limit; i > 0; --i) text += static_cast<char>(random());
  return text;
}

Trace RandomTrace(std::mt19937_64& random, SymbolTable& symbols, size_t alphabet) {
  Trace trace;
  const size_t lengths[] = {0, 1, random() % 60, random() % 3'000, 2 * limits::kChunkEvents + random() % 10};
  const size_t count = lengths[random() % 40 == 0 ? 4 : random() % 4];
  const bool depths = random() % 2, outcomes = random() % 2, values = random() % 2;
  for (size_t i = 0; i < count; ++i) {
    trace.events.push_back(symbols.Intern(fmt::format("ns{}::f{}", random() % 3, random() % alphabet)));
    if (depths) trace.depths.push_back(static_cast<uint32_t>(random() % (limits::kMaxDepth + 1)));
    if (outcomes) trace.outcomes.push_back(static_cast<EventOutcome>(random() % 5));
    if (values) trace.values.push_back(random() % 3 == 0 ? RandomText(random, 20) : "");
  }
  trace.FinishHeader();
  if (random() % 2) trace.header.mark = FailureMark{random() % (count + 1), RandomText(random, 9)};
  trace.header.thread_name = RandomText(random, 9);
  return trace;
}

std::string SymbolDifference(const SymbolTable& a, SymbolId left, const SymbolTable& b, SymbolId right) {
  if (a.name(left) != b.name(right)) return fmt::format("'{}' / '{}'", a.name(left), b.name(right));
  return a.attributes(left) == b.attributes(right) ? "" : fmt::format("attributes of '{}'", a.name(left));
}

class FlushingSink : public RunSink {
 public:
  explicit FlushingSink(OsctWriter& writer) : writer_(writer) {}
  Status AddBug(const Bug& bug) override { return Then(writer_.AddBug(bug)); }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    return Then(writer_.BeginRun(run, symbols));
  }
  Status BeginTrace(const TraceHeader& trace) override { return Then(writer_.BeginTrace(trace)); }
  Status AddEvents(const EventChunk& chunk) override {
    for (size_t i = 0; i < chunk.events.size(); ++i) {
      const auto one = [&](auto list) { return list.empty() ? list : list.subspan(i, 1); };
      OSCOPE_RETURN_IF_ERROR(
          Then(writer_.AddEvents({one(chunk.events), one(chunk.depths), one(chunk.outcomes), one(chunk.values)})));
    }
    return {};
  }
  Status EndTrace() override { return Then(writer_.EndTrace()); }
  Status EndRun() override { return Then(writer_.EndRun()); }
  Status AddAttachment(const Attachment& attachment) override { return Then(writer_.AddAttachment(attachment)); }

 private:
  Status Then(Status status) { return status.ok() ? writer_.Flush() : status; }
  OsctWriter& writer_;
};

std::string PutChecksum(std::string file, size_t begin, size_t size) {
  ByteWriter checksum;
  checksum.U64(Xxh3(std::string_view(file).substr(begin + osct::kChecksumBytes, size - osct::kChecksumBytes)));
  file.replace(begin, osct::kChecksumBytes, checksum.bytes());
  return file;
}

}  // namespace

Sample TinySample() {
  Sample sample;
  Run& run = sample.runs.emplace_back();
  run.header.id = RunId{{1, 2}};
  run.header.project = "demo";
  run.header.outcome = Outcome::kFailed;
  Trace& trace = run.traces.emplace_back();
  trace.header.mark = FailureMark{2, "abort"};
  trace.events = {sample.symbols.Intern("main"), sample.symbols.Intern("f")};
  trace.FinishHeader();
  return sample;
}

Repeat FullRepeat() {
  Repeat repeat;
  repeat.directory = "build/tests";
  repeat.revision = "4f0c5a9d1e";
  repeat.changes = std::string(64, 'c');
  repeat.selection = {"ctest", "GoogleTest", "Suite.Case \xff"};
  repeat.expected = {-7, true, {"all is well", ""}, {"error \xff"}};
  repeat.builds = {{"/src/build/parser_test", "9d1e", {"GNU C++20 12.2.0 -O2 -g", "GNU C17"}}, {"lib\xff.so", "", {}}};
  repeat.not_kept = {{"input", "large.bin"}, {"of a later release", ""}};
  return repeat;
}

Sample FullSample() {
  Sample sample;
  sample.bugs.push_back(FullBug());
  sample.bugs.emplace_back().key = {"demo", "343"};

  Run& crash = sample.runs.emplace_back();
  crash.header = FullRunHeader();
  for (const auto& [process, thread, kind] :
       {std::tuple{0u, 0u, TraceKind::kExecution}, {0u, 0u, TraceKind::kStack}, {1u, 2u, TraceKind::kExecution}}) {
    Trace& trace = crash.traces.emplace_back(MixedTrace(sample.symbols));
    trace.header.process = process;
    trace.header.thread = thread;
    trace.header.kind = kind;
  }
  Trace& plain = crash.traces.emplace_back();
  plain.header.process = 7;
  for (int i = 0; i < 300; ++i) plain.events.push_back(sample.symbols.Intern(fmt::format("f{}", i)));
  plain.FinishHeader();
  crash.traces.emplace_back().header.process = 8;

  Run& passed = sample.runs.emplace_back();
  passed.header.id = RunId{{3, 4}};
  passed.header.project = "demo";
  passed.header.outcome = Outcome::kPassed;
  passed.header.failure.exit_code = 0;
  passed.traces.push_back(MixedTrace(sample.symbols));

  Run& empty = sample.runs.emplace_back();
  empty.header.id = RunId{{5, 6}};
  empty.header.project = "demo";
  empty.header.outcome = Outcome::kTimeout;
  empty.header.incomplete = true;
  sample.attachments = SomeAttachments();
  return sample;
}

std::vector<Attachment> SomeAttachments() {
  const AttachmentOwner bug{{}, FullBug().key}, failed{FullRunHeader().id, {}}, passed{RunId{{3, 4}}, {}};
  const std::string bytes("any \0 bytes \xff", 14);
  return {MakeAttachment(bug, "file", "screen.png", bytes), MakeAttachment(failed, "bitcode", "a.out", bytes),
          MakeAttachment(failed, "kind-of-2031", "\xff is a name", "x"), MakeAttachment(passed, "file", "empty", "")};
}

Sample SampleOfVersion1() {
  Sample sample = FullSample();
  for (Run& run : sample.runs) run.header.failure.ForgetWhatWentWrong();
  sample.attachments.clear();
  return sample;
}

Sample ShortSample() {
  Sample sample = FullSample();
  Trace& trace = sample.runs[0].traces[3];
  trace.events.resize(20);
  trace.FinishHeader();
  return sample;
}

Sample RandomSample(std::mt19937_64& random) {
  Sample sample;
  const size_t alphabet = random() % 2 ? 50 : 20'000;
  for (size_t i = random() % 3; i > 0; --i) {
    Bug& bug = sample.bugs.emplace_back(FullBug());
    bug.key.id = fmt::format("{}", i);
    bug.text = RandomText(random, 5'000);
  }
  for (size_t i = random() % 5; i > 0; --i) {
    Run& run = sample.runs.emplace_back();
    if (random() % 2) run.header = FullRunHeader();
    run.header.id = RunId{{random(), i}};
    run.header.project = "demo";
    run.header.failure.message = RandomText(random, 300);
    run.header.outcome = static_cast<Outcome>(random() % 4);
    if (!IsFailing(run.header.outcome)) run.header.failure.ForgetWhatWentWrong();
    for (uint32_t t = 0; t < random() % 6; ++t) {
      Trace& trace = run.traces.emplace_back(RandomTrace(random, sample.symbols, alphabet));
      trace.header.process = t % 2;
      trace.header.thread = t / 2;
    }
  }
  for (size_t i = random() % 4; i > 0 && !sample.runs.empty(); --i) {
    sample.attachments.push_back(MakeAttachment({sample.runs[random() % sample.runs.size()].header.id, {}}, "file",
                                                fmt::format("{}", i), RandomText(random, 3'000)));
  }
  return sample;
}

Status Send(const Sample& sample, RunSink& sink) {
  for (const Bug& bug : sample.bugs) OSCOPE_RETURN_IF_ERROR(sink.AddBug(bug));
  for (const Run& run : sample.runs) OSCOPE_RETURN_IF_ERROR(SendRun(run, sample.symbols, sink));
  for (const Attachment& attachment : sample.attachments) OSCOPE_RETURN_IF_ERROR(sink.AddAttachment(attachment));
  return {};
}

std::string Write(const Sample& sample, OsctWriterOptions options) {
  std::string bytes;
  OsctWriter writer([&](std::string_view more) -> Status { return bytes += more, Status(); }, options);
  OSCOPE_CHECK(Send(sample, writer).ok());
  OSCOPE_CHECK(writer.Finish().ok());
  return bytes;
}

std::string WriteInManyBlocks(const Sample& sample, OsctWriterOptions options) {
  std::string bytes;
  OsctWriter writer([&](std::string_view more) -> Status { return bytes += more, Status(); }, options);
  FlushingSink sink(writer);
  OSCOPE_CHECK(Send(sample, sink).ok());
  OSCOPE_CHECK(writer.Finish().ok());
  return bytes;
}

ReadBack Read(std::string_view bytes, bool recover) {
  ReadBack back;
  const auto source = MemorySource(bytes);
  OsctReadOptions options;
  options.recover = recover;
  Result<OsctReadReport> report = ReadOsct(*source, back.content, options);
  if (report.ok()) {
    back.report = *report;
  } else {
    back.status = std::move(report).error();
  }
  return back;
}

std::string TraceDifference(const Trace& a, const SymbolTable& a_symbols, const Trace& b,
                            const SymbolTable& b_symbols) {
  if (a.header != b.header) return "trace header";
  if (a.events.size() != b.events.size()) return fmt::format("{} / {} events", a.events.size(), b.events.size());
  for (size_t i = 0; i < a.events.size(); ++i) {
    const std::string difference = SymbolDifference(a_symbols, a.events[i], b_symbols, b.events[i]);
    if (!difference.empty()) return fmt::format("event {}: {}", i, difference);
  }
  if (a.depths != b.depths) return "depths";
  if (a.outcomes != b.outcomes) return "outcomes";
  return a.values == b.values ? "" : "values";
}

std::string Difference(const Sample& expected, const RunCollector& found) {
  if (expected.bugs != found.bugs) return "bugs";
  if (expected.runs.size() != found.runs.size()) return "number of runs";
  for (size_t r = 0; r < expected.runs.size(); ++r) {
    const Run& a = expected.runs[r];
    const Run& b = found.runs[r];
    if (a.header != b.header) return fmt::format("header of run {}", r);
    if (a.traces.size() != b.traces.size()) return fmt::format("number of traces of run {}", r);
    for (size_t t = 0; t < a.traces.size(); ++t) {
      const std::string difference = TraceDifference(a.traces[t], expected.symbols, b.traces[t], found.symbols);
      if (!difference.empty()) return fmt::format("run {} trace {}: {}", r, t, difference);
    }
  }
  return expected.attachments == found.attachments ? "" : "attachments";
}

std::string Seal(std::string_view raw) {
  std::string bytes;
  osct::BlockWriter blocks([&](std::string_view more) -> Status { return bytes += more, Status(); }, false, 1);
  OSCOPE_CHECK(blocks.WriteFileHeader().ok());
  OSCOPE_CHECK(blocks.Write(osct::BlockKind::kRecords, raw).ok());
  ByteWriter trailer;
  for (int i = 0; i < 4; ++i) trailer.U64(0);
  trailer.U64(blocks.digest().high);
  trailer.U64(blocks.digest().low);
  OSCOPE_CHECK(blocks.Write(osct::BlockKind::kTrailer, trailer.bytes()).ok());
  return bytes;
}

std::string Reseal(std::string file) {
  for (size_t at = osct::kFileHeaderBytes; at + osct::kBlockHeaderBytes <= file.size();) {
    ByteReader header(std::string_view(file).substr(at + 12));
    const size_t size = osct::kBlockHeaderBytes + header.U32();
    if (at + size > file.size()) break;
    if (file[at + 8] == static_cast<char>(osct::BlockKind::kTrailer)) {
      const Hash128 digest = Xxh3Wide(std::string_view(file).substr(0, at));
      ByteWriter words;
      words.U64(digest.high);
      words.U64(digest.low);
      file.replace(at + size - 16, 16, words.bytes());
    }
    file = PutChecksum(std::move(file), at, size);
    at += size;
  }
  return file;
}

}  // namespace oscope
