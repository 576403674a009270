// Sizes at which a store's files change their shape: pieces of a file, row groups, chunks, groups of segments. One
// fewer, exactly as many, one more.
#include "base/limits.h"
#include "index/postings/postings.h"
#include "index/store/index_file.h"
#include "index/store/locate.h"
#include "index/store/parquet_file.h"
#include "index/store/segment_rows.h"
#include "index/store/segment_search.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

constexpr uint64_t kMebibyte = 1 << 20;

std::string RandomBytes(std::mt19937_64& random, size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

void ExpectHealthy(Store& store) {
  const CheckResult check = Must(store.Check());
  for (const CheckProblem& problem : check.problems) ADD_FAILURE() << problem.segment << ": " << problem.what;
}

// --- a table's file, which is written, hashed and copied in pieces of a mebibyte ---

class TableSizeTest : public testing::Test {
 protected:
  // A store with one run, whose input of so many random bytes makes up nearly all of the table of runs.
  struct Made {
    std::unique_ptr<CrashFileSystem> fs = std::make_unique<CrashFileSystem>();
    std::string input;
    TableFile table;
    std::string path;
  };
  static Made MakeStore(size_t input_bytes, size_t message_bytes = 0) {
    Made made;
    std::mt19937_64 random(1);
    made.input = RandomBytes(random, input_bytes);
    Store store = Must(Store::Create(*made.fs, "s"));
    SymbolTable symbols;
    oscope::Run run = MakeRun({1, "7", "abc"}, symbols);
    run.header.inputs.push_back({"-", made.input});
    for (size_t i = 0; i < message_bytes; ++i) run.header.failure.message += static_cast<char>('a' + random() % 26);
    const auto ingest = Must(store.BeginIngest({}));
    Must(SendRun(run, symbols, *ingest));
    Must(ingest->Commit());
    const SegmentEntry segment = Must(store.Read()).manifest().segments.at(0);
    made.table = *segment.Find(Table::kRuns);
    made.path = fmt::format("s/segments/{}.runs.parquet", segment.id);
    return made;
  }

  // The same with the table's file of exactly so many bytes: random bytes are stored as they are, so that the input is
  // made to fit. The times and ids that a run is stored with take a byte more or less each time. Where one byte more of
  // input begins a new block of the compressed column, and so takes several, a longer message fills the gap.
  static Made MakeTableOf(uint64_t size) {
    Made made = MakeStore(size - 8000);
    for (size_t attempt = 0; attempt < 60 && made.table.size != size; ++attempt) {
      made = MakeStore(made.input.size() + size - made.table.size, attempt / 4);
    }
    EXPECT_EQ(made.table.size, size);
    return made;
  }

  static std::string InputOf(const Store& store) {
    std::string bytes;
    Must(Must(store.Read()).ForEachRun({}, true, [&](const StoredRun& run) {
      bytes = run.header.inputs.at(0).bytes;
      return true;
    }));
    return bytes;
  }
};

TEST_F(TableSizeTest, AreReadWholeAroundAMebibyte) {
  for (const uint64_t size : {kMebibyte - 1, kMebibyte, kMebibyte + 1, 2 * kMebibyte, 2 * kMebibyte + 1}) {
    const Made made = MakeTableOf(size);
    for (const bool mapped : {true, false}) {
      made.fs->MapFiles(mapped);
      Store store = Must(Store::Open(*made.fs, "s"));
      EXPECT_TRUE(InputOf(store) == made.input) << size;
      ExpectHealthy(store);
    }
  }
}

// A byte of any piece that is not what was written is found, with the file mapped and without.
TEST_F(TableSizeTest, ADamagedByteOfAnyPieceIsFound) {
  const uint64_t size = 2 * kMebibyte + 1;
  const Made made = MakeTableOf(size);
  const std::string good = Must(ReadWholeFile(*made.fs, made.path, 1 << 30));
  ASSERT_EQ(good.size(), size);
  for (const bool mapped : {true, false}) {
    for (const uint64_t at : {uint64_t{4}, kMebibyte - 1, kMebibyte, 2 * kMebibyte - 1, 2 * kMebibyte, size - 1}) {
      std::string damaged = good;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      Must(made.fs->Remove(made.path));
      Must(WriteDurably(*made.fs, made.path, damaged));
      made.fs->MapFiles(mapped);
      Store store = Must(Store::Open(*made.fs, "s"));
      EXPECT_FALSE(Must(store.Check()).healthy()) << "byte " << at << (mapped ? ", mapped" : "");
    }
    Must(made.fs->Remove(made.path));
    Must(WriteDurably(*made.fs, made.path, good));
  }
}

TEST_F(TableSizeTest, AreCopiedByteForByteAroundAMebibyte) {
  for (const uint64_t size : {kMebibyte - 1, kMebibyte, kMebibyte + 1, 2 * kMebibyte}) {
    const Made made = MakeTableOf(size);
    const Store store = Must(Store::Open(*made.fs, "s"));
    Must(store.Backup("copy"));
    EXPECT_TRUE(Must(ReadWholeFile(*made.fs, "copy" + made.path.substr(1), 1 << 30)) ==
                Must(ReadWholeFile(*made.fs, made.path, 1 << 30)))
        << size;
    Store copy = Must(Store::Open(*made.fs, "copy"));
    EXPECT_TRUE(InputOf(copy) == made.input) << size;
    ExpectHealthy(copy);
  }
}

// --- an index file, whose small sections are written together, up to a mebibyte ---

TEST(IndexFileSizes, SectionsComeBackAroundAMebibyte) {
  const std::string segment(32, 'a');
  std::mt19937_64 random(2);
  for (const size_t first : {size_t{0}, size_t{1}, size_t{1000}}) {
    // The table of the four sections and the first one stand before the second; each begins at a multiple of 64.
    const std::string one = RandomBytes(random, first);
    const size_t table = (40 + 4 * 32 + 8 + 63) / 64 * 64, before = (table + first + 63) / 64 * 64;
    for (const size_t second : {kMebibyte - before - 1, kMebibyte - before, kMebibyte - before + 1, size_t{kMebibyte},
                                size_t{3} * kMebibyte}) {
      const std::vector<IndexSection> sections = {
          {1, 1, one}, {2, 1, RandomBytes(random, second)}, {3, 1, "the last"}, {4, 1, ""}};
      CrashFileSystem fs;
      Must(Store::Create(fs, "s"));
      const StoreFiles files(fs, "s");
      Must(IndexFile::Write(files, segment, sections));
      const std::string bytes = Must(ReadWholeFile(fs, files.IndexPath(segment), 1 << 30));
      EXPECT_TRUE(bytes == IndexFile::Encode(segment, sections)) << second;
      for (const bool mapped : {true, false}) {
        fs.MapFiles(mapped);
        const auto index = Must(IndexFile::Load(files, segment));
        Must(index->CheckAll());
        for (const IndexSection& section : sections)
          EXPECT_TRUE(Must(index->Section(section.tag, 1)) == section.bytes) << section.tag;
      }
    }
  }
}

TEST(IndexFileSizes, AFileHasAtMostSixtyFourSections) {
  const std::string segment(32, 'a');
  std::vector<IndexSection> sections;
  for (uint32_t tag = 1; tag <= 64; ++tag) sections.push_back({tag, 1, std::string(tag, 'x')});
  const auto index = Must(IndexFile::Decode(IndexFile::Encode(segment, sections), segment));
  for (const IndexSection& section : sections) EXPECT_EQ(Must(index->Section(section.tag, 1)), section.bytes);
  // A table of one more, with a checksum that fits.
  ByteWriter out;
  out.Bytes("OSIX");
  out.U16(1);
  out.U16(65);
  out.Bytes(segment);
  uint64_t offset = (40 + 65 * 32 + 8 + 63) / 64 * 64;
  for (uint32_t tag = 1; tag <= 65; ++tag) {
    out.U32(tag);
    out.U32(1);
    out.U64(offset);
    out.U64(0);
    out.U64(Xxh3(""));
  }
  out.U64(Xxh3(out.bytes()));
  std::string bytes = out.Take();
  bytes.resize(offset, '\0');
  const auto refused = IndexFile::Decode(bytes, segment);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "65 sections");
}

