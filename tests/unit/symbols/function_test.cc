#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tests/unit/symbols/built_program.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

std::string NameAt(const ObjectFile& object, uint64_t address) {
  const auto function = object.FunctionAt(address);
  return function ? function->linkage_name : "(none)";
}

// The rule of object_file.h once more, over what nm prints.
auto Preference(const NmSymbol& symbol) {
  const int binding = symbol.type == 'T' ? 0 : symbol.type == 'W' ? 1 : 2;
  return std::tuple(binding, symbol.name.find_first_not_of('_'), symbol.name.size(), symbol.name);
}

// For each place of a function with a size, the name that must be told.
std::map<uint64_t, NmSymbol> Winners(const std::string& path, const std::vector<std::string>& options = {}) {
  std::map<uint64_t, NmSymbol> winners;
  for (const NmSymbol& symbol : Nm(path, options)) {
    if (!symbol.is_function() || symbol.size == 0) continue;
    const auto [entry, is_new] = winners.try_emplace(symbol.address, symbol);
    if (!is_new && Preference(symbol) < Preference(entry->second)) {
      entry->second = symbol;
    }
  }
  return winners;
}

void ExpectNamesOfNm(const std::string& path, const std::vector<std::string>& options = {}) {
  const auto object = ObjectFile::Open(path);
  ASSERT_TRUE(object.ok()) << object.error().message;
  size_t compared = 0;
  for (const auto& [address, symbol] : Winners(path, options)) {
    if (symbol.name.find(".cold") != std::string::npos) continue;
    for (const uint64_t place : {address, address + symbol.size / 2, address + symbol.size - 1}) {
      const auto function = object->FunctionAt(place);
      ASSERT_TRUE(function) << symbol.name;
      if (function->start != address) continue;  // a function inside this one
      EXPECT_EQ(function->linkage_name, symbol.name) << path << " " << std::hex << place;
      EXPECT_GE(function->size, symbol.size) << symbol.name;
      EXPECT_EQ(function->entry, address);
      ++compared;
    }
  }
  EXPECT_GT(compared, 200u);
}

TEST(Functions, AreThoseOfNmInThisProgram) { ExpectNamesOfNm(ThisProgram()); }

TEST(Functions, AreThoseOfNmInAStrippedLibrary) {
  BuildDirectory build;
  std::string source;
  for (int i = 0; i < 300; ++i) source += fmt::format("int shared_{}(int x) {{ return x * {}; }}\n", i, i + 3);
  build.Write("shared.c", source);
  const std::string library = build.Compile("libshared.so", "shared.c", {"-shared", "-fPIC", "-s"});
  ASSERT_TRUE(Nm(library).empty());
  ExpectNamesOfNm(library, {"-D"});
}

constexpr std::string_view kAliases = R"(
static int local_name(int x) { return x + 1; }
int global_name(int x) __attribute__((alias("local_name")));
int __global_name(int x) __attribute__((alias("local_name")));
int a_global_name(int x) __attribute__((alias("local_name")));
int weak(int x) __attribute__((weak, alias("local_name")));
static int second(int x) { return x + 2; }
int _w(int x) __attribute__((weak, alias("second")));
int w_long(int x) __attribute__((weak, alias("second")));
int w_lonh(int x) __attribute__((weak, alias("second")));
int data = 3;
__thread int thread_local_data = 4;
static void *resolve(void) { return local_name; }
int resolved(int x) __attribute__((ifunc("resolve")));
int main(int argc, char **argv) { return global_name(argc) + w_long(data) + thread_local_data + resolved(1); }
)";

TEST(Functions, GlobalBeforeWeakBeforeLocalThenFewestUnderscoresThenShortest) {
  BuildDirectory build;
  build.Write("aliases.c", kAliases);
  const std::string program = build.Compile("aliases", "aliases.c", {"-O0"});
  const auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(NameAt(*object, AddressOf(program, "local_name")), "global_name");
  EXPECT_EQ(NameAt(*object, AddressOf(program, "second")), "w_long");
}

TEST(Functions, DataThreadLocalsAndIfuncsAreNone) {
  BuildDirectory build;
  build.Write("aliases.c", kAliases);
  const std::string program = build.Compile("aliases", "aliases.c", {"-O0"});
  const auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  EXPECT_FALSE(object->FunctionAt(AddressOf(program, "data")));
  EXPECT_FALSE(object->FunctionAt(AddressOf(program, "thread_local_data")));
  EXPECT_EQ(AddressOf(program, "resolved"), AddressOf(program, "resolve"));
  EXPECT_EQ(NameAt(*object, AddressOf(program, "resolved")), "resolve");
  EXPECT_FALSE(object->FunctionAt(0));
  EXPECT_FALSE(object->FunctionAt(~uint64_t{0}));
}

TEST(Functions, StubsOfThePltAreNone) {
  BuildDirectory build;
  build.Write("calls.c",
              "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(getenv(\"X\")); return atoi(\"1\"); }\n");
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"-O0"}, {"-O0", "-s"}, {"-O0", "-no-pie"}}) {
    const std::string program = build.Compile("calls", "calls.c", flags);
    const auto object = ObjectFile::Open(program);
    ASSERT_TRUE(object.ok());
    int stubs = 0;
    for (const CodeSection& section : CodeSections(program)) {
      if (!section.name.starts_with(".plt")) continue;
      for (uint64_t at = section.start; at < section.start + section.size; at += 4, ++stubs)
        EXPECT_FALSE(object->FunctionAt(at));
    }
    EXPECT_GT(stubs, 4);
  }
}

