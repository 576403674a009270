// The tables of a segment: every field comes back through whatever rewrites it, the files are of the form that is
// documented, and tables that pass their digests but contradict each other, or the manifest, are refused by name.
#include <arrow/extension/uuid.h>

#include "base/checksum.h"
#include "index/store/arrow_columns.h"
#include "index/store/bug_table.h"
#include "index/store/parquet_file.h"
#include "index/store/run_table.h"
#include "index/store/segment_index.h"
#include "index/store/segment_reader.h"
#include "index/store/symbol_table_file.h"
#include "index/store/trace_table.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

// --- round trips ---

// The full sample, and a run whose every field differs from those of the others.
Sample RichSample() {
  Sample sample = FullSample();
  Run& run = sample.runs.emplace_back();
  RunHeader& header = run.header;
  header.id = RunId{{7, 8}};
  header.project = "demo";
  header.bug = "343";
  header.test = "t";
  header.version = "v";
  header.language = "l";
  header.recorder = "r";
  header.command = {"c", "d"};
  header.inputs = {{"in", "bytes"}};
  header.started_ns = 0;
  header.duration_ns = 0;
  header.outcome = Outcome::kFailed;
  header.failure.exit_code = 0;
  header.failure.signal = 0;
  header.failure.message = "m";
  header.failure.kind = FailureKind::kTimeout;
  header.failure.place = {"f", 1, "g"};
  header.failure.fingerprint = "p";
  header.failing_thread = ThreadRef{0, 0};
  header.incomplete = true;
  header.custom = {{"k", ""}};
  header.repeat = FullRepeat();
  Trace& trace = run.traces.emplace_back();
  trace.header.thread_name = "tn";
  trace.header.mark = FailureMark{0, ""};
  trace.header.partial = true;
  return sample;
}

// As version 1 of the runs table has it.
TEST(Tables, AFailureInTheCustomFieldsIsReadAsOneAndMovedWhenItIsRewritten) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  SymbolTable symbols;
  oscope::Run failed = MakeRun({1, "", "ab"}, symbols), passed = MakeRun({2, "", "cd"}, symbols);
  passed.header.outcome = Outcome::kPassed;
  passed.header.failing_thread.reset();
  for (Trace& trace : passed.traces) trace.header.mark.reset();
  for (oscope::Run* run : {&failed, &passed})
    run->header.custom = {{"fingerprint", "00ff"}, {"host", "h"}, {"where", "src/a.cc:12"}};
  const auto ingest = Must(store.BeginIngest({}));
  for (const oscope::Run* run : {&failed, &passed}) Must(SendRun(*run, symbols, *ingest));
  Must(ingest->Commit());
  const auto expect = [&](std::string_view when) {
    const StoredRun read = Must(Must(store.Read()).FindRun(failed.header.id)).value();
    EXPECT_EQ(read.header.failure.fingerprint, "00ff") << when;
    EXPECT_EQ(read.header.failure.place, (FailurePlace{"src/a.cc", 12, ""})) << when;
    EXPECT_EQ(read.header.custom, (CustomFields{{"host", "h"}})) << when;
    EXPECT_EQ(Must(Must(store.Read()).FindRun(passed.header.id))->header.custom, passed.header.custom) << when;
  };
  expect("as it was stored");
  Must(CommitRuns(store, {{3, "", "abc"}}));
  Must(store.Compact());
  expect("after a compaction");
  EXPECT_TRUE(Must(store.Check()).problems.empty());
  // Brought once more, by who has it in the custom fields still and by who does not.
  TakeFailureFromCustom(failed.header);
  const auto again = Must(store.BeginIngest({}));
  Must(SendRun(failed, symbols, *again));
  EXPECT_EQ(Must(again->Commit()).runs_known, 1u);
}

TEST(Tables, EveryFieldComesBackThroughWhateverRewritesIt) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const auto commit = [&](const Sample& sample) {
    const auto ingest = Must(store.BeginIngest({}));
    Must(Send(sample, *ingest));
    Must(ingest->Commit());
  };
  commit(RichSample());
  EXPECT_EQ(SampleDifference(RichSample(), store), "") << "after a commit";
  Must(CommitRuns(store, {{1, "", "abc"}}));
  Must(store.Compact());
  ASSERT_EQ(Must(store.Read()).manifest().segments.size(), 1u);
  PurgeFilter other;
  other.runs = {IdOf(1)};
  Must(store.Purge(other));
  EXPECT_EQ(SampleDifference(RichSample(), store), "") << "after a compaction and a purge";
  Must(store.LinkRuns({RunId{{7, 8}}}, {"demo", "342"}));
  const auto linked = [] {
    Sample sample = RichSample();
    sample.runs.back().header.bug = "342";
    return sample;
  };
  EXPECT_EQ(SampleDifference(linked(), store), "") << "after a link";
  CompactOptions options;
  options.split_runs = 1;
  Must(CommitRuns(store, {{1, "", "abc"}}));
  EXPECT_EQ(Must(store.Compact(options)).ranges_split, 1u);
  Must(store.Purge(other));
  EXPECT_EQ(SampleDifference(linked(), store), "") << "after a split";
  Must(store.Backup("copy"));
  EXPECT_EQ(SampleDifference(linked(), Must(Store::Open(fs, "copy"))), "") << "after a backup";
  Store merged = Must(Store::Create(fs, "m"));
  Must(merged.Merge(store));
  EXPECT_EQ(SampleDifference(linked(), merged), "") << "after a merge";
}

