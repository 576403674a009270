// A segment builder by itself: what it refuses, when a run gets a segment of its own, what it writes where, and what it
// leaves behind; and how a manifest's segments are replaced.
#include "index/store/parquet_file.h"
#include "index/store/placement.h"
#include "index/store/segment_builder.h"
#include "index/store/store_state.h"
#include "index/store/version_edit.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class BuilderTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  const StoreFiles files_{fs_, "s"};
  const std::vector<HashRange> all_ = {HashRange()};

  size_t Files(const std::string& directory) { return Must(fs_.List("s/" + directory)).size(); }
  bool WritersActive() { return !fs_.Lock(files_.WriterLock(), LockMode::kExclusive, 0).ok(); }
  static BugRevision Revision(const std::string& id, uint64_t revision) {
    BugRevision made;
    made.revision = revision;
    made.bug.key = {"demo", id};
    return made;
  }
};

TEST_F(BuilderTest, RefusesByName) {
  SegmentBuilder builder(files_, 1000);
  const std::string run_name = "run " + ToString(IdOf(1)) + ": ";
  Bug bug;
  bug.key = {"demo", "7"};
  EXPECT_EQ(builder.AddBug(bug).error().message, "bug demo-7: a report needs a revision to be stored");
  EXPECT_EQ(builder.AddBug(bug).error().code, ErrorCode::kInvalid);
  SymbolTable symbols;
  const auto message = [&](const std::function<void(oscope::Run&)>& change) {
    oscope::Run run = MakeRun({1, "", "abc"}, symbols);
    change(run);
    SegmentBuilder fresh(files_, 1000);
    const Status sent = SendRun(run, symbols, fresh);
    EXPECT_FALSE(sent.ok());
    EXPECT_EQ(sent.error().code, ErrorCode::kInvalid);
    return sent.error().message;
  };
  const std::string lists = run_name + "a trace's parallel lists differ from what its header says";
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].header.has_depths = true; }), lists);
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].header.has_outcomes = true; }), lists);
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].header.has_values = true; }), lists);
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].depths = {1, 2, 3}; }), lists);
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].values = {"", "", ""}; }), lists);
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].outcomes.resize(3); }), lists);
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].events[1] = static_cast<SymbolId>(77); }),
            "event 77 has no symbol");
  EXPECT_EQ(message([](oscope::Run& run) { run.traces[0].header.event_count = 4; }),
            run_name + "a trace announces 4 events and has 3");
  EXPECT_EQ(message([](oscope::Run& run) { run.traces.push_back(run.traces[0]); }),
            run_name + "trace 0.0 execution comes twice");
  EXPECT_EQ(message([](oscope::Run& run) { run.header.id = {}; }), "a run has no id");
  EXPECT_FALSE(message([](oscope::Run& run) { run.traces[0].header.mark->events = 4; }).empty());
  // Each of the three parts of a trace's name makes it another.
  oscope::Run run = MakeRun({1, "", "abc"}, symbols);
  for (const auto& [process, thread, kind] :
       {std::tuple{1u, 0u, TraceKind::kExecution}, {0u, 1u, TraceKind::kExecution}, {0u, 0u, TraceKind::kStack}}) {
    Trace& trace = run.traces.emplace_back(run.traces[0]);
    trace.header.process = process;
    trace.header.thread = thread;
    trace.header.kind = kind;
  }
  SegmentBuilder fresh(files_, 1000);
  ASSERT_OK(SendRun(run, symbols, fresh));
  oscope::Run next = run;
  next.header.id = IdOf(2);
  ASSERT_OK(SendRun(next, symbols, fresh));  // the traces of another run are others
  EXPECT_EQ(fresh.trace_count(), 8u);
  // The same while a run spills.
  SegmentBuilder spilling(files_, 2);
  run.traces.push_back(run.traces[3]);
  EXPECT_EQ(SendRun(run, symbols, spilling).error().message, run_name + "trace 0.0 stack comes twice");
}

