// What a check, a reindex, a collection and a backup say and count, for each kind of damage.
#include "index/store/index_file.h"
#include "index/store/reindex.h"
#include "index/store/segment_index.h"
#include "index/store/segment_search.h"
#include "index/store/store_files.h"
#include "index/store/store_state.h"
#include "tests/support/watched_file_system.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class StoreCareTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  const StoreFiles files_{fs_, "s"};

  void SetUp() override {
    Must(CommitRuns(store_, {{1, "7", "abcdefgh"}, {2, "7", "abd"}}));
    Must(CommitRuns(store_, {{3, "8", "xyz"}}));
  }
  SegmentEntry Segment(size_t i) const { return Must(store_.Read()).manifest().segments[i]; }
  std::string Bytes(const std::string& path) { return Must(ReadWholeFile(fs_, path, 1 << 30)); }
  void Replace(const std::string& path, const std::string& bytes) {
    (void)fs_.Remove(path);
    Must(WriteDurably(fs_, path, bytes));
  }
  Store Reopened() { return Must(Store::Open(fs_, "s")); }
};

// --- check ---

TEST_F(StoreCareTest, ACheckCountsWhatItChecked) {
  const Manifest manifest = Must(store_.Read()).manifest();
  uint64_t files = 0;
  for (const SegmentEntry& segment : manifest.segments) files += segment.tables.size();
  for (const bool deep : {true, false}) {
    const CheckResult check = Must(store_.Check({.deep = deep}));
    EXPECT_EQ(check.version, 3u);
    EXPECT_EQ(check.files_checked, files);
    EXPECT_EQ(check.bytes_checked, manifest.bytes());
    EXPECT_TRUE(check.problems.empty());
    EXPECT_TRUE(check.healthy());
  }
}

TEST_F(StoreCareTest, AShallowCheckReadsNoWholeFiles) {
  const SegmentEntry segment = Segment(0);
  const std::string path = files_.TablePath(segment.id, Table::kTraces);
  std::string bytes = Bytes(path);
  bytes[10] = static_cast<char>(bytes[10] ^ 1);
  Replace(path, bytes);
  EXPECT_TRUE(Must(Reopened().Check({.deep = false})).problems.empty());
  const CheckResult deep = Must(Reopened().Check());
  ASSERT_EQ(deep.problems.size(), 1u);
  EXPECT_EQ(deep.problems[0].what,
            files_.TableFileName(segment.id, Table::kTraces) + ": its SHA-256 differs from the manifest's");
  EXPECT_EQ(deep.problems[0].advice,
            "restore the file from a backup, or take the segment out of use with 'oscope store check --quarantine'; "
            "what it held is then missing from "
            "answers, which say so");
}

TEST_F(StoreCareTest, EveryBrokenFileIsAProblemOfItsOwn) {
  const SegmentEntry segment = Segment(0);
  for (const TableFile& table : segment.tables) Must(fs_.Remove(files_.TablePath(segment.id, table.table)));
  const CheckResult check = Must(Reopened().Check());
  ASSERT_EQ(check.problems.size(), segment.tables.size()) << "and nothing is said of the index";
  for (size_t i = 0; i < segment.tables.size(); ++i) {
    EXPECT_EQ(check.problems[i].segment, segment.id);
    EXPECT_EQ(check.problems[i].what, "missing segment " + segment.id + ": " +
                                          files_.TableFileName(segment.id, segment.tables[i].table) + " is not there");
    EXPECT_TRUE(check.problems[i].fatal);
  }
}

