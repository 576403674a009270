// The files in tests/golden/osct are version 1 for ever: this release writes them byte by byte and every later one
// reads them. OSCOPE_UPDATE_GOLDEN=1 writes them anew, and the fuzzer's seeds with them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/unit/format/sample.h"

namespace oscope {
namespace {

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

TEST(OsctGolden, PlainFilesAreWrittenAndRead) {
  const OsctWriterOptions plain{.compress = false, .level = 1};
  const std::string tiny = Write(TinySample(), plain);
  EXPECT_EQ(Golden("v1_tiny.osct", tiny), tiny);
  ExpectReads(Golden("v1_tiny.osct", tiny), TinySample());
  const std::string full = Write(FullSample(), plain);
  EXPECT_EQ(Golden("v1_plain.osct", full), full);
  ExpectReads(Golden("v1_plain.osct", full), FullSample());
  const std::string blocks = WriteInManyBlocks(TinySample(), plain);
  EXPECT_EQ(Golden("v1_blocks.osct", blocks), blocks);
  ExpectReads(Golden("v1_blocks.osct", blocks), TinySample());
}

// What zstd makes of a block differs between its releases, so these bytes are only read.
TEST(OsctGolden, CompressedFilesAreRead) { ExpectReads(Golden("v1_zstd.osct", Write(FullSample())), FullSample()); }

}  // namespace
}  // namespace oscope