TEST_F(BuilderTest, ARunThatComesTwiceIsThereOnce) {
  for (const uint64_t spill_events : {uint64_t{2}, uint64_t{1000}}) {
    SegmentBuilder builder(files_, spill_events);
    Must(AddRuns(builder, {{1, "", "abc"}, {2, "", "defg"}, {1, "", "abc"}}));
    EXPECT_EQ(builder.run_count(), 2u);
    EXPECT_EQ(builder.event_count(), 7u);
    EXPECT_EQ(builder.trace_count(), 2u);
    ASSERT_EQ(builder.runs().size(), 2u);
    EXPECT_EQ(builder.runs()[0].placement, PlacementOf(builder.runs()[0].run->header));
    const Status other = AddRuns(builder, {{2, "", "xxxx"}});
    EXPECT_EQ(other.error().code, ErrorCode::kConflict);
    EXPECT_EQ(other.error().message, "run " + ToString(IdOf(2)) + " comes twice with different content");
    EXPECT_FALSE(builder.empty());
    builder.Clear();
    EXPECT_TRUE(builder.empty());
    EXPECT_EQ(builder.event_count() + builder.trace_count() + builder.run_count(), 0u);
    ASSERT_OK(AddRuns(builder, {{2, "", "xxxx"}}));  // what was there before is forgotten
  }
  EXPECT_EQ(Files("segments") + Files("index") + Files("tmp"), 0u);
}

TEST_F(BuilderTest, ARunSpillsAboveItsBoundOnly) {
  SegmentBuilder builder(files_, 3);
  Must(AddRuns(builder, {{1, "", "abc"}}));
  EXPECT_EQ(Files("segments"), 0u);
  EXPECT_FALSE(WritersActive());
  Must(AddRuns(builder, {{2, "", "abcd"}}));
  EXPECT_EQ(Files("segments"), 2u);
  EXPECT_EQ(Files("index"), 1u);
  EXPECT_TRUE(WritersActive()) << "until it is published, no collection may take it";
  EXPECT_EQ(builder.run_count(), 2u);
  EXPECT_EQ(builder.event_count(), 7u);
  std::vector<SegmentEntry> written = Must(builder.Write(all_));
  ASSERT_EQ(written.size(), 2u);
  EXPECT_EQ(written[0].events, 3u);
  EXPECT_EQ(written[1].events, 4u);
  EXPECT_EQ(written[1].runs, 1u);
  EXPECT_EQ(written[1].traces, 1u);
  EXPECT_EQ(written[1].range, HashRange());
  EXPECT_EQ(Files("segments"), 4u);
  builder.Discard(written);
  EXPECT_EQ(Files("segments"), 2u) << "the spilled one stays for another Write";
  // The range is the one of the Write that counts.
  const uint64_t placement = builder.runs()[1].placement;
  written = Must(builder.Write({{0, placement - 1}, {placement, UINT64_MAX}}));
  EXPECT_EQ(written.back().range, (HashRange{placement, UINT64_MAX}));
  builder.Discard(written);
  written = Must(builder.Write({{0, placement}, {placement + 1, UINT64_MAX}},
                               {.run = [](RunId run) { return run == IdOf(2); }}, {}));
  ASSERT_EQ(written.size(), 1u) << "what is dropped is not among them";
  EXPECT_EQ(written[0].events, 3u);
  builder.Discard(written);
  written = Must(builder.Write(all_));
  builder.Published(written);
  builder.Clear();
  EXPECT_EQ(Files("segments"), 4u) << "published, they are the store's";
  EXPECT_FALSE(WritersActive());
}

TEST_F(BuilderTest, WhatNobodyTookGoesWithTheBuilder) {
  {
    SegmentBuilder builder(files_, 2);
    Must(AddRuns(builder, {{1, "", "abcd"}}));
    // One that is still arriving.
    SymbolTable symbols;
    const oscope::Run run = MakeRun({2, "", "abcdef"}, symbols);
    Must(builder.BeginRun(run.header, symbols));
    Must(builder.BeginTrace(run.traces[0].header));
    Must(builder.AddEvents({run.traces[0].events, {}, {}, {}}));
    EXPECT_EQ(Files("tmp"), 1u);
    EXPECT_GT(Files("segments"), 0u);
  }
  EXPECT_EQ(Files("segments") + Files("index") + Files("tmp"), 0u);
  EXPECT_FALSE(WritersActive());
}

