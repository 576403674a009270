// The Nth read fails, is short or finds nothing, for every N: whatever is being done works all the same or fails with a
// clean error, and costs no run, no report and no link; what could not be read is never taken for damage, and damage
// never for nothing at all.
#include "index/store/segment_search.h"
#include "tests/unit/store/store_changes.h"

namespace oscope {
namespace {

std::string_view NameOf(ReadFault fault) {
  return fault == ReadFault::kIoError ? "I/O error" : fault == ReadFault::kNotFound ? "not found" : "short";
}

// One fault of reads, to be tried: at a read alone, or from there on.
struct Trial {
  uint64_t n = 0;  // of the reads of what is tried
  ReadFault fault = ReadFault::kIoError;
  bool for_good = false;
  std::string read;  // what it meets
};

// Every read fails, alone and with all that follow. Of a read that is not an Open nothing is left to try but the error:
// a short read and a missing file are errors there too.
std::vector<Trial> EveryTrial(const std::vector<std::string>& reads) {
  std::vector<Trial> trials;
  for (uint64_t n = 1; n <= reads.size(); ++n) {
    const std::string& read = reads[n - 1];
    trials.push_back({n, ReadFault::kIoError, false, read});
    if (read.starts_with("open") || read.starts_with("look") || read.starts_with("list")) {
      trials.push_back({n, ReadFault::kNotFound, false, read});
      trials.push_back({n, ReadFault::kShort, false, read});
      trials.push_back({n, ReadFault::kIoError, true, read});
    }
  }
  return trials;
}

void Arm(CrashFileSystem& fs, const Trial& trial) {
  const uint64_t n = fs.reads() + trial.n;
  if (trial.for_good) {
    fs.FailReadsFrom(n, trial.fault);
  } else {
    fs.FailReadAt(n, trial.fault);
  }
}

std::string Told(const Trial& trial, const CrashFileSystem& fs) {
  return fmt::format("{}{} at read {}: {}\n{}", NameOf(trial.fault), trial.for_good ? " from there on" : "", trial.n,
                     trial.read, fs.log());
}

// An error of the system is told as one. Bytes that are missing may be told as damage too.
void ExpectCleanError(const Error& error, const Trial& trial) {
  EXPECT_FALSE(error.message.empty());
  if (trial.fault == ReadFault::kIoError) {
    EXPECT_EQ(error.code, ErrorCode::kIo) << error.message;
  } else {
    EXPECT_TRUE(error.code == ErrorCode::kIo || error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kNotFound)
        << error.message;
  }
}

bool MeetsIndex(const Trial& trial) { return trial.read.find("/index/") != std::string::npos; }
bool MeetsPin(const Trial& trial) { return trial.read.find("/pins/") != std::string::npos; }

// --- changes ---

struct ChangeOptions {
  bool mapped = true;
  bool skip_damaged = false;
  bool someone_reads = false;  // the version before, all the time
};

void ExpectUnchanged(CrashFileSystem& fs, const PreparedChange& prepared, const Trial& trial) {
  if (ContentOf(fs) == prepared.half() && prepared.half() != prepared.before()) return;
  // Whoever can read nothing any more cannot see what there is to clean up.
  if (prepared.change().in_steps || trial.for_good) {
    EXPECT_EQ(Difference(prepared.before(), ContentOf(fs)), "");
  } else {
    // Nothing is left behind either.
    EXPECT_EQ(FilesOf(fs), prepared.files_before());
  }
}

void FailReadsOf(const StoreChange& change, const ChangeOptions& options) {
  const PreparedChange prepared(change);
  const OpenOptions open{.skip_damaged = options.skip_damaged};
  std::vector<std::string> reads;
  {
    const auto fs = prepared.Copy();
    fs->MapFiles(options.mapped);
    Store store = Must(Store::Open(*fs, "s", open));
    const size_t start = fs->reads();
    Must(prepared.Apply(*fs, store));
    reads = fs->read_log();
    reads.erase(reads.begin(), reads.begin() + static_cast<ptrdiff_t>(start));
  }
  ASSERT_GT(reads.size(), 3u);
  uint64_t failures = 0;
  for (const Trial& trial : EveryTrial(reads)) {
    const auto fs = prepared.Copy();
    fs->MapFiles(options.mapped);
    Store reader = Must(Store::Open(*fs, "s"));
    std::optional<Snapshot> reading;
    if (options.someone_reads) reading = Must(reader.Read());
    Store store = Must(Store::Open(*fs, "s", open));
    Arm(*fs, trial);
    const Status status = prepared.Apply(*fs, store);
    fs->HealReads();
    fs->MapFiles(true);
    SCOPED_TRACE(Told(trial, *fs));
    if (status.ok()) {
      const StoreContent found = ContentOf(*fs);
      EXPECT_EQ(Difference(prepared.after(), found), "");
      EXPECT_EQ(TimeDifference(prepared.before(), found), "");
    } else {
      ++failures;
      ExpectCleanError(status.error(), trial);
      ExpectUnchanged(*fs, prepared, trial);
      // What the store remembers of the failure does no harm. It does not matter much where it failed.
      if (trial.n % 8 == 0) {
        EXPECT_OK(prepared.Apply(*fs, store));
        EXPECT_EQ(Difference(prepared.after(), ContentOf(*fs)), "");
      }
    }
    // Where no file has changed, what they read is there.
    if (reading && FilesOf(*fs) != prepared.files_before()) {
      const auto read = ReadContent(*reading);
      ASSERT_TRUE(read.ok()) << "someone reads this version: " << read.error().message;
      for (const auto& [name, text] : read->entries) EXPECT_EQ(prepared.before().entries.at("s: " + name), text);
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(failures, 0u) << "some of what is read is needed";
}

TEST(ReadFault, DuringACommit) { FailReadsOf(ACommit(), {}); }
TEST(ReadFault, DuringACommitWithoutMapping) { FailReadsOf(ACommit(), {.mapped = false}); }
TEST(ReadFault, WhileARunSpills) { FailReadsOf(ACommitOfALargeRun(), {}); }
TEST(ReadFault, DuringCompaction) { FailReadsOf(ACompaction(), {}); }
TEST(ReadFault, DuringAnUpgrade) { FailReadsOf(AnUpgrade(), {}); }
TEST(ReadFault, DuringCompactionWithoutMapping) { FailReadsOf(ACompaction(), {.mapped = false, .skip_damaged = true}); }
TEST(ReadFault, DuringCompactionWhileSomeoneReads) { FailReadsOf(ACompaction(), {.someone_reads = true}); }
TEST(ReadFault, DuringASplitOfRanges) { FailReadsOf(ASplitOfRanges(), {.skip_damaged = true}); }
TEST(ReadFault, DuringAPurge) { FailReadsOf(APurgeByEverything(), {}); }
TEST(ReadFault, DuringAPurgeWithoutMapping) {
  FailReadsOf(APurgeByEverything(), {.mapped = false, .skip_damaged = true});
}
TEST(ReadFault, DuringAPurgeWhileSomeoneReads) { FailReadsOf(APurgeOfABug(), {.someone_reads = true}); }
TEST(ReadFault, DuringAPurgeInTwoSteps) { FailReadsOf(APurgeInTwoSteps(), {}); }
TEST(ReadFault, DuringAPurgeInTwoStepsWhileSomeoneReads) { FailReadsOf(APurgeInTwoSteps(), {.someone_reads = true}); }
TEST(ReadFault, DuringALink) { FailReadsOf(ALink(), {}); }
TEST(ReadFault, DuringALinkWithoutMapping) { FailReadsOf(ALink(), {.mapped = false, .skip_damaged = true}); }
TEST(ReadFault, DuringALinkWhileSomeoneReads) { FailReadsOf(ALink(), {.someone_reads = true}); }
TEST(ReadFault, DuringAnEdit) { FailReadsOf(AnEdit(), {.mapped = false, .skip_damaged = true}); }
TEST(ReadFault, DuringAQuarantine) { FailReadsOf(AQuarantine(), {}); }
TEST(ReadFault, DuringAChangeOfSettings) { FailReadsOf(NewSettings(), {}); }
TEST(ReadFault, DuringCollection) { FailReadsOf(ACollection(), {}); }
TEST(ReadFault, DuringCollectionWhileSomeoneReads) { FailReadsOf(ACollection(), {.someone_reads = true}); }
TEST(ReadFault, DuringAMerge) { FailReadsOf(AMerge(), {.skip_damaged = true}); }
TEST(ReadFault, DuringAMergeWithoutMapping) { FailReadsOf(AMerge(), {.mapped = false}); }

// --- reindexing: what it wrote before it failed stays, and no good index is written over ---

TEST(ReadFault, DuringReindexing) { FailReadsOf(AReindexing(), {}); }
TEST(ReadFault, DuringReindexingWithoutMapping) { FailReadsOf(AReindexing(), {.mapped = false}); }

TEST(ReadFault, AGoodIndexIsNotWrittenOverBecauseItCouldNotBeRead) {
  for (const bool mapped : {true, false}) {
    for (const bool verify : {true, false}) {
      const PreparedChange prepared(ACompaction());
      for (uint64_t n = 1;; ++n) {
        const auto fs = prepared.Copy();
        fs->MapFiles(mapped);
        Store store = Must(Store::Open(*fs, "s"));
        fs->FailReadAt(fs->reads() + n, ReadFault::kIoError);
        const uint64_t start = fs->reads();
        const auto result = store.Reindex({.verify = verify});
        if (fs->reads() < start + n) break;
        SCOPED_TRACE(fs->log());
        EXPECT_EQ(FilesOf(*fs), prepared.files_before());
        if (result.ok()) {
          EXPECT_EQ(result->changed(), 0u) << "what could not be read is no index that differs";
        } else {
          EXPECT_EQ(result.error().code, ErrorCode::kIo) << result.error().message;
        }
        if (HasFailure()) return;
      }
    }
  }
}

// --- backup ---

TEST(ReadFault, DuringABackup) { FailReadsOf(ABackup(), {}); }
TEST(ReadFault, DuringABackupWithoutMapping) { FailReadsOf(ABackup(), {.mapped = false}); }

// --- check ---

void FailReadsOfACheck(bool deep, bool mapped) {
  const PreparedChange prepared(ACompaction());
  for (uint64_t n = 1;; ++n) {
    for (const ReadFault fault : {ReadFault::kIoError, ReadFault::kNotFound, ReadFault::kShort}) {
      const auto fs = prepared.Copy();
      fs->MapFiles(mapped);
      Store store = Must(Store::Open(*fs, "s"));
      const uint64_t start = fs->reads();
      fs->FailReadAt(start + n, fault);
      const auto check = store.Check({.deep = deep});
      if (fs->reads() < start + n) return;
      const Trial trial{n, fault, false, fs->read_log()[start + n - 1]};
      SCOPED_TRACE(Told(trial, *fs));
      EXPECT_EQ(FilesOf(*fs), prepared.files_before());
      if (!check.ok()) {
        ExpectCleanError(check.error(), trial);
      } else if (!MeetsPin(trial)) {
        // A missing or torn index is made anew: a note.
        const bool note = fault != ReadFault::kIoError && MeetsIndex(trial);
        EXPECT_FALSE(check->problems.empty());
        EXPECT_TRUE(note || !check->healthy());
        for (const CheckProblem& problem : check->problems) {
          EXPECT_TRUE(problem.unreadable || fault != ReadFault::kIoError)
              << "no reason to quarantine: " << problem.what;
        }
      }
      if (::testing::Test::HasFailure()) return;
      if (!trial.read.starts_with("open") && !trial.read.starts_with("list"))
        break;  // the other faults are errors there too
    }
  }
}
TEST(ReadFault, ACheckThatCouldNotReadCallsNothingHealthy) { FailReadsOfACheck(true, true); }
TEST(ReadFault, ACheckWithoutMappingThatCouldNotReadCallsNothingHealthy) { FailReadsOfACheck(true, false); }
TEST(ReadFault, AShallowCheckThatCouldNotReadCallsNothingHealthy) {
  FailReadsOfACheck(false, true);
  FailReadsOfACheck(false, false);
}

// --- reads ---

// All that a snapshot can be asked for, as text.
Result<std::string> AskForEverything(const Snapshot& snapshot) {
  OSCOPE_ASSIGN_OR_RETURN(const StoreContent content, ReadContent(snapshot));
  std::string text;
  for (const auto& [name, said] : content.entries) text += name + ": " + said + "\n";
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> projects, snapshot.Projects());
  for (const std::string& project : projects) text += "project " + project + "\n";
  OSCOPE_ASSIGN_OR_RETURN(const RunId run, snapshot.ResolveRun(ToString(IdOf(2)).substr(0, 8)));
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<StoredRun> found, snapshot.FindRun(run));
  text += found ? found->header.failure.message : "no run";
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceHeader> traces, snapshot.Traces(run));
  text += fmt::format(" has {} traces:", traces.size());
  SymbolTable symbols;
  OSCOPE_ASSIGN_OR_RETURN(const Trace trace, snapshot.ReadTrace({run, 0, 0, TraceKind::kExecution}, symbols));
  for (const SymbolId event : trace.events) text += " " + std::string(symbols.name(event));
  OSCOPE_RETURN_IF_ERROR(snapshot.ScanTraces({}, [&](const TraceBatch& batch) -> Status {
    text += fmt::format("; {} rows, {} events", batch.rows, batch.codes.size());
    return {};
  }));
  for (const SegmentEntry& segment : snapshot.manifest().segments) {
    OSCOPE_ASSIGN_OR_RETURN(const auto search, snapshot.Search(segment));
    if (search == nullptr || search->tails().size() == 0) continue;
    const uint32_t row = 0;
    OSCOPE_RETURN_IF_ERROR(
        snapshot.ReadRows(segment, {&row, 1}, std::nullopt, [&](const TraceEvents& events) -> Status {
          for (const int32_t code : events.codes) text += "/" + events.names[static_cast<size_t>(code)];
          return {};
        }));
  }
  return text;
}

void FailReadsOfReaders(bool skip_damaged, bool mapped) {
  const PreparedChange prepared(ACompaction());
  const auto whole = prepared.Copy();
  const std::string expected = Must(AskForEverything(Must(Must(Store::Open(*whole, "s")).Read())));
  uint64_t partial = 0;
  for (uint64_t n = 1;; ++n) {
    for (const ReadFault fault : {ReadFault::kIoError, ReadFault::kNotFound, ReadFault::kShort}) {
      const auto fs = prepared.Copy();
      fs->MapFiles(mapped);
      std::vector<std::string> told;
      Store store = Must(Store::Open(
          *fs, "s", {.read_only = true, .skip_damaged = skip_damaged, .on_damaged = [&](const std::string& damage) {
                       told.push_back(damage);
                     }}));
      const uint64_t start = fs->reads();
      fs->FailReadAt(start + n, fault);
      std::vector<std::string> damaged;
      const auto answer = [&]() -> Result<std::string> {
        OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
        auto text = AskForEverything(snapshot);
        damaged = snapshot.damaged();
        return text;
      }();
      if (fs->reads() < start + n) {
        EXPECT_EQ(partial != 0, skip_damaged) << "segments are left out by choice alone";
        return;
      }
      const Trial trial{n, fault, false, fs->read_log()[start + n - 1]};
      SCOPED_TRACE(Told(trial, *fs));
      EXPECT_EQ(damaged.size(), told.size());
      const bool may_be_damage = skip_damaged && fault != ReadFault::kIoError;
      EXPECT_TRUE(may_be_damage || (damaged.empty() && told.empty())) << "taken for damage";
      if (!damaged.empty()) {
        ++partial;
      } else if (answer.ok()) {
        EXPECT_EQ(*answer, expected);
      } else {
        ExpectCleanError(answer.error(), trial);
      }
      if (::testing::Test::HasFailure()) return;
      if (!trial.read.starts_with("open")) break;  // the other faults are errors there too
    }
  }
}
TEST(ReadFault, AReaderTellsTheWholeTruthOrFails) { FailReadsOfReaders(false, true); }
TEST(ReadFault, AReaderWithoutMappingTellsTheWholeTruthOrFails) { FailReadsOfReaders(false, false); }
TEST(ReadFault, AReaderWhoSkipsDamageSaysSo) { FailReadsOfReaders(true, true); }
TEST(ReadFault, AReaderWithoutMappingWhoSkipsDamageSaysSo) { FailReadsOfReaders(true, false); }

// Once, an error was told from damage by its text.
TEST(ReadFault, AnIoErrorIsNoDamageWhateverThePathIsCalled) {
  CrashFileSystem fs;
  {
    Store store = Must(Store::Create(fs, "Parquet"));
    Must(CommitRuns(store, {{1, "7", "abc"}}));
  }
  fs.MapFiles(false);
  int failures = 0;
  for (uint64_t n = 1;; ++n) {
    Store store = Must(Store::Open(fs, "Parquet", {.skip_damaged = true}));
    const uint64_t start = fs.reads();
    fs.FailReadAt(start + n, ReadFault::kIoError);
    const auto read = [&]() -> Status {
      OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
      return Only(ReadContent(snapshot));
    }();
    if (fs.reads() < start + n) break;
    if (read.ok()) continue;
    ++failures;
    ASSERT_EQ(read.error().code, ErrorCode::kIo) << read.error().message << "\n" << fs.log();
  }
  EXPECT_GT(failures, 10);
}

// --- opening, salvage and init ---

TEST(ReadFault, OfOpeningAStore) {
  const PreparedChange prepared(ACommit());
  for (const bool salvage : {false, true}) {
    for (uint64_t n = 1;; ++n) {
      bool met = false;
      for (const ReadFault fault : {ReadFault::kIoError, ReadFault::kNotFound, ReadFault::kShort}) {
        const auto fs = prepared.Copy();
        fs->FailReadAt(n, fault);
        auto store = Store::Open(*fs, "s", {.salvage = salvage});
        if (fs->reads() < n) break;
        met = true;
        SCOPED_TRACE(fs->log());
        fs->HealReads();
        if (!store.ok()) {
          ExpectCleanError(store.error(), {n, fault, false, {}});
        } else if (!store->warnings().empty()) {
          EXPECT_TRUE(salvage);
          EXPECT_NE(store->warnings()[0].find("READ-ONLY"), std::string::npos);
          EXPECT_FALSE(store->BeginIngest({}).ok()) << "a writer there would fork the store";
        } else {
          EXPECT_EQ(RunsIn(*store), prepared.change().runs_before);
        }
        EXPECT_EQ(FilesOf(*fs), prepared.files_before());
      }
      if (!met || HasFailure()) break;
    }
  }
}

// Once, a directory that could not be listed was taken for an empty one, and a store got a second first version.
TEST(ReadFault, AStoreThatCannotBeListedIsNotMadeAnew) {
  const PreparedChange prepared(ACommit());
  const auto fs = prepared.Copy();
  {
    Must(Must(Store::Open(*fs, "s")).Collect());
  }  // its first version is gone
  const auto files = FilesOf(*fs);
  fs->FailReadAt(fs->reads() + 1, ReadFault::kIoError);
  const auto created = Store::Create(*fs, "s");
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().code, ErrorCode::kIo);
  EXPECT_EQ(FilesOf(*fs), files);
}

}  // namespace
}  // namespace oscope