// --- what a segment's index has ---

// Runs of one short trace each.
Store StoreOfTraces(CrashFileSystem& fs, uint64_t traces) {
  Store store = Must(Store::Create(fs, "s"));
  std::vector<WordRun> words;
  for (uint64_t i = 1; i <= traces; ++i) words.push_back({i, fmt::format("{}", i % 9), i % 3 == 0 ? "ab" : "bcd"});
  Must(CommitRuns(store, words));
  return store;
}

TEST(SearchSizes, ASketchFrom256TracesOn) {
  for (const uint64_t traces : {kSketchMinTraces - 1, kSketchMinTraces, kSketchMinTraces + 1}) {
    CrashFileSystem fs;
    Store store = StoreOfTraces(fs, traces);
    const Snapshot snapshot = Must(store.Read());
    const auto search = Must(snapshot.Search(snapshot.manifest().segments.at(0)));
    EXPECT_EQ(search->tails().size(), traces);
    EXPECT_EQ(search->sketch() != nullptr, traces >= kSketchMinTraces) << traces;
    EXPECT_EQ(Must(store.Reindex({.verify = true})).changed(), 0u);
  }
}

TEST(SearchSizes, PostingsFromTenThousandTracesOn) {
  for (const uint64_t traces : {uint64_t{kPostingsMinTraces - 1}, uint64_t{kPostingsMinTraces}}) {
    CrashFileSystem fs;
    Store store = StoreOfTraces(fs, traces);
    const Snapshot snapshot = Must(store.Read());
    const auto search = Must(snapshot.Search(snapshot.manifest().segments.at(0)));
    EXPECT_EQ(search->postings() != nullptr, traces >= kPostingsMinTraces) << traces;
    EXPECT_NE(search->sketch(), nullptr);
  }
}

