#include "tests/unit/store/store_operations.h"

#include <algorithm>

#include "index/store/store_files.h"

namespace oscope {

Status AddAgedRuns(RunSink& sink, const std::vector<WordRun>& words) {
  SymbolTable symbols;
  for (const WordRun& word : words) {
    Run run = MakeRun(word, symbols);
    run.header.started_ns = static_cast<int64_t>(word.id) * 1000;
    OSCOPE_RETURN_IF_ERROR(SendRun(run, symbols, sink));
  }
  return {};
}

Result<IngestResult> CommitAgedRuns(Store& store, const std::vector<WordRun>& words) {
  OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
  OSCOPE_RETURN_IF_ERROR(AddAgedRuns(*ingest, words));
  return ingest->Commit();
}

std::string SegmentOf(const Store& store, uint64_t run) {
  const Snapshot snapshot = Must(store.Read());
  return Must(snapshot.PlaceOf(IdOf(run)))->segment->id;
}

Result<Bug> AddToTitle(Store& store, const std::string& bug, const std::string& suffix) {
  return store.EditBug({"demo", bug}, [&](const std::optional<Bug>& now) -> Result<Bug> {
    Bug next = now.value_or(Bug{});
    next.key = {"demo", bug};
    next.title += suffix;
    return next;
  });
}

Result<IngestResult> Attach(Store& store, const std::vector<AttachmentOwner>& owners, const std::string& name) {
  OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
  for (const AttachmentOwner& owner : owners)
    OSCOPE_RETURN_IF_ERROR(ingest->AddAttachment(MakeAttachment(owner, "file", name, "bytes of " + name)));
  return ingest->Commit();
}

const CrashFileSystem& PreparedDisk() {
  static const std::unique_ptr<CrashFileSystem> disk = [] {
    auto made = std::make_unique<CrashFileSystem>();
    Store store = Must(Store::Create(*made, kStorePath));
    Must(CommitAgedRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}}));
    Must(CommitAgedRuns(store, {{3, "7", "abe"}, {4, "", "abf"}}));
    Must(CommitAgedRuns(store, {{5, "9", "abg"}, {6, "7", "abh"}}));
    Must(CommitAgedRuns(store, {{7, "", "abi"}, {8, "10", "abj"}}));
    Must(AddToTitle(store, "7", " (edited)"));
    Must(Attach(store, {{IdOf(1), {}}, {IdOf(8), {}}, {{}, {"demo", "7"}}}, "first"));
    Store other = Must(Store::Create(*made, kOtherStorePath));
    Must(CommitAgedRuns(other, {{50, "7", "same"}, {51, "70", "other"}}));
    Must(other.EditBug({"demo", "7"}, [](const std::optional<Bug>& now) -> Result<Bug> {
      Bug next = *now;
      next.title = "their title";
      next.severity = "major";
      return next;
    }));
    return made;
  }();
  return *disk;
}

std::string Describe(const Store& store) {
  const Snapshot snapshot = Must(store.Read());
  RunCollector all;
  Must(snapshot.Send([](const StoredRun&) { return true; }, all));
  std::sort(all.runs.begin(), all.runs.end(),
            [](const Run& a, const Run& b) { return a.header.id.value.low < b.header.id.value.low; });
  std::string text;
  for (const Run& run : all.runs) {
    std::string word;
    for (const Trace& trace : run.traces) {
      for (const SymbolId event : trace.events) word += all.symbols.name(event);
    }
    text += fmt::format("run {} of bug '{}' started {}: {}\n", run.header.id.value.low, run.header.bug,
                        run.header.started_ns.value_or(0), word);
  }
  for (const Bug& bug : all.bugs) {
    text += fmt::format("bug {}\n", ToString(bug.key));
    for (const BugRevision& revision : Must(snapshot.History(bug.key))) {
      text += fmt::format("  revision {}: '{}' {}\n", revision.revision, revision.bug.title, revision.bug.severity);
    }
  }
  std::ranges::sort(all.attachments, {}, &Attachment::header);
  for (const Attachment& attachment : all.attachments) {
    text += fmt::format("attachment of {}: {} '{}'\n", ToString(attachment.header.owner), attachment.header.name,
                        attachment.bytes);
  }
  const Manifest& manifest = snapshot.manifest();
  for (const auto& [name, query] : manifest.settings.queries) text += fmt::format("query {}: {}\n", name, query);
  uint64_t quarantined = 0;
  for (const SegmentEntry& segment : manifest.segments) quarantined += segment.quarantined.empty() ? 0 : segment.runs;
  text += fmt::format("{} ranges; {} runs quarantined\n", manifest.ranges.size(), quarantined);
  return text;
}