TEST_F(StoreCareTest, AProblemOfTheIndexIsNotFatal) {
  const std::string path = files_.IndexPath(Segment(0).id), name = "index/" + Segment(0).id + ".osix";
  const std::string good = Bytes(path);
  const auto problem = [&](bool deep) -> CheckProblem {
    const CheckResult check = Must(Reopened().Check({.deep = deep}));
    EXPECT_EQ(check.problems.size(), 1u);
    if (check.problems.size() != 1) return {};
    EXPECT_TRUE(check.healthy());
    EXPECT_FALSE(check.problems[0].fatal);
    EXPECT_FALSE(check.problems[0].unreadable);
    EXPECT_EQ(check.problems[0].segment, Segment(0).id);
    EXPECT_EQ(check.problems[0].advice, "'oscope store reindex' writes it anew; answers are right without it");
    return check.problems[0];
  };
  std::string damaged = good;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  for (const bool deep : {true, false}) {
    Must(fs_.Remove(path));
    EXPECT_EQ(problem(deep).what, name + ": missing");
    Replace(path, damaged);
    EXPECT_EQ(problem(deep).what, name + ": a section's checksum does not match");
  }
  // Checksums in order, and other content.
  const SegmentEntry segment = Segment(0);
  std::vector<IndexSection> sections = Must(RebuildIndexSections(files_, segment));
  sections[1].bytes += std::string(16, '\xff');
  Replace(path, IndexFile::Encode(segment.id, sections));
  EXPECT_EQ(problem(true).what, name + ": differs from the tables");
  EXPECT_TRUE(Must(Reopened().Check({.deep = false})).problems.empty()) << "only the tables tell";
}

TEST_F(StoreCareTest, OrphansAreCountedAndNotFatal) {
  const std::string nobody(32, '0');
  Replace("s/segments/" + nobody + ".runs.parquet", "x");
  Replace("s/index/" + nobody + ".osix", "x");
  Replace("s/groups/" + nobody + ".json", "x");
  Replace("s/tmp/half", "x");
  const CheckResult check = Must(store_.Check());
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_EQ(check.problems[0].segment, "");
  EXPECT_EQ(
      check.problems[0].what,
      "4 files belong to no segment or group of version 3 (an interrupted or running writer, or an older version)");
  EXPECT_EQ(check.problems[0].advice, "'oscope store collect' removes those that no version needs");
  EXPECT_FALSE(check.problems[0].fatal);
  EXPECT_TRUE(check.healthy());
}

TEST_F(StoreCareTest, AQuarantineIsToldAndNotCheckedAgain) {
  const std::string id = Segment(0).id;
  Must(fs_.Remove(files_.TablePath(id, Table::kRuns)));
  Must(store_.Quarantine({id}, "lost"));
  const CheckResult check = Must(store_.Check());
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_EQ(check.problems[0].segment, id);
  EXPECT_EQ(check.problems[0].what, "segment " + id + " is quarantined: lost");
  EXPECT_EQ(check.problems[0].advice, "restore its files from a backup, or purge what it held");
  EXPECT_TRUE(check.healthy());
  EXPECT_EQ(check.files_checked, Segment(1).tables.size());
}

TEST_F(StoreCareTest, WhatCannotBeReadIsNotCalledDamaged) {
  WatchedFileSystem fs(fs_);
  Store store = Must(Store::Open(fs, "s"));
  const std::string path = files_.TablePath(Segment(0).id, Table::kRuns);
  fs.BeforeEach([&](const FileOperation& operation) -> Status {
    if (operation.kind == FileOperation::Kind::kOpen && operation.path == path) return Error{ErrorCode::kIo, "EIO"};
    return {};
  });
  const CheckResult check = Must(store.Check());
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_TRUE(check.problems[0].fatal);
  EXPECT_TRUE(check.problems[0].unreadable);
  EXPECT_EQ(check.problems[0].what, files_.TableFileName(Segment(0).id, Table::kRuns) + ": EIO");
  EXPECT_EQ(check.problems[0].advice,
            "check again; if it stays so, restore the file from a backup, or remove it and quarantine the segment, "
            "which is then missing from answers");
  // A directory that cannot be listed.
  fs.BeforeEach([&](const FileOperation& operation) -> Status {
    if (operation.kind == FileOperation::Kind::kList && operation.path == "s/tmp") return Error{ErrorCode::kIo, "EIO"};
    return {};
  });
  const CheckResult listed = Must(store.Check());
  ASSERT_EQ(listed.problems.size(), 1u);
  EXPECT_TRUE(listed.problems[0].fatal && listed.problems[0].unreadable);
  EXPECT_EQ(listed.problems[0].segment, "");
}