// --- traces, whose events come in chunks and batches of 65,536 ---

oscope::Run LongRun(uint64_t id, uint64_t events, SymbolTable& symbols) {
  oscope::Run run = MakeRun({id, "7", "x"}, symbols);
  std::vector<SymbolId> names;
  for (int i = 0; i < 251; ++i) names.push_back(symbols.Intern(fmt::format("f{}", i)));
  Trace& trace = run.traces[0];
  trace.events.clear();
  // Neighbours differ, and so do events that are a chunk apart.
  for (uint64_t i = 0; i < events; ++i) trace.events.push_back(names[(i + i / 1000) % names.size()]);
  trace.header.mark = FailureMark{events, "abort"};
  trace.FinishHeader();
  return run;
}

TEST(TraceSizes, ComeBackAroundAChunk) {
  for (const uint64_t events :
       {limits::kChunkEvents - 1, limits::kChunkEvents, limits::kChunkEvents + 1, 2 * limits::kChunkEvents}) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    SymbolTable symbols;
    const oscope::Run run = LongRun(1, events, symbols);
    const auto ingest = Must(store.BeginIngest({}));
    Must(SendRun(run, symbols, *ingest));
    Must(ingest->Commit());
    const Snapshot snapshot = Must(store.Read());
    const TraceId id{run.header.id, 0, 0, TraceKind::kExecution};
    SymbolTable names;
    const Trace whole = Must(snapshot.ReadTrace(id, names));
    EXPECT_EQ(TraceDifference(run.traces[0], symbols, whole, names), "") << events;
    // From before the end of the first chunk to after it, and the last event alone.
    for (const auto& [first, count] :
         {std::pair<uint64_t, uint64_t>{limits::kChunkEvents - 2, 4}, {events - 1, 1}, {events - 1, 2}}) {
      SymbolTable some;
      const Trace part = Must(snapshot.ReadTrace(id, some, first, count));
      ASSERT_EQ(part.events.size(), std::min(count, events - std::min(events, first))) << events << " from " << first;
      for (size_t i = 0; i < part.events.size(); ++i)
        EXPECT_EQ(some.name(part.events[i]), symbols.name(run.traces[0].events[first + i]));
    }
    // Rows of the table: one a chunk.
    EXPECT_EQ(snapshot.Stats().tables[static_cast<int>(Table::kTraces)].rows,
              (events + limits::kChunkEvents - 1) / limits::kChunkEvents);
    uint64_t scanned = 0;
    Must(snapshot.ScanTraces({}, [&](const TraceBatch& batch) -> Status {
      for (size_t r = 0; r < batch.rows; ++r) {
        EXPECT_EQ(batch.first_event[r], scanned);
        for (uint64_t i = batch.offsets[r]; i < batch.offsets[r + 1]; ++i, ++scanned) {
          const std::string& name = batch.names[static_cast<size_t>(batch.codes[i])];
          if (name != symbols.name(run.traces[0].events[scanned])) return Corrupt("event {} is {}", scanned, name);
        }
      }
      return {};
    }));
    EXPECT_EQ(scanned, events);
    EXPECT_EQ(Must(store.Reindex({.verify = true})).changed(), 0u);
    ExpectHealthy(store);
  }
}

