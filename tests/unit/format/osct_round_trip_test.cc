#include <gtest/gtest.h>

#include "base/limits.h"
#include "tests/unit/format/sample.h"

namespace oscope {
namespace {

OsctWriterOptions Plain() { return {.compress = false, .level = 1}; }

void ExpectRoundTrip(const Sample& sample) {
  for (const std::string& file :
       {Write(sample), Write(sample, Plain()), WriteInManyBlocks(sample, Plain()), WriteInManyBlocks(sample)}) {
    const ReadBack back = Read(file);
    ASSERT_TRUE(back.status.ok()) << back.status.error().message;
    EXPECT_EQ(Difference(sample, back.content), "");
    EXPECT_TRUE(back.report.whole);
    EXPECT_EQ(back.report.delivered.runs, sample.runs.size());
  }
}

TEST(Osct, BringsEveryFieldBack) { ExpectRoundTrip(FullSample()); }
TEST(Osct, BringsATinyFileBack) { ExpectRoundTrip(TinySample()); }
TEST(Osct, BringsAnEmptyFileBack) { ExpectRoundTrip(Sample()); }

TEST(Osct, BringsRandomRunsBack) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 150; ++round) {
    const Sample sample = RandomSample(random);
    const ReadBack back = Read(Write(sample, {.compress = round % 2 == 0, .level = 1}));
    ASSERT_TRUE(back.status.ok()) << back.status.error().message;
    ASSERT_EQ(Difference(sample, back.content), "");
  }
}

TEST(Osct, AWholeFileIsReadTheSameWithRecover) {
  const Sample sample = FullSample();
  const ReadBack back = Read(Write(sample), true);
  ASSERT_TRUE(back.status.ok());
  EXPECT_TRUE(back.report.whole);
  EXPECT_EQ(Difference(sample, back.content), "");
}