TEST(Tables, ARunIsFoundWithWhatTheStoreKnowsOfIt) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const Sample sample = RichSample();
  const auto ingest = Must(store.BeginIngest({}));
  Must(Send(sample, *ingest));
  Must(ingest->Commit());
  const Snapshot snapshot = Must(store.Read());
  std::map<RunId, StoredRun> listed;
  Must(snapshot.ForEachRun({}, false, [&](const StoredRun& run) {
    listed[run.header.id] = run;
    return true;
  }));
  ASSERT_EQ(listed.size(), sample.runs.size());
  std::set<std::string> hashes;
  for (const oscope::Run& run : sample.runs) {
    const StoredRun found = Must(snapshot.FindRun(run.header.id)).value();
    EXPECT_EQ(found.header, run.header);
    EXPECT_EQ(found.trace_count, run.traces.size());
    uint64_t events = 0;
    for (const Trace& trace : run.traces) events += trace.events.size();
    EXPECT_EQ(found.event_count, events);
    EXPECT_GT(found.stored_ns, 1'500'000'000'000'000'000);
    EXPECT_NE(found.content_hash.low, 0u);
    EXPECT_NE(found.content_hash.high, 0u);
    hashes.insert(ToHex(found.content_hash));
    // Inputs only when they are asked for; all else in any case.
    RunHeader without = run.header;
    without.inputs.clear();
    EXPECT_EQ(listed[run.header.id].header, without);
    EXPECT_EQ(listed[run.header.id].trace_count, found.trace_count);
    EXPECT_EQ(listed[run.header.id].event_count, found.event_count);
    EXPECT_EQ(listed[run.header.id].stored_ns, found.stored_ns);
    EXPECT_EQ(listed[run.header.id].content_hash, found.content_hash);
    const auto headers = Must(snapshot.Traces(run.header.id));
    ASSERT_EQ(headers.size(), run.traces.size());
    SymbolTable symbols;
    for (size_t t = 0; t < run.traces.size(); ++t) {
      const TraceHeader& header = run.traces[t].header;
      EXPECT_EQ(headers[t], header);
      const Trace read = Must(snapshot.ReadTrace({run.header.id, header.process, header.thread, header.kind}, symbols));
      EXPECT_EQ(TraceDifference(run.traces[t], sample.symbols, read, symbols), "");
    }
    EXPECT_EQ(snapshot.ReadTrace({run.header.id, 99, 0, TraceKind::kExecution}, symbols).error().code,
              ErrorCode::kNotFound);
    EXPECT_EQ(snapshot.ReadTrace({run.header.id, 99, 0, TraceKind::kExecution}, symbols).error().message,
              "trace " + ToString(TraceId{run.header.id, 99, 0, TraceKind::kExecution}));
  }
  EXPECT_EQ(hashes.size(), sample.runs.size());
  EXPECT_EQ(Must(snapshot.PlaceOf(RunId{{5, 6}}))->trace_row, std::nullopt) << "a run without a trace";
  EXPECT_TRUE(Must(snapshot.PlaceOf(RunId{{7, 8}}))->trace_row.has_value());
  EXPECT_EQ(Must(snapshot.PlaceOf(RunId{{9, 9}})), std::nullopt);
  EXPECT_EQ(Must(snapshot.FindRun(RunId{{9, 9}})), std::nullopt);
  EXPECT_EQ(snapshot.Traces(RunId{{9, 9}}).error().code, ErrorCode::kNotFound);
  SymbolTable symbols;
  EXPECT_EQ(snapshot.ReadTrace({RunId{{9, 9}}, 0, 0, TraceKind::kExecution}, symbols).error().message,
            "no run " + ToString(RunId{{9, 9}}));
}