// Many traces that end around the end of a batch, so that a batch begins within a trace, at its first event and between
// two.
TEST(TraceSizes, ComeBackWhereverABatchEnds) {
  std::mt19937_64 random(3);
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  SymbolTable symbols;
  std::vector<oscope::Run> runs;
  for (const uint64_t events : {uint64_t{65'533}, uint64_t{1}, uint64_t{0}, uint64_t{2}, uint64_t{65'535}, uint64_t{1},
                                uint64_t{70'000}, uint64_t{3}}) {
    runs.push_back(LongRun(runs.size() + 1, events, symbols));
  }
  const auto ingest = Must(store.BeginIngest({}));
  for (const oscope::Run& run : runs) Must(SendRun(run, symbols, *ingest));
  Must(ingest->Commit());
  const Snapshot snapshot = Must(store.Read());
  for (const oscope::Run& run : runs) {
    SymbolTable names;
    const Trace read = Must(snapshot.ReadTrace({run.header.id, 0, 0, TraceKind::kExecution}, names));
    EXPECT_EQ(TraceDifference(run.traces[0], symbols, read, names), "") << run.traces[0].events.size();
  }
  ExpectHealthy(store);
}

// --- row groups ---

// A row group of traces is closed at this many events: just as many are one, and one more is another.
TEST(TraceSizes, ComeBackAroundARowGroup) {
  for (const uint64_t events : {kRowGroupEvents - 1, kRowGroupEvents, kRowGroupEvents + 1}) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    SymbolTable symbols;
    const oscope::Run run = LongRun(1, events, symbols);
    const auto ingest = Must(store.BeginIngest({.spill_events = uint64_t{1} << 40}));
    Must(SendRun(run, symbols, *ingest));
    Must(ingest->Commit());
    const Snapshot snapshot = Must(store.Read());
    std::vector<uint64_t> groups;
    Must(snapshot.ScanTraces({.header = false, .names = false, .run_ids = false},
                             [&](const TraceBatch& batch) -> Status {
                               groups.push_back(batch.codes.size());
                               return {};
                             }));
    EXPECT_EQ(groups,
              events <= kRowGroupEvents ? std::vector<uint64_t>{events} : (std::vector<uint64_t>{kRowGroupEvents, 1}));
    SymbolTable names;
    const uint64_t first = events - 70'000;
    const Trace end = Must(snapshot.ReadTrace({run.header.id, 0, 0, TraceKind::kExecution}, names, first));
    ASSERT_EQ(end.events.size(), events - first);
    for (size_t i = 0; i < end.events.size(); ++i)
      ASSERT_EQ(names.name(end.events[i]), symbols.name(run.traces[0].events[first + i]));
  }
}

// The rows that each row group gets.
std::vector<size_t> RowGroups(size_t rows, const std::function<size_t(size_t)>& bytes, size_t max_rows) {
  std::vector<size_t> sizes;
  size_t next = 0;
  Must(ForEachRowGroup(
      rows, bytes,
      [&](size_t begin, size_t count) -> Status {
        EXPECT_EQ(begin, next);
        next += count;
        sizes.push_back(count);
        return {};
      },
      max_rows));
  EXPECT_EQ(next, rows);
  return sizes;
}

TEST(RowGroups, EndAtTheirRowsAndTheirBytes) {
  using Sizes = std::vector<size_t>;
  const auto nothing = [](size_t) { return size_t{0}; };
  EXPECT_EQ(RowGroups(0, nothing, 3), Sizes{});
  EXPECT_EQ(RowGroups(2, nothing, 3), Sizes{2});
  EXPECT_EQ(RowGroups(3, nothing, 3), Sizes{3});
  EXPECT_EQ(RowGroups(4, nothing, 3), (Sizes{3, 1}));
  EXPECT_EQ(RowGroups(6, nothing, 3), (Sizes{3, 3}));
  EXPECT_EQ(RowGroups(4, [](size_t) { return kRowGroupBytes / 2; }, 100), (Sizes{2, 2}));
  EXPECT_EQ(RowGroups(4, [](size_t) { return kRowGroupBytes / 2 - 1; }, 100), (Sizes{3, 1}));
  EXPECT_EQ(RowGroups(3, [](size_t) { return kRowGroupBytes; }, 100), (Sizes{1, 1, 1}));
  EXPECT_EQ(RowGroups(3, [](size_t) { return kRowGroupBytes - 1; }, 100), (Sizes{2, 1}));
}

TEST(RowGroups, ARowThatCannotBeWrittenEndsThem) {
  size_t written = 0;
  const Status status = ForEachRowGroup(
      3, [](size_t) { return size_t{0}; },
      [&](size_t, size_t) -> Status { return ++written == 2 ? Status(Error{ErrorCode::kIo, "full"}) : Status(); }, 1);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "full");
  EXPECT_EQ(written, 2u);
}

