// Attachments of runs and bugs: each is there once, its bytes are there once a segment, and they go where their owner
// goes. Crash, Fault, LostRace and PurgeFilters disturb them as everything else.
#include "index/store/attachment_table.h"
#include "index/store/segment_reader.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

AttachmentOwner OfRun(uint64_t run) { return {IdOf(run), {}}; }
AttachmentOwner OfBug(const std::string& id) { return {{}, {"demo", id}}; }

class Attachments : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));

  Result<IngestResult> Attach(const std::vector<Attachment>& attachments) {
    OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store_.BeginIngest({}));
    for (const Attachment& attachment : attachments) OSCOPE_RETURN_IF_ERROR(ingest->AddAttachment(attachment));
    return ingest->Commit();
  }

  // "name=bytes …" of an owner, in the order in which they are told.
  std::string TextOf(const AttachmentOwner& owner) {
    const Snapshot snapshot = Must(store_.Read());
    std::string text;
    for (const StoredAttachment& one : Must(snapshot.Attachments(owner)))
      text += fmt::format("{}={} ", one.header.name, Must(snapshot.ReadAttachment(one.header)));
    return text;
  }

  uint64_t AttachmentFileBytes() {
    return Must(store_.Read()).Stats().tables[static_cast<int>(Table::kAttachments)].bytes;
  }
};

TEST_F(Attachments, BelongToRunsAndBugs) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "", "abd"}}));
  const IngestResult added =
      Must(Attach({MakeAttachment(OfRun(1), "file", "b", "one"), MakeAttachment(OfRun(1), "file", "a", "two"),
                   MakeAttachment(OfRun(2), "bitcode", "c", "three"), MakeAttachment(OfBug("7"), "file", "d", "")}));
  EXPECT_EQ(added.attachments_added, 4u);
  EXPECT_EQ(added.attachments_known, 0u);
  EXPECT_EQ(TextOf(OfRun(1)), "a=two b=one ");
  EXPECT_EQ(TextOf(OfRun(2)), "c=three ");
  EXPECT_EQ(TextOf(OfBug("7")), "d= ");
  EXPECT_EQ(TextOf(OfBug("8")), "");
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
}

TEST_F(Attachments, ComeWithTheirOwnersInOneCommit) {
  const auto ingest = Must(store_.BeginIngest({}));
  Must(AddRuns(*ingest, {{1, "7", "abc"}}));
  Must(ingest->AddAttachment(MakeAttachment(OfRun(1), "file", "a", "one")));
  Must(ingest->AddAttachment(MakeAttachment(OfBug("7"), "file", "b", "two")));
  EXPECT_EQ(ingest->pending_attachment_bytes(), 6u);
  EXPECT_EQ(Must(ingest->Commit()).attachments_added, 2u);
  EXPECT_EQ(ingest->pending_attachment_bytes(), 0u);
  EXPECT_EQ(TextOf(OfRun(1)) + TextOf(OfBug("7")), "a=one b=two ");
}

TEST_F(Attachments, NeedAnOwner) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  const uint64_t version = Must(store_.NewestVersion());
  EXPECT_EQ(Attach({MakeAttachment(OfRun(2), "file", "a", "x")}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Attach({MakeAttachment(OfBug("8"), "file", "a", "x")}).error().message, "no bug demo-8 to attach 'a' to");
  EXPECT_EQ(Attach({MakeAttachment(OfRun(1), "file", "", "x")}).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(Must(store_.NewestVersion()), version);
}

TEST_F(Attachments, TheSameTwiceIsOne) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  const Attachment one = MakeAttachment(OfRun(1), "file", "a", "x");
  EXPECT_EQ(Must(Attach({one, one})).attachments_added, 1u);
  const uint64_t version = Must(store_.NewestVersion());
  const IngestResult again = Must(Attach({one}));
  EXPECT_EQ(again.attachments_added, 0u);
  EXPECT_EQ(again.attachments_known, 1u);
  EXPECT_EQ(Must(store_.NewestVersion()), version) << "nothing new makes no version";
  EXPECT_EQ(Must(Attach({one, MakeAttachment(OfRun(1), "file", "a", "y")})).attachments_added, 1u);
  EXPECT_EQ(TextOf(OfRun(1)), "a=x a=y ") << "other bytes are another attachment; they stand by digest";
}

