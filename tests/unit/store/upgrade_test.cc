// Stores of other formats: what is older is read, written and upgraded; what is newer is read where it says that it can
// be, and never written.
#include "base/checksum.h"
#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

std::string Sealed(const std::string& body) { return body + "sha256 " + Sha256Of(body) + "\n"; }

class FormatTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  const StoreFiles files_{fs_, "s"};
  Store store_ = Must(Store::Create(fs_, "s"));

  // Publishes the newest version once more, with another text in place of one.
  void Change(const std::string& from, const std::string& to) {
    const uint64_t newest = Must(ListManifests(files_)).back();
    Manifest manifest = Must(LoadManifest(files_, newest));
    ++manifest.version;
    std::string body = EncodeManifestRoot(manifest);
    body.resize(body.rfind("sha256 "));
    ASSERT_NE(body.find(from), std::string::npos) << body;
    for (size_t at = 0; (at = body.find(from, at)) != std::string::npos; at += to.size())
      body.replace(at, from.size(), to);
    Must(WriteDurably(fs_, files_.ManifestFile(manifest.version), Sealed(body)));
  }
  uint64_t OlderSegments() {
    uint64_t older = 0;
    const Snapshot snapshot = Must(Must(Store::Open(fs_, "s")).Read());
    for (const SegmentEntry& segment : snapshot.manifest().segments) older += segment.IsOlder() ? 1 : 0;
    return older;
  }
};

TEST_F(FormatTest, AnOlderStoreIsReadAndWrittenAsItIs) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Change("\"format\":2,\"readable_from\":2", "\"format\":1");
  Store store = Must(Store::Open(fs_, "s"));
  EXPECT_TRUE(store.warnings().empty());
  EXPECT_EQ(Must(store.Read()).manifest().format, 1u);
  Must(CommitRuns(store, {{2, "7", "abd"}}));
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2}));
  EXPECT_EQ(Must(store.Read()).manifest().format, kStoreFormat) << "its next version is of the new one";
}

TEST_F(FormatTest, AnUpgradeRewritesWhatIsOlderAndNothingElse) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Must(CommitRuns(store_, {{2, "8", "abd"}}));
  MakeOlder(fs_, "s");
  Store store = Must(Store::Open(fs_, "s"));
  Must(CommitRuns(store, {{3, "8", "abe"}}));
  EXPECT_EQ(OlderSegments(), 2u);
  const uint64_t before = Must(store.NewestVersion());
  const UpgradeResult planned = Must(store.Upgrade({.dry_run = true}));
  EXPECT_EQ(planned.segments, 2u);
  EXPECT_EQ(Must(store.NewestVersion()), before);
  const std::string current = Must(store.Read()).manifest().segments.back().id;
  const UpgradeResult done = Must(store.Upgrade());
  EXPECT_EQ(done.segments, 2u);
  EXPECT_EQ(done.bytes_before, planned.bytes_before);
  EXPECT_EQ(done.batches, 1u);
  EXPECT_EQ(done.version, before + 1);
  EXPECT_EQ(OlderSegments(), 0u);
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2, 3}));
  EXPECT_EQ(Must(store.Read()).manifest().segments.front().id, current) << "what was new stays as it was";
  EXPECT_EQ(Must(store.Upgrade()).version, done.version) << "a second one has nothing to do";
}

TEST_F(FormatTest, AnUpgradeGoesByBatches) {
  for (uint64_t run = 1; run <= 3; ++run) Must(CommitRuns(store_, {{run, "7", "abcd"}}));
  MakeOlder(fs_, "s");
  Store store = Must(Store::Open(fs_, "s"));
  const uint64_t before = Must(store.NewestVersion());
  const UpgradeResult done = Must(store.Upgrade({.batch_events = 8}));
  EXPECT_EQ(done.batches, 2u) << "two of four events, then one";
  EXPECT_EQ(done.version, before + 2);
}

