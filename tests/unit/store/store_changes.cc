#include "tests/unit/store/store_changes.h"

#include <algorithm>

namespace oscope {
namespace {

// A run with every table behind it: events with attributes, and a time at which it started.
Run FullRun(const WordRun& word, int64_t started_ns, SymbolTable& symbols) {
  Run run = MakeRun(word, symbols);
  run.header.started_ns = started_ns;
  run.header.inputs = {{"-", "input of " + word.word}};
  SymbolAttributes attributes;
  attributes.file = "demo.cc";
  attributes.line = static_cast<uint32_t>(word.id);
  for (SymbolId& event : run.traces[0].events)
    event = symbols.Intern(std::string(symbols.name(event)) + "::f", attributes);
  run.header.failure.message = "failed: ";
  for (const SymbolId event : run.traces[0].events) run.header.failure.message += symbols.name(event);
  return run;
}

Result<IngestResult> CommitFullRuns(Store& store, const std::vector<WordRun>& words) {
  OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
  SymbolTable symbols;
  for (const WordRun& word : words) {
    OSCOPE_RETURN_IF_ERROR(SendRun(FullRun(word, static_cast<int64_t>(word.id) * 1000, symbols), symbols, *ingest));
    // Some of them have the same bytes.
    OSCOPE_RETURN_IF_ERROR(
        ingest->AddAttachment(MakeAttachment({IdOf(word.id), {}}, "file", "log", fmt::format("log {}", word.id % 2))));
  }
  return ingest->Commit();
}

Result<Bug> Retitle(Store& store, const std::string& bug, const std::string& title) {
  return store.EditBug({"demo", bug}, [&](const std::optional<Bug>& now) -> Result<Bug> {
    Bug next = now.value_or(Bug{});
    next.key = {"demo", bug};
    next.title = title;
    // Made twice, it is as if it were made once: a change whose acknowledgement failed may have happened.
    const Comment comment{"dev", 5, "called it " + title};
    if (std::find(next.comments.begin(), next.comments.end(), comment) == next.comments.end())
      next.comments.push_back(comment);
    return next;
  });
}

// Two runs of two bugs, one of which was edited.
void TwoRuns(CrashFileSystem& fs) {
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitFullRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}}));
  Must(Retitle(store, "7", "seven"));
}

// One segment for each.
void SmallSegments(CrashFileSystem& fs, uint64_t runs) {
  Store store = Must(Store::Create(fs, "s"));
  for (uint64_t i = 1; i <= runs; ++i)
    Must(CommitFullRuns(store, {{i, fmt::format("{}", i % 3), fmt::format("w{}", i)}}));
  Must(Retitle(store, "1", "one"));
}

std::set<uint64_t> UpTo(uint64_t last) {
  std::set<uint64_t> runs;
  for (uint64_t i = 1; i <= last; ++i) runs.insert(i);
  return runs;
}

}  // namespace

StoreChange ACommit() {
  return {TwoRuns,
          [](FileSystem&, Store& store) {
            return Only(CommitFullRuns(store, {{3, "7", "abe"}, {4, "9", "x"}, {1, "7", "abc"}}));
          },
          {1, 2},
          {1, 2, 3, 4}};
}

StoreChange AnAttachment() {
  return {TwoRuns,
          [](FileSystem&, Store& store) -> Status {
            OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
            OSCOPE_RETURN_IF_ERROR(
                ingest->AddAttachment(MakeAttachment({{}, {"demo", "7"}}, "screen", "picture", "of a crash")));
            OSCOPE_RETURN_IF_ERROR(ingest->AddAttachment(MakeAttachment({IdOf(1), {}}, "file", "other", "log 1")));
            return Only(ingest->Commit());
          },
          {1, 2},
          {1, 2}};
}

StoreChange ADetachment() {
  return {TwoRuns,
          [](FileSystem&, Store& store) -> Status {
            const AttachmentHeader log = MakeAttachment({IdOf(1), {}}, "file", "log", "log 1").header;
            const Result<DetachResult> gone = store.Detach({log});
            // A change whose acknowledgement failed may have happened.
            return !gone.ok() && gone.error().code == ErrorCode::kNotFound ? Status() : Only(gone);
          },
          {1, 2},
          {1, 2}};
}

StoreChange TheFirstCommit() {
  return {[](CrashFileSystem& fs) { Must(Store::Create(fs, "s")); },
          [](FileSystem&, Store& store) { return Only(CommitFullRuns(store, {{1, "7", "abc"}})); },
          {},
          {1}};
}

StoreChange ACommitThatMakesAGroup() {
  return {[](CrashFileSystem& fs) {
            Store store = Must(Store::Create(fs, "s"));
            for (uint64_t i = 1; i <= 64; ++i) Must(CommitRuns(store, {{i, "", "w"}}));
          },
          [](FileSystem&, Store& store) { return Only(CommitRuns(store, {{65, "", "w"}})); }, UpTo(64), UpTo(65)};
}

