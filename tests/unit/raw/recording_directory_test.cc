// A recording's directory: which processes are read, with whose sites, and what makes it unreadable.
#include "tracer/raw/recording_directory.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/raw/raw_bytes.h"

namespace oscope::raw {
namespace {

class RecordingDirectoryTest : public testing::Test {
 protected:
  RecordingDirectoryTest() {
    std::string name = (std::filesystem::temp_directory_path() / "oscope-raw-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~RecordingDirectoryTest() override { std::filesystem::remove_all(path_); }

  void Write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
  }
  void WriteControl(const std::function<void(OscRawControl&)>& change) const {
    OscRawControl control = {};
    control.magic = OSC_RAW_CONTROL_MAGIC;
    control.process_limit = 8;
    change(control);
    std::string bytes(OSC_RAW_CONTROL_BYTES, '\0');
    std::memcpy(bytes.data(), &control, sizeof control);
    Write("control", bytes);
  }
  // The events of a process that entered `site` once.
  void WriteProcess(uint32_t ordinal, uint32_t site, const std::function<void(OscRawHeader&)>& change = {}) const {
    RawBytes bytes;
    bytes.Entry(site, 1);
    const std::span<const std::byte> file = bytes.File();
    std::string text(reinterpret_cast<const char*>(file.data()), file.size());
    OscRawHeader header;
    std::memcpy(&header, text.data(), sizeof header);
    header.parent = OSC_RAW_NO_PROCESS;
    if (change) change(header);
    std::memcpy(text.data(), &header, sizeof header);
    Write(std::to_string(ordinal) + ".events", text);
  }
  // "ORDINAL:SITES" of each process that is there.
  std::string Read() const {
    const Result<RecordingDirectory> directory = RecordingDirectory::Read(path_);
    if (!directory.ok()) return std::string(ErrorCodeName(directory.error().code));
    std::string told = fmt::format("{} of {} running {}", directory->started, directory->limit, directory->running);
    for (const RecordedProcess& process : directory->processes)
      told += fmt::format(" {}:{}", process.ordinal, process.sites.sites.size());
    return told;
  }

  std::string path_;
};

TEST_F(RecordingDirectoryTest, IsPreparedWithNoProcess) {
  ASSERT_TRUE(RecordingDirectory::Prepare(path_, 5).ok());
  EXPECT_EQ(std::filesystem::file_size(path_ + "/control"), static_cast<uintmax_t>(OSC_RAW_CONTROL_BYTES));
  EXPECT_EQ(Read(), "0 of 5 running 0");
  EXPECT_TRUE(RecordingDirectory::ProcessIds(path_).empty());
  EXPECT_FALSE(RecordingDirectory::Prepare(path_ + "/none", 5).ok());
}

TEST_F(RecordingDirectoryTest, WithoutItsControlFileIsNone) {
  EXPECT_EQ(Read(), "not-found");
  EXPECT_TRUE(RecordingDirectory::ProcessIds(path_).empty());
  Write("control", std::string(sizeof(OscRawControl) - 1, '\0'));
  EXPECT_EQ(Read(), "corrupt");
  WriteControl([](OscRawControl& control) { control.magic ^= 1; });
  EXPECT_EQ(Read(), "corrupt");
  EXPECT_TRUE(RecordingDirectory::ProcessIds(path_).empty());
}

TEST_F(RecordingDirectoryTest, ReadsAsManyProcessesAsStartedAndAreRecorded) {
  WriteControl([](OscRawControl& control) { control.processes = 4, control.process_limit = 3; });
  WriteProcess(0, 0);
  WriteProcess(2, 0);
  WriteProcess(3, 0);
  Write("0.sites", "site 0 m - 10\n");
  EXPECT_EQ(Read(), "4 of 3 running 0 0:1 2:0") << "the second made no file, the fourth is beyond the limit";
  WriteControl([](OscRawControl& control) { control.processes = 1; });
  EXPECT_EQ(Read(), "1 of 8 running 0 0:1");
}

TEST_F(RecordingDirectoryTest, LeavesOutWhatIsNoRecordingAndRefusesAnotherVersion) {
  WriteControl([](OscRawControl& control) { control.processes = 2; });
  WriteProcess(1, 0);
  Write("0.events", "cut");
  EXPECT_EQ(Read(), "2 of 8 running 0 1:0");
  WriteProcess(0, 0, [](OscRawHeader& header) { ++header.version; });
  EXPECT_EQ(Read(), "unsupported");
  WriteProcess(0, 0);
  Write("0.sites", "what\n");
  EXPECT_EQ(Read(), "corrupt");
}

TEST_F(RecordingDirectoryTest, AForkedProcessBeginsWithItsParentsSites) {
  WriteControl([](OscRawControl& control) { control.processes = 3; });
  WriteProcess(0, 0);
  Write("0.sites", "object 0 0 /a\nsite 0 m 0 10 f\nsite 1 m 0 20 g\nsite 2 m 0 30 h\n");
  WriteProcess(1, 0,
               [](OscRawHeader& header) { header.parent = 0, header.parent_sites = 2, header.parent_objects = 1; });
  Write("1.sites", "site 2 m 0 40 k\n");
  WriteProcess(2, 0,
               [](OscRawHeader& header) { header.parent = 1, header.parent_sites = 3, header.parent_objects = 1; });
  const Result<RecordingDirectory> directory = RecordingDirectory::Read(path_);
  ASSERT_TRUE(directory.ok()) << directory.error().message;
  ASSERT_EQ(directory->processes.size(), 3u);
  EXPECT_EQ(directory->processes[1].sites.sites.at(1).name, "g");
  EXPECT_EQ(directory->processes[1].sites.sites.at(2).name, "k");
  EXPECT_EQ(directory->processes[2].sites.sites.at(2).name, "k") << "a child of the child";
  EXPECT_EQ(directory->processes[0].sites.sites.at(2).name, "h");
}

TEST_F(RecordingDirectoryTest, WhatStillRunsIsCountedAndItsChildrenKnowItsSites) {
  const auto self = static_cast<uint32_t>(::getpid());
  WriteControl([&](OscRawControl& control) { control.processes = 2, control.pids[0] = self; });
  const auto runs = [&](OscRawHeader& header) { header.flags = 0, header.pid = self; };
  WriteProcess(0, 0, runs);
  Write("0.sites", "site 0 m - 10 f\n");
  WriteProcess(1, 0, [](OscRawHeader& header) { header.parent = 0, header.parent_sites = 1; });
  EXPECT_EQ(Read(), "2 of 8 running 1 1:1");
  WriteProcess(0, 0, [&](OscRawHeader& header) { header.pid = self; });
  EXPECT_EQ(Read(), "2 of 8 running 0 0:1 1:1") << "it said that it finished";
}

TEST_F(RecordingDirectoryTest, OneThatEndedAndWasNotAskedForDoesNotRun) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(0);
  siginfo_t info = {};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);  // it stays a zombie
  const auto pid = static_cast<uint32_t>(child);
  const auto self = static_cast<uint32_t>(::getpid());
  WriteControl([&](OscRawControl& control) {
    control.processes = 4, control.pids[0] = pid, control.pids[2] = self, control.pids[4] = 1;
  });
  EXPECT_EQ(RecordingDirectory::ProcessIds(path_), (std::vector<uint32_t>{pid, self})) << "those that began";
  EXPECT_EQ(RecordingDirectory::RunningProcesses(path_), std::vector<uint32_t>{self});
  WriteProcess(0, 0, [&](OscRawHeader& header) { header.flags = 0, header.pid = pid; });
  EXPECT_EQ(Read(), "4 of 8 running 0 0:0");
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(RecordingDirectory::RunningProcesses(path_), std::vector<uint32_t>{self}) << "it is gone";
}

TEST_F(RecordingDirectoryTest, KnowsAsManyIdsAsTheControlFileHolds) {
  WriteControl([](OscRawControl& control) {
    control.processes = OSC_RAW_CONTROL_PIDS + 7;
    for (unsigned i = 0; i < OSC_RAW_CONTROL_PIDS; ++i) control.pids[i] = i + 1;
  });
  EXPECT_EQ(RecordingDirectory::ProcessIds(path_).size(), static_cast<size_t>(OSC_RAW_CONTROL_PIDS));
}

TEST_F(RecordingDirectoryTest, FilesOfEventsAreOpenedOrNamed) {
  EXPECT_EQ(ProcessRecording::Open(path_ + "/none").error().code, ErrorCode::kNotFound);
  Write("short", std::string(OSC_RAW_HEADER_BYTES - 1, '\0'));
  EXPECT_EQ(ProcessRecording::Open(path_ + "/short").error().code, ErrorCode::kCorrupt);
  Write("zeros", std::string(OSC_RAW_HEADER_BYTES, '\0'));
  const Result<ProcessRecording> zeros = ProcessRecording::Open(path_ + "/zeros");
  ASSERT_FALSE(zeros.ok());
  EXPECT_EQ(zeros.error().message, path_ + "/zeros: events of a recording: bad magic");
  WriteProcess(0, 7);
  const Result<ProcessRecording> recording = ProcessRecording::Open(path_ + "/0.events");
  ASSERT_TRUE(recording.ok());
  struct Sites {
    std::vector<uint32_t> entered;
    void OnThread(uint32_t) {}
    void OnEntry(uint32_t site, uint32_t) { entered.push_back(site); }
    void OnBranch(uint32_t, bool) {}
    void OnStatement(uint32_t) {}
    void OnInstruction(uint32_t) {}
    void OnExtended(ExtendedRecord&) {}
  } sites;
  EXPECT_EQ(recording->Visit(sites), 0u);
  EXPECT_EQ(sites.entered, std::vector<uint32_t>{7});
}

}  // namespace
}  // namespace oscope::raw
