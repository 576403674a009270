// What is below and above the reader and the writer fails: the sink at every call, the source at every read, the output
// at every write.
#include <gtest/gtest.h>

#include "tests/support/failing_sink.h"
#include "tests/unit/format/sample.h"

namespace oscope {
namespace {

OsctWriterOptions Plain() { return {.compress = false, .level = 1}; }

std::vector<std::string> Files(const Sample& sample) {
  return {Write(sample, Plain()), Write(sample), WriteInManyBlocks(sample, Plain()), WriteInManyBlocks(sample)};
}

Status ReadInto(std::string_view file, RunSink& sink, bool recover) {
  OsctReadOptions options;
  options.recover = recover;
  const auto source = MemorySource(file);
  Result<OsctReadReport> report = ReadOsct(*source, sink, options);
  return report.ok() ? Status() : Status(std::move(report).error());
}

TEST(OsctFailures, OfTheSinkAtEveryCallComeBack) {
  for (const std::string& file : Files(ShortSample())) {
    EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return ReadInto(file, sink, false); }), "");
  }
}

TEST(OsctFailures, OfTheSinkAtEveryCallComeBackFromARecovery) {
  for (const std::string& file : Files(ShortSample())) {
    EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return ReadInto(file, sink, true); }), "");
  }
}

// The run and the trace that the cut left open are ended by the reader: these calls may fail too.
TEST(OsctFailures, OfTheSinkAtEveryCallComeBackFromTheRecoveryOfACutFile) {
  const std::string file = WriteInManyBlocks(ShortSample(), Plain());
  size_t tried = 0;
  for (size_t at = osct::kFileHeaderBytes; at < file.size();) {
    at += osct::kBlockHeaderBytes + ByteReader(std::string_view(file).substr(at + 12)).U32();
    const std::string cut = file.substr(0, at - 1);
    FailingSink whole;
    ASSERT_TRUE(ReadInto(cut, whole, true).ok()) << at;
    if (whole.calls() == 0) continue;  // the cut is in the first block
    ++tried;
    // One code will do: whether a code is taken for something else is asked above.
    const ErrorCode code = EveryErrorCode()[tried % EveryErrorCode().size()];
    ASSERT_EQ(FailingSinkProblem([&](RunSink& sink) { return ReadInto(cut, sink, true); }, {&code, 1}), "") << at;
  }
  EXPECT_GT(tried, 20u);
}

// A sink that fails has the last word, also when the file is cut further on.
TEST(OsctFailures, OfTheSinkDoNotAskForARecovery) {
  const std::string file = Write(ShortSample(), Plain());
  FailingSink sink(1, Limit("the store is full"));
  const auto source = MemorySource(std::string_view(file).substr(0, file.size() - 1));
  const auto report = ReadOsct(*source, sink);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(report.error().message.ends_with("the store is full")) << report.error().message;
}

uint64_t SourceCalls(const std::string& file, bool recover) {
  FailingSource source(file, {});
  FailingSink sink;
  const auto report = ReadOsct(source, sink, {.recover = recover, .max_symbol_bytes = 1 << 20});
  EXPECT_TRUE(report.ok());
  return source.calls();
}

// Whatever the code: a source that fails is no file that is damaged, and nothing of it is recovered as if it ended
// there.
TEST(OsctFailures, OfTheSourceAtEveryReadComeBack) {
  for (const bool recover : {false, true}) {
    for (const std::string& file : Files(TinySample())) {
      const uint64_t calls = SourceCalls(file, recover);
      ASSERT_GE(calls, 5u);
      for (uint64_t n = 1; n <= calls; ++n) {
        for (const ErrorCode code : EveryErrorCode()) {
          FailingSource source(file, {.fail_at = n, .error = {code, "the disk fails"}});
          FailingSink sink;
          const auto report = ReadOsct(source, sink, {.recover = recover, .max_symbol_bytes = 1 << 20});
          ASSERT_FALSE(report.ok()) << n << " of " << calls << (recover ? " recovering" : "");
          EXPECT_EQ(report.error().code, code) << n << " of " << calls << ": " << report.error().message;
          EXPECT_NE(report.error().message.find("the disk fails"), std::string::npos) << report.error().message;
          EXPECT_EQ(report.error().message.find("--recover"), std::string::npos) << report.error().message;
          EXPECT_EQ(source.calls(), n) << "it is read on";
          EXPECT_EQ(sink.misuse(), "");
        }
      }
    }
  }
}

