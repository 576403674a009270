// Every rule that a manifest and a group must keep has an input that breaks it alone, and a message of its own.
#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

SegmentEntry FullSegment(char digit) {
  SegmentEntry segment;
  segment.id = std::string(32, digit);
  segment.range = {5, 9};
  segment.tables = {{Table::kTraces, 101, 31, std::string(64, 'a'), std::string(64, 'b')},
                    {Table::kRuns, 52, 12, std::string(64, 'c'), std::string(64, 'd')},
                    {Table::kSymbols, 53, 13, std::string(64, 'e'), std::string(64, 'f')},
                    {Table::kBugs, 54, 14, std::string(64, '0'), std::string(64, '1')}};
  segment.runs = 12;
  segment.traces = 31;
  segment.events = 77;
  segment.bug_revisions = 14;
  return segment;
}

Manifest FullManifest() {
  Manifest manifest;
  manifest.version = 12;
  manifest.store_id = std::string(32, '7');
  manifest.ranges = {{0, 9}, {10, UINT64_MAX}};
  manifest.groups = {{std::string(32, 'e'), 78, std::string(64, 'f')}};
  manifest.segments = {FullSegment('3')};
  manifest.segments[0].quarantined = "lost";
  manifest.settings.max_bytes = 1000;
  manifest.settings.max_runs = 20;
  manifest.settings.queries = {{"near", "text"}};
  manifest.settings.remembered = {{"Wire", {{"t", "near"}}}};
  return manifest;
}

std::string BodyOf(const std::string& sealed) { return sealed.substr(0, sealed.rfind("sha256 ")); }
std::string Sealed(const std::string& body) { return body + "sha256 " + Sha256Of(body) + "\n"; }

// The body with the first `from` replaced.
std::string Changed(std::string body, const std::string& from, const std::string& to) {
  const size_t at = body.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? body : body.replace(at, from.size(), to);
}

struct BrokenRule {
  std::string from, to, message;
};

const std::vector<BrokenRule>& SegmentRules() {
  static const std::vector<BrokenRule> rules = {
      {"\"id\":\"3333", "\"id\":\"333", "'id' must be 32 hexadecimal digits"},
      {"\"id\":\"3333", "\"id\":\"33333", "'id' must be 32 hexadecimal digits"},
      {"\"id\":\"3333", "\"id\":\"333A", "'id' must be 32 hexadecimal digits"},
      {"\"id\":\"3333", "\"id\":\"333/", "'id' must be 32 hexadecimal digits"},
      {"\"id\":", "\"xx\":", "'id' is missing"},
      {"\"range\":{\"first\":\"0000000000000005\",\"last\"", "\"xx\":{\"first\":\"0000000000000005\",\"last\"",
       "'range' is missing"},
      {"\"first\":\"0000000000000005\",\"last\":\"0000000000000009\"",
       "\"first\":\"000000000000000a\",\"last\":\"0000000000000009\"", "a segment's range is reversed"},
      {"\"first\":\"0000000000000005\"", "\"first\":\"000000000000005\"", "'first' must be 16 hexadecimal digits"},
      {"\"0000000000000009\"},\"runs\"", "\"000000000000000g\"},\"runs\"", "'last' must be 16 hexadecimal digits"},
      {"\"range\":{\"first\":\"0000000000000005\",\"last\":\"0000000000000009\"}", "\"range\":5",
       "an object with 'first' expected"},
      {"\"runs\":12", "\"runs\":-12", "'runs' must be a whole number"},
      {"\"runs\":12", "\"runs\":1.5", "'runs' must be a whole number"},
      {"\"runs\":12", "\"runs\":\"12\"", "'runs' must be a whole number"},
      {"\"runs\":12", "\"xx\":12", "'runs' is missing"},
      {"\"traces\":31", "\"traces\":null", "'traces' must be a whole number"},
      {"\"events\":77", "\"events\":[]", "'events' must be a whole number"},
      {"\"bug_revisions\":14", "\"xx\":14", "'bug_revisions' is missing"},
      {"\"quarantined\":\"lost\"", "\"quarantined\":1", "'quarantined' must be a text"},
      {"\"tables\":", "\"xx\":", "'tables' is missing"},
      {"\"tables\":{", "\"tables\":3,\"xx\":{", "'tables' must be an object"},
      {"\"tables\":{", "\"tables\":{\"others\":{},", "segment 33333333333333333333333333333333 has an unknown table"},
      {"\"symbols\":{", "\"symbol\":{", "segment 33333333333333333333333333333333 has an unknown table"},
      {"\"size\":52", "\"size\":-1", "'size' must be a whole number"},
      {"\"version\":1,\"size\":52", "\"version\":0,\"size\":52", "a table's version cannot be 0"},
      {"\"rows\":14", "\"row\":14", "'rows' is missing"},
      {"\"sha256\":\"aaaa", "\"sha256\":\"aaa", "'sha256' must be 64 hexadecimal digits"},
      {"\"footer_sha256\":\"bbbb", "\"footer_sha256\":\"bbbbb", "'footer_sha256' must be 64 hexadecimal digits"},
      {"\"segments\":[{", "\"segments\":[3,{", "an object with 'id' expected"},
      {"\"segments\":[", "\"segments\":3,\"xx\":[", "'segments' must be a list"},
      {"\"segments\":", "\"xx\":", "'segments' is missing"},
      {"\"format\":2", "\"format\":\"2\"", "'format' must be a whole number"},
      {"\"format\":2,", "", "'format' is missing"},
  };
  return rules;
}

