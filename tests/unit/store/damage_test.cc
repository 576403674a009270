// Damaged stores: named, never silently less.
#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class DamageTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));

  void SetUp() override {
    Must(CommitRuns(store_, {{1, "7", "abcdefgh"}, {2, "7", "abdefghi"}}));
    Must(CommitRuns(store_, {{3, "8", "xyz"}}));
  }

  SegmentEntry FirstSegment() const { return Must(store_.Read()).manifest().segments[0]; }
  std::string PathOf(const SegmentEntry& segment, Table table) const {
    return fmt::format("s/segments/{}.{}.parquet", segment.id, TableName(table));
  }
  void Replace(const std::string& path, const std::string& bytes) {
    Must(fs_.Remove(path));
    Must(WriteDurably(fs_, path, bytes));
  }
  std::string Bytes(const std::string& path) { return Must(ReadWholeFile(fs_, path, 1 << 30)); }
  // A process of its own: nothing is remembered as verified.
  Store Reopened() { return Must(Store::Open(fs_, "s")); }
};

TEST_F(DamageTest, AFlippedBitInAnyTableIsFoundByACheckAndByAScan) {
  const SegmentEntry segment = FirstSegment();
  for (const TableFile& table : segment.tables) {
    const std::string path = PathOf(segment, table.table);
    const std::string bytes = Bytes(path);
    for (size_t i = 0; i < bytes.size(); i += 61) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ 0x04);
      Replace(path, flipped);
      Store store = Reopened();
      const CheckResult check = Must(store.Check());
      ASSERT_FALSE(check.healthy()) << path << " byte " << i;
      EXPECT_EQ(check.problems[0].segment, segment.id);
      EXPECT_NE(check.problems[0].what.find(segment.id), std::string::npos);
      EXPECT_FALSE(check.problems[0].advice.empty());
      if (table.table == Table::kTraces) {
        const Status scan = Must(store.Read()).ScanTraces({}, [](const TraceBatch&) -> Status { return {}; });
        ASSERT_FALSE(scan.ok()) << path << " byte " << i;
        EXPECT_NE(scan.error().message.find(segment.id), std::string::npos) << scan.error().message;
      }
    }
    Replace(path, bytes);
  }
  EXPECT_TRUE(Must(Reopened().Check()).healthy());
}

TEST_F(DamageTest, ACutFileIsNamed) {
  const SegmentEntry segment = FirstSegment();
  const std::string path = PathOf(segment, Table::kTraces);
  const std::string bytes = Bytes(path);
  for (const size_t length : {size_t{0}, size_t{3}, bytes.size() / 2, bytes.size() - 1}) {
    Replace(path, bytes.substr(0, length));
    Store store = Reopened();
    EXPECT_FALSE(Must(store.Check()).healthy()) << length;
    RunCollector all;
    const Status sent = Must(store.Read()).Send([](const StoredRun&) { return true; }, all);
    ASSERT_FALSE(sent.ok());
    EXPECT_NE(sent.error().message.find(segment.id), std::string::npos) << sent.error().message;
  }
}

TEST_F(DamageTest, AMissingFileIsNamed) {
  const SegmentEntry segment = FirstSegment();
  Must(fs_.Remove(PathOf(segment, Table::kTraces)));
  Store store = Reopened();
  const CheckResult check = Must(store.Check());
  ASSERT_FALSE(check.healthy());
  EXPECT_NE(check.problems[0].what.find("missing segment " + segment.id), std::string::npos) << check.problems[0].what;
}

TEST_F(DamageTest, ByChoiceTheRestIsReadAndTheGapIsListed) {
  const SegmentEntry segment = FirstSegment();
  Must(fs_.Remove(PathOf(segment, Table::kTraces)));
  Store store = Reopened();
  Snapshot snapshot = Must(store.Read());
  snapshot.SkipDamaged(true);
  EXPECT_EQ(RunsIn(snapshot), std::set<uint64_t>{3});
  ASSERT_EQ(snapshot.damaged().size(), 1u);
  EXPECT_NE(snapshot.damaged()[0].find(segment.id), std::string::npos);
}