StoreChange ACommitOfALargeRun() {
  return {TwoRuns,
          [](FileSystem&, Store& store) -> Status {
            OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({.spill_events = 2}));
            SymbolTable symbols;
            OSCOPE_RETURN_IF_ERROR(SendRun(FullRun({3, "7", "abcdefgh"}, 3000, symbols), symbols, *ingest));
            return Only(ingest->Commit());
          },
          {1, 2},
          {1, 2, 3}};
}

StoreChange ACompaction() {
  return {[](CrashFileSystem& fs) { SmallSegments(fs, 3); },
          [](FileSystem&, Store& store) { return Only(store.Compact()); }, UpTo(3), UpTo(3)};
}

StoreChange AnUpgrade() {
  return {.prepare =
              [](CrashFileSystem& fs) {
                SmallSegments(fs, 3);
                MakeOlder(fs, "s");
              },
          .apply = [](FileSystem&, Store& store) { return Only(store.Upgrade({.batch_events = 1})); },
          .runs_before = UpTo(3),
          .runs_after = UpTo(3),
          .in_steps = true};
}

StoreChange ASplitOfRanges() {
  return {[](CrashFileSystem& fs) { SmallSegments(fs, 4); },
          [](FileSystem&, Store& store) {
            CompactOptions options;
            options.split_runs = 3;
            return Only(store.Compact(options));
          },
          UpTo(4), UpTo(4)};
}

StoreChange APurgeOfABug() {
  return {[](CrashFileSystem& fs) {
            Store store = Must(Store::Create(fs, "s"));
            Must(CommitFullRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}}));
            Must(CommitFullRuns(store, {{3, "8", "abe"}}));
            Must(Retitle(store, "7", "seven"));
            Must(Retitle(store, "8", "eight"));
          },
          [](FileSystem&, Store& store) {
            PurgeFilter filter;
            filter.bugs = {{"demo", "7"}};
            return Only(store.Purge(filter));
          },
          {1, 2, 3},
          {2, 3}};
}

StoreChange APurgeByEverything() {
  return {[](CrashFileSystem& fs) {
            Store store = Must(Store::Create(fs, "s"));
            Must(CommitFullRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}}));
            Must(CommitFullRuns(store, {{3, "7", "abe"}, {4, "8", "abf"}}));
            Must(CommitFullRuns(store, {{5, "7", "abg"}}));
          },
          // Of the runs of bug 7, which are 1, 3 and 5, those that started before run 5 and are not the newest two.
          [](FileSystem&, Store& store) {
            PurgeFilter filter;
            filter.bugs = {{"demo", "7"}};
            filter.older_than_ns = 5000;
            filter.keep_last = 2;
            return Only(store.Purge(filter));
          },
          {1, 2, 3, 4, 5},
          {2, 3, 4, 5}};
}

StoreChange APurgeInTwoSteps() {
  const auto purge = [](Store& store, const std::function<void(PurgeFilter&)>& set) {
    PurgeFilter filter;
    set(filter);
    return Only(store.Purge(filter));
  };
  return {
      [](CrashFileSystem& fs) {
        Store store = Must(Store::Create(fs, "s"));
        Must(CommitFullRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}}));
        Must(CommitFullRuns(store, {{3, "7", "abe"}, {4, "8", "abf"}}));
        Must(CommitFullRuns(store, {{5, "7", "abg"}}));
        Must(Retitle(store, "7", "seven"));
      },
      // The segment of runs 1 and 2 has the reports, which stay.
      [=](FileSystem&, Store& store) { return purge(store, [](PurgeFilter& filter) { filter.older_than_ns = 5500; }); },
      {1, 2, 3, 4, 5},
      {},
      /*in_steps=*/false,
      [=](Store& store) {
        return purge(store, [](PurgeFilter& filter) { filter.runs = {IdOf(3), IdOf(4), IdOf(5)}; });
      }};
}

StoreChange ALink() {
  return {[](CrashFileSystem& fs) {
            Store store = Must(Store::Create(fs, "s"));
            Must(CommitFullRuns(store, {{1, "7", "abc"}, {2, "", "abd"}}));
            Must(CommitFullRuns(store, {{3, "8", "abe"}, {4, "8", "abf"}}));
            Must(Retitle(store, "7", "seven"));
          },
          [](FileSystem&, Store& store) { return Only(store.LinkRuns({IdOf(2), IdOf(3)}, {"demo", "7"})); }, UpTo(4),
          UpTo(4)};
}

StoreChange AnEdit() {
  return {TwoRuns, [](FileSystem&, Store& store) { return Only(Retitle(store, "7", "seven again")); }, {1, 2}, {1, 2}};
}