void ExpectRefused(const Status& decoded, const BrokenRule& rule, ErrorCode code = ErrorCode::kCorrupt) {
  ASSERT_FALSE(decoded.ok()) << rule.from << " -> " << rule.to;
  EXPECT_EQ(decoded.error().code, code) << rule.from << " -> " << rule.to;
  EXPECT_EQ(decoded.error().message, rule.message) << rule.from << " -> " << rule.to;
}

template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.ok() ? Status() : Status(result.error());
}

TEST(ManifestRules, EveryFieldComesBack) {
  const Manifest manifest = FullManifest();
  const Manifest back = Must(DecodeManifestRoot(EncodeManifestRoot(manifest)));
  EXPECT_EQ(back.version, 12u);
  EXPECT_EQ(back.store_id, manifest.store_id);
  EXPECT_EQ(back.ranges, manifest.ranges);
  EXPECT_EQ(back.groups, manifest.groups);
  EXPECT_EQ(back.segments, manifest.segments);
  EXPECT_EQ(back.settings, manifest.settings);
  EXPECT_TRUE(back.group_sizes.empty()) << "a root alone says nothing of how much is in its groups";
  EXPECT_EQ(Must(DecodeGroup(EncodeGroup(manifest.segments))), manifest.segments);
}

TEST(ManifestRules, WhatIsNotSetIsNotWritten) {
  Manifest manifest = FullManifest();
  manifest.settings = {};
  manifest.segments[0].quarantined = "";
  manifest.segments[0].tables.clear();
  manifest.groups.clear();
  const std::string text = EncodeManifestRoot(manifest);
  for (const char* name : {"max_bytes", "max_runs", "queries", "remembered", "quarantined"})
    EXPECT_EQ(text.find(name), std::string::npos) << name;
  const Manifest back = Must(DecodeManifestRoot(text));
  EXPECT_EQ(back.settings, StoreSettings());
  EXPECT_EQ(back.segments, manifest.segments);
  manifest.settings.max_bytes = 0;
  manifest.settings.max_runs = 0;
  EXPECT_EQ(Must(DecodeManifestRoot(EncodeManifestRoot(manifest))).settings, manifest.settings)
      << "a quota of nothing is a quota";
}

TEST(ManifestRules, TheSegmentsOfTheGroupsStandInTheGroups) {
  Manifest manifest = FullManifest();
  manifest.segments = {FullSegment('1'), FullSegment('2'), FullSegment('4')};
  manifest.group_sizes = {2};
  EXPECT_EQ(Must(DecodeManifestRoot(EncodeManifestRoot(manifest))).segments,
            std::vector<SegmentEntry>{FullSegment('4')});
}