namespace {

using Act = std::function<Told(Store&)>;

Told Failed(const Error& error) { return {error, std::string(ErrorCodeName(error.code)), {}, {}}; }

template <typename T, typename Show>
Told Telling(const Result<T>& result, const Show& show) {
  if (!result.ok()) return Failed(result.error());
  return {{}, show(*result), {}, {}};
}

std::string ShowIngest(const IngestResult& result) {
  return fmt::format("version {}: {} runs added, {} known, {} traces, {} events, {} bugs added, {} changed",
                     result.version, result.runs_added, result.runs_known, result.traces_added, result.events_added,
                     result.bugs_added, result.bugs_changed);
}

std::string ShowVersion(uint64_t version) { return fmt::format("version {}", version); }

// An operation that needs to look nothing up.
StoreOperation Plain(std::string name, Act act) {
  return {std::move(name), [act = std::move(act)](const Store&) { return act; }};
}

StoreOperation IngestOperation(std::string name, std::vector<WordRun> words, IngestOptions options = {},
                               std::optional<Bug> bug = {}) {
  return Plain(std::move(name), [=](Store& store) {
    const auto commit = [&]() -> Result<IngestResult> {
      OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest(options));
      if (bug) OSCOPE_RETURN_IF_ERROR(ingest->AddBug(*bug));
      OSCOPE_RETURN_IF_ERROR(AddAgedRuns(*ingest, words));
      return ingest->Commit();
    };
    return Telling(commit(), ShowIngest);
  });
}

StoreOperation PurgeOperation(std::string name, PurgeFilter filter) {
  return Plain(std::move(name), [=](Store& store) {
    const auto result = store.Purge(filter);
    // Without the version: how many commits a purge needs depends on what it met.
    Told outcome = Telling(result, [](const PurgeResult& purged) {
      return fmt::format("{} runs and {} bugs purged, {} files pinned", purged.runs, purged.bugs, purged.files_pinned);
    });
    if (result.ok()) outcome.purge = *result;
    return outcome;
  });
}

StoreOperation CompactOperation(std::string name, CompactOptions options) {
  return Plain(std::move(name), [=](Store& store) {
    const auto result = store.Compact(options);
    Told outcome = Telling(result, [](const CompactResult& compacted) { return ShowVersion(compacted.version); });
    if (result.ok()) outcome.compact = *result;
    return outcome;
  });
}

StoreOperation LinkOperation(std::string name, std::vector<RunId> runs, BugKey bug) {
  return Plain(std::move(name), [=](Store& store) { return Telling(store.LinkRuns(runs, bug), ShowVersion); });
}

StoreOperation EditOperation(std::string name, std::string bug) {
  return Plain(std::move(name), [=](Store& store) {
    return Telling(AddToTitle(store, bug, "!"), [](const Bug& stored) { return stored.title; });
  });
}

StoreOperation QuarantineOperation() {
  return {"quarantine", [](const Store& store) -> Act {
            const std::string segment = SegmentOf(store, 2);
            return [segment](Store& now) { return Telling(now.Quarantine({segment}, "it is damaged"), ShowVersion); };
          }};
}

StoreOperation MergeOperation() {
  return {"merge", [](const Store&) -> Act {
            return [](Store& store) {
              // Read where nobody watches: the other store is not what is disturbed.
              static const std::unique_ptr<CrashFileSystem> disk = PreparedDisk().Kill();
              const Store other = Must(Store::Open(*disk, kOtherStorePath));
              return Telling(store.Merge(other), [](const MergeResult& merged) {
                std::string text = ShowIngest(merged.added) + fmt::format(", {} combined:", merged.bugs_combined);
                for (const BugKey& bug : merged.combined) text += " " + ToString(bug);
                return text;
              });
            };
          }};
}

