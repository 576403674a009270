// Versions by number: what an earlier read saw can be read again while its files are there, and is refused by name when
// they are not.
#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class ReadVersion : public testing::Test {
 protected:
  ReadVersion() : store_(Must(Store::Create(fs_, "s"))) {
    for (uint64_t i = 1; i <= 3; ++i) Must(CommitRuns(store_, {{i, "7", "abc"}}));
  }

  // What the error says of a version that cannot be read.
  std::string Gone(uint64_t version) const {
    const auto read = store_.ReadVersion(version);
    if (read.ok()) return fmt::format("version {} was read", read->version());
    return fmt::format("{}: {}", ErrorCodeName(read.error().code), read.error().message);
  }

  CrashFileSystem fs_;
  Store store_;
};

TEST_F(ReadVersion, EachVersionHasItsRuns) {
  EXPECT_EQ(RunsIn(Must(store_.ReadVersion(1))), std::set<uint64_t>{});
  EXPECT_EQ(RunsIn(Must(store_.ReadVersion(3))), (std::set<uint64_t>{1, 2}));
  EXPECT_EQ(Must(store_.ReadVersion(3)).version(), 3u);
  EXPECT_EQ(RunsIn(Must(store_.ReadVersion(4))), (std::set<uint64_t>{1, 2, 3}));
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2, 3})) << "the newest is as it was";
}

TEST_F(ReadVersion, IsPinnedLikeTheNewest) {
  const Snapshot old = Must(store_.ReadVersion(2));
  for (uint64_t i = 4; i <= 40; ++i) Must(CommitRuns(store_, {{i, "7", "abc"}}));
  Must(store_.Compact());
  EXPECT_GT(Must(store_.Collect()).files_pinned, 0u);
  EXPECT_EQ(RunsIn(old), std::set<uint64_t>{1});
  EXPECT_EQ(RunsIn(Must(store_.ReadVersion(2))), std::set<uint64_t>{1}) << "while one reads it another may";
}

TEST_F(ReadVersion, AVersionThatIsGoneIsNamed) {
  const std::string why = "has been removed or never existed: read the newest version";
  for (const uint64_t never : {0u, 5u, 99u}) {
    EXPECT_EQ(Gone(never), fmt::format("not-found: store s: version {} {}", never, why));
  }
  EXPECT_FALSE(fs_.Exists(StoreFiles(fs_, "s").PinFile(99))) << "nothing is left of having asked";
  Must(store_.Compact());
  Must(store_.Collect());
  for (const uint64_t collected : {1u, 2u, 3u, 4u}) {
    EXPECT_EQ(Gone(collected), fmt::format("not-found: store s: version {} {}", collected, why));
  }
  EXPECT_EQ(RunsIn(Must(store_.ReadVersion(5))), (std::set<uint64_t>{1, 2, 3}));
}

// The manifest of an old version may stay for its name's sake when its files have gone.
TEST_F(ReadVersion, AManifestWithoutItsFilesIsNoVersion) {
  const std::string segment = Must(store_.ReadVersion(2)).manifest().segments[0].id;
  Must(fs_.Remove(StoreFiles(fs_, "s").TablePath(segment, Table::kTraces)));
  EXPECT_TRUE(Gone(2).starts_with("not-found: store s: version 2 has been removed or never existed")) << Gone(2);
  EXPECT_TRUE(store_.ReadVersion(1).ok()) << "it names no file";
}

// What the newest version lacks is damage, and has to be told as that.
TEST_F(ReadVersion, AMissingFileOfTheNewestVersionIsDamage) {
  const std::string segment = Must(store_.Read()).manifest().segments[0].id;
  Must(fs_.Remove(StoreFiles(fs_, "s").TablePath(segment, Table::kBugs)));
  const Snapshot newest = Must(store_.ReadVersion(4));
  EXPECT_NE(newest.Bugs().error().message.find(segment), std::string::npos) << newest.Bugs().error().message;
}

TEST_F(ReadVersion, WaitsForACollection) {
  const auto collection = Must(fs_.Lock("s/locks/writers", LockMode::kExclusive, 0));
  EXPECT_EQ(store_.ReadVersion(2).error().code, ErrorCode::kBusy);
}

TEST_F(ReadVersion, TheSalvagedVersionIsTheOnlyOne) {
  const StoreFiles files(fs_, "s");
  Must(fs_.Remove(files.ManifestFile(4)));
  Must(WriteDurably(fs_, files.ManifestFile(4), "junk"));
  const Store salvaged = Must(Store::Open(fs_, "s", {.salvage = true}));
  EXPECT_EQ(Must(salvaged.NewestVersion()), 3u) << "what Read gives, not the damaged one";
  EXPECT_EQ(Must(salvaged.Read()).version(), 3u);
  EXPECT_EQ(RunsIn(Must(salvaged.ReadVersion(3))), (std::set<uint64_t>{1, 2}));
  for (const uint64_t other : {2u, 4u}) EXPECT_EQ(salvaged.ReadVersion(other).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace oscope