TEST(Tables, AWindowOfATraceIsWhatWasAskedFor) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "", "abcdef"}}));
  const Snapshot snapshot = Must(store.Read());
  const auto window = [&](uint64_t first, uint64_t count) {
    SymbolTable symbols;
    std::string word;
    const Trace trace = Must(snapshot.ReadTrace({IdOf(1), 0, 0, TraceKind::kExecution}, symbols, first, count));
    EXPECT_EQ(trace.header.event_count, 6u);
    for (const SymbolId event : trace.events) word += symbols.name(event);
    return word;
  };
  EXPECT_EQ(window(0, 6), "abcdef");
  EXPECT_EQ(window(0, 1), "a");
  EXPECT_EQ(window(2, 3), "cde");
  EXPECT_EQ(window(5, 1), "f");
  EXPECT_EQ(window(5, 100), "f");
  EXPECT_EQ(window(5, UINT64_MAX), "f");
  EXPECT_EQ(window(6, 1), "");
  EXPECT_EQ(window(3, 0), "");
  EXPECT_EQ(window(UINT64_MAX, UINT64_MAX), "");
}

TEST(Tables, AttributesAreOfTheEventsThatHaveThem) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  SymbolTable symbols;
  const std::vector<SymbolAttributes> attributes = {{"sig", "", 0, "", "", 0},   {"", "file", 0, "", "", 0},
                                                    {"", "", 7, "", "", 0},      {"", "", 0, "object", "", 0},
                                                    {"", "", 0, "", "build", 0}, {"", "", 0, "", "", 9}};
  oscope::Run run = MakeRun({1, "", ""}, symbols);
  for (size_t i = 0; i < attributes.size(); ++i)
    run.traces[0].events.push_back(symbols.Intern(fmt::format("f{}", i), attributes[i]));
  run.traces[0].events.push_back(symbols.Intern("plain"));
  run.traces[0].header.mark.reset();
  run.traces[0].FinishHeader();
  symbols.Intern("never used", {"sig", "", 0, "", "", 0});
  const auto ingest = Must(store.BeginIngest({}));
  Must(SendRun(run, symbols, *ingest));
  Must(ingest->Commit());
  const Snapshot snapshot = Must(store.Read());
  EXPECT_EQ(snapshot.Stats().tables[static_cast<int>(Table::kSymbols)].rows, attributes.size());
  SymbolTable read;
  const Trace trace = Must(snapshot.ReadTrace({IdOf(1), 0, 0, TraceKind::kExecution}, read));
  ASSERT_EQ(trace.events.size(), attributes.size() + 1);
  for (size_t i = 0; i < attributes.size(); ++i) EXPECT_EQ(read.attributes(trace.events[i]), attributes[i]) << i;
  EXPECT_TRUE(read.attributes(trace.events.back()).empty());
  // The next commit of the same ingest knows nothing of these.
  SymbolTable others;
  Must(SendRun(MakeRun({2, "", "xyz"}, others), others, *ingest));
  Must(ingest->Commit());
  EXPECT_EQ(Must(store.Read()).Stats().tables[static_cast<int>(Table::kSymbols)].files, 1u);
}

TEST(Tables, AnIngestThatIsFilledAgainHoldsNothingOfWhatItCommitted) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const auto ingest = Must(store.BeginIngest({.spill_events = 4}));
  Must(AddRuns(*ingest, {{1, "", "abcdefghij"}}));
  Must(ingest->Commit());
  SymbolTable symbols;
  oscope::Run second = MakeRun({2, "", "xyxyxy"}, symbols);
  Must(SendRun(second, symbols,
               *ingest));  // spills too: all the names that are known go into the symbols, and none has attributes
  Must(AddRuns(*ingest, {{3, "", "z"}}));
  Must(ingest->Commit());
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2, 3}));
  // With attributes in the first commit, those must not come along with a large run of the second.
  SymbolTable named;
  oscope::Run third = MakeRun({4, "", ""}, named);
  for (int i = 0; i < 6; ++i)
    third.traces[0].events.push_back(named.Intern(fmt::format("g{}", i), {"sig", "", 0, "", "", 0}));
  third.traces[0].header.mark.reset();
  third.traces[0].FinishHeader();
  Must(SendRun(third, named, *ingest));
  Must(ingest->Commit());
  EXPECT_EQ(Must(store.Read()).Stats().tables[static_cast<int>(Table::kSymbols)].files, 1u);
  SymbolTable more;
  Must(SendRun(MakeRun({5, "", "uvuvuv"}, more), more, *ingest));
  Must(ingest->Commit());
  EXPECT_EQ(Must(store.Read()).Stats().tables[static_cast<int>(Table::kSymbols)].files, 1u)
      << "names of the commit before are forgotten";
  EXPECT_EQ(Must(CommitRuns(store, {{2, "", "xyxyxy"}})).runs_known, 1u);
}

// --- the form of the files ---

