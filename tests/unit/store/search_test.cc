// What a search reads of a store: made at commit, made again from the tables, damaged, and read by row.
#include <thread>

#include "index/store/segment_index.h"
#include "index/store/segment_search.h"
#include "tests/unit/store/store_fixture.h"
#include "tracer/model/granularity.h"

namespace oscope {
namespace {

// Everything that a segment's tails say, as text.
std::string Describe(const TailTable& tails) {
  std::string text;
  for (size_t i = 0; i < tails.size(); ++i) {
    const TailRow& row = tails.rows()[i];
    text += fmt::format("{} {}.{} {} {} {} {} {}/{} {}:", ToString(row.run), row.process, row.thread,
                        TraceKindName(row.kind), OutcomeName(row.outcome), GranularityName(row.granularity),
                        row.failing_thread, row.marked_count, row.event_count,
                        row.bug == kNoBug ? "-" : ToString(tails.bugs()[row.bug]));
    std::vector<uint32_t> tail;
    tails.AppendTail(i, kTailEvents, tail);
    for (const uint32_t id : tail) text += fmt::format(" {}={}", id, tails.name(id));
    text += "\n";
  }
  return text;
}

std::string Describe(const Snapshot& snapshot) {
  std::string text;
  for (const SegmentEntry& segment : snapshot.manifest().segments)
    text += Describe(Must(snapshot.Search(segment))->tails());
  return text;
}

// The rows that a run's traces should have, from the traces themselves.
std::set<std::string> ExpectedRows(const RunCollector& all) {
  std::set<std::string> rows;
  for (const Run& run : all.runs) {
    std::set<TraceKind> seen;
    for (const Trace& trace : run.traces) {
      const uint64_t marked = trace.header.mark ? trace.header.mark->events : trace.events.size();
      const bool first = seen.insert(trace.header.kind).second;
      const bool failing = run.header.failing_thread
                               ? *run.header.failing_thread == ThreadRef{trace.header.process, trace.header.thread}
                               : first;
      std::string row =
          fmt::format("{} {}.{} {} {} {} {}/{} {}:", ToString(run.header.id), trace.header.process, trace.header.thread,
                      TraceKindName(trace.header.kind), OutcomeName(run.header.outcome), failing, marked,
                      trace.events.size(), run.header.bug);
      for (uint64_t i = marked - std::min<uint64_t>(marked, kTailEvents); i < marked; ++i)
        row += " " + all.symbols.name(trace.events[i]);
      rows.insert(std::move(row));
    }
  }
  return rows;
}

std::set<std::string> RowsOf(const Snapshot& snapshot) {
  std::set<std::string> rows;
  for (const SegmentEntry& segment : snapshot.manifest().segments) {
    const auto search = Must(snapshot.Search(segment));
    const TailTable& tails = search->tails();
    for (size_t i = 0; i < tails.size(); ++i) {
      const TailRow& tail = tails.rows()[i];
      std::string row =
          fmt::format("{} {}.{} {} {} {} {}/{} {}:", ToString(tail.run), tail.process, tail.thread,
                      TraceKindName(tail.kind), OutcomeName(tail.outcome), tail.failing_thread, tail.marked_count,
                      tail.event_count, tail.bug == kNoBug ? "" : tails.bugs()[tail.bug].id);
      std::vector<uint32_t> ids;
      tails.AppendTail(i, kTailEvents, ids);
      for (const uint32_t id : ids) row += " " + std::string(tails.name(id));
      rows.insert(std::move(row));
    }
  }
  return rows;
}

// Reads rows back one event at a time and compares with ReadTrace.
void ExpectRowsReadBack(const Snapshot& snapshot, const SegmentEntry& segment, const std::vector<uint32_t>& rows,
                        std::optional<uint64_t> suffix) {
  const auto search = Must(snapshot.Search(segment));
  std::map<uint32_t, std::vector<std::string>> read;
  std::vector<uint32_t> finished;
  ASSERT_OK(snapshot.ReadRows(segment, rows, suffix, [&](const TraceEvents& events) -> Status {
    std::vector<std::string>& names = read[events.row];
    const TailRow& row = search->tails().rows()[events.row];
    const uint64_t begin = suffix ? row.marked_count - std::min(*suffix, row.marked_count) : 0;
    EXPECT_EQ(events.first_event, begin + names.size());
    for (const int32_t code : events.codes) names.push_back(events.names[static_cast<size_t>(code)]);
    if (events.last) finished.push_back(events.row);
    return {};
  }));
  EXPECT_EQ(finished, rows);
  for (const uint32_t r : rows) {
    const TailRow& row = search->tails().rows()[r];
    SymbolTable symbols;
    const Trace trace = Must(snapshot.ReadTrace({row.run, row.process, row.thread, row.kind}, symbols));
    const uint64_t end = suffix ? row.marked_count : row.event_count;
    std::vector<std::string> expected;
    for (uint64_t i = suffix ? end - std::min(*suffix, end) : 0; i < end; ++i)
      expected.push_back(symbols.name(trace.events[i]));
    EXPECT_EQ(read[r], expected);
  }
}

void ExpectSearchable(Store& store, std::mt19937_64& random) {
  EXPECT_EQ(Must(store.Reindex({.verify = true})).changed(), 0u) << "a rebuild gives the bytes of the commit";
  const Snapshot snapshot = Must(store.Read());
  EXPECT_EQ(RowsOf(snapshot), ExpectedRows(Everything(store)));
  for (const SegmentEntry& segment : snapshot.manifest().segments) {
    for (const std::optional<uint64_t> suffix : {std::optional<uint64_t>(), std::optional<uint64_t>(0),
                                                 std::optional<uint64_t>(10), std::optional<uint64_t>(70'000)}) {
      std::vector<uint32_t> rows;
      for (uint32_t row = 0; row < segment.traces; ++row) {
        if (random() % 2 == 0) rows.push_back(row);
      }
      ExpectRowsReadBack(snapshot, segment, rows, suffix);
    }
  }
}

TEST(Search, RandomStoresWithAndWithoutSpills) {
  std::mt19937_64 random(7);
  for (const uint64_t spill_events : {uint64_t{20}, uint64_t{4} << 20}) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    for (int commit = 0; commit < 6; ++commit) {
      const auto ingest = Must(store.BeginIngest({.spill_events = spill_events}));
      ASSERT_OK(Send(commit == 0 ? FullSample() : RandomSample(random), *ingest));
      ASSERT_OK(ingest->Commit());
    }
    ExpectSearchable(store, random);
    ASSERT_OK(store.Compact());
    ExpectSearchable(store, random);
  }
}

// Three chunks, the mark in the second: the tail must come from there, through a spill and through memory.
TEST(Search, AMarkInTheMiddleOfALongTrace) {
  std::mt19937_64 random(8);
  for (const uint64_t spill_events : {uint64_t{1000}, uint64_t{4} << 20}) {
    for (const uint64_t mark : {0u, 1u, 255u, 65'536u, 65'600u, 140'000u, 150'000u}) {
      CrashFileSystem fs;
      Store store = Must(Store::Create(fs, "s"));
      SymbolTable symbols;
      oscope::Run run = MakeRun({1, "7", "x"}, symbols);
      Trace& trace = run.traces[0];
      trace.events.clear();
      for (int i = 0; i < 150'000; ++i) trace.events.push_back(symbols.Intern(fmt::format("f{}", random() % 300)));
      trace.header.mark = FailureMark{mark, "abort"};
      trace.FinishHeader();
      const auto ingest = Must(store.BeginIngest({.spill_events = spill_events}));
      ASSERT_OK(SendRun(run, symbols, *ingest));
      ASSERT_OK(ingest->Commit());
      ExpectSearchable(store, random);
    }
  }
}

class SearchDamageTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  std::string path_, good_, expected_;

  void SetUp() override {
    Must(CommitRuns(store_, {{1, "7", "abcdefgh"}, {2, "7", "abdefghi"}, {3, "8", "xyz"}}));
    path_ = fmt::format("s/index/{}.osix", Segment().id);
    good_ = Bytes();
    expected_ = Describe(Must(store_.Read()));
  }
  SegmentEntry Segment() const { return Must(store_.Read()).manifest().segments[0]; }
  std::string Bytes() { return Must(ReadWholeFile(fs_, path_, 1 << 30)); }
  void Replace(const std::string& bytes) {
    Must(fs_.Remove(path_));
    Must(WriteDurably(fs_, path_, bytes));
  }
};

TEST_F(SearchDamageTest, AnyFlippedByteGivesTheSameAnswerAndIsMended) {
  for (size_t i = 0; i < good_.size(); ++i) {
    std::string flipped = good_;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x20);
    Replace(flipped);
    const Store store = Must(Store::Open(fs_, "s"));
    ASSERT_EQ(Describe(Must(store.Read())), expected_) << "byte " << i;
    // A search does not read whose failures are, nor which number is next: a commit that asks finds the damage.
    const Snapshot snapshot = Must(store.Read());
    EXPECT_EQ(Must(KnownBugs(&snapshot).NextNumber("demo")), 9u) << "byte " << i;
    ASSERT_EQ(Bytes(), good_) << "byte " << i;
  }
}

TEST_F(SearchDamageTest, AnyCutGivesTheSameAnswer) {
  for (size_t length = 0; length < good_.size(); length += 7) {
    Replace(good_.substr(0, length));
    const Store store = Must(Store::Open(fs_, "s"));
    ASSERT_EQ(Describe(Must(store.Read())), expected_) << "cut at " << length;
  }
}

TEST_F(SearchDamageTest, AReaderLeavesTheFileAlone) {
  for (const std::string& bytes : {std::string("torn"), good_.substr(0, good_.size() - 1)}) {
    Replace(bytes);
    const Store store = Must(Store::Open(fs_, "s", {.read_only = true}));
    EXPECT_EQ(Describe(Must(store.Read())), expected_);
    EXPECT_EQ(Bytes(), bytes);
  }
}

// The files of before there were tails.
TEST_F(SearchDamageTest, AnIndexWithoutTheSectionsIsOlder) {
  const auto index = Must(SegmentIndex::Decode(good_, Segment().id));
  std::vector<RunLocation> runs;
  for (size_t i = 0; i < index->runs(); ++i) runs.push_back(index->run(i));
  const std::string older = SegmentIndex::Encode(Segment().id, runs, {});
  Replace(older);
  Store store = Must(Store::Open(fs_, "s"));
  EXPECT_EQ(Must(store.Reindex({.verify = true})).older, 1u);
  EXPECT_EQ(Bytes(), older);
  EXPECT_EQ(WordOf(Must(store.Read()), 2), "abdefghi");
  EXPECT_EQ(Bytes(), older) << "a look-up of a run needs no tails";
  EXPECT_EQ(Describe(Must(store.Read())), expected_);
  EXPECT_EQ(Bytes(), good_);
  Replace(older);
  const ReindexResult result = Must(store.Reindex());
  EXPECT_EQ(result.older, 1u);
  EXPECT_EQ(result.written, 1u);
  EXPECT_EQ(Bytes(), good_);
}

// Checksums that fit, and another trace's tail: only a comparison with the tables can tell.
TEST_F(SearchDamageTest, ReindexFindsWhatChecksumsCannot) {
  std::vector<IndexSection> sections = Must(RebuildIndexSections(StoreFiles(fs_, "s"), Segment()));
  for (IndexSection& section : sections) {
    if (section.tag == kTailColumnTag) std::swap(section.bytes[0], section.bytes[2]);
  }
  Replace(IndexFile::Encode(Segment().id, sections));
  EXPECT_EQ(Must(store_.Reindex()).wrong, 1u);
  EXPECT_EQ(Bytes(), good_);
}

TEST_F(SearchDamageTest, DamagedTablesAreNamedOrLeftOut) {
  const SegmentEntry segment = Segment();
  Replace("torn");
  Must(fs_.Remove(fmt::format("s/segments/{}.traces.parquet", segment.id)));
  const Store store = Must(Store::Open(fs_, "s"));
  Snapshot snapshot = Must(store.Read());
  const auto refused = snapshot.Search(segment);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find(segment.id), std::string::npos);
  snapshot.SkipDamaged(true);
  EXPECT_EQ(Must(snapshot.Search(segment)), nullptr);
  EXPECT_EQ(snapshot.damaged().size(), 1u);
}

TEST(Search, SnapshotsShareWhatDidNotChange) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "7", "abc"}}));
  const SegmentEntry segment = Must(store.Read()).manifest().segments[0];
  std::weak_ptr<const SegmentSearch> first = Must(Must(store.Read()).Search(segment));
  Must(CommitRuns(store, {{2, "7", "abd"}}));
  EXPECT_EQ(Must(Must(store.Read()).Search(segment)), first.lock());
  Must(store.Compact());
  (void)Must(store.Read());
  EXPECT_TRUE(first.expired()) << "a segment that is gone holds no memory";
}

