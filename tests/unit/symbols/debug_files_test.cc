#include "tracer/symbols/debug_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/installed.h"
#include "tests/unit/symbols/built_program.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram =
    "static int hidden(int x) {\n  return x + 1;\n}\nint main(int argc, char **argv) {\n  return hidden(argc);\n}\n";

// A program, the same stripped, and its debug information apart.
class DebugFiles : public testing::Test {
 protected:
  void Build(const std::vector<std::string>& flags = {}) {
    build_.Write("program.c", kProgram);
    std::vector<std::string> all = {"-g", "-O0"};
    all.insert(all.end(), flags.begin(), flags.end());
    whole_ = build_.Compile("whole", "program.c", all);
    build_.Run({"objcopy", "--only-keep-debug", "whole", "program.debug"});
    fs::create_directory(build_.Path("bin"));
    stripped_ = build_.Path("bin/program");
    build_.Run({"strip", "-s", "-o", stripped_, "whole"});
    hidden_ = AddressOf(whole_, "hidden");
  }
  void AddLink() { build_.Run({"objcopy", "--add-gnu-debuglink=program.debug", stripped_}); }
  std::string MoveDebugFileTo(const std::string& place) {
    const std::string path = build_.Path(place);
    fs::create_directories(fs::path(path).parent_path());
    fs::rename(build_.Path("program.debug"), path);
    return path;
  }
  // The build-id's path below a root.
  std::string BuildIdPath() {
    const std::string id = ObjectFile::Open(whole_)->build_id();
    EXPECT_EQ(id.size(), 40u);
    EXPECT_NE(build_.Run({"readelf", "-n", "whole"}).find(id), std::string::npos);
    return ".build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
  }
  ObjectFile OpenStripped() {
    auto object = ObjectFile::Open(stripped_, {.debug_roots = {build_.Path("no-such-root"), build_.Path("root")}});
    EXPECT_TRUE(object.ok());
    return std::move(object).value();
  }
  void ExpectNames(const std::string& debug_path) {
    ObjectFile object = OpenStripped();
    EXPECT_EQ(object.debug_path(), debug_path);
    ASSERT_TRUE(object.FunctionAt(hidden_));
    EXPECT_EQ(object.FunctionAt(hidden_)->linkage_name, "hidden");
    EXPECT_TRUE(object.has_lines());
    EXPECT_EQ(object.LineAt(hidden_ + 4), (SourceLine{build_.Path("program.c"), 1}));
    EXPECT_EQ(object.DeclaredAt(hidden_), 1u);
  }
  void ExpectNoNames() {
    ObjectFile object = OpenStripped();
    EXPECT_EQ(object.debug_path(), "");
    ASSERT_TRUE(object.FunctionAt(hidden_));
    EXPECT_EQ(object.FunctionAt(hidden_)->linkage_name, "");
    EXPECT_FALSE(object.LineAt(hidden_));
  }

  BuildDirectory build_;
  std::string whole_;
  std::string stripped_;
  uint64_t hidden_ = 0;
};

TEST_F(DebugFiles, AreFoundBesideTheObject) {
  Build();
  AddLink();
  ExpectNames(MoveDebugFileTo("bin/program.debug"));
}

TEST_F(DebugFiles, AreFoundInTheHiddenDirectory) {
  Build();
  AddLink();
  ExpectNames(MoveDebugFileTo("bin/.debug/program.debug"));
}

TEST_F(DebugFiles, AreFoundBelowTheRootUnderTheObjectsDirectory) {
  Build();
  AddLink();
  ExpectNames(MoveDebugFileTo("root" + build_.Path("bin/program.debug")));
}

TEST_F(DebugFiles, AreFoundWhereTheObjectIsALink) {
  Build();
  AddLink();
  const std::string debug = MoveDebugFileTo("bin/program.debug");
  fs::create_directory(build_.Path("links"));
  fs::create_symlink(stripped_, build_.Path("links/program"));
  stripped_ = build_.Path("links/program");
  ExpectNames(debug);
}

TEST_F(DebugFiles, AreFoundByBuildIdWithoutALink) {
  Build({"-Wl,--build-id=sha1"});
  ExpectNames(MoveDebugFileTo("root/" + BuildIdPath()));
}