StoreChange AQuarantine() {
  return {[](CrashFileSystem& fs) { SmallSegments(fs, 2); },
          [](FileSystem&, Store& store) -> Status {
            OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
            for (const SegmentEntry& segment : snapshot.manifest().segments) {
              if (!segment.quarantined.empty()) return {};
            }
            return Only(store.Quarantine({snapshot.manifest().segments[1].id}, "a test"));
          },
          {1, 2},
          {1}};
}

StoreChange NewSettings() {
  return {TwoRuns,
          [](FileSystem&, Store& store) {
            return Only(store.EditSettings([](StoreSettings& settings) -> Status {
              settings.max_runs = 1000;
              settings.queries["mine"] = "SELECT b FROM ALL";
              return {};
            }));
          },
          {1, 2},
          {1, 2}};
}

StoreChange ACollection() {
  return {[](CrashFileSystem& fs) {
            Store store = Must(Store::Create(fs, "s"));
            Must(CommitFullRuns(store, {{1, "7", "abc"}}));
            Must(CommitFullRuns(store, {{2, "", "abd"}}));
            Must(Retitle(store, "7", "seven"));
            for (const char* path : {"s/segments/00000000000000000000000000000000.traces.parquet",
                                     "s/index/00000000000000000000000000000000.osix",
                                     "s/groups/00000000000000000000000000000000.json", "s/tmp/half"}) {
              Must(WriteDurably(fs, path, "left by a writer"));
            }
          },
          [](FileSystem&, Store& store) { return Only(store.Collect()); },
          {1, 2},
          {1, 2},
          /*in_steps=*/true};
}

StoreChange ABackup() {
  return {[](CrashFileSystem& fs) {
            Must(fs.SyncDirectory("/"));
            TwoRuns(fs);
          },
          [](FileSystem&, Store& store) { return Only(store.Backup("copy")); },
          {1, 2},
          {1, 2}};
}

StoreChange ABackupWithAQuarantinedSegment() {
  return {[](CrashFileSystem& fs) {
            SmallSegments(fs, 2);
            Store store = Must(Store::Open(fs, "s"));
            const SegmentEntry first = Must(store.Read()).manifest().segments[0];
            Must(fs.Remove(fmt::format("s/segments/{}.traces.parquet", first.id)));
            Must(store.Quarantine({first.id}, "a file is lost"));
          },
          [](FileSystem&, Store& store) { return Only(store.Backup("copy")); },
          {2},
          {2}};
}

StoreChange AMerge() {
  return {[](CrashFileSystem& fs) {
            TwoRuns(fs);
            Store other = Must(Store::Create(fs, "other"));
            Must(CommitFullRuns(other, {{2, "8", "abd"}, {3, "7", "abe"}}));
            Must(CommitFullRuns(other, {{4, "9", "abf"}}));
            Must(Retitle(other, "8", "their eight"));
          },
          [](FileSystem& fs, Store& store) -> Status {
            OSCOPE_ASSIGN_OR_RETURN(const Store other, Store::Open(fs, "other", {.read_only = true}));
            return Only(store.Merge(other));
          },
          {1, 2},
          {1, 2, 3, 4}};
}

StoreChange AReindexing() {
  return {[](CrashFileSystem& fs) {
            SmallSegments(fs, 3);
            const auto segments = Must(Must(Store::Open(fs, "s")).Read()).manifest().segments;
            Must(fs.Remove(fmt::format("s/index/{}.osix", segments[0].id)));
            const std::string second = fmt::format("s/index/{}.osix", segments[1].id);
            Must(fs.Remove(second));
            Must(WriteDurably(fs, second, "damaged"));
          },
          [](FileSystem&, Store& store) { return Only(store.Reindex()); }, UpTo(3), UpTo(3), /*in_steps=*/true};
}

PreparedChange::PreparedChange(StoreChange change) : change_(std::move(change)) {
  change_.prepare(prepared_);
  before_ = ContentOf(prepared_);
  files_before_ = FilesOf(prepared_);
  half_ = before_;
  if (change_.apply_half) {
    const auto interrupted = Copy();
    Store store = Must(Store::Open(*interrupted, "s"));
    EXPECT_OK(change_.apply_half(store));
    half_ = ContentOf(*interrupted);
  }
  EXPECT_EQ(RunsIn(Must(Store::Open(prepared_, "s"))), change_.runs_before);
  ExpectReadAndChecked(prepared_, before_);
  const auto changed = Copy();
  {
    Store store = Must(Store::Open(*changed, "s"));
    EXPECT_OK(Apply(*changed, store));
  }
  after_ = ContentOf(*changed);
  EXPECT_EQ(RunsIn(Must(Store::Open(*changed, "s"))), change_.runs_after);
  ExpectReadAndChecked(*changed, after_);
  EXPECT_EQ(TimeDifference(before_, after_), "") << "the change without any fault";
}

}  // namespace oscope