TEST(Tables, FilesAreOfTheDocumentedForm) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const auto ingest = Must(store.BeginIngest({}));
  Must(Send(FullSample(), *ingest));
  Must(ingest->Commit());
  const SegmentEntry segment = Must(store.Read()).manifest().segments[0];
  const StoreFiles files(fs, "s");
  ASSERT_EQ(segment.tables.size(), static_cast<size_t>(kTables));
  for (const TableFile& table : segment.tables) {
    const auto reader = Must(OpenTable(files, segment.id, table, true));
    const auto metadata = reader->parquet_reader()->metadata();
    EXPECT_EQ(metadata->created_by(), "oscope");
    ASSERT_EQ(metadata->num_row_groups(), 1);
    const auto group = metadata->RowGroup(0);
    for (int c = 0; c < group->num_columns(); ++c) {
      const auto column = group->ColumnChunk(c);
      const std::string name = column->path_in_schema()->ToDotString();
      const bool random = name == "run_id" || name == "content_hash";
      EXPECT_FALSE(column->is_stats_set())
          << name << ": nobody reads them, and they repeat what may have been purged elsewhere";
      EXPECT_EQ(column->compression(), random ? parquet::Compression::UNCOMPRESSED : parquet::Compression::ZSTD)
          << name;
      const bool plain = random || name == "bytes" || column->type() == parquet::Type::BOOLEAN;
      EXPECT_EQ(column->has_dictionary_page(), !plain) << name;
    }
  }
  EXPECT_TRUE(Must(fs.List("s/tmp")).empty());
}

// A page's own checksum finds what changed, also where a file's whole digest is not looked at.
TEST(Tables, APageThatChangedIsFoundByItsChecksum) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "7", "abcdefgh"}}));
  const SegmentEntry segment = Must(store.Read()).manifest().segments[0];
  const StoreFiles files(fs, "s");
  const std::string path = files.TablePath(segment.id, Table::kRuns);
  const TableFile& table = *segment.Find(Table::kRuns);
  std::string bytes = Must(ReadWholeFile(fs, path, 1 << 20));
  const auto reader = Must(OpenTable(files, segment.id, table, true));
  const auto column = reader->parquet_reader()->metadata()->RowGroup(0)->ColumnChunk(0);
  // The last byte of the run's id, which is stored as it is.
  const auto end = static_cast<size_t>(column->data_page_offset() + column->total_compressed_size());
  bytes[end - 1] = static_cast<char>(bytes[end - 1] ^ 1);
  Must(fs.Remove(path));
  Must(WriteDurably(fs, path, bytes));
  const auto found = Must(Store::Open(fs, "s")).Read();
  const auto run = Must(Must(Store::Open(fs, "s")).Read()).FindRun(IdOf(1));
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code, ErrorCode::kCorrupt);
  EXPECT_TRUE(run.error().message.starts_with("segment " + segment.id + ": ")) << run.error().message;
  EXPECT_NE(run.error().message.find("CRC"), std::string::npos) << run.error().message;
}

// --- tables that contradict ---

class ForgedTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  const StoreFiles files_{fs_, "s"};
  Manifest manifest_;
  SegmentEntry segment_;

  void SetUp() override {
    SymbolTable symbols;
    const auto ingest = Must(store_.BeginIngest({}));
    for (const WordRun& word : {WordRun{1, "7", "abcdefgh"}, WordRun{2, "7", "abd"}, WordRun{3, "8", "xyz"}}) {
      oscope::Run run = MakeRun(word, symbols);
      run.traces[0].depths.assign(run.traces[0].events.size(), 3);
      run.traces[0].FinishHeader();
      Must(SendRun(run, symbols, *ingest));
    }
    Must(ingest->Commit());
    manifest_ = Must(store_.Read()).manifest();
    segment_ = manifest_.segments[0];
  }

  TableFile& Entry(Table table) {
    for (TableFile& file : segment_.tables) {
      if (file.table == table) return file;
    }
    OSCOPE_CHECK(false);
    return segment_.tables[0];
  }

  // Another table in place of the stored one, made of the same columns after `change`.
  using Columns = std::map<std::string, ArrayPtr>;
  void Forge(Table table, const std::shared_ptr<arrow::Schema>& schema, const std::function<void(Columns&)>& change,
             std::vector<int64_t> rows = {}) {
    Columns columns;
    {
      const auto reader = Must(OpenTable(files_, segment_.id, Entry(table), true));
      const auto content = Must(reader->ReadAll(0));
      for (int c = 0; c < content->num_columns(); ++c)
        columns[content->field(c)->name()] = content->column(c)->chunk(0);
    }
    change(columns);
    Must(fs_.Remove(files_.TablePath(segment_.id, table)));
    const auto writer = Must(ParquetWriter::Open(files_, segment_.id, table, schema));
    std::vector<ArrayPtr> ordered;
    for (const auto& field : schema->fields()) ordered.push_back(columns.at(field->name()));
    if (rows.empty()) {
      Must(writer->WriteRowGroup(ordered, ordered[0]->length()));
    } else {  // only these, each in a row group of its own
      for (const int64_t row : rows) {
        std::vector<ArrayPtr> one;
        for (const ArrayPtr& column : ordered) one.push_back(column->Slice(row, 1));
        Must(writer->WriteRowGroup(one, 1));
      }
    }
    Entry(table) = Must(writer->Finish());
  }
  // A version that says the same of the tables as the files do; for everyone who opens the store anew.
  Store Published() {
    manifest_.segments = {segment_};
    ++manifest_.version;
    Must(WriteDurably(fs_, files_.ManifestFile(manifest_.version), EncodeManifestRoot(manifest_)));
    return Must(Store::Open(fs_, "s"));
  }

  static ArrayPtr Numbers(const std::vector<uint64_t>& values) {
    return NumberColumn<arrow::UInt64Builder>(values.size(), [&](size_t i) { return values[i]; });
  }
  static ArrayPtr Small(const std::vector<uint32_t>& values) {
    return NumberColumn<arrow::UInt32Builder>(values.size(), [&](size_t i) { return values[i]; });
  }
  static ArrayPtr Texts(const std::vector<std::string>& values) {
    return TextColumn(values.size(), false, [&](size_t i) -> std::string_view { return values[i]; });
  }
  static ArrayPtr Ids(const std::vector<RunId>& ids) {
    return arrow::ExtensionType::WrapArray(arrow::extension::uuid(),
                                           Hash128Column(ids.size(), [&](size_t i) { return ids[i].value; }));
  }
  std::vector<RunId> Owners() {
    const auto reader = Must(OpenTable(files_, segment_.id, Entry(Table::kTraces), true));
    return Must(ReadTraceRunIds(*reader));
  }

  Status SendAll(const Store& store) {
    RunCollector all;
    return Must(store.Read()).Send([](const StoredRun&) { return true; }, all);
  }
  // That a send and a rebuilt index refuse the segment so, and that a check says so too.
  void ExpectRefused(Store store, const std::string& sent, const std::string& reindexed,
                     ErrorCode code = ErrorCode::kCorrupt) {
    const std::string segment = "segment " + segment_.id + ": ";
    const Status send = SendAll(store);
    if (sent.empty()) {
      EXPECT_TRUE(send.ok());
    } else {
      ASSERT_FALSE(send.ok());
      EXPECT_EQ(send.error().code, code);
      EXPECT_EQ(send.error().message, segment + sent);
    }
    const auto index = store.Reindex({.verify = true});
    ASSERT_FALSE(index.ok());
    EXPECT_EQ(index.error().code, code);
    EXPECT_EQ(index.error().message, segment + reindexed);
    const CheckResult check = Must(store.Check());
    ASSERT_EQ(check.problems.size(), 1u);
    EXPECT_EQ(check.problems[0].segment, segment_.id);
    EXPECT_FALSE(check.healthy());
  }
};

TEST_F(ForgedTest, WhatIsOnlyWrittenAgainIsFine) {
  Forge(Table::kTraces, TraceTableSchema(), [](Columns&) {});
  Forge(Table::kRuns, RunTableSchema(), [](Columns&) {});
  Forge(Table::kBugs, BugTableSchema(), [](Columns&) {});
  Store store = Published();
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2, 3}));
  EXPECT_TRUE(Must(store.Check()).problems.empty());
}

TEST_F(ForgedTest, ATraceThatBeginsInTheMiddle) {
  const std::string first = ToString(Owners()[0]);
  Forge(Table::kTraces, TraceTableSchema(), [](Columns& columns) { columns["chunk"] = Small({1, 0, 0}); });
  ExpectRefused(Published(), "a trace of run " + first + " begins with chunk 1",
                "a chunk of a trace does not continue it");
}

TEST_F(ForgedTest, ATraceOfNoRun) {
  const std::vector<RunId> owners = Owners();
  Forge(Table::kTraces, TraceTableSchema(),
        [&](Columns& columns) { columns["run_id"] = Ids({owners[0], owners[1], IdOf(99)}); });
  ExpectRefused(Published(), "a trace belongs to run " + ToString(IdOf(99)) + ", which is not in order",
                "trace row 2 belongs to no run");
}

TEST_F(ForgedTest, TracesInAnotherOrderThanTheirRuns) {
  const std::vector<RunId> owners = Owners();
  Forge(Table::kTraces, TraceTableSchema(),
        [&](Columns& columns) { columns["run_id"] = Ids({owners[1], owners[0], owners[2]}); });
  ExpectRefused(Published(), "a trace belongs to run " + ToString(owners[0]) + ", which is not in order",
                "trace row 1 belongs to no run");
}

TEST_F(ForgedTest, ATraceThatEndsEarly) {
  std::vector<uint64_t> counts;
  Forge(Table::kTraces, TraceTableSchema(), [&](Columns& columns) {
    for (int64_t i = 0; i < 3; ++i)
      counts.push_back(static_cast<const arrow::UInt64Array&>(*columns["event_count"]).Value(i));
    columns["event_count"] = Numbers({counts[0] + 1, counts[1], counts[2]});
  });
  ExpectRefused(Published(), "", "a trace ends before its last event");
  Forge(Table::kTraces, TraceTableSchema(),
        [&](Columns& columns) { columns["event_count"] = Numbers({counts[0], counts[1], counts[2] + 1}); });
  ExpectRefused(Published(), "", "its last trace ends before its last event");
}