TEST_F(DebugFiles, CompressedOnesAreReadToo) {
  for (const char* kind : {"zlib", "zlib-gnu"}) {
    Build();
    build_.Run({"objcopy", std::string("--compress-debug-sections=") + kind, "program.debug"});
    AddLink();
    ExpectNames(MoveDebugFileTo("bin/program.debug"));
  }
}

TEST_F(DebugFiles, OfAnotherBuildAreRefusedByBuildId) {
  Build({"-Wl,--build-id=0x1234567890123456789012345678901234567890"});
  AddLink();
  MoveDebugFileTo("bin/program.debug");
  ExpectNames(build_.Path("bin/program.debug"));
  build_.Compile("bin/program.debug", "program.c", {"-g", "-O2", "-Wl,--build-id=sha1"});
  ExpectNoNames();
}

TEST_F(DebugFiles, WithoutBuildIdTheChecksumDecides) {
  Build({"-Wl,--build-id=none"});
  AddLink();
  const std::string debug = MoveDebugFileTo("bin/program.debug");
  ExpectNames(debug);
  EXPECT_EQ(OpenStripped().build_id(), "");
  fs::resize_file(debug, fs::file_size(debug) + 1);
  ExpectNoNames();
}

TEST_F(DebugFiles, AreNotTheObjectItself) {
  Build({"-Wl,--build-id=sha1"});
  build_.Run({"cp", "program.debug", "program"});
  build_.Run({"objcopy", "--add-gnu-debuglink=program", stripped_});
  ExpectNoNames();
}

TEST_F(DebugFiles, GarbageIsNoDebugFile) {
  Build();
  AddLink();
  build_.Write("bin/program.debug",
               "\x7f"
               "ELF but no more");
  ExpectNoNames();
}

TEST(SharedDebugFiles, OfDwzAreRead) {
  if (const std::string missing = Missing({"dwz"}); !missing.empty()) GTEST_SKIP() << missing;
  BuildDirectory build;
  // dwz moves what two files have in common to a third: types and declarations, names of inlined functions among them.
  std::string header =
      "static inline __attribute__((always_inline)) int shared_inline_function(int x) {\n  return x * 3;\n}\n";
  for (int i = 0; i < 40; ++i)
    header += fmt::format("struct shared_type_{0} {{ int first_member_{0}; long second_member_{0}; }};\n", i);
  build.Write("shared.h", header);
  for (const std::string name : {"one", "two"}) {
    std::string source = "#include \"shared.h\"\n";
    for (int i = 0; i < 40; ++i) source += fmt::format("struct shared_type_{0} variable_{0};\n", i);
    source += "int main(int argc, char **argv) {\n  return shared_inline_function(argc);\n}\n";
    build.Write(name + ".c", source);
    build.Compile(name, name + ".c", {"-g", "-gdwarf-4", "-O0", "-Wl,--build-id=sha1"});
  }
  build.Run({"dwz", "-m", "common.debug", "-M", build.Path("moved/common.debug"), "-q", "one", "two"});
  ASSERT_TRUE(fs::exists(build.Path("common.debug"))) << "dwz found nothing to share";
  const std::string program = build.Path("one");
  const uint64_t start = AddressOf(program, "main");
  const auto inlined_name = [&] {
    auto object = ObjectFile::Open(program, {.debug_roots = {build.Path("root")}});
    EXPECT_TRUE(object.ok());
    EXPECT_EQ(object->LineAt(start), (SourceLine{build.Path("one.c"), 42}));
    for (uint64_t at = start; at < start + object->FunctionAt(start)->size; ++at) {
      if (const auto inlined = object->InlinedAt(at); !inlined.empty()) return inlined[0].linkage_name;
    }
    return std::string();
  };
  EXPECT_EQ(inlined_name(), "");
  fs::create_directory(build.Path("moved"));
  fs::rename(build.Path("common.debug"), build.Path("moved/common.debug"));
  EXPECT_EQ(inlined_name(), "shared_inline_function");
}

TEST(DebugLinkChecksum, IsThatOfZlib) {
  EXPECT_EQ(DebugLinkChecksum(""), 0u);
  EXPECT_EQ(DebugLinkChecksum("123456789"), 0xcbf43926u);
}

}  // namespace
}  // namespace oscope