TEST(OsctFailures, ASourceMayGiveFewBytesAtATime) {
  const Sample sample = FullSample();
  for (const std::string& file : Files(sample)) {
    for (const size_t most : {size_t{1}, size_t{7}, size_t{1'000}}) {
      FailingSource source(file, {.most = most});
      RunCollector sink;
      const auto report = ReadOsct(source, sink);
      ASSERT_TRUE(report.ok()) << report.error().message;
      EXPECT_EQ(Difference(sample, sink), "");
    }
  }
}

TEST(OsctFailures, ASourceThatEndsEarlyIsACutFile) {
  const std::string file = WriteInManyBlocks(TinySample());
  const uint64_t calls = SourceCalls(file, false);
  for (uint64_t n = 1; n < calls; ++n) {  // at the last one it has to end
    FailingSource source(file, {.end_at = n});
    RunCollector sink;
    const auto report = ReadOsct(source, sink);
    ASSERT_FALSE(report.ok()) << n;
    EXPECT_EQ(report.error().code, n == 1 ? ErrorCode::kInvalid : ErrorCode::kCorrupt) << report.error().message;
  }
}

// What --recover delivers is what it found at first, or an error: a file that is shorter the second time is one.
TEST(OsctFailures, ASourceThatIsShorterTheSecondTimeIsAnError) {
  const std::string file = WriteInManyBlocks(TinySample());
  const uint64_t calls = SourceCalls(file, true), once = SourceCalls(file, false);
  for (uint64_t n = once + 2; n < calls; ++n) {  // after the Rewind
    FailingSource source(file, {.end_at = n});
    FailingSink sink;
    const auto report = ReadOsct(source, sink, {.recover = true, .max_symbol_bytes = 1 << 20});
    EXPECT_FALSE(report.ok()) << n;
    EXPECT_EQ(sink.misuse(), "");
  }
}

Status WriteTo(WritableFile& file, const Sample& sample, OsctWriterOptions options) {
  OsctWriter writer(file, options);
  OSCOPE_RETURN_IF_ERROR(Send(sample, writer));
  return writer.Finish();
}

// Of so many blocks that writing is done in the middle of a trace too.
Sample LargeSample() {
  Sample sample = FullSample();
  Trace& trace = sample.runs[0].traces.emplace_back();
  trace.header.process = 9;
  std::mt19937_64 random(3);
  for (uint32_t i = 0; i < 70'000; ++i) {
    trace.events.push_back(sample.symbols.Intern(fmt::format("f{}", random() % 9'000)));
    trace.values.emplace_back(30, static_cast<char>('a' + random() % 26));
  }
  trace.FinishHeader();
  return sample;
}

TEST(OsctFailures, OfTheOutputAtEveryWriteComeBack) {
  const Sample sample = LargeSample();
  for (const OsctWriterOptions options : {Plain(), OsctWriterOptions{.compress = true, .level = 1}}) {
    EXPECT_EQ(FailingFileProblem([&](WritableFile& file) { return WriteTo(file, sample, options); }), "");
  }
}

// Whoever goes on after an error must hear of it every time, and no trailer may make a whole file of what is there.
TEST(OsctFailures, OfTheOutputStay) {
  const Sample sample = ShortSample();
  const auto flush_often = [&](WritableFile& file, std::vector<Status>& answers) {
    OsctWriter writer(file, Plain());
    for (const Bug& bug : sample.bugs) {
      answers.push_back(writer.AddBug(bug));
      answers.push_back(writer.Flush());
    }
    for (const oscope::Run& run : sample.runs) {
      answers.push_back(SendRun(run, sample.symbols, writer));
      answers.push_back(writer.Flush());
    }
    for (const Attachment& attachment : sample.attachments) {
      answers.push_back(writer.AddAttachment(attachment));
      answers.push_back(writer.Flush());
    }
    answers.push_back(writer.Finish());
  };
  FailingFile whole;
  std::vector<Status> fine;
  flush_often(whole, fine);
  ASSERT_TRUE(std::ranges::all_of(fine, &Status::ok));
  EXPECT_EQ(Difference(sample, Read(whole.bytes()).content), "");
  for (uint64_t n = 1; n <= whole.calls(); ++n) {
    FailingFile file(n, Error{ErrorCode::kIo, "no space"});
    std::vector<Status> answers;
    flush_often(file, answers);
    const auto first = std::ranges::find_if(answers, [](const Status& status) { return !status.ok(); });
    ASSERT_NE(first, answers.end()) << n;
    for (auto answer = first; answer != answers.end(); ++answer) {
      ASSERT_FALSE(answer->ok()) << n;
      EXPECT_EQ(answer->error().code, ErrorCode::kIo);
      EXPECT_EQ(answer->error().message, "no space");
    }
    EXPECT_EQ(file.calls(), n) << "it is written on";
    EXPECT_FALSE(Read(file.bytes()).status.ok()) << n;
  }
}

}  // namespace
}  // namespace oscope
