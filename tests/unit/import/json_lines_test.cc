// JSON lines carry all that the model holds, there and back.
#include "tracer/import/json_lines.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "tests/unit/import/print_runs.h"
#include "tests/unit/import/samples.h"
#include "tracer/import/base64.h"
#include "tracer/import/json_lines_writer.h"

namespace oscope {
namespace {

RunCollector Read(std::string_view text) {
  RunCollector collected;
  std::vector<ImportProblem> problems;
  const Status status = JsonLinesImporter().Import(text, {.project = "Default"}, collected, problems);
  EXPECT_TRUE(status.ok()) << status.error().message;
  return collected;
}

std::string Write(const RunCollector& collected) {
  std::string text;
  JsonLinesWriter writer([&](std::string_view line) {
    text += line;
    return Status();
  });
  for (const Bug& bug : collected.bugs) EXPECT_TRUE(writer.AddBug(bug).ok());
  for (const Run& run : collected.runs) EXPECT_TRUE(SendRun(run, collected.symbols, writer).ok());
  return text;
}

void ExpectSame(const RunCollector& a, const RunCollector& b) {
  EXPECT_EQ(a.bugs, b.bugs);
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (size_t i = 0; i < a.runs.size(); ++i) {
    EXPECT_EQ(a.runs[i].header, b.runs[i].header);
    ASSERT_EQ(a.runs[i].traces.size(), b.runs[i].traces.size());
    for (size_t j = 0; j < a.runs[i].traces.size(); ++j) {
      const Trace& left = a.runs[i].traces[j];
      const Trace& right = b.runs[i].traces[j];
      EXPECT_EQ(left.header, right.header);
      EXPECT_TRUE(SameEvents(left, a.symbols, right, b.symbols));
      EXPECT_EQ(left.depths, right.depths);
      EXPECT_EQ(left.outcomes, right.outcomes);
      EXPECT_EQ(left.values, right.values);
    }
  }
  EXPECT_EQ(PrintRuns(a), PrintRuns(b));
}

TEST(JsonLines, EverySampleOfEveryFormatRoundTrips) {
  for (const Sample& sample : Samples()) {
    RunCollector collected;
    std::vector<ImportProblem> problems;
    ASSERT_TRUE(FindImporter(sample.importer)->Import(sample.bytes, {.project = "P"}, collected, problems).ok());
    const std::string text = Write(collected);
    ExpectSame(collected, Read(text));
    EXPECT_EQ(Write(Read(text)), text) << sample.path;
  }
}

// In every field that holds text.
void AddOdd(const std::string& bytes, RunCollector& to) {
  Bug bug;
  bug.key = {"P", "1"};
  bug.title = bug.text = bug.fix.diff = bytes;
  bug.custom[bytes] = bytes;
  to.bugs.push_back(bug);

  Run run;
  run.header.id.value = {1, bytes.size()};
  run.header.project = "P";
  run.header.failure.message = bytes;
  run.header.failure.kind = FailureKind::kSanitizer;
  run.header.failure.place = {bytes, UINT32_MAX, bytes};
  run.header.failure.fingerprint = bytes;
  run.header.command = {"", bytes};
  run.header.inputs = {{bytes, bytes}, {"", ""}};
  run.header.custom[bytes] = "";
  run.header.failure.exit_code = 0;
  run.header.started_ns = INT64_MIN;
  run.header.duration_ns = UINT64_MAX;
  run.header.failing_thread = ThreadRef{};
  Trace trace;
  trace.header.thread_name = bytes;
  trace.header.mark = FailureMark{0, bytes};
  SymbolAttributes attributes;
  attributes.signature = attributes.file = attributes.object = attributes.build_id = bytes;
  trace.events = {to.symbols.Intern(bytes, attributes)};
  trace.values = {bytes};
  trace.FinishHeader();
  run.traces.push_back(trace);
  run.traces.emplace_back().header.kind = TraceKind::kStack;
  to.runs.push_back(run);
}

TEST(JsonLines, BytesThatAreNotTextSurvive) {
  RunCollector collected;
  AddOdd(std::string("\xff\0\x1b\"\\\n\xe2\x80\xae", 9), collected);
  AddOdd(std::string("\0\x1b\x7f\"\\\n\t\xe2\x80\xae<script>", 18), collected);
  ExpectSame(collected, Read(Write(collected)));
}

void AddLongTrace(RunCollector& to) {
  Run run;
  run.header.id.value = {1, 2};
  run.header.project = "P";
  Trace trace;
  SymbolAttributes attributes;
  attributes.line = 3;
  for (uint32_t i = 0; i < 2 * limits::kChunkEvents + 5; ++i) {
    trace.events.push_back(to.symbols.Intern(fmt::format("f{}", i % 7), attributes));
    trace.depths.push_back(i % 11);
  }
  trace.FinishHeader();
  run.traces.push_back(trace);
  to.runs.push_back(run);
}

TEST(JsonLines, LongTracesAreWrittenInChunks) {
  RunCollector collected;
  AddLongTrace(collected);
  const std::string text = Write(collected);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  ExpectSame(collected, Read(text));
}

// The same text with other attributes, and with none: each event keeps its own.
TEST(JsonLines, AttributesAreThoseOfEachEvent) {
  RunCollector collected;
  oscope::Run run;
  run.header.id.value = {1, 2};
  run.header.project = "P";
  Trace trace;
  for (const uint32_t line : {3u, 3u, 4u, 0u, 0u, 3u, 4u, 4u}) {
    SymbolAttributes attributes;
    attributes.line = line;
    trace.events.push_back(collected.symbols.Intern("f", attributes));
    trace.events.push_back(collected.symbols.Intern("g"));
  }
  trace.FinishHeader();
  run.traces = {trace};
  collected.runs = {run, run};
  collected.runs[1].header.id.value = {1, 3};
  const std::string text = Write(collected);
  EXPECT_NE(text.find(R"([{"event":"f","line":3},"g","f","g",{"event":"f","line":4},"g",{"event":"f"},"g","f","g",)"),
            std::string::npos)
      << text;
  const RunCollector read = Read(text);
  ASSERT_EQ(read.runs.size(), 2u);
  for (const oscope::Run& one : read.runs) {
    ASSERT_EQ(one.traces[0].events.size(), trace.events.size());
    for (size_t i = 0; i < trace.events.size(); ++i) {
      EXPECT_EQ(read.symbols.name(one.traces[0].events[i]), collected.symbols.name(trace.events[i]));
      EXPECT_EQ(read.symbols.attributes(one.traces[0].events[i]), collected.symbols.attributes(trace.events[i])) << i;
    }
  }
}

TEST(JsonLines, AnErrorOfTheOutputEndsTheStream) {
  JsonLinesWriter writer([](std::string_view) { return Status(Cancelled("enough")); });
  EXPECT_EQ(writer.AddBug({}).error().code, ErrorCode::kCancelled);
}

TEST(JsonLines, OptionsGiveBugsTheirProject) {
  EXPECT_EQ(Read("{\"type\":\"bug\",\"id\":\"7\",\"duplicates\":[{\"id\":\"6\"}]}\n").bugs.at(0).duplicates.at(0),
            (BugKey{"Default", "6"}));
}

// The example of the reference must stay true.
TEST(JsonLines, TheDocumentationsExampleIsRead) {
  const std::string page = ReadFileOrDie(std::string(OSCOPE_SOURCE_DIR) + "/docs/formats/jsonl.md");
  const std::string open = "```jsonl\n";
  const size_t begin = page.find(open);
  ASSERT_NE(begin, std::string::npos);
  const size_t end = page.find("```", begin + open.size());
  const RunCollector collected = Read(page.substr(begin + open.size(), end - begin - open.size()));
  EXPECT_EQ(collected.bugs.size(), 1u);
  EXPECT_EQ(collected.runs.size(), 2u);
  EXPECT_EQ(collected.runs.at(1).traces.at(0).events.size(), 4u);
}

TEST(Base64, RoundTripsAndRefuses) {
  for (const std::string& bytes :
       {std::string(), std::string("f"), std::string("fo"), std::string("foo"), std::string("\xff\0\xfe\x80", 4)}) {
    EXPECT_EQ(*DecodeBase64(EncodeBase64(bytes)), bytes);
  }
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  for (const std::string_view wrong : {"Zm8", "Zm9=", "Zm=8", "====", "Zm8=Zm8=", "Z===", "Zm8-"}) {
    EXPECT_FALSE(DecodeBase64(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace oscope