TEST(Osct, SmallTracesShareBlocks) {
  Sample sample;
  oscope::Run& run = sample.runs.emplace_back();
  run.header.id = RunId{{1, 1}};
  run.header.project = "demo";
  for (uint32_t thread = 0; thread < 5'000; ++thread) {
    Trace& trace = run.traces.emplace_back();
    trace.header.thread = thread;
    for (uint32_t i = 0; i < 60; ++i)
      trace.events.push_back(sample.symbols.Intern(fmt::format("f{}", (thread + i) % 90)));
    trace.FinishHeader();
  }
  EXPECT_LT(Write(sample, Plain()).size(), 5'000u * 80);
  ExpectRoundTrip(sample);
}

TEST(Osct, ATraceOfThreeChunksComesInThreeChunks) {
  Sample sample = TinySample();
  Trace& trace = sample.runs[0].traces[0];
  trace.events.assign(2 * limits::kChunkEvents + 1, trace.events[0]);
  trace.FinishHeader();
  struct Counter : RunCollector {
    Status AddEvents(const EventChunk& chunk) override {
      ++chunks;
      return RunCollector::AddEvents(chunk);
    }
    int chunks = 0;
  } sink;
  const std::string file = Write(sample);
  ASSERT_TRUE(ReadOsct(*MemorySource(file), sink).ok());
  EXPECT_EQ(sink.chunks, 3);
  EXPECT_EQ(Difference(sample, sink), "");
}

TEST(Osct, LargeValuesAreSplitOverBlocks) {
  Sample sample = TinySample();
  Trace& trace = sample.runs[0].traces[0];
  trace.events.assign(1'000, trace.events[0]);
  trace.values.assign(1'000, std::string(limits::kMaxNameBytes, 'x'));
  trace.FinishHeader();
  const ReadBack back = Read(Write(sample));
  ASSERT_TRUE(back.status.ok()) << back.status.error().message;
  EXPECT_EQ(Difference(sample, back.content), "");
}

TEST(Osct, RunsOfSeveralTablesShareSymbols) {
  std::string file;
  OsctWriter writer([&](std::string_view more) -> Status { return file += more, Status(); });
  Sample first = TinySample();
  Sample second = TinySample();
  second.runs[0].header.id = RunId{{9, 9}};
  ASSERT_TRUE(Send(first, writer).ok());
  ASSERT_TRUE(Send(second, writer).ok());
  ASSERT_TRUE(writer.Finish().ok());
  struct Sizes : RunCollector {
    Status BeginRun(const RunHeader& run, const SymbolTable& theirs) override {
      table = &theirs;
      return RunCollector::BeginRun(run, theirs);
    }
    Status EndRun() override {
      size = table->size();
      return RunCollector::EndRun();
    }
    const SymbolTable* table = nullptr;
    uint32_t size = 0;
  } sink;
  ASSERT_TRUE(ReadOsct(*MemorySource(file), sink).ok());
  EXPECT_EQ(sink.size, 2u);
  EXPECT_EQ(sink.runs.size(), 2u);
}

TEST(Osct, ReadsFromAFile) {
  const std::string path = testing::TempDir() + "round_trip.osct";
  std::filesystem::remove(path);
  const Sample sample = FullSample();
  FileSystem& fs = PosixFileSystem();
  auto out = fs.Create(path).value();
  OsctWriter writer(*out);
  ASSERT_TRUE(Send(sample, writer).ok());
  ASSERT_TRUE(writer.Finish().ok());
  ASSERT_TRUE(out->Close().ok());

  const auto file = fs.Open(path).value();
  RunCollector from_file;
  ASSERT_TRUE(ReadOsct(*FileSource(*file), from_file).ok());
  EXPECT_EQ(Difference(sample, from_file), "");
  std::filesystem::remove(path);
}

TEST(Osct, TheSinksErrorEndsTheReading) {
  struct Refusing : RunCollector {
    Status EndTrace() override { return Conflict("no"); }
  } sink;
  const std::string file = Write(FullSample());
  EXPECT_EQ(ReadOsct(*MemorySource(file), sink).error().code, ErrorCode::kConflict);
  EXPECT_EQ(ReadOsct(*MemorySource(file), sink, {.recover = true, .max_symbol_bytes = 1 << 20}).error().code,
            ErrorCode::kConflict);
}

TEST(OsctWriter, KeepsItsFirstError) {
  std::string file;
  OsctWriter writer([&](std::string_view more) -> Status { return file += more, Status(); });
  Bug bug;
  bug.key = {"demo", "../etc"};
  EXPECT_EQ(writer.AddBug(bug).error().code, ErrorCode::kInvalid);
  bug.key.id = "1";
  EXPECT_EQ(writer.AddBug(bug).error().code, ErrorCode::kInvalid);
  EXPECT_FALSE(writer.Finish().ok());
  EXPECT_FALSE(Read(file).status.ok());
}

TEST(OsctWriter, RefusesWhatReadersRefuse) {
  const auto code = [](const std::function<void(Sample&)>& change) {
    Sample sample = TinySample();
    change(sample);
    OsctWriter writer([](std::string_view) -> Status { return {}; });
    const Status status = Send(sample, writer);
    return status.ok() ? std::string("ok") : std::string(ErrorCodeName(status.error().code));
  };
  const std::string invalid(ErrorCodeName(ErrorCode::kInvalid));
  const std::string limit(ErrorCodeName(ErrorCode::kLimit));
  const auto trace = [](Sample& sample) -> Trace& { return sample.runs[0].traces[0]; };
  EXPECT_EQ(code([&](Sample& s) { trace(s).header.event_count = 3; }), invalid);
  EXPECT_EQ(code([&](Sample& s) { trace(s).header.mark->events = 3; }), invalid);
  EXPECT_EQ(code([&](Sample& s) { trace(s).header.has_depths = true; }), invalid);
  EXPECT_EQ(code([&](Sample& s) { trace(s).events[0] = static_cast<SymbolId>(9); }), invalid);
  EXPECT_EQ(code([&](Sample& s) { s.runs[0].traces.push_back(trace(s)); }), invalid);
  EXPECT_EQ(code([&](Sample& s) { s.runs[0].header.project = ""; }), invalid);
  EXPECT_EQ(code([&](Sample& s) { trace(s).events[0] = s.symbols.Intern(std::string(10 << 20, 'x')); }), limit);
  EXPECT_EQ(code([&](Sample& s) {
              trace(s).depths = {0, 10'000'000};
              trace(s).FinishHeader();
            }),
            limit);
  EXPECT_EQ(code([&](Sample& s) { s.runs[0].header.inputs.assign(3, {"x", std::string(15 << 20, 'x')}); }), limit);
}

}  // namespace
}  // namespace oscope
