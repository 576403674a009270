// Which recorder is taken, how it is called, and what it complains of.
#include "tracer/record/recorder.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>

namespace oscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() {
    std::string name = testing::TempDir() + "recorder.XXXXXX";
    directory_ = ::mkdtemp(name.data());
    for (const char* variable : {"PATH", "OSCOPE_TOOLS", "PIN_ROOT"}) {
      if (const char* value = ::getenv(variable)) before_[variable] = value;
      ::unsetenv(variable);
    }
    ::setenv("PATH", (directory_ + "/none:" + directory_ + "/bin").c_str(), 1);
    ::setenv("OSCOPE_TOOLS", (directory_ + "/tools").c_str(), 1);
  }
  ~RecorderTest() override {
    for (const char* variable : {"PATH", "OSCOPE_TOOLS", "PIN_ROOT"}) {
      before_.contains(variable) ? ::setenv(variable, before_[variable].c_str(), 1) : ::unsetenv(variable);
    }
    fs::remove_all(directory_);
  }

  std::string Put(const std::string& name, mode_t mode = 0755) {
    const std::string path = directory_ + "/" + name;
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    ::chmod(path.c_str(), mode);
    return path;
  }
  static std::string NameOf(std::string_view wanted) {
    const Result<std::unique_ptr<Recorder>> found = FindRecorder(wanted);
    return found.ok() ? std::string((*found)->name()) : found.error().message;
  }

  std::string directory_;
  std::map<std::string, std::string> before_;
};

TEST_F(RecorderTest, SaysWhatIsMissing) {
  EXPECT_EQ(FindRecorder("valgrind").error().code, ErrorCode::kNotFound);
  EXPECT_NE(NameOf("valgrind").find("apt-get install valgrind"), std::string::npos);
  EXPECT_NE(NameOf("pin").find("PIN_ROOT"), std::string::npos);
  EXPECT_EQ(FindRecorder("gdb").error().code, ErrorCode::kInvalid);
  Put("bin/valgrind");
  EXPECT_NE(NameOf("valgrind").find("oscope-amd64-linux is not beside"), std::string::npos);
  EXPECT_NE(NameOf("").find("oscope-amd64-linux is not beside"), std::string::npos)
      << "Pin is a choice, Valgrind is what is told of";
  Put("pin/pin");
  ::setenv("PIN_ROOT", (directory_ + "/pin").c_str(), 1);
  EXPECT_NE(NameOf("pin").find("oscope_pin.so is not beside"), std::string::npos);
}

TEST_F(RecorderTest, WhatCannotBeExecutedIsNotThere) {
  Put("tools/valgrind/oscope-amd64-linux");
  Put("bin/valgrind", 0644);
  fs::create_directories(directory_ + "/none/valgrind");
  EXPECT_EQ(FindRecorder("valgrind").error().code, ErrorCode::kNotFound);
  Put("bin/valgrind");
  EXPECT_EQ(NameOf("valgrind"), "valgrind");
}

TEST_F(RecorderTest, ValgrindIsCalledWithoutItsScript) {
  const std::string script = Put("bin/valgrind");
  Put("tools/valgrind/oscope-amd64-linux");
  EXPECT_EQ((*FindRecorder(""))->CommandLine("/rec", {"./p", "--x"}).front(), script);
  const std::string program = Put("bin/valgrind.bin");
  const auto recorder = *FindRecorder("");
  EXPECT_EQ(recorder->CommandLine("/rec", {"./p", "--x"}),
            (Words{program, "-q", "--tool=oscope", "--trace-children=yes", "--vgdb=no", "--command-line-only=yes",
                   "--log-file=/rec/log.%p", "--recording=/rec", "./p", "--x"}));
  EXPECT_EQ(recorder->Environment(), Words{"VALGRIND_LIB=" + directory_ + "/tools/valgrind"});
}

TEST_F(RecorderTest, PinIsTakenWhereItIs) {
  Put("bin/valgrind");
  Put("tools/valgrind/oscope-amd64-linux");
  const std::string tool = Put("tools/pin/oscope_pin.so"), in_path = Put("bin/pin");
  EXPECT_EQ(NameOf(""), "pin");
  EXPECT_EQ(NameOf("valgrind"), "valgrind");
  const auto recorder = *FindRecorder("");
  EXPECT_EQ(recorder->CommandLine("/rec", {"./p"}),
            (Words{in_path, "-follow_execv", "-logfile", "/rec/log.pin", "-t", tool, "-logfile", "/rec/log.pintool",
                   "-recording", "/rec", "--", "./p"}));
  EXPECT_TRUE(recorder->Environment().empty());
  const std::string in_root = Put("root/pin");
  ::setenv("PIN_ROOT", (directory_ + "/root").c_str(), 1);
  EXPECT_EQ((*FindRecorder(""))->CommandLine("/rec", {"./p"}).front(), in_root);
  ::chmod(in_root.c_str(), 0644);
  EXPECT_EQ((*FindRecorder(""))->CommandLine("/rec", {"./p"}).front(), in_path);
}

TEST_F(RecorderTest, ComplaintsAreTheToolsOwn) {
  Put("bin/valgrind");
  Put("bin/pin");
  Put("tools/valgrind/oscope-amd64-linux");
  Put("tools/pin/oscope_pin.so");
  fs::create_directory(directory_ + "/rec");
  for (const char* name : {"valgrind", "pin"}) {
    const auto recorder = *FindRecorder(name);
    std::ofstream(directory_ + "/rec/log.1") << "==1== a warning of Valgrind's\n";
    std::ofstream(directory_ + "/rec/0.sites") << "oscope: no log of ours\n";
    EXPECT_EQ(recorder->Complaint(directory_ + "/rec"), "") << name;
    std::ofstream(directory_ + "/rec/log.2") << "==2== oscope: no control file\nand more\n";
    EXPECT_EQ(recorder->Complaint(directory_ + "/rec"), "oscope: no control file") << name;
    fs::remove(directory_ + "/rec/log.2");
    EXPECT_EQ(recorder->Complaint(directory_ + "/nowhere"), "") << name;
  }
}

}  // namespace
}  // namespace oscope
