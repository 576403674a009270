// Data directories of uftrace: made by hand, and by uftrace itself, whose own dump must tell the same.
#include "tracer/import/uftrace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/bytes.h"
#include "base/file_system.h"
#include "base/subprocess.h"
#include "tests/support/installed.h"
#include "tests/unit/import/print_runs.h"
#include "tracer/import/tar_members.h"

namespace oscope {
namespace {

constexpr uint64_t kBase = 0x555500000000;

struct Record {
  uint64_t time_ns;
  int type;  // 0 entry, 1 exit, 2 lost, 3 event
  uint32_t depth;
  uint64_t address;
  bool more = false;
};

std::string Records(const std::vector<Record>& records) {
  ByteWriter writer;
  for (const Record& record : records) {
    writer.U64(record.time_ns);
    writer.U64(static_cast<uint64_t>(record.type) | (record.more ? 4 : 0) | 5 << 3 | uint64_t{record.depth} << 6 |
               record.address << 16);
  }
  return writer.Take();
}

std::string InfoFile(std::string_view lines, uint32_t version = 4, uint64_t features = 0x363) {
  ByteWriter writer;
  writer.Bytes(std::string_view("Ftrace!\0", 8));
  writer.U32(version);
  writer.U16(40);
  writer.U8(1);
  writer.U8(2);
  writer.U64(features);
  writer.U64(0);
  writer.U64(1024);
  writer.Bytes(lines);
  return writer.Take();
}

// A program that calls read, and a thread of it.
std::map<std::string, std::string> Files() {
  return {
      {"info", InfoFile("exename:/src/demo\nexit_status:0\ncmdline:uftrace record -d x ./demo -v "
                        "3\nelapsed_time:0.000000500 sec\n")},
      {"task.txt",
       "SESS timestamp=1.000000000 pid=70 sid=aa exename=\"/src/demo\"\nTASK timestamp=1.000000001 tid=70 pid=70\n"
       "TASK timestamp=1.000000050 tid=71 pid=70\n"},
      {"sid-aa.map",
       "555500000000-555500005000 r-xp 00000000 00:00 0      /src/demo build-id:bb\n"
       "7f0000000000-7f0000001000 r-xp 00000000 00:00 0      /lib/libz.so\n"},
      {"demo.sym",
       "# symbols: 4\n# path name: /src/demo\n# build-id: bb\n0000000000001030 P open\n0000000000001040 ? "
       "__dynsym_end\n"
       "0000000000001100 T main\n0000000000001200 T _ZN3net6Socket4readEi\n0000000000001300 ? __func_end\n"},
      {"70.dat", Records({{1'000'000'010, 0, 0, kBase + 0x1100},
                          {1'000'000'020, 0, 1, kBase + 0x1204},
                          {1'000'000'030, 1, 1, kBase + 0x1204},
                          {1'000'000'040, 0, 1, kBase + 0x1030},
                          {1'000'000'045, 1, 1, kBase + 0x1030},
                          {1'000'000'090, 1, 0, kBase + 0x1100}})},
      {"71.dat",
       Records(
           {{1'000'000'060, 0, 0, kBase + 0x1200}, {1'000'000'061, 0, 1, 0x7f0000000010}, {1'000'000'062, 0, 2, 0x1}})},
  };
}

std::string Archive(const std::map<std::string, std::string>& files) {
  std::string archive;
  for (const auto& [name, bytes] : files) EXPECT_TRUE(AppendToTar(name, bytes, archive).ok());
  return archive;
}

struct Imported {
  Status status;
  RunCollector collected;
  std::vector<ImportProblem> problems;
};

Imported Import(std::string_view bytes) {
  Imported imported;
  imported.status = UftraceImporter().Import(bytes, {.project = "P"}, imported.collected, imported.problems);
  return imported;
}

std::string Printed(const Imported& imported) {
  std::string text = PrintRuns(imported.collected);
  return text.substr(std::min(text.find('\n') + 1, text.size()));  // without the id
}

TEST(UftraceFiles, AreARunWithItsTasks) {
  const auto imported = Import(Archive(Files()));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
  EXPECT_EQ(
      Printed(imported),
      "  project: P\n  language: c++\n  recorder: import:uftrace\n  argument: ./demo\n  argument: -v\n  argument: 3\n"
      "  duration_ns: 500\n  outcome: passed\n  exit code: 0\n"
      "  trace 0.0 execution\n"
      "    0 main  -- in /src/demo build bb\n"
      "    1 net::Socket::read  -- in /src/demo build bb sig net::Socket::read(int)\n"
      "    1 open\n"
      "  trace 0.1 execution\n"
      "    0 net::Socket::read  -- in /src/demo build bb sig net::Socket::read(int)\n"
      "    1 [libz.so]  -- in /lib/libz.so\n"
      "    2 [unknown]\n");
}

TEST(UftraceFiles, ASignalMarksWhatWasOpenInTheThreadThatWasLast) {
  auto files = Files();
  files["info"] = InfoFile("exename:/src/demo\nexit_status:139\n");  // SIGSEGV, with a core
  files.erase("71.dat");
  files["70.dat"].resize(2 * 16);
  const auto imported = Import(Archive(files));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
  const oscope::Run& run = imported.collected.runs.at(0);
  EXPECT_EQ(run.header.outcome, Outcome::kSignal);
  EXPECT_EQ(run.header.failure.signal, 11);
  EXPECT_EQ(run.header.failure.message, "SIGSEGV");
  ASSERT_EQ(run.traces.size(), 2u);
  EXPECT_EQ(run.traces[0].header.mark, (FailureMark{2, "SIGSEGV"}));
  EXPECT_EQ(run.traces[1].header.kind, TraceKind::kStack);
  EXPECT_EQ(run.traces[1].events, run.traces[0].events);
}

TEST(UftraceFiles, AnExitCodeIsAFailure) {
  auto files = Files();
  files["info"] = InfoFile("exit_status:768\n");
  const auto imported = Import(Archive(files));
  ASSERT_TRUE(imported.status.ok());
  EXPECT_EQ(imported.collected.runs.at(0).header.outcome, Outcome::kFailed);
  EXPECT_EQ(imported.collected.runs.at(0).header.failure.exit_code, 3);
}

TEST(UftraceFiles, ForksAndExecsAreProcesses) {
  auto files = Files();
  files["task.txt"] +=
      "FORK timestamp=1.000000100 pid=72 ppid=70\nSESS timestamp=1.000000200 pid=70 sid=cc exename=\"/src/other\"\n"
      "TASK timestamp=1.000000201 tid=70 pid=70\n";
  files["sid-cc.map"] = "666600000000-666600005000 r-xp 00000000 00:00 0      /src/other build-id:dd\n";
  files["other.sym"] = "# path name: /src/other\n# build-id: dd\n0000000000001100 T other_main\n";
  files["70.dat"] += Records({{1'000'000'210, 0, 0, 0x666600001100}});
  files["72.dat"] = Records({{1'000'000'300, 0, 1, kBase + 0x1200}});
  const auto imported = Import(Archive(files));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
  const std::string text = Printed(imported);
  EXPECT_NE(text.find("  trace 1.0 execution\n    1 net::Socket::read"), std::string::npos) << text;
  EXPECT_NE(text.find("  trace 2.0 execution\n    0 other_main"), std::string::npos) << text;
}

TEST(UftraceFiles, LibrariesThatWereOpenedLaterHaveNames) {
  auto files = Files();
  files["task.txt"] += "DLOP timestamp=1.000000055 tid=70 sid=aa base=7f1100000000 libname=\"/lib/plugin.so\"\n";
  files["plugin.so.sym"] =
      "# path name: /lib/plugin.so\n0000000000000500 T plugin_run\n0000000000000600 ? __func_end\n";
  files["71.dat"] = Records({{1'000'000'060, 0, 0, 0x7f1100000510}});
  const auto imported = Import(Archive(files));
  ASSERT_TRUE(imported.status.ok());
  EXPECT_NE(Printed(imported).find("0 plugin_run  -- in /lib/plugin.so"), std::string::npos);
}

TEST(UftraceFiles, LostRecordsAndCutFilesArePartialTraces) {
  auto files = Files();
  files["70.dat"] += Records({{1'000'000'091, 2, 0, 12}});
  files["71.dat"].pop_back();
  const auto imported = Import(Archive(files));
  ASSERT_TRUE(imported.status.ok());
  const oscope::Run& run = imported.collected.runs.at(0);
  EXPECT_EQ(run.traces.at(0).header.partial_note, "uftrace lost 12 records");
  EXPECT_EQ(run.traces.at(1).header.partial_note, "the file of the task is cut");
}

TEST(UftraceFiles, WhatCannotBeReadIsToldAndNothingSent) {
  const auto message = [](auto change) {
    auto files = Files();
    change(files);
    const auto imported = Import(Archive(files));
    EXPECT_FALSE(imported.status.ok());
    EXPECT_TRUE(imported.collected.runs.empty());
    return imported.status.ok() ? "" : imported.status.error().message;
  };
  EXPECT_NE(message([](auto& files) { files.erase("info"); }).find("no file 'info'"), std::string::npos);
  EXPECT_NE(message([](auto& files) { files.erase("task.txt"); }).find("no file 'task.txt'"), std::string::npos);
  EXPECT_NE(message([](auto& files) { files["info"] = "Ftrace!"; }).find("not written by uftrace"), std::string::npos);
  EXPECT_NE(message([](auto& files) { files["info"].resize(20); }).find("cut"), std::string::npos);
  EXPECT_NE(message([](auto& files) { files["info"] = InfoFile("", 9); }).find("version 9"), std::string::npos);
  EXPECT_NE(message([](auto& files) { files["70.dat"][8] = 0; }).find("no record at byte 0"), std::string::npos);
  EXPECT_NE(message([](auto& files) { files["70.dat"] = Records({{1, 0, 0, 1, true}}); }).find("uftrace dump"),
            std::string::npos);
  EXPECT_NE(message([](auto& files) { files.erase("70.dat"), files.erase("71.dat"); }).find("no trace"),
            std::string::npos);
  EXPECT_NE(message([](auto& files) { files["task.txt"] += "TASK tid=1 pid=1\n"; }).find("task.txt:4"),
            std::string::npos);
}

TEST(UftraceFiles, AnArchiveThatIsCutOrChangedIsRefusedOrRead) {
  const std::string archive = Archive(Files());
  for (size_t size = 0; size < archive.size(); size += 37) {
    const auto imported = Import(archive.substr(0, size));
    EXPECT_EQ(imported.status.ok(), !imported.collected.runs.empty());
  }
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string changed = archive;
    changed[random() % changed.size()] = static_cast<char>(random());
    const auto imported = Import(changed);
    EXPECT_EQ(imported.status.ok(), !imported.collected.runs.empty());
  }
}

constexpr std::string_view kProgram = R"(
#include <pthread.h>
#include <stdio.h>
struct Socket { int fd; __attribute__((noinline)) int read(int n); };
int Socket::read(int n) { return n == 0 ? fd : read(n - 1) + 1; }
void* work(void*) { Socket s{4}; s.read(2); return nullptr; }
int main(int argc, char** argv) {
  Socket s{3};
  pthread_t t;
  pthread_create(&t, nullptr, work, nullptr);
  pthread_join(t, nullptr);
  printf("%d\n", s.read(3));
  if (argc > 1) __builtin_trap();
  return 0;
}
)";

class RealUftrace : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Missing({"uftrace"}); !missing.empty()) GTEST_SKIP() << missing;
    std::string name = (std::filesystem::temp_directory_path() / "oscope-uftrace-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    std::ofstream(directory_ + "/program.cc") << kProgram;
    ASSERT_TRUE(Execute({OSCOPE_CXX, "-pg", "-g", "-O0", "program.cc", "-o", "program", "-pthread"}).ok());
  }
  void TearDown() override {
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  SubprocessOutput Execute(std::vector<std::string> argv) {
    SubprocessOptions options;
    options.argv = std::move(argv);
    options.working_directory = directory_;
    auto run = RunSubprocess(options);
    EXPECT_TRUE(run.ok()) << run.error().message;
    return run.ok() ? *run : SubprocessOutput();
  }
  Imported ImportData() {
    EXPECT_TRUE(IsUftraceDirectory(directory_ + "/data"));
    const auto packed = PackUftraceDirectory(directory_ + "/data", 1 << 30);
    EXPECT_TRUE(packed.ok());
    EXPECT_TRUE(packed->starts_with("info"));
    return Import(*packed);
  }

  std::string directory_;
};

// Names and depths of all traces, a line each.
std::string Events(const Imported& imported) {
  std::string text;
  for (const Trace& trace : imported.collected.runs.at(0).traces) {
    if (trace.header.kind != TraceKind::kExecution) continue;
    for (size_t i = 0; i < trace.events.size(); ++i) {
      text += fmt::format("{} {} {}\n", trace.header.thread, trace.depths[i],
                          imported.collected.symbols.name(trace.events[i]));
    }
  }
  return text;
}

TEST_F(RealUftrace, TheDirectoryTellsWhatTheDumpDoes) {
  Execute({"uftrace", "record", "-d", "data", "./program"});
  const auto from_directory = ImportData();
  ASSERT_TRUE(from_directory.status.ok()) << from_directory.status.error().message;
  const auto from_dump = Import(Execute({"uftrace", "dump", "-d", "data"}).out);
  ASSERT_TRUE(from_dump.status.ok()) << from_dump.status.error().message;
  EXPECT_EQ(Events(from_directory), Events(from_dump));
  EXPECT_NE(Events(from_directory).find("0 4 Socket::read\n"), std::string::npos) << Events(from_directory);
  EXPECT_NE(Events(from_directory).find("1 0 work\n1 1 Socket::read\n"), std::string::npos);
  EXPECT_EQ(from_directory.collected.runs.at(0).header.outcome, Outcome::kPassed);
  EXPECT_EQ(from_directory.collected.runs.at(0).header.command, std::vector<std::string>{"./program"});
}

TEST_F(RealUftrace, ACrashIsMarked) {
  Execute({"uftrace", "record", "-d", "data", "./program", "crash"});
  const auto imported = ImportData();
  ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
  const RunHeader& header = imported.collected.runs.at(0).header;
  EXPECT_EQ(header.failure.signal, 4);
  EXPECT_EQ(header.failing_thread, (ThreadRef{0, 0}));
  const Trace& stack = imported.collected.runs.at(0).traces.back();
  EXPECT_EQ(stack.header.kind, TraceKind::kStack);
  ASSERT_EQ(stack.events.size(), 1u);
  EXPECT_EQ(imported.collected.symbols.name(stack.events[0]), "main");
}

TEST_F(RealUftrace, ArgumentsAreReadFromTheDumpOnly) {
  Execute({"uftrace", "record", "-d", "data", "-a", "./program"});
  const auto imported = ImportData();
  ASSERT_FALSE(imported.status.ok());
  EXPECT_NE(imported.status.error().message.find("uftrace dump"), std::string::npos);
  const auto from_dump = Import(Execute({"uftrace", "dump", "-d", "data"}).out);
  ASSERT_TRUE(from_dump.status.ok());
  EXPECT_NE(Events(from_dump).find("0 4 Socket::read\n"), std::string::npos);
}

TEST_F(RealUftrace, AnArchiveOfTarIsReadToo) {
  Execute({"uftrace", "record", "-d", "data", "./program"});
  for (const std::string format : {"--format=gnu", "--format=ustar", "--format=pax"}) {
    Execute({"tar", format, "-cf", "data.tar", "data"});
    const auto bytes = ReadWholeFile(PosixFileSystem(), directory_ + "/data.tar", 1 << 30);
    ASSERT_TRUE(bytes.ok());
    EXPECT_EQ(DetectImporter(*bytes, "data.tar"), &UftraceImporter());
    const auto imported = Import(*bytes);
    ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
    EXPECT_EQ(Events(imported), Events(ImportData()));
  }
}

// The file of a task may be larger than what a format is detected by.
TEST(UftraceFiles, AreDetectedInAnyOrder) {
  std::string archive;
  ASSERT_TRUE(AppendToTar("70.dat", std::string(2 << 20, 'x'), archive).ok());
  ASSERT_TRUE(AppendToTar("info", InfoFile(""), archive).ok());
  EXPECT_EQ(DetectImporter(archive, ""), &UftraceImporter());
}

TEST(UftraceDirectory, OtherDirectoriesAreNone) {
  EXPECT_FALSE(IsUftraceDirectory("/"));
  EXPECT_FALSE(IsUftraceDirectory("/no/such/directory"));
  EXPECT_FALSE(PackUftraceDirectory("/no/such/directory", 1 << 20).ok());
}

}  // namespace
}  // namespace oscope