TEST_F(DamageTest, AQuarantinedSegmentIsSkippedAndAlwaysTold) {
  const SegmentEntry segment = FirstSegment();
  Must(fs_.Remove(PathOf(segment, Table::kTraces)));
  Store store = Reopened();
  ASSERT_OK(store.Quarantine({segment.id}, "file lost"));
  const Snapshot snapshot = Must(store.Read());
  EXPECT_EQ(RunsIn(snapshot), std::set<uint64_t>{3});
  ASSERT_EQ(snapshot.damaged().size(), 1u);
  EXPECT_NE(snapshot.damaged()[0].find("file lost"), std::string::npos);
  EXPECT_TRUE(Must(store.Check()).healthy());
  Must(store.Collect());
  EXPECT_EQ(Must(store.Read()).Stats().quarantined, 1u);
}

TEST_F(DamageTest, TheIndexIsNeverNeeded) {
  const SegmentEntry segment = FirstSegment();
  const std::string path = fmt::format("s/index/{}.osix", segment.id);
  const std::string bytes = Bytes(path);
  for (const std::string& damaged : {std::string(), bytes.substr(0, 20), "X" + bytes.substr(1)}) {
    Replace(path, damaged);
    Store store = Reopened();
    EXPECT_EQ(WordOf(Must(store.Read()), 1), "abcdefgh");
    EXPECT_EQ(Must(CommitRuns(store, {{1, "7", "abcdefgh"}})).runs_known, 1u);
    const CheckResult check = Must(store.Check());
    EXPECT_TRUE(check.healthy());
    EXPECT_EQ(check.problems.size(), 1u);
  }
  Must(fs_.Remove(path));
  Store store = Reopened();
  EXPECT_EQ(WordOf(Must(store.Read()), 2), "abdefghi");
  const ReindexResult reindexed = Must(store.Reindex());
  EXPECT_EQ(reindexed.segments, 2u);
  EXPECT_EQ(reindexed.missing, 1u);
  EXPECT_EQ(reindexed.written, 1u);
  EXPECT_EQ(Bytes(path), bytes) << "rebuilt, it is the same file";
  EXPECT_TRUE(Must(store.Check()).problems.empty());
}

TEST_F(DamageTest, ADamagedManifestStopsAndSalvageReadsTheOneBefore) {
  const uint64_t newest = Must(store_.Read()).version();
  const std::string path = fmt::format("s/manifests/{:020}.json", newest);
  const std::string text = Bytes(path);
  for (const std::string& damaged : {std::string(), text.substr(0, text.size() / 2), "X" + text.substr(1)}) {
    Replace(path, damaged);
    const auto refused = Store::Open(fs_, "s");
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find(fmt::format("manifest {}", newest)), std::string::npos)
        << refused.error().message;
    Store old = Must(Store::Open(fs_, "s", {.salvage = true}));
    EXPECT_EQ(RunsIn(old), (std::set<uint64_t>{1, 2}));
    ASSERT_EQ(old.warnings().size(), 1u);
    EXPECT_FALSE(CommitRuns(old, {{9, "", "fork"}}).ok()) << "a writer there would fork the store";
  }
}

TEST_F(DamageTest, AMissingGroupIsNamed) {
  for (uint64_t i = 10; i < 90; ++i) Must(CommitRuns(store_, {{i, "", "w"}}));
  const std::string group = Must(fs_.List("s/groups"))[0];
  Must(fs_.Remove("s/groups/" + group));
  const auto refused = Store::Open(fs_, "s");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find(group), std::string::npos) << refused.error().message;
}

TEST_F(DamageTest, AStoreOfAnotherFormatIsRefusedByName) {
  const uint64_t newest = Must(store_.Read()).version();
  const std::string path = fmt::format("s/manifests/{:020}.json", newest);
  std::string text = Bytes(path);
  text = text.substr(0, text.rfind("sha256 "));
  const std::string now = "\"format\":2,\"readable_from\":2";
  text.replace(text.find(now), now.size(), "\"format\":3");
  for (const bool salvage : {false, true}) {
    Replace(path, text + "sha256 " + Sha256Of(text) + "\n");
    const auto refused = Store::Open(fs_, "s", {.salvage = salvage});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(refused.error().message.find("store format 3"), std::string::npos) << refused.error().message;
  }
}

}  // namespace
}  // namespace oscope