TEST(ManifestRules, ARootWithABrokenSegmentIsRefusedByName) {
  const std::string body = BodyOf(EncodeManifestRoot(FullManifest()));
  for (const BrokenRule& rule : SegmentRules())
    ExpectRefused(StatusOf(DecodeManifestRoot(Sealed(Changed(body, rule.from, rule.to)))), rule);
}

TEST(ManifestRules, AGroupWithABrokenSegmentIsRefusedByName) {
  const std::string body = BodyOf(EncodeGroup(FullManifest().segments));
  for (const BrokenRule& rule : SegmentRules())
    ExpectRefused(StatusOf(DecodeGroup(Sealed(Changed(body, rule.from, rule.to)))), rule);
  ExpectRefused(
      StatusOf(DecodeGroup(Sealed(Changed(body, "\"readable_from\":2", "\"readable_from\":3")))),
      {"", "",
       "store format 2: this release reads formats 1 to 2; use the release that wrote it, or export from there"},
      ErrorCode::kUnsupported);
}

TEST(ManifestRules, ARootThatBreaksARuleIsRefusedByName) {
  const std::string body = BodyOf(EncodeManifestRoot(FullManifest()));
  const std::string second = "{\"first\":\"000000000000000a\",\"last\":\"ffffffffffffffff\"}";
  const std::vector<BrokenRule> rules = {
      {"\"version\":12", "\"version\":-12", "'version' must be a whole number"},
      {"\"version\":12", "\"xx\":12", "'version' is missing"},
      {"\"store\":\"7777", "\"store\":\"777", "'store' must be 32 hexadecimal digits"},
      {"\"store\":\"7777", "\"store\":\"777 ", "'store' must be 32 hexadecimal digits"},
      {"\"settings\":", "\"xx\":", "'settings' is missing"},
      {"\"max_bytes\":1000", "\"max_bytes\":\"1000\"", "'max_bytes' must be a whole number"},
      {"\"max_runs\":20", "\"max_runs\":-20", "'max_runs' must be a whole number"},
      {"\"queries\":{", "\"queries\":3,\"xx\":{", "'queries' must be an object"},
      {"\"near\":\"text\"", "\"near\":3", "'near' must be a text"},
      {"\"remembered\":{", "\"remembered\":[],\"xx\":{", "'remembered' must be an object"},
      {"\"Wire\":{", "\"Wire\":3,\"xx\":{", "an object of texts expected"},
      {"\"t\":\"near\"", "\"t\":[]", "'t' must be a text"},
      {"\"ranges\":[", "\"ranges\":{},\"xx\":[", "'ranges' must be a list"},
      {"\"ranges\":[", "\"ranges\":[],\"xx\":[", "the ranges do not cover all hashes"},
      {"\"ranges\":[{\"first\":\"0000000000000000\"", "\"ranges\":[{\"first\":\"0000000000000001\"",
       "the ranges do not cover all hashes"},
      {"\"last\":\"ffffffffffffffff\"", "\"last\":\"fffffffffffffffe\"", "the ranges do not cover all hashes"},
      {second, "{\"first\":\"000000000000000b\",\"last\":\"ffffffffffffffff\"}", "the ranges leave a gap or overlap"},
      {second, "{\"first\":\"0000000000000009\",\"last\":\"ffffffffffffffff\"}", "the ranges leave a gap or overlap"},
      {second, "{\"first\":\"000000000000000a\",\"last\":\"0000000000000009\"}," + second, "a range is reversed"},
      // After a range that ends at the last hash none can follow, not even one that begins where the sum wraps round
      // to.
      {second, second + ",{\"first\":\"0000000000000000\",\"last\":\"ffffffffffffffff\"}",
       "the ranges leave a gap or overlap"},
      {"\"groups\":[", "\"groups\":\"x\",\"xx\":[", "'groups' must be a list"},
      {"\"file\":\"eeee", "\"file\":\"../e", "'file' must be 32 hexadecimal digits"},
      {"\"size\":78", "\"xx\":78", "'size' is missing"},
      {"\"sha256\":\"ffff", "\"sha256\":\"ffffF", "'sha256' must be 64 hexadecimal digits"},
  };
  for (const BrokenRule& rule : rules)
    ExpectRefused(StatusOf(DecodeManifestRoot(Sealed(Changed(body, rule.from, rule.to)))), rule);
}