TEST_F(ForgedTest, WordsThatMeanNothing) {
  const std::string bad = "'passd': an outcome is passed, failed, signal or timeout";
  Forge(Table::kTraces, TraceTableSchema(),
        [&](Columns& columns) { columns["outcome"] = Texts({"failed", "failed", "passd"}); });
  Store store = Published();
  EXPECT_EQ(store.Reindex({.verify = true}).error().message, "segment " + segment_.id + ": " + bad);
  Forge(Table::kTraces, TraceTableSchema(), [&](Columns& columns) {
    columns["outcome"] = Texts({"failed", "failed", "failed"});
    columns["kind"] = Texts({"execution", "stck", "execution"});
  });
  store = Published();
  EXPECT_EQ(SendAll(store).error().message, "segment " + segment_.id + ": 'stck': a trace is an execution or a stack");
  EXPECT_EQ(store.Reindex({.verify = true}).error().message,
            "segment " + segment_.id + ": 'stck': a trace is an execution or a stack");
  Forge(Table::kTraces, TraceTableSchema(),
        [&](Columns& columns) { columns["kind"] = Texts({"execution", "stack", "execution"}); });
  Forge(Table::kRuns, RunTableSchema(),
        [&](Columns& columns) { columns["outcome"] = Texts({"failed", "passd", "failed"}); });
  store = Published();
  EXPECT_EQ(SendAll(store).error().message, "segment " + segment_.id + ": " + bad);
  const Status listed = Must(store.Read()).ForEachRun({}, false, [](const StoredRun&) { return true; });
  EXPECT_EQ(listed.error().message, "segment " + segment_.id + ": " + bad);
  Forge(Table::kRuns, RunTableSchema(),
        [&](Columns& columns) { columns["outcome"] = Texts({"failed", "failed", "failed"}); });
  Forge(Table::kBugs, BugTableSchema(), [&](Columns& columns) { columns["status"] = Texts({"open", "opn"}); });
  store = Published();
  EXPECT_TRUE(SendAll(store).error().message.starts_with("segment " + segment_.id + ": 'opn'"))
      << SendAll(store).error().message;
}

TEST_F(ForgedTest, ListsThatAreNotParallel) {
  Forge(Table::kTraces, TraceTableSchema(), [&](Columns& columns) {
    auto values = std::make_shared<arrow::UInt32Builder>();
    arrow::ListBuilder list(arrow::default_memory_pool(), values,
                            arrow::list(arrow::field("element", arrow::uint32(), false)));
    const auto& old = static_cast<const arrow::ListArray&>(*columns["depths"]);
    for (int64_t i = 0; i < 3; ++i) {
      MustBuild(list.Append());
      for (int64_t k = 0; k < old.value_length(i) + (i == 1 ? 1 : 0); ++k) MustBuild(values->Append(1));
    }
    columns["depths"] = Finish(list);
  });
  const Store store = Published();
  const Status sent = SendAll(store);
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(sent.error().message,
            "segment " + segment_.id + ": a trace's parallel lists differ in length from its events");
}

TEST_F(ForgedTest, CountsThatAreNotTheManifests) {
  const SegmentEntry good = segment_;
  const auto expect = [&](const std::function<void(SegmentEntry&)>& change, const std::string& what) {
    segment_ = good;
    change(segment_);
    Store store = Published();
    const CheckResult check = Must(store.Check());
    ASSERT_GE(check.problems.size(), 1u) << what;
    EXPECT_EQ(check.problems[0].what, what);
    EXPECT_EQ(check.problems[0].segment, good.id);
    EXPECT_TRUE(check.problems[0].fatal);
    EXPECT_FALSE(check.problems[0].unreadable);
    EXPECT_TRUE(check.problems[0].advice.starts_with("restore the file from a backup, or take the segment out of use"));
    EXPECT_FALSE(check.healthy());
  };
  const std::string counts = "segment " + good.id + ": its counts differ from the manifest's";
  expect([](SegmentEntry& s) { ++s.runs; }, counts);
  expect([](SegmentEntry& s) { ++s.traces; }, counts);
  expect([](SegmentEntry& s) { ++s.events; }, counts);
  expect([](SegmentEntry& s) { ++s.bug_revisions; }, counts);
  expect([](SegmentEntry& s) { s.range = {5, 6}; },
         "segment " + good.id + ": it contains something that belongs to another range");
  for (const TableFile& table : good.tables) {
    const std::string name = files_.TableFileName(good.id, table.table);
    const auto with = [&](const std::function<void(TableFile&)>& change) {
      return [&, change](SegmentEntry& s) {
        for (TableFile& file : s.tables) {
          if (file.table == table.table) change(file);
        }
      };
    };
    expect(with([](TableFile& file) { ++file.rows; }),
           fmt::format("{}: {} rows, the manifest says {}", name, table.rows, table.rows + 1));
    expect(with([](TableFile& file) { ++file.size; }),
           fmt::format("{}: {} bytes, the manifest says {}", name, table.size, table.size + 1));
    expect(with([](TableFile& file) { file.sha256 = std::string(64, '0'); }),
           name + ": its SHA-256 differs from the manifest's");
    expect(with([](TableFile& file) { file.footer_sha256 = std::string(64, '0'); }),
           name + ": its footer's SHA-256 differs from the manifest's");
  }
}

