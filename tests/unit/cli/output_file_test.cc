// Where output goes: what is a file appears whole, what is none is written through, and links and modes stay.
#include "cli/output/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/options/options.h"
#include "cli/output/report_file.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

class OutputFileTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return directory_.path(name); }
  void Put(const std::string& name, const std::string& text, mode_t mode) const {
    std::ofstream(Path(name)) << text;
    ASSERT_EQ(::chmod(Path(name).c_str(), mode), 0);
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name)).rdbuf();
    return text.str();
  }
  mode_t ModeOf(const std::string& name) const {
    struct stat facts{};
    return ::stat(Path(name).c_str(), &facts) == 0 ? facts.st_mode & 0777 : 0;
  }
  // A device of this directory, lest a fault replace one of the machine's. False where none can be made or used.
  bool MakeDevice(const std::string& name, unsigned major_number, unsigned minor_number) const {
    if (::mknod(Path(name).c_str(), S_IFCHR | 0600, makedev(major_number, minor_number)) != 0) return false;
    const int fd = ::open(Path(name).c_str(), O_WRONLY | O_CLOEXEC);
    if (fd >= 0) ::close(fd);
    return fd >= 0;
  }
  size_t Entries() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(Path("")), {}));
  }

  static Status Write(const std::string& path, std::string_view text) {
    OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(path));
    OSCOPE_RETURN_IF_ERROR(output.file().Append(text));
    return output.Commit();
  }

  TemporaryDirectory directory_;
};

TEST_F(OutputFileTest, ADeviceIsWrittenThrough) {
  if (!MakeDevice("null", 1, 3) || !MakeDevice("full", 1, 7)) GTEST_SKIP() << "no device can be made here";
  std::filesystem::create_symlink("null", Path("link"));
  for (const char* name : {"null", "link"}) {
    EXPECT_TRUE(CheckOutput("--output", Path(name)).ok());
    EXPECT_FALSE(RemoveOlderOutput(Path(name)).value().has_value());
    EXPECT_TRUE(Write(Path(name), "words").ok());
  }
  const Status full = Write(Path("full"), "words");
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().message, fmt::format("write {}: No space left on device", Path("full")));
  EXPECT_TRUE(std::filesystem::is_character_file(std::filesystem::symlink_status(Path("null"))));
  EXPECT_TRUE(std::filesystem::is_character_file(std::filesystem::symlink_status(Path("full"))));
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Entries(), 3U);
}

TEST_F(OutputFileTest, ALinkStaysAndLeadsToWhatIsWritten) {
  std::filesystem::create_directory(Path("far"));
  Put("far/file", "old", 0644);
  std::filesystem::create_symlink("far/file", Path("link"));
  std::filesystem::create_symlink(Path("link"), Path("second"));
  std::filesystem::create_symlink("far/new", Path("dangling"));
  EXPECT_TRUE(Write(Path("second"), "words").ok());
  EXPECT_EQ(Read("far/file"), "words");
  EXPECT_EQ(ModeOf("far/file"), 0644U);
  EXPECT_TRUE(Write(Path("dangling"), "more").ok());
  EXPECT_EQ(Read("far/new"), "more");
  EXPECT_EQ(ModeOf("far/new"), 0600U);
  for (const char* name : {"link", "second", "dangling"}) EXPECT_TRUE(std::filesystem::is_symlink(Path(name))) << name;
  EXPECT_EQ(Entries(), 4U);
}

TEST_F(OutputFileTest, WhatIsNotCommittedLeavesTheFileAsItWas) {
  Put("file", "old", 0640);
  std::filesystem::create_symlink("file", Path("link"));
  {
    Result<OutputFile> output = OutputFile::Create(Path("link"));
    ASSERT_TRUE(output.ok());
    EXPECT_TRUE(output->file().Append("words").ok());
  }
  EXPECT_EQ(Read("file"), "old");
  EXPECT_EQ(ModeOf("file"), 0640U);
  EXPECT_EQ(Entries(), 2U);
}

TEST_F(OutputFileTest, LinksThatGoRoundAndDirectoriesAreRefused) {
  std::filesystem::create_symlink("b", Path("a"));
  std::filesystem::create_symlink("a", Path("b"));
  EXPECT_EQ(CheckOutput("--output", Path("a")).error().code, ErrorCode::kIo);
  EXPECT_EQ(Write(Path("a"), "words").error().code, ErrorCode::kIo);
  std::filesystem::create_directory(Path("directory"));
  std::filesystem::create_symlink("directory", Path("link"));
  EXPECT_EQ(CheckOutput("--output", Path("link")).error().message,
            fmt::format("--output: {}: is a directory", Path("link")));
  EXPECT_EQ(RemoveOlderOutput(Path("link")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(CheckOutput("--output", Path("no/file")).error().code, ErrorCode::kIo);
}

TEST_F(OutputFileTest, APipeIsReadyBeforeAnybodyReadsIt) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(CheckOutput("--report", Path("pipe")).ok());
  EXPECT_FALSE(RemoveOlderOutput(Path("pipe")).value().has_value());
  const int reader = ::open(Path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_TRUE(Write(Path("pipe"), "words").ok());
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 5);
  ::close(reader);
  EXPECT_EQ(std::string(got), "words");
}

TEST_F(OutputFileTest, ADescriptorOfOursIsWrittenWhereItStands) {
  const int fd = ::open(Path("file").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(fd, "first ", 6), 6);
  const std::string name = fmt::format("/dev/fd/{}", fd);
  EXPECT_TRUE(CheckOutput("--output", name).ok());
  EXPECT_TRUE(Write(name, "second ").ok());
  EXPECT_TRUE(Write(fmt::format("/proc/self/fd/{}", fd), "third").ok());
  ::close(fd);
  EXPECT_EQ(Read("file"), "first second third");
  EXPECT_FALSE(Write(name, "words").ok());
}

TEST_F(OutputFileTest, AReportHasTheModeOfTheOneBeforeIt) {
  std::filesystem::create_symlink("report.json", Path("link"));
  for (const mode_t mode : {0644, 0600, 0660}) {
    Put("report.json", "stale", mode);
    ReportFile report;
    Options root;
    report.Register(root);
    ASSERT_TRUE(root.Parse({"--report", Path("link")}).ok());
    ASSERT_TRUE(report.Prepare().ok());
    EXPECT_FALSE(std::filesystem::exists(Path("report.json")));
    EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
    ASSERT_TRUE(report.Write(Json{{"outcome", "passed"}}).ok());
    EXPECT_EQ(Read("report.json"), "{\n  \"outcome\": \"passed\"\n}\n");
    EXPECT_EQ(ModeOf("report.json"), mode);
  }
}

}  // namespace
}  // namespace oscope::cli