TEST(Search, ThreadsThatAskAtOnceGetOne) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}}));
  const SegmentEntry segment = Must(store.Read()).manifest().segments[0];
  Must(fs.Remove(fmt::format("s/index/{}.osix", segment.id)));
  const Store reopened = Must(Store::Open(fs, "s"));
  const Snapshot snapshot = Must(reopened.Read());
  std::vector<std::shared_ptr<const SegmentSearch>> found(4);
  std::vector<std::thread> threads;
  for (auto& one : found) threads.emplace_back([&] { one = Must(snapshot.Search(segment)); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : found) EXPECT_EQ(one, found[0]);
}

TEST(Search, LargeSegmentsHaveSketchesAndPostings) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  std::mt19937_64 random(9);
  std::vector<WordRun> words;
  for (uint64_t i = 1; i <= kPostingsMinTraces; ++i) {
    std::string word;
    for (uint64_t n = random() % 60; n > 0; --n) word += static_cast<char>('a' + random() % 26);
    words.push_back({i, fmt::format("{}", random() % 500), word});
  }
  Must(CommitRuns(store, words));
  const SegmentEntry segment = Must(store.Read()).manifest().segments[0];
  EXPECT_EQ(Must(store.Reindex({.verify = true})).changed(), 0u);
  const auto search = Must(Must(store.Read()).Search(segment));
  ASSERT_NE(search->sketch(), nullptr);
  EXPECT_EQ(search->sketch()->rows(), kPostingsMinTraces);
  ASSERT_NE(search->postings(), nullptr);
  const uint32_t letter = *search->tails().FindName("q");
  EXPECT_EQ(search->postings()->Count({letter, 1}), search->tails().traces_with_name()[letter]);
  // The postings stand last in the file.
  const std::string path = fmt::format("s/index/{}.osix", segment.id);
  std::string bytes = Must(ReadWholeFile(fs, path, 1 << 30));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Must(fs.Remove(path));
  Must(WriteDurably(fs, path, bytes));
  Store reopened = Must(Store::Open(fs, "s"));
  const auto damaged = Must(Must(reopened.Read()).Search(segment));
  EXPECT_EQ(Describe(damaged->tails()), Describe(search->tails()));
  EXPECT_EQ(damaged->postings(), nullptr) << "they only save time: a search goes on without them";
  EXPECT_EQ(Must(reopened.Reindex()).damaged, 1u);
  EXPECT_NE(Must(Must(reopened.Read()).Search(segment))->postings(), nullptr);
}

}  // namespace
}  // namespace oscope
