#include <gtest/gtest.h>

#include <random>

#include "tests/unit/symbols/built_program.h"
#include "tracer/symbols/linkage_name.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

constexpr std::string_view kProgram = R"(#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) int innermost(int x) {
  return x * 7 +
         atoi("1");
}

static inline __attribute__((always_inline)) int middle(int x) {
  int y = innermost(x);  // line 10
  return y - 1;
}

int outer(int x) {
  printf("%d\n", x);
  return middle(x + 1);  // line 16
}

int loop(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0) sum += outer(i);
    else sum -= i;
  }
  return sum;
}

int main(int argc, char **argv) {
  return loop(argc) > 3;
}
)";

// Places in functions of the program's own code: their starts and some inside.
std::vector<uint64_t> Places(const std::string& program, int inside) {
  std::mt19937 random(7);
  std::vector<uint64_t> places;
  for (const NmSymbol& symbol : Nm(program)) {
    if (!symbol.is_function() || symbol.size == 0) continue;
    places.push_back(symbol.address);
    for (int i = 0; i < inside; ++i) places.push_back(symbol.address + random() % symbol.size);
  }
  return places;
}

std::string Told(ObjectFile& object, uint64_t address) {
  const auto line = object.LineAt(address);
  return line ? fmt::format("{}:{}", line->file, line->line) : "??:0";
}

void ExpectLinesOfAddr2line(ObjectFile& object, const std::string& with_debug_info, int at_least) {
  const std::vector<uint64_t> places = Places(with_debug_info, 20);
  const std::vector<std::string> expected = Addr2line(with_debug_info, places);
  int lines = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (expected[i].ends_with(":?") || expected[i].ends_with(":0")) continue;
    EXPECT_EQ(Told(object, places[i]), expected[i]) << std::hex << places[i];
    ++lines;
  }
  EXPECT_GE(lines, at_least);
}

class Lines : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Lines, AreThoseOfAddr2line) {
  BuildDirectory build;
  build.Write("program.c", kProgram);
  const std::string program = build.Compile("program", "program.c", GetParam());
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  EXPECT_TRUE(object->has_lines());
  EXPECT_EQ(object->debug_path(), "");
  ExpectLinesOfAddr2line(*object, program, 60);
  EXPECT_EQ(object->DeclaredAt(AddressOf(program, "outer")), 14u);
  EXPECT_EQ(object->DeclaredAt(AddressOf(program, "loop")), 19u);
  EXPECT_FALSE(object->DeclaredAt(AddressOf(program, "_start") + 1));
  EXPECT_FALSE(object->LineAt(AddressOf(program, "_init")));
  EXPECT_FALSE(object->LineAt(1));
}

INSTANTIATE_TEST_SUITE_P(
    Flags, Lines,
    testing::Values(std::vector<std::string>{"-g", "-O0"}, std::vector<std::string>{"-g", "-O1", "-no-pie"},
                    std::vector<std::string>{"-gdwarf-4", "-O0"}, std::vector<std::string>{"-gdwarf-2", "-O0"},
                    std::vector<std::string>{"-g", "-gz", "-O0"},
                    std::vector<std::string>{"-g", "-gsplit-dwarf", "-O0"},
                    std::vector<std::string>{"-gdwarf-4", "-fdebug-types-section", "-ffunction-sections", "-O0"}));

// addr2line 2.40 may give an inlined function's line with the file of the function around it, so only lines are
// compared.
TEST(Lines, OfThisProgramAreThoseOfAddr2line) {
  const std::string program = ThisProgram();
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  const std::vector<uint64_t> places = Places(program, 1);
  const std::vector<std::string> expected = Addr2line(program, places);
  int lines = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (expected[i].ends_with(":?") || expected[i].ends_with(":0")) continue;
    const std::string told = Told(*object, places[i]);
    EXPECT_EQ(told.substr(told.rfind(':')), expected[i].substr(expected[i].rfind(':'))) << std::hex << places[i];
    ++lines;
  }
  EXPECT_GT(lines, 500);
}