TEST_F(Attachments, EqualBytesAreStoredOnceASegment) {
  std::string bytes;
  std::mt19937_64 random(7);
  for (int i = 0; i < 25'000; ++i)
    bytes += std::string(reinterpret_cast<const char*>(&i), 1) + std::to_string(random());
  std::vector<WordRun> words;
  std::vector<Attachment> attachments;
  for (uint64_t i = 1; i <= 20; ++i) {
    words.push_back({i, "7", "abc"});
    attachments.push_back(MakeAttachment(OfRun(i), "bitcode", "a.out", bytes));
  }
  Must(CommitRuns(store_, words));
  Must(Attach({attachments[0]}));
  const uint64_t once = AttachmentFileBytes();
  Must(Attach({attachments.begin() + 1, attachments.end()}));
  EXPECT_LT(AttachmentFileBytes(), 2 * once + 10'000);
  Must(store_.Compact());
  EXPECT_LT(AttachmentFileBytes(), once + 10'000);
  const Snapshot snapshot = Must(store_.Read());
  for (uint64_t i = 1; i <= 20; ++i) {
    ASSERT_EQ(Must(snapshot.Attachments(OfRun(i))).size(), 1u);
    EXPECT_EQ(Must(snapshot.ReadAttachment(attachments[i - 1].header)), bytes);
  }
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
}

TEST_F(Attachments, SurviveLinksEditsCompactionSplitsAndMerges) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "8", "abd"}, {3, "", "abe"}}));
  Must(Attach({MakeAttachment(OfRun(1), "file", "a", "x"), MakeAttachment(OfBug("7"), "file", "b", "x")}));
  Must(Attach({MakeAttachment(OfRun(3), "file", "c", "y")}));
  const auto expect_all = [&](const char* after) {
    EXPECT_EQ(TextOf(OfRun(1)) + TextOf(OfBug("7")) + TextOf(OfRun(3)), "a=x b=x c=y ") << after;
    for (const CheckProblem& problem : Must(store_.Check()).problems) ADD_FAILURE() << after << ": " << problem.what;
  };
  Must(store_.LinkRuns({IdOf(1), IdOf(3)}, {"demo", "8"}));
  expect_all("a link");
  Must(store_.EditBug({"demo", "7"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.title = "another";
    return next;
  }));
  expect_all("an edit");
  Must(store_.Compact());
  expect_all("a compaction");
  Must(CommitRuns(store_, {{4, "9", "abf"}}));
  CompactOptions split;
  split.split_runs = 1;
  EXPECT_GT(Must(store_.Compact(split)).ranges_split, 0u);
  expect_all("a split of ranges");
  Must(store_.Reindex());
  expect_all("reindexing");
  MakeOlder(fs_, "s");
  store_ = Must(Store::Open(fs_, "s"));
  Must(store_.Upgrade());
  expect_all("an upgrade");
  Store other = Must(Store::Create(fs_, "t"));
  EXPECT_EQ(Must(other.Merge(store_)).added.attachments_added, 3u);
  EXPECT_EQ(Must(other.Merge(store_)).added.attachments_added, 0u);
  store_ = std::move(other);
  expect_all("a merge");
  Must(store_.Backup("copy"));
  store_ = Must(Store::Open(fs_, "copy"));
  expect_all("a backup");
}

TEST_F(Attachments, AreSentWithThoseRunsThatAreKept) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "8", "abd"}}));
  Must(Attach({MakeAttachment(OfRun(1), "file", "a", "x"), MakeAttachment(OfRun(2), "file", "b", "y"),
               MakeAttachment(OfBug("7"), "file", "c", "z")}));
  const auto sent = [&](uint64_t run, auto keep) {
    RunCollector some;
    Must(Must(store_.Read()).Send([&](const StoredRun& one) { return one.header.id == IdOf(run); }, some, keep));
    std::string names;
    for (const Attachment& one : some.attachments) names += one.header.name;
    std::ranges::sort(names);
    return names;
  };
  EXPECT_EQ(sent(1, Snapshot::KeepAll), "ac");
  EXPECT_EQ(sent(2, Snapshot::KeepAll), "bc");
  EXPECT_EQ(sent(2, Snapshot::KeepNone), "");
  EXPECT_EQ(sent(2, [](const AttachmentHeader& one) { return one.owner.is_run(); }), "b");
}