// --- reindex ---

TEST_F(StoreCareTest, AReindexCountsByKindAndWritesWhatDiffers) {
  for (uint64_t i = 10; i < 13; ++i) Must(CommitRuns(store_, {{i, "", "w"}}));
  const Manifest manifest = Must(store_.Read()).manifest();
  ASSERT_EQ(manifest.segments.size(), 5u);
  std::vector<std::string> paths, good;
  for (const SegmentEntry& segment : manifest.segments) {
    paths.push_back(files_.IndexPath(segment.id));
    good.push_back(Bytes(paths.back()));
  }
  Must(fs_.Remove(paths[0]));
  std::string damaged = good[1];
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  Replace(paths[1], damaged);
  // Of another release: its version is another, or a section of this release is missing.
  std::string newer = good[2];
  newer[4] = 2;
  Replace(paths[2], newer);
  std::vector<IndexSection> sections = Must(RebuildIndexSections(files_, manifest.segments[3]));
  sections.pop_back();
  Replace(paths[3], IndexFile::Encode(manifest.segments[3].id, sections));
  sections = Must(RebuildIndexSections(files_, manifest.segments[4]));
  sections[1].bytes += std::string(16, '\xff');
  Replace(paths[4], IndexFile::Encode(manifest.segments[4].id, sections));

  Store reader = Must(Store::Open(fs_, "s", {.read_only = true}));
  EXPECT_EQ(reader.Reindex().error().message, "store s is open for reading only");
  EXPECT_EQ(reader.Reindex().error().code, ErrorCode::kIo);
  for (const bool verify : {true, false}) {
    Store store = verify ? std::move(reader) : Reopened();
    const ReindexResult result = Must(store.Reindex({.verify = verify}));
    EXPECT_EQ(result.segments, 5u);
    EXPECT_EQ(result.missing, 1u);
    EXPECT_EQ(result.damaged, 1u);
    EXPECT_EQ(result.older, 2u);
    EXPECT_EQ(result.wrong, 1u);
    EXPECT_EQ(result.changed(), 5u);
    EXPECT_EQ(result.written, verify ? 0u : 5u);
    for (size_t i = 0; i < paths.size(); ++i)
      EXPECT_EQ(fs_.Exists(paths[i]) && Bytes(paths[i]) == good[i], !verify) << i;
  }
  const ReindexResult again = Must(Reopened().Reindex());
  EXPECT_EQ(again.changed() + again.written, 0u);
  EXPECT_EQ(again.segments, 5u);
  EXPECT_TRUE(Must(fs_.List("s/tmp")).empty());
}

TEST_F(StoreCareTest, AReindexIsUsedByTheStoreThatMadeIt) {
  const SegmentEntry segment = Segment(0);
  std::vector<IndexSection> sections = Must(RebuildIndexSections(files_, segment));
  // An index that knows of no run.
  sections[0].bytes.clear();
  Replace(files_.IndexPath(segment.id), IndexFile::Encode(segment.id, sections));
  Store store = Reopened();
  EXPECT_EQ(Must(Must(store.Read()).FindRun(IdOf(1))), std::nullopt)
      << "the index is believed where its checksums are right";
  EXPECT_EQ(Must(store.Reindex()).wrong, 1u);
  EXPECT_TRUE(Must(Must(store.Read()).FindRun(IdOf(1))).has_value());
}