TEST_F(BuilderTest, EachGoesToTheRangeOfItsPlacement) {
  SegmentBuilder builder(files_, 1000);
  Must(AddRuns(builder, {{1, "7", "abc"}, {2, "8", "de"}, {3, "9", "f"}}));
  for (const char* bug : {"7", "8", "9"}) builder.AddRevision(Revision(bug, 1));
  std::map<uint64_t, std::string> by_placement;
  for (const char* bug : {"7", "8", "9"}) by_placement[PlacementOf(BugKey{"demo", bug})] = bug;
  std::vector<uint64_t> placements;
  for (const auto& [placement, bug] : by_placement) placements.push_back(placement);
  // The borders lie exactly at the second and just above the third.
  const std::vector<HashRange> ranges = {
      {0, placements[1] - 1}, {placements[1], placements[2]}, {placements[2] + 1, UINT64_MAX}};
  const std::vector<SegmentEntry> written = Must(builder.Write(ranges));
  ASSERT_EQ(written.size(), 2u) << "nothing lies in the last range, so there is no segment for it";
  EXPECT_EQ(written[0].range, ranges[0]);
  EXPECT_EQ(written[0].runs, 1u);
  EXPECT_EQ(written[0].bug_revisions, 1u);
  EXPECT_EQ(written[1].range, ranges[1]);
  EXPECT_EQ(written[1].runs, 2u);
  EXPECT_EQ(written[1].traces, 2u);
  EXPECT_EQ(written[1].bug_revisions, 2u);
  EXPECT_EQ(written[0].events + written[1].events, 6u);
  for (const SegmentEntry& segment : written) {
    ASSERT_EQ(segment.tables.size(), 3u);
    EXPECT_EQ(segment.tables[0].table, Table::kTraces);
    EXPECT_EQ(segment.tables[1].table, Table::kRuns);
    EXPECT_EQ(segment.tables[2].table, Table::kBugs);
    for (const TableFile& table : segment.tables) {
      EXPECT_EQ(table.rows, segment.runs);
      const std::string bytes = Must(ReadWholeFile(fs_, files_.TablePath(segment.id, table.table), 1 << 20));
      EXPECT_EQ(table.size, bytes.size());
      EXPECT_EQ(table.sha256, Sha256Of(bytes));
    }
  }
}

TEST_F(BuilderTest, EqualInputGivesEqualFiles) {
  const std::vector<WordRun> words = {{1, "7", "abc"}, {2, "8", "cde"}, {3, "7", "ae"}, {4, "", "bd"}};
  const auto digests = [&](std::vector<WordRun> order) {
    SegmentBuilder builder(files_, 1000);
    builder.SetStoredTime(5);
    Must(AddRuns(builder, order));
    const std::vector<SegmentEntry> written = Must(builder.Write(all_));
    std::vector<std::string> found;
    for (const TableFile& table : written.at(0).tables) found.push_back(table.sha256);
    return found;
  };
  const std::vector<std::string> expected = digests(words);
  EXPECT_EQ(digests({words[3], words[2], words[1], words[0]}), expected);
  EXPECT_EQ(digests({words[1], words[0], words[3], words[2]}), expected);
}

