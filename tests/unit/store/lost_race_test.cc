// Writers that lose the race for the next version, once or several times, to every kind of change. What then is in the
// store, and what the writer is told, must be what it would be had the others come first and the writer after them:
// that is done on a second disk, without a race, and compared. Nothing of an attempt that was lost may be left.
#include "tests/support/racing_file_system.h"
#include "tests/unit/store/store_operations.h"

namespace oscope {
namespace {

// What another process does; each call publishes at least one version. `i` counts from 0 up to 4.
struct OtherChange {
  std::string name;
  std::function<void(Store&, int i)> act;
};

CompactOptions SplittingOptions() {
  CompactOptions options;
  options.split_runs = 3;
  return options;
}

void AddARun(Store& store, int i) {
  Must(CommitAgedRuns(store, {{static_cast<uint64_t>(100 + i), "7", fmt::format("late{}", i)}}));
}

const std::vector<OtherChange>& OtherChanges() {
  static const std::vector<OtherChange> changes = {
      {"adds a run", AddARun},
      {"adds a run that the writer may bring, too",
       [](Store& store, int i) {
         const char* words[] = {"same", "new", "newer"};
         const char* bugs[] = {"7", "", "77"};
         if (i > 2) return AddARun(store, i);
         Must(CommitAgedRuns(store, {{static_cast<uint64_t>(50 + i), bugs[i], words[i]}}));
       }},
      {"adds a run with other content than the writer's",
       [](Store& store, int i) { Must(CommitAgedRuns(store, {{static_cast<uint64_t>(50 + i), "7", "else"}})); }},
      {"edits a bug", [](Store& store, int i) { Must(AddToTitle(store, "7", fmt::format("+{}", i))); }},
      {"makes a bug", [](Store& store, int i) { Must(AddToTitle(store, "77", fmt::format("+{}", i))); }},
      {"links a run", [](Store& store, int i) { Must(store.LinkRuns({IdOf(1)}, {"demo", i % 2 == 0 ? "9" : "10"})); }},
      {"purges a run",
       [](Store& store, int i) {
         const uint64_t runs[] = {1, 3, 5, 2, 6};
         PurgeFilter filter;
         filter.runs = {IdOf(runs[i])};
         Must(store.Purge(filter));
       }},
      {"purges a bug",
       [](Store& store, int i) {
         const char* bugs[] = {"7", "8", "9", "10"};
         if (i > 3) return AddARun(store, i);
         PurgeFilter filter;
         filter.bugs = {{"demo", bugs[i]}};
         Must(store.Purge(filter));
       }},
      {"compacts",
       [](Store& store, int i) {
         if (i > 0) AddARun(store, i);  // so that there is something to merge
         Must(store.Compact());
       }},
      {"commits, compacts and collects",
       [](Store& store, int i) {
         AddARun(store, i);
         Must(store.Compact());
         Must(store.Collect());
       }},
      {"changes the settings",
       [](Store& store, int i) {
         Must(store.EditSettings([&](StoreSettings& settings) -> Status {
           settings.queries[fmt::format("theirs{}", i)] = "SELECT b FROM ALL";
           return {};
         }));
       }},
      {"splits a range",
       [](Store& store, int i) {
         if (i > 0) AddARun(store, i);
         Must(store.Compact(SplittingOptions()));
       }},
      {"quarantines a segment",
       [](Store& store, int i) {
         const uint64_t runs[] = {2, 4, 5, 7};
         if (i > 3) return AddARun(store, i);
         Must(store.Quarantine({SegmentOf(store, runs[i])}, "theirs is damaged"));
       }},
  };
  return changes;
}

const OtherChange& Change(const std::string& name) {
  return *std::find_if(OtherChanges().begin(), OtherChanges().end(),
                       [&](const OtherChange& change) { return change.name == name; });
}

void ActAsAnother(FileSystem& disk, const OtherChange& change, int i) {
  Store other = Must(Store::Open(disk, kStorePath));
  const uint64_t before = Must(other.NewestVersion());
  change.act(other, i);
  OSCOPE_CHECK(Must(other.NewestVersion()) > before);
}

Manifest NewestManifest(FileSystem& disk) {
  const Store store = Must(Store::Open(disk, kStorePath));
  return Must(store.Read()).manifest();
}

// The counters of a purge and a compaction against the version they were made from and the one they made.
void ExpectCountersOf(const Told& outcome, const Manifest& base, const Manifest& after) {
  if (outcome.purge) {
    EXPECT_EQ(outcome.purge->version, after.version);
    EXPECT_EQ(outcome.purge->runs, base.runs() - after.runs());
    EXPECT_EQ(outcome.purge->bytes_freed, base.bytes() > after.bytes() ? base.bytes() - after.bytes() : 0);
    EXPECT_EQ(outcome.purge->files_pinned, 0u);
  }
  if (outcome.compact) {
    EXPECT_EQ(outcome.compact->version, after.version);
    EXPECT_EQ(outcome.compact->segments_before, base.segments.size());
    EXPECT_EQ(outcome.compact->segments_after, after.segments.size());
    EXPECT_EQ(outcome.compact->bytes_before, base.bytes());
    EXPECT_EQ(outcome.compact->bytes_after, after.bytes());
    EXPECT_EQ(outcome.compact->ranges_split, after.ranges.size() - base.ranges.size());
    uint64_t replaced = 0;
    for (const SegmentEntry& segment : base.segments) {
      if (std::find(after.segments.begin(), after.segments.end(), segment) == after.segments.end())
        replaced += segment.tables.size();
    }
    EXPECT_EQ(outcome.compact->files_removed, replaced);
  }
}

// docs/formats/store.md: a segment lies within one range.
void ExpectSegmentsWithinRanges(const Manifest& manifest) {
  for (const SegmentEntry& segment : manifest.segments) {
    const bool within = std::any_of(manifest.ranges.begin(), manifest.ranges.end(), [&](const HashRange& range) {
      return range.first <= segment.range.first && segment.range.last <= range.last;
    });
    EXPECT_TRUE(within || !segment.quarantined.empty()) << "segment " << segment.id << " lies across two ranges";
  }
}

void LoseTo(const StoreOperation& operation, const OtherChange& change, int times) {
  SCOPED_TRACE(fmt::format("{} loses {} times to a process that {}", operation.name, times, change.name));
  // At once.
  const auto disk = PreparedDisk().Kill();
  RacingFileSystem fs(*disk);
  Manifest base;
  Told outcome;
  int others = 0;
  {
    Store store = Must(Store::Open(fs, kStorePath));
    const auto act = operation.prepare(store);
    fs.LoseRaces(times, [&](int i) {
      ActAsAnother(*disk, change, i);
      base = NewestManifest(*disk);
      others = i + 1;
    });
    outcome = act(store);
  }
  // One after another. When the operation found that it cannot be done, or need not be, it did not come to meet all the
  // others.
  const auto calm = PreparedDisk().Kill();
  std::string expected, expected_outcome;
  {
    Store store = Must(Store::Open(*calm, kStorePath));
    const auto act = operation.prepare(store);
    for (int i = 0; i < others; ++i) ActAsAnother(*calm, change, i);
    expected_outcome = act(store).text;
    expected = Describe(store);
  }
  EXPECT_EQ(fs.lost(), others);
  EXPECT_GE(others, 1);
  EXPECT_EQ(outcome.text, expected_outcome) << (outcome.ok() ? "" : outcome.error->message);
  const Store reopened = Must(Store::Open(*disk, kStorePath));
  EXPECT_EQ(Describe(reopened), expected);
  const Manifest after = Must(reopened.Read()).manifest();
  // What cannot be done, or need not be, makes no version; a purge may make two.
  const uint64_t made = static_cast<uint64_t>(fs.attempts() - others);
  EXPECT_EQ(after.version, base.version + made);
  EXPECT_LE(made, outcome.purge ? 2u : 1u);
  if (made != 0) {
    EXPECT_EQ(others, times);
  }
  ExpectCountersOf(outcome, base, after);
  ExpectSegmentsWithinRanges(after);
  EXPECT_EQ(Unnamed(reopened, fs.made()), std::vector<std::string>())
      << "the files of an attempt that was lost are gone at once\n"
      << fs.log();
  ExpectTidy(*disk);
}

class LostRaceTest : public ::testing::TestWithParam<std::string> {};

TEST_P(LostRaceTest, OnceToEveryOtherChange) {
  for (const OtherChange& change : OtherChanges()) {
    LoseTo(ChangingOperation(GetParam()), change, 1);
    if (HasFailure()) return;
  }
}

TEST_P(LostRaceTest, SeveralTimes) {
  for (const auto& [change, times] :
       {std::pair("adds a run", 5), std::pair("edits a bug", 2), std::pair("commits, compacts and collects", 2)}) {
    LoseTo(ChangingOperation(GetParam()), Change(change), times);
    if (HasFailure()) return;
  }
}

std::vector<std::string> OperationNames() {
  std::vector<std::string> names;
  for (const StoreOperation& operation : ChangingOperations()) names.push_back(operation.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Operations, LostRaceTest, ::testing::ValuesIn(OperationNames()),
                         [](const auto& operation) { return operation.param; });

void ChangeSettings(Store& store, int i) {
  Must(store.EditSettings([&](StoreSettings& settings) -> Status {
    settings.queries["theirs"] = fmt::format("{}", i);
    return {};
  }));
}

// An edit that is tried again is asked again, with the bug as the faster writer left it.
TEST(LostRace, AnEditSeesTheEditThatWasFaster) {
  for (const int times : {1, 2, 5}) {
    const auto disk = PreparedDisk().Kill();
    RacingFileSystem fs(*disk);
    Store store = Must(Store::Open(fs, kStorePath));
    fs.LoseRaces(times, [&](int i) {
      Store other = Must(Store::Open(*disk, kStorePath));
      Must(AddToTitle(other, "7", fmt::format("+{}", i)));
    });
    std::vector<std::string> seen;
    const Bug stored = Must(store.EditBug({"demo", "7"}, [&](const std::optional<Bug>& now) -> Result<Bug> {
      seen.push_back(now->title);
      Bug next = *now;
      next.title += "!";
      return next;
    }));
    std::vector<std::string> expected = {"failed: abc (edited)"};
    for (int i = 0; i < times; ++i) expected.push_back(expected.back() + fmt::format("+{}", i));
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(stored.title, expected.back() + "!");
    const std::vector<BugRevision> history = Must(Must(store.Read()).History({"demo", "7"}));
    for (size_t i = 0; i < history.size(); ++i) EXPECT_EQ(history[i].revision, i + 1);
    EXPECT_EQ(history.size(), static_cast<size_t>(times) + 3);
  }
}

// A writer that never wins gives up, says so, and leaves nothing.
TEST(LostRace, AWriterThatNeverWinsIsTold) {
  const auto disk = PreparedDisk().Kill();
  RacingFileSystem fs(*disk);
  Store other = Must(Store::Open(*disk, kStorePath));
  {
    Store store = Must(Store::Open(fs, kStorePath));
    fs.LoseRaces(10'000, [&](int i) { ChangeSettings(other, i); });
    const auto refused = AddToTitle(store, "7", "!");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kBusy) << refused.error().message;
    EXPECT_EQ(fs.lost(), 1000) << "as often as it says that it tried";
    EXPECT_NE(refused.error().message.find("1000 times"), std::string::npos) << refused.error().message;
    EXPECT_EQ(fs.made(), std::set<std::string>()) << "nothing is left of all the attempts";
    // Nobody is in its way any more.
    fs.LoseRaces(0, [](int) {});
    EXPECT_EQ(Must(AddToTitle(store, "7", "!")).title, "failed: abc (edited)!");
  }
  ExpectTidy(*disk);
}

// Versions that come while a reader looks for the newest: it begins again, and gives up if that never ends.
TEST(LostRace, AReaderFindsTheNewestVersion) {
  for (const int times : {1, 2, 5}) {
    const auto disk = PreparedDisk().Kill();
    WatchedFileSystem fs(*disk);
    Store store = Must(Store::Open(fs, kStorePath));
    Store other = Must(Store::Open(*disk, kStorePath));
    int met = 0;
    // Between the look at the versions and the pin.
    fs.BeforeEach([&](const FileOperation& operation) -> Status {
      if (operation.kind != FileOperation::Kind::kLock || operation.path.find("/pins/") == std::string::npos ||
          met == times)
        return {};
      AddARun(other, met++);
      Must(other.Compact());
      return {};
    });
    const Snapshot snapshot = Must(store.Read());
    EXPECT_EQ(met, times);
    EXPECT_EQ(snapshot.version(), Must(other.NewestVersion()));
    // The pin holds: its files stay whatever the others do.
    PurgeFilter filter;
    filter.project = "demo";
    EXPECT_GT(Must(other.Purge(filter)).files_pinned, 0u);
    Must(other.Collect());
    EXPECT_EQ(RunsIn(snapshot).size(), 8u + static_cast<size_t>(times));
  }
}

TEST(LostRace, AReaderThatNeverFindsTheNewestIsTold) {
  const auto disk = PreparedDisk().Kill();
  WatchedFileSystem fs(*disk);
  Store store = Must(Store::Open(fs, kStorePath));
  Store other = Must(Store::Open(*disk, kStorePath));
  int met = 0;
  fs.BeforeEach([&](const FileOperation& operation) -> Status {
    if (operation.kind == FileOperation::Kind::kLock && operation.path.find("/pins/") != std::string::npos)
      ChangeSettings(other, met++);
    return {};
  });
  const auto snapshot = store.Read();
  ASSERT_FALSE(snapshot.ok());
  EXPECT_EQ(snapshot.error().code, ErrorCode::kBusy) << snapshot.error().message;
  EXPECT_EQ(met, 1000);
  // Neither does a writer, and it has nothing to clean up after itself.
  const auto refused = CommitAgedRuns(store, {{50, "7", "same"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_EQ(met, 2000);
  EXPECT_EQ(fs.made(), std::set<std::string>());
  fs.BeforeEach({});
  EXPECT_EQ(Must(CommitAgedRuns(store, {{50, "7", "same"}})).runs_added, 1u);
}

// The version that a writer builds upon must be pinned, or a collection takes away the name that the writer has to find
// taken: the writer would then publish below the newest version, and what it acknowledges would be lost.
TEST(LostRace, AWriterThatCannotPinDoesNotPublish) {
  for (const StoreOperation& operation : ChangingOperations()) {
    SCOPED_TRACE(operation.name);
    const auto disk = PreparedDisk().Kill();
    RacingFileSystem fs(*disk);
    Store store = Must(Store::Open(fs, kStorePath));
    const auto act = operation.prepare(store);
    int refused = 0;
    fs.BeforeEach([&](const FileOperation& lock) -> Status {
      if (lock.kind != FileOperation::Kind::kLock || lock.path.find("/pins/") == std::string::npos) return {};
      ++refused;
      return Error{ErrorCode::kIo, "input/output error"};
    });
    fs.LoseRaces(1, [&](int) {
      Store other = Must(Store::Open(*disk, kStorePath));
      AddARun(other, 0);
      AddARun(other, 1);
      Must(other.Collect());
    });
    const std::string before = Describe(Must(Store::Open(*disk, kStorePath)));
    const Told outcome = act(store);
    EXPECT_GE(refused, 1);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error->code, ErrorCode::kIo) << outcome.error->message;
    EXPECT_EQ(fs.attempts(), 0);
    const Store now = Must(Store::Open(*disk, kStorePath));
    EXPECT_EQ(Describe(now), before);
    EXPECT_EQ(Unnamed(now, fs.made()), std::vector<std::string>());
    ExpectTidy(*disk);
  }
}

// With more than 64 segments in the root of a manifest an attempt writes a group file as well.
TEST(LostRace, TheGroupFilesOfALostAttemptAreGone) {
  const auto full = std::make_unique<CrashFileSystem>();
  {
    Store store = Must(Store::Create(*full, kStorePath));
    for (uint64_t i = 1; i <= 64; ++i) Must(AddToTitle(store, fmt::format("{}", i), "title"));
    ASSERT_EQ(Must(full->List("s/groups")).size(), 0u);
  }
  for (const int times : {1, 2, 5}) {
    for (const bool other_groups : {false, true}) {
      SCOPED_TRACE(fmt::format("{} times, the other writes a group file: {}", times, other_groups));
      const auto disk = full->Kill();
      RacingFileSystem fs(*disk);
      Store store = Must(Store::Open(fs, kStorePath));
      fs.LoseRaces(times, [&](int i) {
        Store other = Must(Store::Open(*disk, kStorePath));
        if (other_groups) {
          Must(AddToTitle(other, fmt::format("{}", 100 + i), "title"));
        } else {
          ChangeSettings(other, i);
        }
      });
      Must(AddToTitle(store, "70", "title"));
      EXPECT_EQ(fs.lost(), times);
      EXPECT_EQ(Must(disk->List("s/groups")).size(), 1u);
      EXPECT_EQ(Unnamed(store, fs.made()), std::vector<std::string>());
      EXPECT_EQ(Must(Must(store.Read()).Bugs()).size(), 65u + static_cast<size_t>(other_groups ? times : 0));
      ExpectTidy(*disk);
    }
  }
}

// The steps at which it makes a difference whether another process comes before or after: reads and writes of a file
// that is open already are none, since nobody else can change that file.
bool IsMeetingPoint(const FileOperation& operation) {
  using Kind = FileOperation::Kind;
  return operation.kind != Kind::kAppend && operation.kind != Kind::kRead && operation.kind != Kind::kSync &&
         operation.kind != Kind::kClose;
}

// Another process does something just before one of an operation's own steps.
void MeetAtEveryStep(const std::string& name, const OtherChange& change) {
  const StoreOperation& operation = ChangingOperation(name);
  const auto one_after_another = [&](bool other_first) {
    const auto disk = PreparedDisk().Kill();
    Store store = Must(Store::Open(*disk, kStorePath));
    const auto act = operation.prepare(store);
    if (other_first) ActAsAnother(*disk, change, 0);
    EXPECT_TRUE(act(store).ok());
    if (!other_first) ActAsAnother(*disk, change, 0);
    return Describe(store);
  };
  const std::string other_first = one_after_another(true), other_last = one_after_another(false);
  uint64_t steps = 0;
  for (uint64_t meet = 1;; ++meet) {
    const auto disk = PreparedDisk().Kill();
    WatchedFileSystem fs(*disk);
    bool met = false;
    {
      Store store = Must(Store::Open(fs, kStorePath));
      const auto act = operation.prepare(store);
      uint64_t step = 0;
      fs.BeforeEach([&](const FileOperation& now) -> Status {
        if (!IsMeetingPoint(now) || ++step != meet) return {};
        met = true;
        ActAsAnother(*disk, change, 0);
        return {};
      });
      const Told outcome = act(store);
      if (!met) break;
      SCOPED_TRACE(fmt::format("{} met at step {} by a process that {}\n{}", name, meet, change.name, fs.log()));
      ASSERT_TRUE(outcome.ok()) << outcome.error->message;
      const std::string now = Describe(Must(Store::Open(*disk, kStorePath)));
      EXPECT_TRUE(now == other_first || now == other_last) << now;
    }
    ++steps;
    SCOPED_TRACE(fmt::format("{} met at step {} by a process that {}\n{}", name, meet, change.name, fs.log()));
    ExpectTidy(*disk);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(steps, 10u);
}

class MeetingTest : public ::testing::TestWithParam<std::string> {};

TEST_P(MeetingTest, ACompactionAndACollectionAtEveryStep) {
  MeetAtEveryStep(GetParam(), Change("commits, compacts and collects"));
}

INSTANTIATE_TEST_SUITE_P(Operations, MeetingTest,
                         ::testing::Values("edit_a_bug", "link_to_a_bug", "purge_runs", "purge_in_two_steps",
                                           "compact_and_split", "merge"),
                         [](const auto& operation) { return operation.param; });

// A backup is one version, whole, whatever others do while it is made.
TEST(LostRace, ABackupIsOneVersionWhateverOthersDo) {
  uint64_t steps = 0;
  for (uint64_t meet = 1;; ++meet) {
    const auto disk = PreparedDisk().Kill();
    WatchedFileSystem fs(*disk);
    std::string before, after, copied;
    {
      Store store = Must(Store::Open(fs, kStorePath));
      before = Describe(store);
      uint64_t step = 0;
      fs.BeforeEach([&](const FileOperation& now) -> Status {
        if (!IsMeetingPoint(now) || ++step != meet) return {};
        Store other = Must(Store::Open(*disk, kStorePath));
        PurgeFilter filter;
        filter.bugs = {{"demo", "7"}};
        Must(other.Purge(filter));
        AddARun(other, 0);
        Must(other.Compact());
        Must(other.Collect());
        after = Describe(other);
        return {};
      });
      const auto version = store.Backup("copy");
      if (after.empty()) break;
      SCOPED_TRACE(fmt::format("met at step {}\n{}", meet, fs.log()));
      ASSERT_OK(version);
      Store copy = Must(Store::Open(*disk, "copy"));
      EXPECT_EQ(Must(copy.NewestVersion()), *version);
      const std::string held = Describe(copy);
      EXPECT_TRUE(held == before || held == after) << held;
      const CheckResult check = Must(copy.Check({.deep = false}));
      EXPECT_TRUE(check.problems.empty()) << check.problems[0].what;
    }
    ++steps;
    ExpectTidy(*disk);
    if (HasFailure()) return;
  }
  EXPECT_GT(steps, 50u);
}

// Reindexing and checking read one version whatever others do, and what they write is of segments that are there.
TEST(LostRace, AReindexAndACheckReadOneVersionWhateverOthersDo) {
  for (const bool reindex : {true, false}) {
    uint64_t steps = 0;
    for (uint64_t meet = 1;; ++meet) {
      const auto disk = PreparedDisk().Kill();
      if (reindex) {
        for (const std::string& name : Must(disk->List("s/index"))) Must(disk->Remove("s/index/" + name));
      }
      WatchedFileSystem fs(*disk);
      bool met = false;
      {
        Store store = Must(Store::Open(fs, kStorePath));
        uint64_t step = 0;
        fs.BeforeEach([&](const FileOperation& now) -> Status {
          if (!IsMeetingPoint(now) || ++step != meet) return {};
          met = true;
          Store other = Must(Store::Open(*disk, kStorePath));
          AddARun(other, 0);
          Must(other.Compact());
          Must(other.Collect());
          return {};
        });
        uint64_t segments = 0;
        if (reindex) {
          const ReindexResult result = Must(store.Reindex());
          segments = result.segments;
          EXPECT_EQ(result.damaged + result.wrong + result.older, 0u);
        } else {
          const CheckResult result = Must(store.Check());
          segments = result.files_checked;
          EXPECT_TRUE(result.healthy());
        }
        EXPECT_GT(segments, 0u);
      }
      if (!met) break;
      ++steps;
      SCOPED_TRACE(fmt::format("met at step {}\n{}", meet, fs.log()));
      ExpectTidy(*disk);
      EXPECT_EQ(RunsIn(Must(Store::Open(*disk, kStorePath))).size(), 9u);
      if (HasFailure()) return;
    }
    EXPECT_GT(steps, 30u);
  }
}

}  // namespace
}  // namespace oscope
