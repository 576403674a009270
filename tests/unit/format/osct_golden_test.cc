// The files in tests/golden/osct are of their version for ever: this release writes those of version 2 byte by byte, and
// it and every later one read them all. OSCOPE_UPDATE_GOLDEN=1 writes them anew, and the fuzzer's seeds with them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/unit/format/sample.h"

namespace oscope {
namespace {

// The sample of the older files of this version.
Sample WithoutAttachments() {
  Sample sample = FullSample();
  sample.attachments.clear();
  return sample;
}

const std::string kGolden = OSCOPE_SOURCE_DIR "/tests/golden/osct/";
const std::string kSeeds = OSCOPE_SOURCE_DIR "/tests/fuzz/corpus/osct/";

void Store(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string Golden(const std::string& name, const std::string& bytes) {
  if (std::getenv("OSCOPE_UPDATE_GOLDEN") != nullptr) {
    Store(kGolden + name, bytes);
    Store(kSeeds + name, bytes);
    Store(kSeeds + "cut_" + name, std::string_view(bytes).substr(0, bytes.size() * 2 / 3));
  }
  return ReadWholeFile(PosixFileSystem(), kGolden + name, 1 << 20).value();
}

void ExpectReads(const std::string& file, const Sample& sample) {
  const ReadBack back = Read(file);
  ASSERT_TRUE(back.status.ok()) << back.status.error().message;
  EXPECT_EQ(Difference(sample, back.content), "");
}

std::string Kept(const std::string& name) { return ReadWholeFile(PosixFileSystem(), kGolden + name, 1 << 20).value(); }

TEST(OsctGolden, PlainFilesAreWrittenAndRead) {
  const OsctWriterOptions plain{.compress = false, .level = 1};
  const std::string tiny = Write(TinySample(), plain);
  EXPECT_EQ(Golden("v2_tiny.osct", tiny), tiny);
  ExpectReads(Golden("v2_tiny.osct", tiny), TinySample());
  const std::string full = Write(WithoutAttachments(), plain);
  EXPECT_EQ(Golden("v2_plain.osct", full), full);
  ExpectReads(Golden("v2_plain.osct", full), WithoutAttachments());
  Sample attached;
  attached.attachments = SomeAttachments();
  const std::string attachments = Write(attached, plain);
  EXPECT_EQ(Golden("v2_attachments.osct", attachments), attachments);
  ExpectReads(Golden("v2_attachments.osct", attachments), attached);
  const std::string blocks = WriteInManyBlocks(TinySample(), plain);
  EXPECT_EQ(Golden("v2_blocks.osct", blocks), blocks);
  ExpectReads(Golden("v2_blocks.osct", blocks), TinySample());
}

TEST(OsctGolden, HowARunWasMadeIsWrittenAndRead) {
  Sample sample = TinySample();
  sample.runs[0].header.repeat = FullRepeat();
  const std::string file = Write(sample, {.compress = false, .level = 1});
  EXPECT_EQ(Golden("v2_repeat.osct", file), file);
  ExpectReads(Golden("v2_repeat.osct", file), sample);
}

// What zstd makes of a block differs between its releases, so these bytes are only read.
TEST(OsctGolden, CompressedFilesAreRead) {
  ExpectReads(Golden("v2_zstd.osct", Write(WithoutAttachments())), WithoutAttachments());
}

TEST(OsctGolden, FilesOfVersion1AreRead) {
  ExpectReads(Kept("v1_tiny.osct"), TinySample());
  ExpectReads(Kept("v1_blocks.osct"), TinySample());
  ExpectReads(Kept("v1_plain.osct"), SampleOfVersion1());
  ExpectReads(Kept("v1_zstd.osct"), SampleOfVersion1());
}

// A crash that the last release with version 1 recorded: the fingerprint and the place were custom fields.
TEST(OsctGolden, TheFailureOfVersion1IsReadFromItsCustomFields) {
  const ReadBack back = Read(Kept("v1_failure.osct"));
  ASSERT_TRUE(back.status.ok()) << back.status.error().message;
  ASSERT_EQ(back.content.runs.size(), 1u);
  const RunHeader& run = back.content.runs[0].header;
  EXPECT_EQ(run.failure, (Failure{.kind = FailureKind::kUnknown,
                                  .signal = 11,
                                  .exit_code = std::nullopt,
                                  .message = "SIGSEGV",
                                  .place = {"src/list.c", 5, ""},
                                  .fingerprint = "6a09e667f3bcc908"}));
  EXPECT_EQ(run.custom, (CustomFields{{"host", "ci-7"}, {"title", "next of an empty list"}}));
}

}  // namespace
}  // namespace oscope