TEST(Functions, WithoutASizeReachToTheNextOne) {
  BuildDirectory build;
  build.Write("sizes.c", R"(
__asm__(".text\n .globl first\n .type first,@function\nfirst: nop\n nop\n ret\n"
        ".globl second\n .type second,@function\nsecond: nop\n ret\n inner: nop\n ret\n"
        ".section .text.other,\"ax\",@progbits\n .globl third\n .type third,@function\nthird: nop\n nop\n ret\n .text\n");
int main(void) { return 0; }
)");
  const std::string program = build.Compile("sizes", "sizes.c", {"-O0", "-fno-asynchronous-unwind-tables"});
  const auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  const uint64_t first = AddressOf(program, "first");
  const uint64_t second = AddressOf(program, "second");
  for (uint64_t at = first; at < second; ++at) EXPECT_EQ(NameAt(*object, at), "first");
  EXPECT_EQ(object->FunctionAt(first)->size, second - first);
  EXPECT_EQ(NameAt(*object, AddressOf(program, "inner")), "second");  // a label without a type is no function
  EXPECT_EQ(NameAt(*object, AddressOf(program, "third") + 2), "third");
}

constexpr std::string_view kCold = R"(
#include <stdio.h>
#include <stdlib.h>
__attribute__((cold, noinline)) static void complain(int x) { printf("%d\n", x); if (x > 7) abort(); }
__attribute__((noinline)) PART int worker(int x) {
  for (int i = 0; i < x; ++i) {
    if (__builtin_expect(x > 1000 + i, 0)) { complain(x); if (x & 4) complain(i); if (x & 8) complain(i + 1); }
    x ^= i;
  }
  return x;
}
int NAME(int x) { return worker(x); }
)";

TEST(Functions, ColdPartsAreTheirParents) {
  BuildDirectory build;
  build.Write("cold.c", kCold);
  build.Write("main.c", "int one(int); int two(int); int main(int c, char **v) { return one(c) + two(c); }\n");
  build.Run({OSCOPE_CC, "-O2", "-c", "cold.c", "-DPART=static", "-DNAME=one", "-o", "one.o"});
  build.Run({OSCOPE_CC, "-O2", "-c", "cold.c", "-DPART=static", "-DNAME=two", "-o", "two.o"});
  build.Run({OSCOPE_CC, "-O2", "-c", "cold.c", "-DPART=", "-DNAME=three", "-o", "three.o"});
  build.Run({OSCOPE_CC, "-O2", "main.c", "one.o", "two.o", "three.o", "-o", "cold"});
  const std::string program = build.Path("cold");
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  // In the symbol table each file's own symbols lie together.
  uint64_t previous_parent = 0;
  std::map<uint64_t, uint64_t> parts;
  for (const NmSymbol& symbol : Nm(program, {"-p"})) {
    if (symbol.name == "worker") previous_parent = symbol.address;
    if (symbol.name != "worker.cold") continue;
    const auto part = object->FunctionAt(symbol.address);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->linkage_name, "worker");
    EXPECT_EQ(part->start, symbol.address);
    EXPECT_EQ(part->size, symbol.size);
    parts[symbol.address] = part->entry;
    const auto parent = object->FunctionAt(part->entry);
    ASSERT_TRUE(parent);
    EXPECT_EQ(parent->linkage_name, "worker");
    EXPECT_EQ(parent->start, part->entry);
    EXPECT_EQ(parent->entry, part->entry);
  }
  ASSERT_EQ(parts.size(), 3u) << "the compiler made no cold parts";
  std::map<uint64_t, int> parents;
  for (const auto& [part, parent] : parts) ++parents[parent];
  EXPECT_EQ(parents.size(), 3u);
  EXPECT_NE(previous_parent, 0u);

  // The hot part jumps to its own cold part, so that the pairs can be checked in the code.
  const std::string code = build.Run({"objdump", "-d", "--no-show-raw-insn", program});
  for (const auto& [part, parent] : parts) {
    const std::string begin = fmt::format("{:016x} <worker>:", parent);
    const size_t from = code.find(begin);
    ASSERT_NE(from, std::string::npos);
    const std::string body = code.substr(from, code.find("\n\n", from) - from);
    EXPECT_NE(body.find(fmt::format("{:x} <worker.cold", part)), std::string::npos) << body;
  }
}

TEST(Functions, OfAStrippedProgramHaveTheirExtents) {
  BuildDirectory build;
  build.Write("aliases.c", kAliases);
  const std::string whole = build.Compile("whole", "aliases.c", {"-O1", "-fno-inline"});
  const std::string stripped = build.Compile("stripped", "aliases.c", {"-O1", "-fno-inline", "-s"});
  const auto object = ObjectFile::Open(stripped);
  ASSERT_TRUE(object.ok());
  int compared = 0;
  for (const NmSymbol& symbol : Nm(whole)) {
    if (symbol.name != "main" && symbol.name != "local_name" && symbol.name != "second" && symbol.name != "resolve")
      continue;
    for (const uint64_t place : {symbol.address, symbol.address + symbol.size - 1}) {
      const auto function = object->FunctionAt(place);
      ASSERT_TRUE(function) << symbol.name;
      EXPECT_EQ(*function, (FunctionSymbol{"", symbol.address, symbol.size, symbol.address}));
    }
    ++compared;
  }
  EXPECT_EQ(compared, 4);
}

TEST(Functions, OfAProgramAtAFixedPlaceAndOfAStaticOne) {
  BuildDirectory build;
  build.Write("aliases.c", kAliases);
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"-no-pie"}, {"-static"}, {"-static-pie", "-fPIE"}}) {
    const std::string program = build.Compile("fixed", "aliases.c", flags);
    const auto object = ObjectFile::Open(program);
    ASSERT_TRUE(object.ok());
    EXPECT_EQ(NameAt(*object, AddressOf(program, "main") + 1), "main");
  }
}

}  // namespace
}  // namespace oscope
