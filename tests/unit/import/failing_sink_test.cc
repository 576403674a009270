// The sink of an import fails at every call, and the output of the JSON lines writer at every line.
#include "tests/support/failing_sink.h"

#include <gtest/gtest.h>

#include <set>

#include "base/limits.h"
#include "tests/unit/import/samples.h"
#include "tracer/import/importer.h"
#include "tracer/import/json_lines_writer.h"

namespace oscope {
namespace {

Status ImportSample(const Sample& sample, RunSink& sink) {
  std::vector<ImportProblem> problems;
  const Status status = FindImporter(sample.importer)->Import(sample.bytes, {.project = "P"}, sink, problems);
  EXPECT_TRUE(problems.empty()) << sample.path << ": what the sink answers is no problem of the text";
  return status;
}

class ImportIntoAFailingSink : public testing::TestWithParam<const Importer*> {};

TEST_P(ImportIntoAFailingSink, EndsWithItsErrorAtEveryCall) {
  size_t samples = 0;
  for (const Sample& sample : Samples()) {
    if (sample.importer != GetParam()->name()) continue;
    ++samples;
    EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return ImportSample(sample, sink); }), "") << sample.path;
  }
  EXPECT_GT(samples, 0u) << "no sample of this importer";
}

INSTANTIATE_TEST_SUITE_P(All, ImportIntoAFailingSink, testing::ValuesIn(AllImporters().begin(), AllImporters().end()),
                         [](const auto& sample_info) { return std::string(sample_info.param->name()); });

TEST(ImportBatchTest, ChunksAndBugsOfATextAreSentUntilTheSinkFails) {
  std::string text =
      "{\"type\":\"bug\",\"id\":\"1\"}\n{\"type\":\"bug\",\"id\":\"2\"}\n{\"type\":\"run\",\"bug\":\"1\"}\n{\"type\":"
      "\"trace\",\"events\":[";
  for (size_t i = 0; i < limits::kChunkEvents + 1; ++i) text += i == 0 ? "\"f\"" : ",\"f\"";
  text += "]}\n{\"type\":\"run\",\"bug\":\"2\",\"traces\":[{\"events\":[\"g\"]}]}\n";
  const Sample sample{"jsonl", "chunks", text};
  const ErrorCode code = ErrorCode::kIo;
  EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return ImportSample(sample, sink); }, {&code, 1}), "");
  FailingSink whole;
  ASSERT_TRUE(ImportSample(sample, whole).ok());
  EXPECT_EQ(whole.calls(), 2u + 6u + 5u);
}

TEST(ImportBatchTest, NothingIsSentOfATextWithAProblem) {
  for (const std::string_view tail : {"{\"type\":\"sun\"}\n", "{\"type\":\"run\",\"project\":\"../x\"}\n",
                                      "{\"type\":\"run\",\"traces\":[{\"events\":[\"f\"]},{\"events\":[\"g\"]}]}\n",
                                      "{\"type\":\"bug\",\"id\":\"../1\"}\n"}) {
    FailingSink sink;
    std::vector<ImportProblem> problems;
    const std::string text =
        "{\"type\":\"bug\",\"id\":\"1\"}\n{\"type\":\"run\",\"traces\":[{\"events\":[\"f\"]}]}\n" + std::string(tail);
    EXPECT_EQ(FindImporter("jsonl")->Import(text, {.project = "P"}, sink, problems).error().code, ErrorCode::kInvalid)
        << tail;
    EXPECT_EQ(sink.calls(), 0u) << tail;
  }
}

// --- the writer of JSON lines ---

TEST(JsonLinesWriterTest, AnErrorOfTheOutputAtAnyLineComesBack) {
  for (const Sample& sample : Samples()) {
    const auto write = [&](WritableFile& file) {
      JsonLinesWriter writer([&](std::string_view line) { return file.Append(line); });
      return ImportSample(sample, writer);
    };
    EXPECT_EQ(FailingFileProblem(write), "") << sample.path;
  }
}

TEST(JsonLinesWriterTest, AnErrorOfTheOutputInTheMiddleOfATraceComesBack) {
  SymbolTable symbols;
  oscope::Run run;
  run.header.id.value = {1, 2};
  run.header.project = "P";
  for (uint32_t thread = 0; thread < 2; ++thread) {
    Trace& trace = run.traces.emplace_back();
    trace.header.thread = thread;
    if (thread == 0) trace.events.assign(2 * limits::kChunkEvents + 1, symbols.Intern("f"));
    trace.FinishHeader();
  }
  const auto write = [&](WritableFile& file) {
    JsonLinesWriter writer([&](std::string_view line) { return file.Append(line); });
    return SendRun(run, symbols, writer);
  };
  EXPECT_EQ(FailingFileProblem(write), "");
  FailingFile whole;
  ASSERT_TRUE(write(whole).ok());
  EXPECT_EQ(whole.calls(), 1u + 3u + 1u)
      << "a line of the run, three of its first trace, and one of a trace without events";
}

}  // namespace
}  // namespace oscope
