#include "index/store/manifest.h"

#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

SegmentEntry Segment(char digit) {
  SegmentEntry segment;
  segment.id = std::string(32, digit);
  segment.range = {5, 10};
  segment.tables = {{Table::kTraces, 100, 3, std::string(64, 'a'), std::string(64, 'b')},
                    {Table::kRuns, 50, 2, std::string(64, 'c'), std::string(64, 'd')}};
  segment.runs = 2;
  segment.traces = 3;
  segment.events = UINT64_MAX;
  return segment;
}

Manifest Sample() {
  Manifest manifest;
  manifest.version = 12;
  manifest.store_id = std::string(32, '7');
  manifest.ranges = {{0, 9}, {10, UINT64_MAX}};
  manifest.groups = {{std::string(32, 'e'), 77, std::string(64, 'f')}};
  manifest.segments = {Segment('1'), Segment('2')};
  manifest.segments[1].quarantined = "sha256 differs";
  manifest.settings.max_bytes = 1 << 30;
  manifest.settings.queries = {{"near", "CREATE QUERY near(bug) AS …"}};
  manifest.settings.remembered = {{"Wire", {{"parser test", "near"}, {"", "suffix"}}}, {"Ini", {{"t", "near"}}}};
  return manifest;
}

TEST(Manifest, ComesBackAsItWas) {
  const Manifest manifest = Sample();
  const Manifest back = Must(DecodeManifestRoot(EncodeManifestRoot(manifest)));
  EXPECT_EQ(back.version, 12u);
  EXPECT_EQ(back.store_id, manifest.store_id);
  EXPECT_EQ(back.ranges, manifest.ranges);
  EXPECT_EQ(back.groups, manifest.groups);
  EXPECT_EQ(back.segments, manifest.segments);
  EXPECT_EQ(back.settings, manifest.settings);
  EXPECT_EQ(Must(DecodeGroup(EncodeGroup(manifest.segments))), manifest.segments);
}

TEST(Manifest, RefusesEveryCut) {
  const std::string text = EncodeManifestRoot(Sample());
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(DecodeManifestRoot(text.substr(0, length)).ok()) << length;
  }
}

TEST(Manifest, RefusesEveryFlippedBit) {
  const std::string text = EncodeManifestRoot(Sample());
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(DecodeManifestRoot(flipped).ok()) << bit;
  }
}

// The text with its digest put right, so that what is tested is the decoder behind it.
std::string Sealed(const std::string& body) { return body + "sha256 " + Sha256Of(body) + "\n"; }

TEST(Manifest, RefusesAFutureFormatByName) {
  std::string text = EncodeManifestRoot(Sample());
  text = text.substr(0, text.rfind("sha256 "));
  const std::string now = "\"format\":2,\"readable_from\":2";
  const size_t at = text.find(now);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, now.size(), "\"format\":9");
  const auto decoded = DecodeManifestRoot(Sealed(text));
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(decoded.error().message.find("format 9"), std::string::npos) << decoded.error().message;
}

TEST(Manifest, RefusesWhatTheDecoderMustNotTrust) {
  for (const std::string& body : {
           std::string("{}\n"),
           std::string("[]\n"),
           std::string("{\"format\":1}\n"),
           std::string("{\"format\":\"1\"}\n"),
           std::string("{\"format\":1,\"version\":-1}\n"),
           "{\"format\":1,\"version\":1,\"store\":\"" + std::string(100'000, '[') + "\n",
           std::string(200'000, '[') + "\n",
       }) {
    EXPECT_FALSE(DecodeManifestRoot(Sealed(body)).ok()) << body.substr(0, 80);
  }
  // A segment's id becomes part of a path.
  Manifest manifest = Sample();
  manifest.segments[0].id = "../../../../../etc/passwd/aaaaaaa";
  EXPECT_FALSE(DecodeManifestRoot(EncodeManifestRoot(manifest)).ok());
  manifest = Sample();
  manifest.ranges = {{0, 9}, {11, UINT64_MAX}};
  EXPECT_FALSE(DecodeManifestRoot(EncodeManifestRoot(manifest)).ok());
}

TEST(Manifest, NamesAreVersions) {
  EXPECT_EQ(ParseManifestName("00000000000000000012.json"), 12u);
  for (const char* name :
       {"12.json", "0000000000000000001x.json", "99999999999999999999.json", "00000000000000000012.jsonx", ""}) {
    EXPECT_EQ(ParseManifestName(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace oscope