TEST_F(StoreCareTest, AnIndexThatDoesNotFitItsSegmentIsNotUsed) {
  const SegmentEntry segment = Segment(0), other = Segment(1);
  const std::vector<IndexSection> good = Must(RebuildIndexSections(files_, segment));
  const auto fault = [&](const std::vector<IndexSection>& sections) {
    Replace(files_.IndexPath(segment.id), IndexFile::Encode(segment.id, sections));
    return Must(CheckStoredIndex(files_, segment));
  };
  EXPECT_EQ(fault(good).fault, IndexFault::kNone);
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<IndexSection> fewer = good;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_EQ(fault(fewer).fault, IndexFault::kOlder) << i;
    EXPECT_EQ(fault(fewer).reason, "the index was written by another release and lacks a section of this one");
    std::vector<IndexSection> newer = good;
    ++newer[i].version;
    EXPECT_EQ(fault(newer).fault, IndexFault::kOlder) << i;
  }
  for (const size_t i : {0, 1}) {
    std::vector<IndexSection> broken = good;
    broken[i].bytes += "x";
    EXPECT_EQ(fault(broken).fault, IndexFault::kDamaged) << i;
    EXPECT_EQ(fault(broken).reason, "a section holds a broken entry");
  }
  // The tails of the other segment, which has fewer traces.
  std::vector<IndexSection> tails = Must(RebuildIndexSections(files_, other));
  tails[0] = good[0];
  tails[1] = good[1];
  EXPECT_EQ(fault(tails).fault, IndexFault::kDamaged);
  EXPECT_EQ(fault(tails).reason, "the index has 1 traces, the segment 2");
  EXPECT_EQ(WordOf(Must(Reopened().Read()), 1), "abcdefgh");
}

// --- the file of an index ---

std::string Resealed(std::string bytes, size_t sections) {
  const size_t end = 40 + 32 * sections;
  const uint64_t checksum = Xxh3(std::string_view(bytes).substr(0, end));
  bytes.replace(end, 8, reinterpret_cast<const char*>(&checksum), 8);
  return bytes;
}