std::vector<StoreOperation> MakeOperations() {
  std::vector<StoreOperation> operations;
  operations.push_back(IngestOperation("ingest_new_runs", {{50, "7", "same"}, {51, "", "new"}, {52, "77", "newer"}}));
  operations.push_back(
      IngestOperation("ingest_runs_partly_known", {{1, "7", "abc"}, {50, "7", "same"}, {3, "7", "abe"}}));
  operations.push_back(IngestOperation("ingest_a_spilled_run",
                                       {{50, "7", "same"}, {51, "77", "spilled"}, {52, "", "x"}}, {.spill_events = 2}));
  Bug report;
  report.key = {"demo", "7"};
  report.title = "reported anew";
  operations.push_back(IngestOperation("ingest_a_report", {{50, "7", "same"}}, {}, report));
  operations.push_back(Plain("attach", [](Store& store) {
    return Telling(Attach(store, {{IdOf(2), {}}, {{}, {"demo", "8"}}}, "second"), ShowIngest);
  }));
  operations.push_back(Plain("detach", [](Store& store) {
    return Telling(store.Detach({MakeAttachment({IdOf(8), {}}, "file", "first", "bytes of first").header}),
                   [](const DetachResult& result) { return ShowVersion(result.version); });
  }));
  operations.push_back(EditOperation("edit_a_bug", "7"));
  operations.push_back(EditOperation("edit_makes_a_bug", "77"));
  operations.push_back(LinkOperation("link_to_a_bug", {IdOf(1), IdOf(3), IdOf(4)}, {"demo", "8"}));

  PurgeFilter runs;
  runs.runs = {IdOf(1), IdOf(5)};
  operations.push_back(PurgeOperation("purge_runs", runs));
  PurgeFilter bugs;
  bugs.bugs = {{"demo", "7"}, {"demo", "10"}};
  operations.push_back(PurgeOperation("purge_bugs", bugs));
  PurgeFilter project;
  project.project = "demo";
  project.bugs_too = true;
  operations.push_back(PurgeOperation("purge_a_project", project));
  PurgeFilter last;
  last.keep_last = 1;
  operations.push_back(PurgeOperation("purge_but_the_last", last));
  PurgeFilter two;
  two.project = "demo";
  two.older_than_ns = 6500;
  two.keep_last = 1;
  two.failing = true;
  operations.push_back(PurgeOperation("purge_by_several_filters", two));
  PurgeFilter all_runs;
  all_runs.project = "demo";
  operations.push_back(PurgeOperation("purge_in_two_steps", all_runs));

  operations.push_back(CompactOperation("compact", {}));
  CompactOptions split;
  split.split_runs = 3;
  operations.push_back(CompactOperation("compact_and_split", split));
  operations.push_back(QuarantineOperation());
  operations.push_back(Plain("edit_settings", [](Store& store) {
    return Telling(store.EditSettings([](StoreSettings& settings) -> Status {
      settings.queries["mine"] = "SELECT b FROM ALL";
      return {};
    }),
                   ShowVersion);
  }));
  operations.push_back(Plain("set_settings", [](Store& store) {
    StoreSettings settings;
    settings.queries["mine"] = "SELECT b FROM ALL";
    return Telling(store.SetSettings(settings), ShowVersion);
  }));
  operations.push_back(MergeOperation());
  return operations;
}

}  // namespace

const std::vector<StoreOperation>& ChangingOperations() {
  static const std::vector<StoreOperation> operations = MakeOperations();
  return operations;
}

const StoreOperation& ChangingOperation(const std::string& name) {
  for (const StoreOperation& operation : ChangingOperations()) {
    if (operation.name == name) return operation;
  }
  OSCOPE_CHECK(false);
  return ChangingOperations()[0];
}

std::vector<std::string> Unnamed(const Store& store, const std::set<std::string>& made) {
  const Snapshot snapshot = Must(store.Read());
  const Manifest& manifest = snapshot.manifest();
  const StoreFiles files(PosixFileSystem(), kStorePath);  // for the names of files only
  std::set<std::string> named = {files.ManifestFile(manifest.version)};
  for (const GroupEntry& group : manifest.groups) named.insert(files.GroupFile(group.file));
  for (const SegmentEntry& segment : manifest.segments) {
    for (const TableFile& table : segment.tables) named.insert(files.TablePath(segment.id, table.table));
    named.insert(files.IndexPath(segment.id));
  }
  std::vector<std::string> unnamed;
  std::set_difference(made.begin(), made.end(), named.begin(), named.end(), std::back_inserter(unnamed));
  return unnamed;
}

void ExpectTidy(FileSystem& disk) {
  EXPECT_EQ(Must(disk.List(std::string(kStorePath) + "/tmp")), std::vector<std::string>()) << "nothing is left in tmp/";
  Store store = Must(Store::Open(disk, kStorePath));
  EXPECT_FALSE(Must(store.Collect()).writers_active) << "nobody holds the writers' lock";
  for (const CheckProblem& problem : Must(store.Check({.deep = false})).problems) {
    if (problem.what.find("quarantined") == std::string::npos) ADD_FAILURE() << problem.what;
  }
}

}  // namespace oscope