TEST_F(ForgedTest, FilesThatAreNoParquet) {
  const TableFile good = Entry(Table::kRuns);
  const std::string path = files_.TablePath(segment_.id, Table::kRuns),
                    name = files_.TableFileName(segment_.id, Table::kRuns);
  const auto message = [&](const std::string& bytes) {
    (void)fs_.Remove(path);
    Must(WriteDurably(fs_, path, bytes));
    TableFile entry = good;
    entry.size = bytes.size();
    entry.sha256 = Sha256Of(bytes);
    const auto opened = OpenTable(files_, segment_.id, entry, false);
    EXPECT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
    return opened.error().message;
  };
  const auto tail = [](uint32_t length, const std::string& magic) {
    return std::string(reinterpret_cast<const char*>(&length), 4) + magic;
  };
  EXPECT_EQ(message(""), name + ": 0 bytes are no Parquet file");
  EXPECT_EQ(message(std::string(11, 'x')), name + ": 11 bytes are no Parquet file");
  EXPECT_EQ(message(std::string(12, 'x')), name + ": no Parquet footer");
  EXPECT_EQ(message("PAR1" + tail(4, "PAR2")), name + ": no Parquet footer");
  EXPECT_EQ(message("PAR1" + tail(5, "PAR1")), name + ": no Parquet footer") << "it would begin before the file";
  EXPECT_EQ(message("PAR1" + tail(4, "PAR1")), name + ": its footer's SHA-256 differs from the manifest's")
      << "it is as long as it can be";
  Must(fs_.Remove(path));
  const auto missing = OpenTable(files_, segment_.id, good, false);
  EXPECT_EQ(missing.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(missing.error().message, "missing segment " + segment_.id + ": " + name + " is not there");
}

TEST_F(ForgedTest, RowsAreFoundInTheirRowGroups) {
  Forge(Table::kRuns, RunTableSchema(), [](Columns&) {}, {0, 1, 2});
  Forge(Table::kTraces, TraceTableSchema(), [](Columns&) {}, {0, 1, 2});
  Forge(Table::kBugs, BugTableSchema(), [](Columns&) {}, {0, 1});
  Store store = Published();
  for (const uint64_t run : {1, 2, 3}) EXPECT_EQ(Must(Must(store.Read()).FindRun(IdOf(run)))->header.id, IdOf(run));
  EXPECT_EQ(WordOf(Must(store.Read()), 1), "abcdefgh");
  EXPECT_EQ(WordOf(Must(store.Read()), 2), "abd");
  EXPECT_EQ(WordOf(Must(store.Read()), 3), "xyz");
  for (const uint64_t run : {1, 2, 3}) EXPECT_EQ(Must(Must(store.Read()).Traces(IdOf(run))).size(), 1u);
  EXPECT_TRUE(Must(Must(store.Read()).FindBug({"demo", "7"})).has_value());
  EXPECT_TRUE(Must(Must(store.Read()).FindBug({"demo", "8"})).has_value());
  EXPECT_TRUE(Must(store.Check()).problems.empty());
  const auto reader = Must(OpenTable(files_, segment_.id, Entry(Table::kRuns), false));
  EXPECT_EQ(Must(FindRow(*reader, 0)).row_group, 0);
  EXPECT_EQ(Must(FindRow(*reader, 2)).row_group, 2);
  EXPECT_EQ(Must(FindRow(*reader, 2)).row, 0u);
  EXPECT_EQ(FindRow(*reader, 3).error().message, "row 3 of 3");
  EXPECT_EQ(FindRow(*reader, 3).error().code, ErrorCode::kCorrupt);
}

// An index whose checksums are right and whose content is not.
TEST_F(ForgedTest, AnIndexThatPointsElsewhere) {
  const std::vector<RunId> owners = Owners();
  const auto with = [&](std::vector<RunLocation> runs, std::vector<BugLocation> bugs) {
    (void)fs_.Remove(files_.IndexPath(segment_.id));
    Must(IndexFile::Write(files_, segment_.id, SegmentIndex::MakeSections(std::move(runs), std::move(bugs))));
    return Must(Store::Open(fs_, "s"));
  };
  Store store = with({{owners[0], 0, 0, 1}, {owners[1], 0, 99, 99}}, {});
  auto run = Must(store.Read()).FindRun(owners[0]);
  EXPECT_EQ(run.error().message, "segment " + segment_.id + ": its index points to another run");
  EXPECT_EQ(run.error().code, ErrorCode::kCorrupt);
  run = Must(store.Read()).FindRun(owners[1]);
  EXPECT_EQ(run.error().message, "segment " + segment_.id + ": row 99 of 3");
  EXPECT_EQ(Must(store.Read()).Traces(owners[1]).error().message, "segment " + segment_.id + ": row 99 of 3");
  SymbolTable symbols;
  EXPECT_EQ(Must(store.Read()).ReadTrace({owners[1], 0, 0, TraceKind::kExecution}, symbols).error().message,
            "segment " + segment_.id + ": row 99 of 3");
  EXPECT_EQ(Must(store.Read()).ReadTrace({owners[0], 9, 0, TraceKind::kExecution}, symbols).error().code,
            ErrorCode::kNotFound);
}

TEST_F(ForgedTest, ASegmentWithoutTheTableThatItsIndexSpeaksOf) {
  const auto without = [&](Table table) {
    std::erase_if(segment_.tables, [&](const TableFile& file) { return file.table == table; });
    return Published();
  };
  const std::string segment = "segment " + segment_.id + ": ";
  Store store = without(Table::kBugs);
  EXPECT_EQ(Must(store.Read()).FindBug({"demo", "7"}).error().message, segment + "no bugs table");
  EXPECT_EQ(Must(store.Read()).FindBug({"demo", "7"}).error().code, ErrorCode::kCorrupt);
  store = without(Table::kTraces);
  EXPECT_EQ(Must(store.Read()).Traces(IdOf(1)).error().message, segment + "no traces table");
  SymbolTable symbols;
  EXPECT_EQ(Must(store.Read()).ReadTrace({IdOf(1), 0, 0, TraceKind::kExecution}, symbols).error().message,
            segment + "no traces table");
  const Snapshot snapshot = Must(store.Read());
  const uint32_t row[] = {0};
  EXPECT_EQ(
      snapshot.ReadRows(snapshot.manifest().segments[0], row, std::nullopt, [](const TraceEvents&) { return Status(); })
          .error()
          .message,
      segment + "no traces table");
  store = without(Table::kRuns);
  EXPECT_EQ(Must(store.Read()).FindRun(IdOf(1)).error().message, segment + "no runs table");
}

// The rows that a search asks for are compared with what the index said of them, column by column.
TEST_F(ForgedTest, RowsThatAreNotWhatTheIndexSays) {
  const auto expect = [&](const std::string& column, const ArrayPtr& values) {
    ArrayPtr old;
    Forge(Table::kTraces, TraceTableSchema(), [&](Columns& columns) {
      old = columns[column];
      columns[column] = values;
    });
    const Store store = Published();
    const Snapshot snapshot = Must(store.Read());
    const uint32_t row[] = {1};
    const Status read = snapshot.ReadRows(snapshot.manifest().segments[0], row, std::nullopt,
                                          [](const TraceEvents&) { return Status(); });
    ASSERT_FALSE(read.ok()) << column;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(read.error().message, "segment " + segment_.id + ": row 1 of the traces table is not what the index says")
        << column;
    Forge(Table::kTraces, TraceTableSchema(), [&](Columns& columns) { columns[column] = old; });
  };
  const std::vector<RunId> owners = Owners();
  expect("run_id", Ids({owners[0], owners[0], owners[2]}));
  expect("process", Small({0, 1, 0}));
  expect("thread", Small({0, 1, 0}));
  expect("kind", Texts({"execution", "stack", "execution"}));
  expect("first_event", Numbers({0, 1, 0}));
  // With fewer rows than the index knows of, and with fewer events.
  const Store store = Published();
  const Snapshot snapshot = Must(store.Read());
  const uint32_t row[] = {1};
  EXPECT_EQ(snapshot
                .ReadRows(snapshot.manifest().segments[0], row, std::nullopt,
                          [](const TraceEvents&) -> Status { return Invalid("mine"); })
                .error()
                .message,
            "mine")
      << "the caller's own error passes as it is";
  ASSERT_OK(snapshot.ReadRows(snapshot.manifest().segments[0], {}, std::nullopt,
                              [](const TraceEvents&) -> Status { return Invalid("mine"); }));
  Forge(Table::kTraces, TraceTableSchema(), [](Columns&) {}, {0});
  const Store less = Published();
  const Snapshot few = Must(less.Read());
  EXPECT_EQ(few.ReadRows(few.manifest().segments[0], row, std::nullopt, [](const TraceEvents&) { return Status(); })
                .error()
                .message,
            "segment " + segment_.id + ": row 1 is not in the traces table");
}

}  // namespace
}  // namespace oscope