TEST_F(FormatTest, AnEmptyStoreGetsTheNewFormatToo) {
  Change("\"format\":2,\"readable_from\":2", "\"format\":1");
  Store store = Must(Store::Open(fs_, "s"));
  const UpgradeResult done = Must(store.Upgrade());
  EXPECT_EQ(done.format_before, 1u);
  EXPECT_EQ(done.segments, 0u);
  EXPECT_EQ(Must(store.Read()).manifest().format, kStoreFormat);
}

TEST_F(FormatTest, AQuarantinedSegmentStaysAsItIs) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Must(CommitRuns(store_, {{2, "8", "abd"}}));
  MakeOlder(fs_, "s");
  Store store = Must(Store::Open(fs_, "s"));
  const std::string segment = Must(store.Read()).manifest().segments[0].id;
  Must(store.Quarantine({segment}, "it is damaged"));
  const UpgradeResult done = Must(store.Upgrade());
  EXPECT_EQ(done.segments, 1u);
  EXPECT_EQ(done.quarantined, 1u);
  EXPECT_EQ(OlderSegments(), 1u);
}

TEST_F(FormatTest, ANewerStoreIsReadWhereItSaysSo) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Change("\"format\":2,\"readable_from\":2", "\"format\":3,\"readable_from\":2");
  Change("\"format\":2,\"readable_from\":2", "\"format\":3,\"readable_from\":2");
  Store store = Must(Store::Open(fs_, "s"));
  ASSERT_EQ(store.warnings().size(), 1u);
  EXPECT_NE(store.warnings()[0].find("READ-ONLY: the store has format 3"), std::string::npos) << store.warnings()[0];
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1}));
  const auto ingest = store.BeginIngest({});
  ASSERT_FALSE(ingest.ok());
  EXPECT_FALSE(store.Compact().ok());
  EXPECT_FALSE(store.Upgrade().ok());
  const auto copied = store.Backup("copy");
  ASSERT_FALSE(copied.ok());
  EXPECT_EQ(copied.error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(fs_.Exists("copy"));
}

TEST_F(FormatTest, AStoreThatBecomesNewerMeanwhileIsNotWritten) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Change("\"format\":2,\"readable_from\":2", "\"format\":3,\"readable_from\":2");
  const auto committed = CommitRuns(store_, {{2, "7", "abd"}});
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(committed.error().message.find("a newer release has changed it to format 3"), std::string::npos);
  EXPECT_EQ(RunsIn(Must(Store::Open(fs_, "s"))), (std::set<uint64_t>{1}));
  EXPECT_TRUE(Must(fs_.List("s/tmp")).empty());
}

TEST_F(FormatTest, ANewerStoreThatCannotBeReadIsRefused) {
  Change("\"format\":2,\"readable_from\":2", "\"format\":9,\"readable_from\":3");
  const auto opened = Store::Open(fs_, "s");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(opened.error().message.find("store format 9: this release reads formats 1 to 2"), std::string::npos)
      << opened.error().message;
}

TEST_F(FormatTest, TablesThatOnlyANewerReleaseKnowsAreLeftOut) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Change("\"tables\":{", "\"tables\":{\"pictures\":{\"version\":1,\"size\":1},");
  EXPECT_FALSE(Store::Open(fs_, "s").ok()) << "in a store of our own format nothing is unknown";
  Must(fs_.Remove(files_.ManifestFile(Must(ListManifests(files_)).back())));
  Manifest manifest = Must(LoadManifest(files_, Must(ListManifests(files_)).back()));
  std::string body = EncodeManifestRoot(manifest);
  body.resize(body.rfind("sha256 "));
  const auto replace = [&](const std::string& from, const std::string& to) {
    body.replace(body.find(from), from.size(), to);
  };
  replace("\"format\":2,\"readable_from\":2", "\"format\":3,\"readable_from\":2");
  replace("\"tables\":{", "\"tables\":{\"pictures\":{\"version\":1,\"size\":1},");
  replace(fmt::format("\"version\":{}", manifest.version), fmt::format("\"version\":{}", manifest.version + 1));
  Must(WriteDurably(fs_, files_.ManifestFile(manifest.version + 1), Sealed(body)));
  EXPECT_EQ(RunsIn(Must(Store::Open(fs_, "s"))), (std::set<uint64_t>{1}));
}

}  // namespace
}  // namespace oscope