// A segment of many events is written by two threads; whichever fails, nothing stays.
TEST_F(BuilderTest, ALargeSegmentThatCannotBeWrittenLeavesNothing) {
  SymbolTable symbols;
  oscope::Run run = MakeRun({1, "7", ""}, symbols);
  for (uint32_t i = 0; i < 100'000; ++i)
    run.traces[0].events.push_back(symbols.Intern(fmt::format("f{}", i % 7), {"sig", "", 0, "", "", 0}));
  run.traces[0].header.mark.reset();
  run.traces[0].FinishHeader();
  SegmentBuilder builder(files_, UINT64_MAX);
  Must(SendRun(run, symbols, builder));
  builder.AddRevision(Revision("7", 1));
  const uint64_t before = fs_.operations();
  std::vector<SegmentEntry> written = Must(builder.Write(all_));
  const uint64_t needed = fs_.operations() - before;
  ASSERT_EQ(written.at(0).tables.size(), 4u);
  EXPECT_GT(needed, 15u);
  builder.Discard(written);
  EXPECT_EQ(Files("segments") + Files("index") + Files("tmp"), 0u);
  for (uint64_t n = 1; n <= needed; ++n) {
    fs_.FailAt(fs_.operations() + n, Fault::kNoSpace);
    const auto failed = builder.Write(all_);
    ASSERT_FALSE(failed.ok()) << n << "\n" << fs_.log();
    EXPECT_EQ(failed.error().code, ErrorCode::kIo) << failed.error().message;
    ASSERT_EQ(Files("segments") + Files("index") + Files("tmp"), 0u) << n << "\n" << fs_.log();
  }
  ASSERT_OK(builder.Write(all_));
}

// Values weigh as the events whose codes take their bytes, so that no row group grows beyond what Arrow can hold.
TEST_F(BuilderTest, LargeValuesEndARowGroup) {
  SymbolTable symbols;
  const SymbolId event = symbols.Intern("f");
  const auto groups = [&](bool values) {
    SegmentBuilder builder(files_, UINT64_MAX);
    oscope::Run run = MakeRun({1, "", ""}, symbols);
    run.traces.clear();
    for (uint32_t i = 0; i < 257; ++i) {
      Trace& trace = run.traces.emplace_back();
      trace.header.thread = i;
      trace.events = {event};
      if (values) trace.values = {std::string(65'536, static_cast<char>('a' + i % 26))};
      trace.FinishHeader();
    }
    Must(SendRun(run, symbols, builder));
    const SegmentEntry segment = Must(builder.Write(all_)).at(0);
    const auto reader = Must(OpenTable(files_, segment.id, segment.tables[0], false));
    std::vector<int64_t> rows;
    for (int g = 0; g < reader->num_row_groups(); ++g)
      rows.push_back(reader->parquet_reader()->metadata()->RowGroup(g)->num_rows());
    return rows;
  };
  EXPECT_EQ(groups(false), std::vector<int64_t>{257});
  EXPECT_EQ(groups(true), (std::vector<int64_t>{256, 1}));
}

// The rows of a run that spills are those it has: after others, with lists of its own, and with several traces.
TEST_F(BuilderTest, ASpilledRunKeepsItsListsApart) {
  std::mt19937_64 random(9);
  SymbolTable symbols;
  std::vector<oscope::Run> runs;
  for (uint64_t i = 1; i <= 12; ++i) {
    oscope::Run run = MakeRun({i, "", ""}, symbols);
    run.traces.clear();
    for (uint32_t t = 0; t < 4; ++t) {
      Trace& trace = run.traces.emplace_back();
      trace.header.thread = t;
      for (uint64_t e = random() % 40; e > 0; --e) {
        trace.events.push_back(symbols.Intern(fmt::format("f{}", random() % 9)));
        if (t % 2 == 0) trace.depths.push_back(static_cast<uint32_t>(random() % 100));
        if (t >= 2) trace.outcomes.push_back(static_cast<EventOutcome>(random() % 5));
        if (t != 1) trace.values.push_back(fmt::format("v{}", random() % 100));
      }
      trace.FinishHeader();
    }
    runs.push_back(std::move(run));
  }
  for (const uint64_t spill_events : {0, 1, 20, 60, 90}) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    const auto ingest = Must(store.BeginIngest({.spill_events = spill_events}));
    for (const oscope::Run& run : runs) Must(SendRun(run, symbols, *ingest));
    Must(SendRun(runs[3], symbols, *ingest));
    EXPECT_EQ(Must(ingest->Commit()).runs_added, runs.size());
    const RunCollector all = Everything(store);
    ASSERT_EQ(all.runs.size(), runs.size());
    for (const oscope::Run& run : runs) {
      const auto found = std::find_if(all.runs.begin(), all.runs.end(),
                                      [&](const oscope::Run& other) { return other.header.id == run.header.id; });
      ASSERT_NE(found, all.runs.end());
      ASSERT_EQ(found->traces.size(), run.traces.size());
      for (size_t t = 0; t < run.traces.size(); ++t) {
        ASSERT_EQ(TraceDifference(run.traces[t], symbols, found->traces[t], all.symbols), "") << spill_events;
      }
    }
    EXPECT_TRUE(Must(store.Check()).problems.empty()) << spill_events;
  }
}

// --- the segments of a manifest ---

SegmentEntry Named(char digit) {
  SegmentEntry segment;
  segment.id = std::string(32, digit);
  return segment;
}

std::string Ids(const Manifest& manifest) {
  std::string ids;
  for (const SegmentEntry& segment : manifest.segments) ids += segment.id[0];
  return ids;
}

TEST(AVersionEdit, ChangesWhatItSaysAlone) {
  Manifest base;
  base.version = 6;
  base.store_id = std::string(32, 'f');
  base.ranges = {HashRange()};
  base.segments = {Named('1')};
  EXPECT_TRUE(VersionEdit().empty());
  VersionEdit edit;
  edit.settings = StoreSettings();
  edit.settings->max_runs = 3;
  EXPECT_FALSE(edit.empty());
  Manifest next = Apply(base, edit);
  EXPECT_EQ(next.version, 7u);
  EXPECT_EQ(next.store_id, base.store_id);
  EXPECT_EQ(next.settings, *edit.settings);
  EXPECT_EQ(next.ranges, base.ranges);
  EXPECT_EQ(Ids(next), "1");
  edit = {};
  edit.ranges = {{0, 9}, {10, UINT64_MAX}};
  EXPECT_FALSE(edit.empty());
  EXPECT_EQ(Apply(base, edit).ranges, *edit.ranges);
  EXPECT_EQ(Apply(base, edit).settings, base.settings);
  edit = {};
  edit.new_format = true;
  EXPECT_FALSE(edit.empty());
}

// Only what merely adds is refused: a store over its quota can still be made smaller, or otherwise rewritten.
TEST(AVersionEdit, ThatOnlyAddsObeysTheQuota) {
  Manifest base;
  base.segments = {Named('1'), Named('2')};
  base.segments[0].runs = 4;
  base.settings.max_runs = 5;
  const auto allowed = [&](const VersionEdit& edit) { return CheckQuota(base, edit, Apply(base, edit)).ok(); };
  VersionEdit edit;
  edit.added = {Named('3')};
  edit.added[0].runs = 1;
  EXPECT_TRUE(allowed(edit)) << "just as many";
  edit.added[0].runs = 2;
  EXPECT_FALSE(allowed(edit));
  edit.removed = {base.segments[1].id};
  EXPECT_TRUE(allowed(edit));
  edit.removed = {};
  edit.added[0].runs = 0;
  base.segments[0].runs = 9;
  EXPECT_TRUE(allowed(edit)) << "a report of a store that has too many runs";
  base.settings.max_bytes = 10;
  edit.added[0].tables = {{Table::kBugs, 11, 1, "", ""}};
  EXPECT_FALSE(allowed(edit));
  edit.added[0].tables[0].size = 10;
  EXPECT_TRUE(allowed(edit)) << "just as much";
}

TEST(AVersionEdit, KeepsTheGroupsThatAreNotTouched) {
  Manifest manifest;
  for (const char c : std::string("123456789")) manifest.segments.push_back(Named(c));
  manifest.groups = {{"a", 1, ""}, {"b", 2, ""}, {"c", 3, ""}};
  manifest.group_sizes = {2, 3, 1};  // 12, 345, 6; the root has 789
  const auto replaced = [&](const std::vector<std::string>& removed, const std::vector<SegmentEntry>& added) {
    VersionEdit edit;
    edit.removed = removed;
    edit.added = added;
    return Apply(manifest, edit);
  };
  const auto id = [](char digit) { return std::string(32, digit); };
  Manifest next = replaced({}, {Named('a')});
  EXPECT_EQ(Ids(next), "123456789a");
  EXPECT_EQ(next.group_sizes, manifest.group_sizes);
  EXPECT_EQ(next.groups, manifest.groups);
  next = replaced({id('4'), id('8')}, {Named('a')});
  EXPECT_EQ(Ids(next),
            "12635"
            "79a")
      << "what is left of a group that is touched stands in the root again";
  EXPECT_EQ(next.group_sizes, (std::vector<uint32_t>{2, 1}));
  EXPECT_EQ(next.groups, (std::vector<GroupEntry>{{"a", 1, ""}, {"c", 3, ""}}));
  next = replaced({id('1'), id('2'), id('6')}, {});
  EXPECT_EQ(Ids(next), "345789");
  EXPECT_EQ(next.group_sizes, std::vector<uint32_t>{3});
  next = replaced({id('9'), id('z')}, {Named('a'), Named('b')});
  EXPECT_EQ(Ids(next), "12345678ab");
  EXPECT_EQ(next.groups, manifest.groups);
}

}  // namespace
}  // namespace oscope