TEST(ManifestRules, ABrokenSealIsTold) {
  const std::string good = EncodeManifestRoot(FullManifest());
  const std::string body = BodyOf(good);
  const auto message = [](const std::string& text) { return DecodeManifestRoot(text).error().message; };
  EXPECT_EQ(message(good.substr(0, 72)), "cut: 72 bytes");
  EXPECT_EQ(message(std::string(73, 'x')), "cut: no digest line at the end");
  EXPECT_EQ(message(good + " "), "cut: no digest line at the end");
  EXPECT_EQ(message(good.substr(0, good.size() - 1) + " "), "cut: no digest line at the end");
  EXPECT_EQ(message(body + "SHA256 " + Sha256Of(body) + "\n"), "cut: no digest line at the end");
  const std::string unended = body.substr(0, body.size() - 1);
  EXPECT_EQ(message(Sealed(unended)), "cut: no digest line at the end") << "a body ends with a newline";
  EXPECT_EQ(message(Changed(good, "12", "13")), "its digest does not match");
  EXPECT_EQ(message(Sealed("{\n")), "not a JSON object");
  EXPECT_EQ(message(Sealed("[]\n")), "not a JSON object");
  EXPECT_EQ(message(Sealed("3\n")), "not a JSON object");
}

TEST(ManifestRules, SumsAreOverAllSegments) {
  Manifest manifest;
  manifest.segments = {FullSegment('1'), FullSegment('2')};
  manifest.segments[1].runs = 100;
  manifest.segments[1].traces = 200;
  manifest.segments[1].events = 300;
  EXPECT_EQ(manifest.runs(), 112u);
  EXPECT_EQ(manifest.traces(), 231u);
  EXPECT_EQ(manifest.events(), 377u);
  EXPECT_EQ(manifest.bytes(), 2u * (101 + 52 + 53 + 54));
  EXPECT_EQ(manifest.segments[0].bytes(), 260u);
  EXPECT_EQ(manifest.segments[0].Find(Table::kSymbols)->rows, 13u);
  manifest.segments[0].tables.erase(manifest.segments[0].tables.begin() + 2);
  EXPECT_EQ(manifest.segments[0].Find(Table::kSymbols), nullptr);
  EXPECT_EQ(manifest.segments[0].Find(Table::kBugs)->rows, 14u);
}

TEST(ManifestRules, ARangeHasItsEnds) {
  const HashRange range{5, 9};
  EXPECT_FALSE(range.Contains(4));
  EXPECT_TRUE(range.Contains(5));
  EXPECT_TRUE(range.Contains(9));
  EXPECT_FALSE(range.Contains(10));
}

TEST(ManifestRules, TablesAndFilesHaveTheirNames) {
  EXPECT_EQ(TableName(Table::kTraces), "traces");
  EXPECT_EQ(TableName(Table::kRuns), "runs");
  EXPECT_EQ(TableName(Table::kSymbols), "symbols");
  EXPECT_EQ(TableName(Table::kBugs), "bugs");
  CrashFileSystem fs;
  const StoreFiles files(fs, "s");
  EXPECT_EQ(files.ManifestFile(12), "s/manifests/00000000000000000012.json");
  EXPECT_EQ(files.PinFile(12), "s/pins/00000000000000000012");
  EXPECT_EQ(files.GroupFile("ab"), "s/groups/ab.json");
  EXPECT_EQ(files.TableFileName("ab", Table::kBugs), "segments/ab.bugs.parquet");
  EXPECT_EQ(files.TablePath("ab", Table::kRuns), "s/segments/ab.runs.parquet");
  EXPECT_EQ(files.IndexPath("ab"), "s/index/ab.osix");
  EXPECT_EQ(files.WriterLock(), "s/locks/writers");
  EXPECT_TRUE(files.TemporaryPath().starts_with("s/tmp/"));
  EXPECT_EQ(files.TemporaryPath().size(), 6u + 32u);
  EXPECT_NE(files.TemporaryPath(), files.TemporaryPath());
  EXPECT_EQ(ParseManifestName("18446744073709551615.json"), UINT64_MAX);
  EXPECT_EQ(ParseManifestName("18446744073709551616.json"), std::nullopt);
  EXPECT_EQ(ParseManifestName("00000000000000000012.jsom"), std::nullopt);
  EXPECT_EQ(ParseManifestName("0000000000000000001 .json"), std::nullopt);
}