TEST_F(Attachments, AreDetachedForGood) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "8", "abd"}}));
  const Attachment secret = MakeAttachment(OfRun(1), "file", "a", "the secret 4711"),
                   same = MakeAttachment(OfRun(2), "file", "b", "the secret 4711"),
                   other = MakeAttachment(OfBug("7"), "file", "c", "y");
  Must(Attach({secret, same, other}));
  Must(store_.Detach({secret.header}));
  EXPECT_EQ(TextOf(OfRun(1)) + TextOf(OfRun(2)) + TextOf(OfBug("7")), "b=the secret 4711 c=y ");
  EXPECT_EQ(store_.Detach({secret.header}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(store_.Detach({secret.header, other.header}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(TextOf(OfBug("7")), "c=y ") << "none goes when one is not there";
  Must(store_.Detach({same.header, other.header}));
  for (const SegmentEntry& segment : Must(store_.Read()).manifest().segments)
    EXPECT_EQ(segment.Find(Table::kAttachments), nullptr);
  for (const auto& [path, bytes] : fs_.Files("s"))
    EXPECT_EQ(path.find(".attachments.parquet"), std::string::npos) << path;
  EXPECT_EQ(Must(store_.Read()).ReadAttachment(same.header).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
}

TEST_F(Attachments, CountInTheQuota) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  StoreSettings settings;
  settings.max_bytes = Must(store_.Read()).Stats().bytes + 5'000;
  Must(store_.SetSettings(settings));
  std::string bytes;
  std::mt19937_64 random(7);
  for (int i = 0; i < 1'000; ++i) bytes += std::to_string(random());
  EXPECT_EQ(Attach({MakeAttachment(OfRun(1), "file", "a", bytes)}).error().code, ErrorCode::kLimit);
  Must(Attach({MakeAttachment(OfRun(1), "file", "a", "small")}));
}

TEST_F(Attachments, LargeOnesAreLeftAloneByACompaction) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Must(Attach({MakeAttachment(OfRun(1), "file", "a", std::string(2'000, 'a'))}));
  Must(Attach({MakeAttachment(OfRun(1), "file", "b", "b")}));
  CompactOptions options;
  options.small_attachment_bytes = 1;
  EXPECT_EQ(Must(store_.Compact(options)).segments_after, 3u) << "one small segment is left, which is too few";
  EXPECT_EQ(Must(store_.Compact()).segments_after, 1u);
}

TEST_F(Attachments, ManyRowGroupsAreReadOneByOne) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  std::vector<Attachment> attachments;
  for (int i = 0; i < 5; ++i)
    attachments.push_back(
        MakeAttachment(OfRun(1), "file", std::to_string(i), std::string(9 << 20, static_cast<char>('a' + i))));
  attachments.push_back(MakeAttachment(OfRun(1), "file", "again", attachments[4].bytes));
  Must(Attach(attachments));
  const Snapshot snapshot = Must(store_.Read());
  const SegmentEntry& segment = snapshot.manifest().segments.back();
  const StoreFiles files(fs_, "s");
  EXPECT_EQ(Must(OpenTable(files, segment.id, *segment.Find(Table::kAttachments), false))->num_row_groups(), 3);
  for (const Attachment& one : attachments) EXPECT_EQ(Must(snapshot.ReadAttachment(one.header)), one.bytes);
}

// A table in which something is not as it must be is told of, whoever reads it.
TEST_F(Attachments, ALyingTableIsDamage) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  const Attachment good = MakeAttachment(OfRun(1), "file", "a", "good");
  Must(Attach({good}));
  Manifest manifest = Must(store_.Read()).manifest();
  const StoreFiles files(fs_, "s");
  const auto forge = [&](const PendingAttachment& row) {
    for (SegmentEntry& segment : manifest.segments) {
      for (TableFile& file : segment.tables) {
        if (file.table != Table::kAttachments) continue;
        Must(fs_.Remove(files.TablePath(segment.id, file.table)));
        const auto writer = Must(ParquetWriter::Open(files, segment.id, Table::kAttachments, AttachmentTableSchema()));
        const PendingAttachment* rows[] = {&row};
        Must(WriteAttachments(*writer, rows));
        file = Must(writer->Finish());
      }
    }
    ++manifest.version;
    Must(WriteDurably(fs_, files.ManifestFile(manifest.version), EncodeManifestRoot(manifest)));
    store_ = Must(Store::Open(fs_, "s"));
    const CheckResult check = Must(store_.Check());
    RunCollector all;
    const Status sent = Must(store_.Read()).Send([](const StoredRun&) { return true; }, all);
    return (check.problems.empty() ? "healthy" : check.problems[0].what) + " | " +
           (sent.ok() ? "sent" : sent.error().message);
  };
  const auto bytes = [](const char* text) { return std::make_shared<const std::string>(text); };
  EXPECT_EQ(forge({{good.header, 0}, bytes("good"), 0}), "healthy | sent");
  const std::string other_bytes = forge({{good.header, 0}, bytes("evil"), 0});
  EXPECT_NE(other_bytes.find("its bytes do not match its digest"), std::string::npos) << other_bytes;
  EXPECT_EQ(other_bytes.find("| sent"), std::string::npos) << other_bytes;
  AttachmentHeader nameless = good.header;
  nameless.name = "";
  const std::string no_name = forge({{nameless, 0}, bytes("good"), 0});
  EXPECT_NE(no_name.find("it has no name"), std::string::npos) << no_name;
}

// Of a run that cannot be seen nobody knows that it is gone.
TEST_F(Attachments, OfAQuarantinedRunStay) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Must(CommitRuns(store_, {{2, "8", "abd"}}));
  Must(Attach({MakeAttachment(OfRun(1), "file", "a", "x"), MakeAttachment(OfRun(2), "file", "b", "y")}));
  const std::string segment = Must(store_.Read()).manifest().segments[0].id;
  Must(store_.Quarantine({segment}, "it is damaged"));
  PurgeFilter all;
  all.project = "demo";
  EXPECT_EQ(Must(store_.Purge(all)).attachments, 1u);
  EXPECT_EQ(TextOf(OfRun(1)), "a=x ");
  EXPECT_EQ(TextOf(OfRun(2)), "");
}

}  // namespace
}  // namespace oscope