// addr2line 2.40 answers the name of the linker's unit, <artificial>.
TEST(Lines, OfWhatWasCompiledAtLinkTimeHaveTheirFiles) {
  BuildDirectory build;
  const std::string source = build.Write("program.c", kProgram);
  const std::string program = build.Compile("program", "program.c", {"-g", "-flto", "-O0"});
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->LineAt(AddressOf(program, "loop")), (SourceLine{source, 19}));
  EXPECT_EQ(object->LineAt(AddressOf(program, "main")), (SourceLine{source, 28}));
}

TEST(Lines, ThereAreNoneWithoutDebugInformation) {
  BuildDirectory build;
  build.Write("program.c", kProgram);
  const std::string program = build.Compile("program", "program.c", {"-O0", "-g0"});
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  EXPECT_FALSE(object->has_lines());
  EXPECT_FALSE(object->LineAt(AddressOf(program, "main")));
  EXPECT_FALSE(object->DeclaredAt(AddressOf(program, "main")));
  EXPECT_TRUE(object->InlinedAt(AddressOf(program, "main")).empty());
}

// Where `outer` calls a function of the C library.
uint64_t CallOf(const BuildDirectory& build, const std::string& program, const std::string& callee) {
  const std::string code = build.Run({"objdump", "-d", "--no-show-raw-insn", program});
  const size_t call = code.find("<" + callee + "@plt>", code.find("<outer>:"));
  if (call != std::string::npos) return std::stoull(code.substr(code.rfind('\n', call) + 1), nullptr, 16);
  ADD_FAILURE() << "no call of " << callee;
  return 0;
}

class Inlined : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Inlined, FunctionsAreToldFromTheInnermost) {
  BuildDirectory build;
  const std::string source = build.Write("program.c", kProgram);
  const std::string program = build.Compile("program", "program.c", GetParam());
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  const uint64_t call = CallOf(build, program, "atoi");
  const auto inlined = object->InlinedAt(call);
  ASSERT_EQ(inlined.size(), 2u);
  EXPECT_EQ(inlined[0], (InlinedFunction{"innermost", {source, 10}}));
  EXPECT_EQ(inlined[1], (InlinedFunction{"middle", {source, 16}}));
  EXPECT_EQ(object->FunctionAt(call)->linkage_name, "outer");
  EXPECT_TRUE(object->InlinedAt(AddressOf(program, "outer")).empty());
}

INSTANTIATE_TEST_SUITE_P(Flags, Inlined,
                         testing::Values(std::vector<std::string>{"-g", "-O0"},
                                         std::vector<std::string>{"-gdwarf-4", "-O0"},
                                         std::vector<std::string>{"-g", "-gsplit-dwarf", "-O0"},
                                         std::vector<std::string>{"-g1", "-O0"}));

TEST(InlinedFunctions, HaveTheirScopes) {
  BuildDirectory build;
  build.Write("scopes.cc", R"(
namespace net {
struct Socket {
  int value = 0;
  [[gnu::always_inline]] int read(int n) { asm volatile("nop"); return value += n; }
};
namespace { [[gnu::always_inline]] inline int twice(Socket& s, int n) { return s.read(n) + s.read(n); } }
int outer(Socket& s) { return twice(s, 3); }
}
int main() { net::Socket s; return net::outer(s); }
)");
  const std::string program = build.Compile("scopes", "scopes.cc", {"-g", "-O0"});
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  const uint64_t outer = AddressOf(program, "_ZN3net5outerERNS_6SocketE");
  const auto function = object->FunctionAt(outer);
  ASSERT_TRUE(function);
  bool found = false;
  for (uint64_t at = outer; at < outer + function->size; ++at) {
    const auto inlined = object->InlinedAt(at);
    if (inlined.size() < 2) continue;
    found = true;
    EXPECT_EQ(inlined[0].linkage_name, "_ZN3net6Socket4readEi");
    EXPECT_EQ(NameOf(inlined[1].linkage_name).method,
              "net::twice");  // gcc gives no linkage name to what is local to a file
    EXPECT_EQ(inlined[1].call.line, 8u);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace oscope