// --- the files of a version ---

class LoadManifestTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  const StoreFiles files_{fs_, "s"};

  void Replace(const std::string& path, const std::string& bytes) {
    (void)fs_.Remove(path);
    Must(WriteDurably(fs_, path, bytes));
  }
  Error Refusal(uint64_t version) {
    auto loaded = LoadManifest(files_, version);
    EXPECT_FALSE(loaded.ok());
    return loaded.ok() ? Error{ErrorCode::kInvalid, "loaded"} : loaded.error();
  }
};

TEST_F(LoadManifestTest, NamesTheVersionAndTheStore) {
  Error error = Refusal(7);
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_TRUE(error.message.starts_with("manifest 7 of store s: ")) << error.message;
  Replace(files_.ManifestFile(7), "junk");
  EXPECT_EQ(Refusal(7).message, "manifest 7 of store s: cut: 4 bytes");
  Manifest manifest = FullManifest();
  manifest.groups.clear();
  Replace(files_.ManifestFile(7), EncodeManifestRoot(manifest));
  EXPECT_EQ(Refusal(7).message, "manifest 7 of store s: it says it is version 12");
  EXPECT_EQ(Refusal(7).code, ErrorCode::kCorrupt);
  Replace(files_.ManifestFile(12), EncodeManifestRoot(manifest));
  EXPECT_EQ(Must(LoadManifest(files_, 12)).segments, manifest.segments);
}

TEST_F(LoadManifestTest, GroupsComeFirstAndAreWhatTheRootSays) {
  const std::string group = EncodeGroup({FullSegment('1'), FullSegment('2')}), other = EncodeGroup({FullSegment('9')});
  Manifest manifest = FullManifest();
  manifest.groups = {{std::string(32, 'a'), group.size(), Sha256Of(group)},
                     {std::string(32, 'b'), other.size(), Sha256Of(other)}};
  manifest.segments = {FullSegment('4')};
  Replace(files_.GroupFile(std::string(32, 'a')), group);
  Replace(files_.GroupFile(std::string(32, 'b')), other);
  Replace(files_.ManifestFile(12), EncodeManifestRoot(manifest));
  const Manifest loaded = Must(LoadManifest(files_, 12));
  EXPECT_EQ(loaded.segments,
            (std::vector<SegmentEntry>{FullSegment('1'), FullSegment('2'), FullSegment('9'), FullSegment('4')}));
  EXPECT_EQ(loaded.group_sizes, (std::vector<uint32_t>{2, 1}));

  const std::string in_a = "manifest 12 of store s: groups/" + std::string(32, 'a') + ".json: ";
  Replace(files_.GroupFile(std::string(32, 'a')), group + "x");
  EXPECT_EQ(Refusal(12).message, in_a + "its digest does not match");
  std::string turned = group;
  turned[10] ^= 1;
  Replace(files_.GroupFile(std::string(32, 'a')), turned);
  EXPECT_EQ(Refusal(12).message, in_a + "its digest does not match");
  Must(fs_.Remove(files_.GroupFile(std::string(32, 'a'))));
  EXPECT_EQ(Refusal(12).message, "manifest 12 of store s: missing file groups/" + std::string(32, 'a') + ".json");
  EXPECT_EQ(Refusal(12).code, ErrorCode::kCorrupt) << "a file that is missing is no store that is missing";

  const std::string broken = Sealed("{\"format\":2}\n");
  Replace(files_.GroupFile(std::string(32, 'a')), broken);
  manifest.groups[0] = {std::string(32, 'a'), broken.size(), Sha256Of(broken)};
  Replace(files_.ManifestFile(12), EncodeManifestRoot(manifest));
  EXPECT_EQ(Refusal(12).message, in_a + "'segments' is missing");
  manifest.groups[0].size += 1;
  Replace(files_.ManifestFile(12), EncodeManifestRoot(manifest));
  EXPECT_EQ(Refusal(12).message, in_a + "its digest does not match") << "the size is part of what a group must be";
}

