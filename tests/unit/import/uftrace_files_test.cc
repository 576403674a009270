// The files of a uftrace data directory one by one: archive, info, tasks, maps, symbols and records; and the lines of a
// dump.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/bytes.h"
#include "tests/unit/import/imported_text.h"
#include "tracer/import/tar_members.h"
#include "tracer/import/uftrace.h"
#include "tracer/import/uftrace_symbols.h"

namespace oscope {
namespace {

// --- archives ---

std::string TarHeader(const std::string& name, size_t size, char type,
                      const std::function<void(std::string&)>& change = {}) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  header.replace(124, 11, fmt::format("{:011o}", size));
  header[156] = type;
  header.replace(257, 5, "ustar");
  if (change) change(header);
  header.replace(148, 8, "        ");
  uint64_t sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  header.replace(148, 8, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return header;
}

std::string Padded(std::string bytes) {
  bytes.resize((bytes.size() + 511) / 512 * 512);
  return bytes;
}

std::string Members(std::string_view archive) {
  const auto members = ReadTar(archive);
  if (!members.ok()) return members.error().message;
  std::string told;
  for (const TarMember& member : *members) told += fmt::format("{}={} ", member.name, member.bytes);
  return told;
}

TEST(TarArchives, OfEveryKindAreRead) {
  const std::string long_name(150, 'n');
  const auto prefix = [](std::string& header) { header.replace(345, 3, "dir"); };
  const auto gnu_prefix = [](std::string& header) {
    header.replace(345, 3, "dir");
    header.replace(257, 8, std::string("ustar  \0", 8));
  };
  EXPECT_EQ(Members(TarHeader("a", 3, '0') + Padded("xyz") + TarHeader("b", 0, '\0') + TarHeader("./c", 1, '0') +
                    Padded("z")),
            "a=xyz b= c=z ");
  EXPECT_EQ(Members(TarHeader("a", 512, '0') + std::string(512, 'x') + TarHeader("b", 1, '0') + Padded("y")),
            "a=" + std::string(512, 'x') + " b=y ");
  EXPECT_EQ(Members(TarHeader("a", 1, '0', prefix) + Padded("x")), "dir/a=x ");
  EXPECT_EQ(Members(TarHeader("a", 1, '0', gnu_prefix) + Padded("x")), "a=x ") << "GNU tar has times there";
  EXPECT_EQ(Members(TarHeader("L", 151, 'L') + Padded(long_name + std::string("\0", 1)) + TarHeader("cut", 1, '0') +
                    Padded("x") + TarHeader("b", 0, '0')),
            long_name + "=x b= ");
  EXPECT_EQ(Members(TarHeader("x", 16, 'x') + Padded("16 path=my/name\n") + TarHeader("cut", 1, '0') + Padded("x") +
                    TarHeader("b", 0, '0')),
            "my/name=x b= ");
  EXPECT_EQ(Members(TarHeader("x", 12, 'x') + Padded("12 mtime=123\n") + TarHeader("a", 1, '0') + Padded("x")), "a=x ");
  EXPECT_EQ(Members(TarHeader("d/", 0, '5') + TarHeader("link", 0, '2') + TarHeader("a", 0, '0')), "a= ")
      << "directories and links are no files";
  EXPECT_EQ(Members(TarHeader("a", 0, '0') + std::string(1024, '\0') + TarHeader("b", 0, '0')), "a= ")
      << "zeros end it";
  EXPECT_EQ(Members(TarHeader("a", 0, '0')), "a= ");
  EXPECT_EQ(Members(TarHeader("a", 2, '0', [](std::string& header) { header.replace(124, 12, "          2 "); }) +
                    Padded("xy")),
            "a=xy ")
      << "blanks";
}

TEST(TarArchives, ThatAreDamagedAreRefused) {
  const std::string wrong = "archive: a header's sum or size is wrong";
  const auto size = [](const std::string& text) {
    return TarHeader("a", 0, '0', [&](std::string& header) { header.replace(124, 12, text); });
  };
  EXPECT_EQ(Members(size("00000000008 ")), wrong);
  EXPECT_EQ(Members(size("0000000000/ ")), wrong);
  EXPECT_EQ(Members(size("            ")), wrong);
  std::string changed = TarHeader("a", 0, '0');
  changed[300] = 1;
  EXPECT_EQ(Members(changed), wrong);
  EXPECT_EQ(Members(TarHeader("a", 513, '0') + std::string(512, 'x')), "archive: it ends in the file 'a'");
  EXPECT_EQ(Members(TarHeader("a", 512, '0') + std::string(512, 'x')), "a=" + std::string(512, 'x') + " ");
}

TEST(TarArchives, AreWrittenAsTarReadsThem) {
  std::string archive;
  ASSERT_TRUE(AppendToTar("a", "xyz", archive).ok());
  ASSERT_EQ(archive.size(), 1024u);
  EXPECT_EQ(archive.substr(100, 8), std::string("0000600\0", 8));
  EXPECT_EQ(archive.substr(124, 12), std::string("00000000003\0", 12));
  EXPECT_EQ(archive[156], '0');
  EXPECT_EQ(archive.substr(257, 8), std::string("ustar\0"
                                                "00",
                                                8));
  EXPECT_EQ(archive.substr(154, 2), std::string("\0 ", 2));
  ASSERT_TRUE(AppendToTar("b", std::string(512, 'y'), archive).ok());
  EXPECT_EQ(archive.size(), 2048u);
}

// --- symbols and maps ---

std::string NameAt(const UftraceSymbolFile& file, uint64_t address) {
  const auto* symbol = file.Find(address);
  return symbol == nullptr ? "(none)" : std::string(symbol->name);
}

TEST(UftraceSymbolFiles, HaveLinesOfAddressTypeAndName) {
  const UftraceSymbolFile file(
      "# path name: /src/my demo\n# build-id: bb\n0000000000000030 T c\n0000000000000010 T a\n0000000000000020 t f "
      "with blanks\n0000000000000020 ? mark\n"
      "0000000000000040 D data\n0000000000000050 W w\n0000000000000060 w v\n0000000000000070 P stub\n0000000000000080 "
      "? __func_end\nnonsense\n00000000000000a0\n"
      "00000000000000b0TTx\n00000000000000c0 TTx\n00000000000000d0xT x\n");
  EXPECT_EQ(file.path(), "/src/my demo");
  EXPECT_EQ(file.build_id(), "bb");
  EXPECT_EQ(NameAt(file, 0x0f), "(none)");
  EXPECT_EQ(NameAt(file, 0x10), "a");
  EXPECT_EQ(NameAt(file, 0x1f), "a");
  EXPECT_EQ(NameAt(file, 0x20), "f with blanks") << "a mark shares its address";
  EXPECT_EQ(NameAt(file, 0x30), "c");
  EXPECT_EQ(NameAt(file, 0x40), "(none)") << "data";
  EXPECT_EQ(NameAt(file, 0x50), "w");
  EXPECT_EQ(NameAt(file, 0x60), "v");
  EXPECT_EQ(NameAt(file, 0x7f), "stub");
  EXPECT_EQ(NameAt(file, 0x80), "(none)");
  EXPECT_EQ(NameAt(file, 0xff), "(none)");
  EXPECT_EQ(NameAt(UftraceSymbolFile(""), 0), "(none)");
  EXPECT_EQ(NameAt(UftraceSymbolFile("0000000000000010 ? mark\n0000000000000010 ? other\n"), 0x10), "(none)");
  EXPECT_EQ(NameAt(UftraceSymbolFile("0000000000000010 T x\n"), 0x10), "x");
}

std::string PlaceAt(const UftraceSession& session, uint64_t address) {
  const StackFrame frame = session.FrameAt(address);
  return fmt::format("{}|{}|{}|{}", frame.name, frame.attributes.object, frame.attributes.build_id,
                     frame.attributes.signature);
}

TEST(UftraceSessions, KnowWhereObjectsLie) {
  std::vector<UftraceSymbolFile> files;
  files.emplace_back("# path name: /src/demo\n# build-id: aa\n0000000000000000 T old\n");
  files.emplace_back(
      "# path name: /src/demo\n# build-id: bb\n0000000000000000 T first\n0000000000001800 T second\n0000000000001900 P "
      "stub\n");
  files.emplace_back("# path name: /lib/late.so\n0000000000000010 T _ZN3net4lateEv\n");
  files.emplace_back("# path name: /lib/later.so\n0000000000000010 T later\n");
  UftraceSession session(
      "1000-2000 r-xp 0 00:00 0 /src/demo build-id:bb\n2000-3000 r--p 0 00:00 0 /src/demo build-id:bb\n5000-6000 r-xp "
      "0 00:00 0 [stack]\n"
      "7000 r-xp 0 00:00 0 /src/cut\n7000- r-xp 0 00:00 0 /src/cut\n8000-9000 r-xp 0 00:00 0\na000-b000 r-xp 0 00:00 0 "
      "/src/plain\n",
      files, true);
  EXPECT_EQ(PlaceAt(session, 0xfff), "|||");
  EXPECT_EQ(PlaceAt(session, 0x1000), "first|/src/demo|bb|");
  EXPECT_EQ(PlaceAt(session, 0x2fff), "stub|||") << "a stub's function lies elsewhere";
  EXPECT_EQ(PlaceAt(session, 0x2800), "second|/src/demo|bb|") << "counted from the first mapping";
  EXPECT_EQ(PlaceAt(session, 0x3000), "|||");
  EXPECT_EQ(PlaceAt(session, 0x5000), "|||");
  EXPECT_EQ(PlaceAt(session, 0x7000), "|||");
  EXPECT_EQ(PlaceAt(session, 0x8000), "|||");
  EXPECT_EQ(PlaceAt(session, 0xa000), "|/src/plain||");
  EXPECT_EQ(PlaceAt(session, 0xafff), "|/src/plain||");
  EXPECT_EQ(PlaceAt(session, 0xb000), "|||");
  session.AddLibrary(0x20000, "/lib/late.so");
  session.AddLibrary(0x30000, "/lib/later.so");
  EXPECT_EQ(PlaceAt(session, 0x20010), "_ZN3net4lateEv|/lib/late.so||net::late()");
  EXPECT_EQ(PlaceAt(session, 0x30010), "later|/lib/later.so||") << "the one opened last";
}

TEST(UftraceSessions, TakeTheSymbolsOfTheirBuild) {
  std::vector<UftraceSymbolFile> files;
  files.emplace_back("# path name: /a\n# build-id: aa\n0000000000000000 T of_aa\n");
  files.emplace_back("# path name: /a\n# build-id: bb\n0000000000000000 T of_bb\n");
  files.emplace_back("# path name: /b\n0000000000000000 T without\n");
  files.emplace_back("# path name: /b\n# build-id: cc\n0000000000000000 T of_cc\n");
  const auto name = [&](const std::string& object) {
    return PlaceAt(UftraceSession("1000-2000 r-xp 0 0 0 " + object + "\n", files, true), 0x1000);
  };
  EXPECT_EQ(name("/a build-id:aa"), "of_aa|/a|aa|");
  EXPECT_EQ(name("/a build-id:bb"), "of_bb|/a|bb|");
  EXPECT_EQ(name("/a build-id:dd"), "|/a||") << "of another build";
  EXPECT_EQ(name("/a"), "of_aa|/a||");
  EXPECT_EQ(name("/b build-id:cc"), "of_cc|/b|cc|");
  EXPECT_EQ(name("/b build-id:dd"), "without|/b|dd|");
  EXPECT_EQ(name("/b"), "without|/b||");
  EXPECT_EQ(name("/c"), "|/c||");
  EXPECT_EQ(PlaceAt(UftraceSession("1000-2000 r-xp 0 0 0 /b\n", files, false), 0x1234), "without|/b||")
      << "addresses as they are";
}

// --- a directory ---

struct Record {
  uint64_t time_ns;
  int type;  // 0 entry, 1 exit, 2 lost, 3 event
  uint32_t depth;
  uint64_t address;
};

std::string Records(std::initializer_list<Record> records) {
  ByteWriter writer;
  for (const Record& record : records) {
    writer.U64(1'000'000'000 + record.time_ns);
    writer.U64(static_cast<uint64_t>(record.type) | 5 << 3 | uint64_t{record.depth} << 6 | record.address << 16);
  }
  return writer.Take();
}

std::string Info(std::string_view lines, uint32_t version = 4, uint16_t header_bytes = 40, uint8_t order = 1) {
  ByteWriter writer;
  writer.Bytes(std::string_view("Ftrace!\0", 8));
  writer.U32(version);
  writer.U16(header_bytes);
  writer.U8(order);
  writer.U8(2);
  writer.U64(0x363);
  writer.U64(0);
  writer.U64(1024);
  writer.Bytes(lines);
  return writer.Take();
}

using Files = std::map<std::string, std::string>;

Files OneProcess() {
  return {{"info", Info("exit_status:0\n")},
          {"task.txt",
           "SESS timestamp=1.000000000 pid=70 sid=aa exename=\"/p\"\nTASK timestamp=1.000000001 tid=70 pid=70\nTASK "
           "timestamp=1.000000050 tid=71 pid=70\n"},
          {"sid-aa.map", "1000-2000 r-xp 0 00:00 0 /p\n"},
          {"p.sym", "# path name: /p\n0000000000000000 T main\n0000000000000100 T f\n0000000000000200 T g\n"},
          {"70.dat", Records({{10, 0, 0, 0x1000}, {20, 0, 1, 0x1100}, {30, 1, 1, 0x1100}})}};
}

std::string ToldFiles(const Files& files) {
  std::string archive;
  for (const auto& [name, bytes] : files) EXPECT_TRUE(AppendToTar(name, bytes, archive).ok());
  return Told("uftrace", archive);
}

const std::string kPassed = "run\n  outcome: passed\n  exit code: 0\n";
const std::string kMainAndF = "  trace 0.0 execution\n    0 main  -- in /p\n    1 f  -- in /p\n";

TEST(UftraceDirectories, FilesOfOtherNamesAreLeftAlone) {
  Files files = OneProcess();
  EXPECT_EQ(ToldFiles(files), kPassed + kMainAndF);
  files["99.log"] = "not a record at all";
  files["x.dat"] = "nor this";
  files["4294967296.dat"] = "nor this";
  EXPECT_EQ(ToldFiles(files), kPassed + kMainAndF);
  files["72.dat"] = Records({{90, 0, 0, 0x1200}, {91, 3, 0, 1}});
  EXPECT_EQ(ToldFiles(files), kPassed + kMainAndF + "  trace 1.0 execution\n    0 [unknown]\n")
      << "a task that no line of task.txt names";
}

TEST(UftraceDirectories, ProblemsAreToldOnce) {
  const auto told = [](const std::function<void(Files&)>& change) {
    Files files = OneProcess();
    change(files);
    return ToldFiles(files);
  };
  EXPECT_EQ(told([](Files& files) { files["info"] = "Ftrace?\n", files.erase("task.txt"); }),
            "0: info: not written by uftrace\n");
  EXPECT_EQ(told([](Files& files) { files["info"].resize(20), files.erase("task.txt"); }),
            "0: info: the file is cut\n");
  EXPECT_EQ(told([](Files& files) { files["info"] = Info("", 4, 60'000), files.erase("task.txt"); }),
            "0: info: the file is cut\n");
  const std::string version = "0: info: version {} or its byte order is not known: give the output of 'uftrace dump'\n";
  EXPECT_EQ(told([](Files& files) { files["info"] = Info("", 2), files.erase("task.txt"); }),
            fmt::format(fmt::runtime(version), 2));
  EXPECT_EQ(told([](Files& files) { files["info"] = Info("", 5); }), fmt::format(fmt::runtime(version), 5));
  EXPECT_EQ(told([](Files& files) { files["info"] = Info("", 4, 40, 2); }), fmt::format(fmt::runtime(version), 4));
  EXPECT_EQ(told([](Files& files) { files["info"] = Info("exit_status:0\n", 3); }), kPassed + kMainAndF);
  EXPECT_EQ(told([](Files& files) { files["70.dat"][8] = 0, files["71.dat"] = std::string(16, '\0'); }),
            "0: 70.dat: no record at byte 0\n");
  EXPECT_EQ(told([](Files& files) {
              files["70.dat"][24] = static_cast<char>(files["70.dat"][24] | 4), files["71.dat"] = std::string(16, '\0');
            }),
            "0: recorded with arguments, return values or events: give the output of 'uftrace dump'\n");
  for (const std::string time : {"1", "1.5", "1.0000000011", "x.000000001", "1.00000000x", "18446744073.000000000"}) {
    EXPECT_EQ(told([&](Files& files) { files["task.txt"] += "\nTASK timestamp=" + time + " tid=75 pid=70\n"; }),
              "0: task.txt:5: no time\n")
        << time;
  }
  EXPECT_EQ(
      told([](Files& files) { files["task.txt"] += "\n \nTASK timestamp=18446744072.000000000 tid=75 pid=70\n"; }),
      kPassed + kMainAndF);
}

TEST(UftraceDirectories, ThreadsComeByTheirStartAndTheFirstOneIsZero) {
  Files files = OneProcess();
  files["task.txt"] =
      "SESS timestamp=1.000000000 pid=70 sid=aa exename=\"/p\"\nTASK timestamp=1.000000060 tid=68 pid=70\nTASK "
      "timestamp=1.000000050 tid=71 pid=70\n"
      "TASK timestamp=1.000000070 tid=70 pid=70\n";
  files["68.dat"] = Records({{61, 0, 0, 0x1100}});
  files["71.dat"] = Records({{61, 0, 0, 0x1200}});
  files["70.dat"] = Records({{90, 0, 0, 0x1000}});
  EXPECT_EQ(ToldFiles(files), kPassed +
                                  "  trace 0.0 execution\n    0 main  -- in /p\n  trace 0.1 execution\n    0 g  -- in "
                                  "/p\n  trace 0.2 execution\n    0 f  -- in /p\n");
}

TEST(UftraceDirectories, AnExecIsAnotherProcessFromItsTimeOn) {
  Files files = OneProcess();
  // In no order: the times tell. Another process of another pid changes nothing.
  files["task.txt"] =
      "SESS timestamp=1.000000100 pid=70 sid=bb exename=\"/q\"\nSESS timestamp=1.000000025 pid=99 sid=bb "
      "exename=\"/q\"\n"
      "SESS timestamp=1.000000000 pid=70 sid=aa exename=\"/p\"\nTASK timestamp=1.000000001 tid=70 pid=70\n";
  files["sid-bb.map"] = "1000-2000 r-xp 0 00:00 0 /q\n";
  files["q.sym"] = "# path name: /q\n0000000000000000 T other\n";
  files["70.dat"] = Records({{10, 0, 0, 0x1000}, {99, 0, 1, 0x1100}, {100, 0, 0, 0x1000}, {101, 0, 1, 0x1000}});
  EXPECT_EQ(ToldFiles(files),
            kPassed + kMainAndF + "  trace 1.0 execution\n    0 other  -- in /q\n    1 other  -- in /q\n");
}

TEST(UftraceDirectories, TheFailureLiesInTheThreadThatRecordedLastOfThoseWithOpenCalls) {
  Files files = OneProcess();
  files["info"] = Info("exit_status:11\n");
  const auto stack = [](const std::string& thread, const std::string& frames) {
    return fmt::format("  trace {} stack\n{}    ^ SIGSEGV\n", thread, frames);
  };
  const std::string head = "run\n  outcome: signal\n  signal: 11\n  message: SIGSEGV\n  failing thread: ";
  const std::string main = "  trace 0.0 execution\n    0 main  -- in /p\n    1 f  -- in /p\n    ^ SIGSEGV\n";
  EXPECT_EQ(ToldFiles(files), head + "0.0\n" + main + stack("0.0", "    main  -- in /p\n"))
      << "what returned is not on the stack";
  files["71.dat"] = Records({{60, 0, 0, 0x1200}, {90, 1, 0, 0x1200}});
  EXPECT_EQ(ToldFiles(files),
            head + "0.0\n" + main + "  trace 0.1 execution\n    0 g  -- in /p\n" + stack("0.0", "    main  -- in /p\n"))
      << "it has no open call";
  files["71.dat"] = Records({{25, 0, 0, 0x1200}, {30, 0, 1, 0x1100}});
  EXPECT_EQ(ToldFiles(files), head + "0.0\n" + main + "  trace 0.1 execution\n    0 g  -- in /p\n    1 f  -- in /p\n" +
                                  stack("0.0", "    main  -- in /p\n"))
      << "at one time, the first";
  files["71.dat"] = Records({{25, 0, 0, 0x1200}, {31, 0, 1, 0x1100}});
  EXPECT_EQ(ToldFiles(files), head + "0.1\n" + kMainAndF +
                                  "  trace 0.1 execution\n    0 g  -- in /p\n    1 f  -- in /p\n    ^ SIGSEGV\n" +
                                  stack("0.1", "    g  -- in /p\n    f  -- in /p\n"));
  files["70.dat"] = Records({{10, 0, 0, 0x1000}, {90, 1, 0, 0x1000}});
  files.erase("71.dat");
  EXPECT_EQ(ToldFiles(files), "run\n  outcome: signal\n  signal: 11\n  trace 0.0 execution\n    0 main  -- in /p\n")
      << "nothing is open";
}

TEST(UftraceDirectories, LostAndCutRecordsMakeTracesPartial) {
  Files files = OneProcess();
  files["70.dat"] += Records({{40, 2, 0, 12}, {41, 2, 0, 3}});
  EXPECT_EQ(
      ToldFiles(files),
      kPassed + "  trace 0.0 execution partial: uftrace lost 15 records\n    0 main  -- in /p\n    1 f  -- in /p\n");
  files = OneProcess();
  files["70.dat"] += "x";
  EXPECT_EQ(
      ToldFiles(files),
      kPassed +
          "  trace 0.0 execution partial: the file of the task is cut\n    0 main  -- in /p\n    1 f  -- in /p\n");
}

TEST(UftraceDirectories, ArePackedWithWhatMattersAlone) {
  std::string directory = (std::filesystem::temp_directory_path() / "oscope-uftrace-files-XXXXXX").string();
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(directory + "/" + name, std::ios::binary) << bytes;
  };
  EXPECT_FALSE(IsUftraceDirectory(directory));
  write("info", "Ftrace!");
  EXPECT_FALSE(IsUftraceDirectory(directory)) << "too short";
  write("info", "Ftrace?\n");
  EXPECT_FALSE(IsUftraceDirectory(directory));
  write("info", std::string("Ftrace!\0", 8));
  EXPECT_TRUE(IsUftraceDirectory(directory));
  for (const auto& [name, bytes] : OneProcess()) write(name, bytes);
  for (const std::string name : {"x.dat", "99.log", "default.opts", "sid-aa.txt", "other.map", "info.old", "71"})
    write(name, "x");
  const auto packed = PackUftraceDirectory(directory, 1 << 20);
  ASSERT_TRUE(packed.ok());
  EXPECT_TRUE(packed->starts_with("info"));
  const auto members = ReadTar(*packed);
  ASSERT_TRUE(members.ok());
  std::set<std::string> names;
  for (const TarMember& member : *members) names.insert(member.name);
  EXPECT_EQ(names, (std::set<std::string>{"info", "task.txt", "sid-aa.map", "p.sym", "70.dat"}));
  EXPECT_EQ(members->size(), 5u);
  EXPECT_EQ(Told("uftrace", *packed), kPassed + kMainAndF);
  EXPECT_EQ(PackUftraceDirectory(directory, 100).error().code, ErrorCode::kLimit);
  write(std::string(101, 'n') + ".sym", "x");
  EXPECT_EQ(PackUftraceDirectory(directory, 1 << 20).error().code, ErrorCode::kLimit) << "a name that is too long";
  std::filesystem::remove_all(directory);
}

// --- a dump ---

TEST(UftraceDumps, AreLinesOfTasks) {
  const auto line = [](const std::string& time, const std::string& tid, const std::string& rest) {
    return time + "  " + tid + ": " + rest + "\n";
  };
  const std::string entry = "[entry] f(4a) depth: 0";
  const std::string f = "  trace 0.0 execution\n    0 f\n";
  const std::string none = "expected a data directory of uftrace record, or the output of uftrace dump\n";
  const auto told = [&](const std::string& lines) { return Told("uftrace", "reading 7.dat\n" + lines); };
  const std::string run = "run\n  outcome: failed\n";
  EXPECT_EQ(told(line("1.000000001", "7", entry)), run + f);
  EXPECT_EQ(told("\x1b[32m" + line("1.000000001", "7", entry)), run + f) << "with colours";
  EXPECT_EQ(told(line("9223372036.000000001", "4294967295", entry)), run + f) << "at the limits";
  for (const std::string& text :
       {line("9223372037.000000001", "7", entry), line("1.x", "7", entry), line("1,5", "7", entry),
        line("1.000000001", "4294967296", entry), line("1.000000001", "x", entry),
        line("1.000000001", "7", "[entry f(4a) depth: 0"), line("1.000000001", "7", "[event] f(4a) depth: 0")}) {
    EXPECT_EQ(told(text), fmt::format("0: no trace in {} bytes: {}", text.size() + 14, none)) << text;
  }
  EXPECT_EQ(told(line("1.000000001", "7", "[entry] <55ff>(55ff) depth: 0")),
            run + "  trace 0.0 execution\n    0 [unknown]\n");
  EXPECT_EQ(told(line("1.000000001", "7", "[entry] f(int)(4a) depth: 2")), run + "  trace 0.0 execution\n    2 f\n");
  EXPECT_EQ(told(line("1.000000001", "7", "[entry] f(4a) depth: x")), "2: a depth of 1048576 or more, or none\n");
  EXPECT_EQ(told(line("1.000000001", "7", entry) + line("1.000000002", "7", "[lost ] (c) depth: 0") +
                 line("1.000000002", "7", "[exit ] f(4a) depth: 0")),
            run + "  trace 0.0 execution partial: uftrace lost 12 records\n    0 f\n");
  EXPECT_EQ(
      told(line("1.000000005", "7", entry) + "reading 9.dat\n" + line("1.000000002", "9", "[entry] a::g(4a) depth: 0") +
           "reading perf-cpu0.dat\n" + line("1.000000001", "8", entry)),
      "run\n  language: c++\n  outcome: failed\n  trace 0.0 execution\n    0 a::g\n  trace 0.1 execution\n    0 f\n")
      << "by their first record; what perf recorded is not of the program";
}

}  // namespace
}  // namespace oscope