TEST(IndexFileRules, EveryRuleHasAMessageOfItsOwn) {
  const std::string segment(32, 'a');
  // 40 bytes of header, two entries of 32 and the checksum of them end at 112; the sections begin at 128 and 192.
  const std::vector<IndexSection> sections = {{1, 5, "first"}, {2, 6, "second"}};
  const std::string good = IndexFile::Encode(segment, sections);
  ASSERT_EQ(good.size(), 198u);
  const auto error = [&](const std::string& bytes) {
    const auto decoded = IndexFile::Decode(bytes, segment);
    return decoded.ok() ? Error{ErrorCode::kBusy, "decoded"} : decoded.error();
  };
  const auto put = [](std::string bytes, size_t at, uint64_t value, size_t width) {
    bytes.replace(at, width, reinterpret_cast<const char*>(&value), width);
    return bytes;
  };
  const auto message = [&](const std::string& bytes) {
    const Error found = error(bytes);
    EXPECT_EQ(found.code, ErrorCode::kCorrupt);
    return found.message;
  };
  const auto file = Must(IndexFile::Decode(good, segment));
  EXPECT_EQ(Must(file->Section(1, 5)), "first");
  EXPECT_EQ(Must(file->Section(2, 6)), "second");
  EXPECT_EQ(file->Section(1, 6).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(file->Section(2, 5).error().code, ErrorCode::kNotFound);
  ASSERT_OK(file->CheckAll());
  EXPECT_EQ(file->bytes(), good);

  EXPECT_EQ(message("OSIY" + good.substr(4)), "not an index file");
  EXPECT_EQ(message("OSI"), "not an index file");
  EXPECT_EQ(error(put(good, 4, 2, 2)).code, ErrorCode::kUnsupported);
  EXPECT_EQ(error(put(good, 4, 2, 2)).message, "index version 2: this release reads 1");
  EXPECT_EQ(error(put(good, 4, 0, 2)).code, ErrorCode::kUnsupported);
  EXPECT_EQ(message(put(good, 6, 65, 2)), "65 sections");
  EXPECT_EQ(IndexFile::Decode(good, std::string(32, 'b')).error().message, "the index of another segment");
  EXPECT_EQ(message(put(good, 8, 'b', 1)), "the index of another segment");
  EXPECT_EQ(message(put(good, 40, 9, 4)), "the section table's checksum does not match");
  EXPECT_EQ(message(put(good, 104, 1, 8)), "the section table's checksum does not match");
  const auto resealed = [&](size_t at, uint64_t value, size_t width) {
    return message(Resealed(put(good, at, value, width), 2));
  };
  EXPECT_EQ(resealed(48, 199, 8), "a section lies outside the file");
  EXPECT_EQ(resealed(56, 71, 8), "a section lies outside the file");
  EXPECT_EQ(resealed(56, UINT64_MAX, 8), "a section lies outside the file") << "the sum would wrap round";
  EXPECT_EQ(resealed(48, 111, 8), "a section does not follow the one before it");
  EXPECT_EQ(resealed(48, 112 + 64, 8), "a section does not follow the one before it");
  EXPECT_EQ(resealed(56, 65, 8), "a section does not follow the one before it")
      << "the second begins at 192, in the first";
  EXPECT_EQ(resealed(56, 4, 8), "there is something between two sections");
  EXPECT_EQ(resealed(88, 5, 8), "the file goes on after its last section");
  EXPECT_EQ(message(good + std::string(1, '\0')), "the file goes on after its last section");
  EXPECT_EQ(message(put(good, 120, 1, 1)), "there is something between two sections");
  // A section's own checksum is looked at when the section is asked for.
  const auto damaged = Must(IndexFile::Decode(put(good, 128, 'F', 1), segment));
  EXPECT_EQ(damaged->Section(1, 5).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(damaged->Section(1, 5).error().message, "a section's checksum does not match");
  EXPECT_EQ(damaged->Section(1, 5).error().message, "a section's checksum does not match") << "the second time too";
  EXPECT_EQ(Must(damaged->Section(2, 6)), "second");
  EXPECT_EQ(damaged->CheckAll().error().message, "a section's checksum does not match");
  // The next section of the same tag and another version.
  const auto versions = Must(
      IndexFile::Decode(IndexFile::Encode(segment, std::vector<IndexSection>{{1, 5, "old"}, {1, 6, "new"}}), segment));
  EXPECT_EQ(Must(versions->Section(1, 6)), "new");
}

TEST(IndexFileRules, AFileWithoutSectionsIsOne) {
  const std::string segment(32, 'a');
  const std::string bytes = IndexFile::Encode(segment, {});
  EXPECT_EQ(bytes.size(), 48u);
  ASSERT_OK(IndexFile::Decode(bytes, segment));
  EXPECT_EQ(SectionTag("RUNS"), 0x534e5552u);
}

TEST(SegmentIndexRules, EveryFieldOfAnEntryComesBackInOrder) {
  const std::string segment(32, 'a');
  const RunId low{{1, UINT64_MAX}}, middle{{2, 0}}, high{{2, 1}};
  const auto index = Must(SegmentIndex::Decode(
      SegmentIndex::Encode(segment, {{high, 11, 12, 13}, {low, 21, 22, 23}, {middle, 31, kNoRow, 33}},
                           {{9, 4}, {8, 5}, {9, 1}, {9, 3}}),
      segment));
  ASSERT_EQ(index->runs(), 3u);
  EXPECT_EQ(index->run_id(0), low);
  EXPECT_EQ(index->run_id(1), middle);
  EXPECT_EQ(index->run_id(2), high);
  EXPECT_EQ(index->run(0).content_hash_low, 21u);
  EXPECT_EQ(index->run(0).trace_row, 22u);
  EXPECT_EQ(index->run(0).run_row, 23u);
  EXPECT_EQ(index->run(1).trace_row, kNoRow);
  EXPECT_EQ(index->run(2).id, high);
  EXPECT_EQ(index->BugRows(9), (std::vector<uint32_t>{1, 3, 4})) << "in order of rows";
  EXPECT_EQ(index->BugRows(8), std::vector<uint32_t>{5});
  EXPECT_TRUE(index->BugRows(7).empty());
  EXPECT_TRUE(index->BugRows(10).empty());
  const auto has = [&](std::vector<uint64_t> placements) { return index->HasBugAmong(placements); };
  EXPECT_FALSE(has({}));
  EXPECT_FALSE(has({7}));
  EXPECT_FALSE(has({10}));
  EXPECT_TRUE(has({7, 8}));
  EXPECT_TRUE(has({0, 1, 2, 9}));
  EXPECT_FALSE(has({0, 1, 10, 11}));
  EXPECT_TRUE(has({9, 10}));
}

// --- collection ---

TEST_F(StoreCareTest, ACollectionCountsWhatItDid) {
  Store reader = Reopened();
  std::optional<Snapshot> old = Must(reader.Read());
  Must(store_.Compact());
  Must(CommitRuns(store_, {{9, "", "w"}}));
  Replace("s/tmp/half", "12345");
  CollectResult result = Must(store_.Collect());
  EXPECT_FALSE(result.writers_active);
  EXPECT_EQ(result.files_removed, 1u);
  EXPECT_EQ(result.bytes_freed, 5u);
  EXPECT_EQ(result.manifests_removed, 0u)
      << "version 3 is read, and the name of version 4 is kept for whoever builds on it";
  EXPECT_EQ(result.files_pinned, 8u) << "three tables of two segments, and their indexes";
  old.reset();
  result = Must(store_.Collect());
  EXPECT_EQ(result.files_removed, 8u);
  EXPECT_EQ(result.files_pinned, 0u);
  EXPECT_EQ(result.manifests_removed, 2u);
  EXPECT_EQ(Must(fs_.List("s/manifests")), std::vector<std::string>{"00000000000000000005.json"});
  result = Must(store_.Collect());
  EXPECT_EQ(result.files_removed + result.bytes_freed + result.manifests_removed + result.files_pinned, 0u);
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
}

TEST_F(StoreCareTest, ACollectionTakesNothingWhenWritersAreActiveButOldVersions) {
  const auto writer = Must(fs_.Lock("s/locks/writers", LockMode::kShared, 0));
  Replace("s/tmp/half", "12345");
  const CollectResult result = Must(store_.Collect());
  EXPECT_TRUE(result.writers_active);
  EXPECT_EQ(result.manifests_removed, 2u);
  EXPECT_EQ(result.files_removed, 0u);
  EXPECT_TRUE(fs_.Exists("s/tmp/half"));
}

TEST_F(StoreCareTest, ACollectionTakesNothingWhenAPinnedVersionCannotBeRead) {
  Store reader = Reopened();
  const Snapshot old = Must(reader.Read());
  Must(store_.Compact());
  Replace(files_.ManifestFile(old.version()), "junk");
  const CollectResult result = Must(store_.Collect());
  EXPECT_EQ(result.files_removed, 0u);
  EXPECT_EQ(RunsIn(old), (std::set<uint64_t>{1, 2, 3}));
}

TEST_F(StoreCareTest, WhatIsWrongWithTheLockEndsACollection) {
  WatchedFileSystem fs(fs_);
  Store store = Must(Store::Open(fs, "s"));
  fs.BeforeEach([](const FileOperation& operation) -> Status {
    if (operation.kind == FileOperation::Kind::kLock) return Error{ErrorCode::kIo, "EIO"};
    return {};
  });
  EXPECT_EQ(store.Collect().error().message, "EIO");
  // Another process took a file first: nobody minds.
  Replace("s/tmp/one", "1");
  Replace("s/tmp/two", "22");
  fs.BeforeEach([&](const FileOperation& operation) -> Status {
    if (operation.kind == FileOperation::Kind::kRemove && operation.path == "s/tmp/one") Must(fs_.Remove("s/tmp/one"));
    return {};
  });
  const CollectResult result = Must(store.Collect());
  EXPECT_EQ(result.files_removed, 1u);
  EXPECT_EQ(result.bytes_freed, 2u);
  Replace("s/tmp/one", "1");
  fs.BeforeEach([&](const FileOperation& operation) -> Status {
    if (operation.kind == FileOperation::Kind::kRemove && operation.path == "s/tmp/one")
      return Error{ErrorCode::kIo, "EIO"};
    return {};
  });
  EXPECT_EQ(store.Collect().error().message, "EIO");
}

TEST_F(StoreCareTest, SixteenVersionsAreKeptForASalvage) {
  for (uint64_t i = 10; i < 40; ++i) Must(CommitRuns(store_, {{i, "", "w"}}));
  const std::vector<uint64_t> versions = Must(ListManifests(files_));
  EXPECT_EQ(versions.back(), 33u);
  EXPECT_EQ(versions.front(), 18u);
  EXPECT_EQ(versions.size(), 16u);
  // Of the pins of versions that are gone none is left.
  for (const std::string& pin : Must(fs_.List("s/pins"))) EXPECT_GE(std::stoull(pin), 17u) << pin;
}

// --- backup ---

TEST_F(StoreCareTest, ABackupIsMadeWholeWhereNothingIs) {
  Must(fs_.MakeDirectory("there"));
  const auto conflict = store_.Backup("there");
  EXPECT_EQ(conflict.error().code, ErrorCode::kConflict);
  EXPECT_EQ(conflict.error().message, "there exists already: a backup needs a new directory");
  EXPECT_FALSE(store_.Backup("missing/copy").ok());
  EXPECT_EQ(Must(store_.Backup("there/copy")), 3u);
  EXPECT_EQ(Must(fs_.List("there")), std::vector<std::string>{"copy"});
  Store copy = Must(Store::Open(fs_, "there/copy"));
  EXPECT_EQ(Must(copy.Read()).version(), 3u);
  EXPECT_EQ(copy.path(), "there/copy");
  EXPECT_EQ(Must(copy.Read()).manifest().store_id, Must(store_.Read()).manifest().store_id);
  EXPECT_TRUE(Must(copy.Check()).problems.empty());
  EXPECT_EQ(Must(ReadWholeFile(fs_, "there/copy/.gitignore", 10)), "*\n");
  EXPECT_EQ(Must(fs_.List("there/copy")), (std::vector<std::string>{".gitignore", "groups", "index", "locks",
                                                                    "manifests", "pins", "segments", "tmp"}));
  ASSERT_OK(CommitRuns(copy, {{4, "", "own"}}));
}

TEST_F(StoreCareTest, ABackupOfWhatIsDamagedIsNone) {
  const SegmentEntry segment = Segment(0);
  const std::string path = files_.TablePath(segment.id, Table::kRuns),
                    name = files_.TableFileName(segment.id, Table::kRuns);
  const std::string good = Bytes(path);
  const auto message = [&] {
    const auto backup = store_.Backup("copy");
    EXPECT_FALSE(backup.ok());
    EXPECT_EQ(backup.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(Must(fs_.List(".")), std::vector<std::string>{"s"}) << "nothing of it stays";
    return backup.error().message;
  };
  std::string turned = good;
  turned[20] = static_cast<char>(turned[20] ^ 1);
  Replace(path, turned);
  EXPECT_EQ(message(), "backup to copy: " + name + ": it is not what the manifest says");
  Replace(path, good + "x");
  EXPECT_EQ(message(), "backup to copy: " + name + ": it is not what the manifest says");
  Must(fs_.Remove(path));
  EXPECT_EQ(message(), "backup to copy: missing segment " + segment.id + ": " + name + " is not there");
  // In quarantine it may be missing, in the copy as in the store.
  Must(store_.Quarantine({segment.id}, "lost"));
  Must(store_.Backup("copy"));
  EXPECT_EQ(RunsIn(Must(Store::Open(fs_, "copy"))), std::set<uint64_t>{3});
}

TEST_F(StoreCareTest, ABackupNeedsNoIndex) {
  Must(fs_.Remove(files_.IndexPath(Segment(0).id)));
  Must(store_.Backup("copy"));
  Store copy = Must(Store::Open(fs_, "copy"));
  EXPECT_EQ(RunsIn(copy), (std::set<uint64_t>{1, 2, 3}));
  EXPECT_EQ(Must(copy.Reindex()).missing, 1u);
}

}  // namespace
}  // namespace oscope