Bug ReportOf(uint64_t number) {
  Bug bug;
  bug.key = {"demo", fmt::format("{:06}", number)};
  bug.title = fmt::format("report {}", number);
  return bug;
}

// A row group of reports has 1024.
TEST(RowGroups, ReportsComeBackAroundOne) {
  for (const uint64_t bugs : {1023u, 1024u, 1025u, 2049u}) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    const auto ingest = Must(store.BeginIngest({}));
    for (uint64_t i = 0; i < bugs; ++i) Must(ingest->AddBug(ReportOf(i)));
    Must(ingest->Commit());
    const Snapshot snapshot = Must(store.Read());
    const std::vector<Bug> all = Must(snapshot.Bugs());
    ASSERT_EQ(all.size(), bugs);
    for (uint64_t i = 0; i < bugs; ++i) ASSERT_EQ(all[i].title, ReportOf(i).title);
    for (const uint64_t i : {uint64_t{0}, uint64_t{1022}, bugs - 2, bugs - 1})
      EXPECT_EQ(Must(snapshot.FindBug(ReportOf(i).key))->title, ReportOf(i).title);
    EXPECT_EQ(Must(snapshot.FindBug(ReportOf(bugs).key)), std::nullopt);
  }
}

TEST(RowGroups, RunsComeBackAroundOne) {
  for (const uint64_t runs : {uint64_t{kRowGroupRows - 1}, uint64_t{kRowGroupRows}, uint64_t{kRowGroupRows + 1}}) {
    CrashFileSystem fs;
    Store store = StoreOfTraces(fs, runs);
    const Snapshot snapshot = Must(store.Read());
    uint64_t count = 0;
    std::set<uint64_t> ids;
    Must(snapshot.ForEachRun({}, false, [&](const StoredRun& run) {
      ++count;
      ids.insert(run.header.id.value.low);
      return true;
    }));
    EXPECT_EQ(count, runs);
    EXPECT_EQ(ids.size(), runs);
    EXPECT_EQ(*ids.begin(), 1u);
    EXPECT_EQ(*ids.rbegin(), runs);
    for (const uint64_t id : {uint64_t{1}, runs - 1, runs}) EXPECT_EQ(WordOf(snapshot, id), id % 3 == 0 ? "ab" : "bcd");
  }
}

// --- groups of segments ---

// 64 segments stand in the manifest itself; one more, and they move to a group of their own.
TEST(ManifestSizes, SegmentsMoveToAGroupWhenThereAreMoreThanSixtyFour) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  std::set<uint64_t> expected;
  for (uint64_t i = 1; i <= 66; ++i) {
    Must(CommitRuns(store, {{i, "7", "abc"}}));
    expected.insert(i);
    if (i < 63) continue;
    const Snapshot snapshot = Must(store.Read());
    const Manifest& manifest = snapshot.manifest();
    ASSERT_EQ(manifest.segments.size(), i);
    const size_t groups = (i - 1) / 64;
    ASSERT_EQ(manifest.groups.size(), groups) << i;
    ASSERT_EQ(manifest.group_sizes, std::vector<uint32_t>(groups, 64)) << i;
    EXPECT_EQ(RunsIn(Must(Store::Open(fs, "s"))), expected) << i;
  }
  ExpectHealthy(store);
}

// --- texts ---

TEST(ConfigurationSizes, AFileOfAMebibyteIsReadAndALargerOneIsNot) {
  for (const uint64_t size : {kMebibyte - 1, kMebibyte, kMebibyte + 1}) {
    CrashFileSystem fs;
    Must(fs.MakeDirectory("/configured"));
    const std::string config = "project = \"demo\"\n#";
    Must(WriteDurably(fs, "/configured/oscope.toml", config + std::string(size - config.size(), 'x')));
    const auto project = FindProject(fs, "/configured");
    EXPECT_EQ(project.ok(), size <= kMebibyte) << size;
    if (project.ok()) {
      EXPECT_EQ(project->name, "demo");
    }
  }
}

}  // namespace
}  // namespace oscope