TEST_F(LoadManifestTest, OtherNamesAreNoVersions) {
  Must(WriteDurably(fs_, "s/manifests/00000000000000000009.json.swp", "x"));
  Must(WriteDurably(fs_, "s/manifests/README", "x"));
  EXPECT_EQ(Must(ListManifests(files_)), std::vector<uint64_t>{1});
  EXPECT_EQ(Must(store_.NewestVersion()), 1u);
  Must(CommitRuns(store_, {{1, "", "a"}}));
  EXPECT_EQ(Must(ListManifests(files_)), (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(Must(store_.NewestVersion()), 2u);
}

TEST_F(LoadManifestTest, AStoreWithoutAnyManifestIsTold) {
  Must(fs_.Remove(files_.ManifestFile(1)));
  EXPECT_EQ(store_.NewestVersion().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(store_.NewestVersion().error().message, "store s: it has no manifest");
  EXPECT_EQ(store_.Read().error().message, "store s: no manifest is left");
  EXPECT_EQ(store_.Read().error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(store_.Collect().error().message, "store s: no manifest is left");
  EXPECT_EQ(Store::Open(fs_, "s").error().message, "s is not a store: it has no manifest");
  EXPECT_EQ(Store::Open(fs_, "s").error().code, ErrorCode::kNotFound);
}

TEST_F(LoadManifestTest, ASalvageTellsWhatItIs) {
  for (uint64_t i = 1; i <= 3; ++i) Must(CommitRuns(store_, {{i, "", "w"}}));
  Replace(files_.ManifestFile(4), "junk");
  EXPECT_EQ(
      Store::Open(fs_, "s").error().message,
      "the newest version is damaged ('--salvage' reads the newest that is not): manifest 4 of store s: cut: 4 bytes");
  Store store = Must(Store::Open(fs_, "s", {.salvage = true}));
  ASSERT_EQ(store.warnings().size(), 1u);
  EXPECT_EQ(store.warnings()[0],
            "READ-ONLY: version 4 is damaged (manifest 4 of store s: cut: 4 bytes); this is version 3, and what came "
            "after it is missing");
  EXPECT_EQ(Must(store.Read()).version(), 3u);
  EXPECT_EQ(store.BeginIngest({}).error().message, "store s is open for reading only");
  EXPECT_EQ(store.BeginIngest({}).error().code, ErrorCode::kIo);
  EXPECT_EQ(store.SetSettings({.max_bytes = 1, .max_runs = {}, .queries = {}, .remembered = {}, .next_numbers = {}})
                .error()
                .message,
            "store s is open for reading only");
  Replace(files_.ManifestFile(3), "junk");
  EXPECT_EQ(store.Read().error().code, ErrorCode::kCorrupt) << "this version and no other";
  EXPECT_EQ(Must(Must(Store::Open(fs_, "s", {.salvage = true})).Read()).version(), 2u);
  Replace(files_.ManifestFile(2), "junk");
  Replace(files_.ManifestFile(1), "junk");
  const auto nothing = Store::Open(fs_, "s", {.salvage = true});
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(nothing.error().message, "store s: no manifest can be read; restore a backup");
}

TEST_F(LoadManifestTest, AHealthyStoreHasNoWarningsAndIsNotSalvaged) {
  Store store = Must(Store::Open(fs_, "s", {.salvage = true}));
  EXPECT_TRUE(store.warnings().empty());
  ASSERT_OK(CommitRuns(store, {{1, "", "a"}}));  // nothing was wrong, so it may be written
}

}  // namespace
}  // namespace oscope
