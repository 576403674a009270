// What the tool takes of the system it gives back: a program that is traced has the descriptors and mappings that it
// would have otherwise.
#include "tracer/pin/kernel.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/pin_tool/scratch_recording.h"
#include "tracer/pin/sink.h"

namespace oscope::pin {
namespace {

namespace fs = std::filesystem;

size_t OpenDescriptors() {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
    count += entry.exists() || entry.is_symlink() ? 1 : 0;
  return count;
}

// Mappings of files whose path has the text.
size_t MappingsOf(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find(path) != std::string::npos ? 1 : 0;
  return count;
}

TEST(PinKernel, FilesThatAreReadAreClosed) {
  const ScratchRecording recording(4, 8);
  const std::string path = recording.path() + "/text";
  const std::string written(10'000, 'x');
  std::ofstream(path) << written;
  const size_t before = OpenDescriptors();
  std::string text = "old";
  int64_t error = 7;
  EXPECT_TRUE(kernel::ReadFile(path, &text, &error));
  EXPECT_EQ(text, written);
  EXPECT_EQ(error, 0);
  EXPECT_EQ(OpenDescriptors(), before);
  EXPECT_FALSE(kernel::ReadFile(path + ".none", &text, &error));
  EXPECT_EQ(error, -ENOENT);
  EXPECT_FALSE(kernel::ReadFile(recording.path(), &text, &error)) << "a directory";
  EXPECT_EQ(error, -EISDIR);
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST(PinKernel, ASinkLeavesNeitherDescriptorsNorMappings) {
  const ScratchRecording recording(4, 8);
  const size_t before = OpenDescriptors();
  {
    Sink sink;
    std::string error;
    ASSERT_EQ(sink.Start(recording.path(), recording.ring_chunks(), &error), Sink::Started::kRecording) << error;
    sink.Take(0, Chunk());
    EXPECT_EQ(OpenDescriptors(), before) << "while it is open, too";
    EXPECT_EQ(MappingsOf(recording.path() + "/0.events"), 1u);
    EXPECT_EQ(MappingsOf(recording.path() + "/control"), 0u);
    // What the parent writes is not the child's any more.
    ASSERT_EQ(sink.StartForked(0, 0, &error), Sink::Started::kRecording) << error;
    EXPECT_EQ(MappingsOf(recording.path() + "/0.events"), 0u);
    EXPECT_EQ(MappingsOf(recording.path() + "/1.events"), 1u);
  }
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST(PinKernel, AControlFileThatIsNoneIsGivenBack) {
  const ScratchRecording recording(4, 8);
  std::ofstream(recording.path() + "/control") << std::string(OSC_RAW_CONTROL_BYTES, 'x');
  const size_t before = OpenDescriptors();
  Sink sink;
  std::string error;
  EXPECT_NE(sink.Start(recording.path(), recording.ring_chunks(), &error), Sink::Started::kRecording);
  EXPECT_EQ(error, recording.path() + "/control: not the control file of a recording");
  EXPECT_EQ(MappingsOf(recording.path()), 0u);
  EXPECT_EQ(OpenDescriptors(), before);
}

}  // namespace
}  // namespace oscope::pin
