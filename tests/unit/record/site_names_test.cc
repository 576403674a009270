// From the numbers of a recording to names and lines, with programs that are built here.
#include "tracer/record/site_names.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "tests/unit/symbols/built_program.h"
#include "tracer/record/default_rules.h"

namespace oscope {
namespace {

using Texts = std::vector<std::string>;

// `calls` calls, and fails at the first instruction of the line after that (a call takes five bytes); `gives_up` calls
// as the last thing that it does.
constexpr std::string_view kAssembly = R"(
  .file 1 "code.c"
  .text
  .globl calls, gives_up, next, main
  .type calls, @function
calls:
  .loc 1 10
  call next
  .loc 1 11
  movl $1, 0
  .loc 1 12
  ret
  .size calls, .-calls
  .type gives_up, @function
gives_up:
  .loc 1 20
  call next
  .size gives_up, .-gives_up
  .type next, @function
next:
  .loc 1 30
  ret
  .size next, .-next
  .type main, @function
main:
  .loc 1 40
  ret
  .size main, .-main
  .section .note.GNU-stack, "", @progbits
)";
constexpr uint64_t kCallBytes = 5;

class SiteNamesTest : public testing::Test {
 protected:
  void Build(const std::string& source, std::string_view text, std::vector<std::string> flags) {
    build_.Write(source, text);
    program_ = build_.Compile("program", source, std::move(flags));
    EXPECT_TRUE(sites_.Add("object 0 0 " + program_ + "\n").ok());
  }
  // A site of the program; its number.
  uint32_t Site(char kind, uint64_t address, const std::string& name = "") {
    const auto number = static_cast<uint32_t>(sites_.sites.size());
    EXPECT_TRUE(
        sites_.Add(fmt::format("site {} {} 0 {:x}{}\n", number, kind, address, name.empty() ? "" : " " + name)).ok());
    return number;
  }
  SiteNames& Names() {
    if (!names_) {
      rules_ = EffectiveRules(settings_);
      names_.emplace(sites_, settings_, rules_, objects_, symbols_);
    }
    return *names_;
  }
  // "method file:line" of each frame at a code site.
  Texts Frames(uint64_t address) {
    const uint32_t site = Site('c', address);
    names_.reset();
    Texts frames;
    for (const NamedFrame& frame : Names().FramesAt(site)) {
      const std::string file = frame.attributes.file.substr(frame.attributes.file.rfind('/') + 1);
      frames.push_back(fmt::format("{} {}:{}", frame.method, file, frame.attributes.line));
    }
    return frames;
  }
  std::string Event(uint32_t site) {
    const uint32_t symbol = Names().Event(site);
    return symbol == SiteNames::kLeftOut ? "" : std::string(symbols_.name(static_cast<SymbolId>(symbol)));
  }

  BuildDirectory build_;
  std::string program_;
  raw::SiteTable sites_;
  TraceSettings settings_;
  std::vector<KeepRule> rules_;
  ObjectCache objects_;
  SymbolTable symbols_;
  std::optional<SiteNames> names_;
};

TEST_F(SiteNamesTest, AFailureAtTheFirstInstructionOfALineIsInThatLine) {
  Build("code.s", kAssembly, {});
  const uint64_t calls = AddressOf(program_, "calls");
  EXPECT_EQ(Frames(calls + kCallBytes), Texts{"calls code.c:11"});
  EXPECT_EQ(Frames(calls), Texts{"calls code.c:10"});
  EXPECT_EQ(Frames(AddressOf(program_, "next")), Texts{"next code.c:30"})
      << "nor is the first of a function in the function before";
}

TEST_F(SiteNamesTest, ACallUnderWayIsInItsLineAndItsFunction) {
  Build("code.s", kAssembly, {});
  EXPECT_EQ(Frames(AddressOf(program_, "calls") + kCallBytes - 1), Texts{"calls code.c:10"});
  const uint64_t last = AddressOf(program_, "gives_up") + kCallBytes;
  ASSERT_EQ(last, AddressOf(program_, "next")) << "where it would return to is another function";
  EXPECT_EQ(Frames(last - 1), Texts{"gives_up code.c:20"});
}

TEST_F(SiteNamesTest, InlinedFunctionsAreFrames) {
  Build("code.c",
        "static inline __attribute__((always_inline)) int inner(volatile int* p) {\n  return *p;\n}\n"
        "__attribute__((noinline)) int outer(volatile int* p) {\n  return inner(p) * 3;\n}\nint main(void) { return "
        "outer(0); }\n",
        {"-g", "-O1"});
  Result<ObjectFile> object = ObjectFile::Open(program_);
  ASSERT_TRUE(object.ok());
  const uint64_t outer = AddressOf(program_, "outer");
  uint64_t inlined = 0;
  for (uint64_t address = outer; address < outer + 32 && inlined == 0; ++address) {
    if (!object->InlinedAt(address).empty()) inlined = address;
  }
  ASSERT_NE(inlined, 0u);
  EXPECT_EQ(Frames(inlined), (Texts{"inner code.c:2", "outer code.c:5"}));
}

TEST_F(SiteNamesTest, WhatNobodyKnowsHasItsPlaceForAName) {
  ASSERT_TRUE(sites_
                  .Add("object 0 0 /none/libfoo.so.1\nsite 0 m 0 1240\nsite 1 m - 7f001240\nsite 2 m 0 2000 "
                       "given\nsite 4 m 0 3000 _ZNSt6vectorIiE4sizeEv\n")
                  .ok());
  EXPECT_EQ(Event(0), "libfoo.so.1+0x1240");
  EXPECT_EQ(Event(1), "[generated]+0x7f001240");
  EXPECT_EQ(Event(2), "given");
  EXPECT_EQ(Event(3), "") << "nobody defined it";
  EXPECT_EQ(Event(5), "");
  EXPECT_EQ(Event(4), "") << "the rules leave it out";
  EXPECT_EQ(Names().FunctionOf(3), nullptr);
  EXPECT_EQ(Names().FunctionOf(5), nullptr);
  EXPECT_TRUE(Names().FramesAt(5).empty());
  EXPECT_FALSE(Names().FunctionOf(4)->kept);
  EXPECT_FALSE(Names().FramesAt(4).front().kept);
}

TEST_F(SiteNamesTest, OneFunctionHasOneNumber) {
  Build("code.s", kAssembly, {});
  const uint64_t calls = AddressOf(program_, "calls");
  const uint32_t entry = Site('m', calls), inside = Site('c', calls + 3),
                 other = Site('m', AddressOf(program_, "next"));
  EXPECT_EQ(Names().FunctionNumber(entry), Names().FunctionNumber(inside));
  EXPECT_NE(Names().FunctionNumber(entry), Names().FunctionNumber(other));
  EXPECT_EQ(Names().FunctionOf(inside)->entry, calls);
  EXPECT_EQ(Names().FunctionOf(inside)->method, "calls");
  EXPECT_EQ(Names().FunctionOf(inside)->object, program_);
}

TEST_F(SiteNamesTest, StatementsAreTheirLines) {
  Build("code.c", "int twice(int x) {\n  int y = 2 * x;\n  return y;\n}\nint main(void) { return twice(0); }\n",
        {"-g", "-O0"});
  Result<ObjectFile> object = ObjectFile::Open(program_);
  const uint64_t twice = AddressOf(program_, "twice");
  uint64_t second = twice;
  while (object->LineAt(second)->line != 2) ++second;
  const uint32_t site = Site('s', second);
  EXPECT_EQ(Event(site), "S twice: int y = 2 * x;");
  const SymbolAttributes& attributes = symbols_.attributes(static_cast<SymbolId>(Names().Event(site)));
  EXPECT_EQ(attributes.line, 2u);
  EXPECT_EQ(attributes.file, build_.Path("code.c"));
  EXPECT_EQ(attributes.address, second);
  EXPECT_EQ(attributes.object, program_);
  // Without the source a line is told by how far it is from the function's.
  std::filesystem::remove(build_.Path("code.c"));
  SymbolTable symbols;
  ObjectCache objects;
  SiteNames without(sites_, settings_, rules_, objects, symbols);
  EXPECT_EQ(symbols.name(static_cast<SymbolId>(without.Event(site))), "S twice: +1");
  // Without lines by the address.
  build_.Run({"strip", "-g", program_});
  ObjectCache stripped;
  SiteNames lineless(sites_, settings_, rules_, stripped, symbols);
  EXPECT_EQ(symbols.name(static_cast<SymbolId>(lineless.Event(site))), fmt::format("S twice: +{:#x}", second - twice));
}

TEST_F(SiteNamesTest, BranchesHaveTwoEvents) {
  Build("code.c",
        "int sign(int x) {\n  if (x < 0) return -1;\n  return 1;\n}\nint main(void) { return sign(0) - 1; }\n",
        {"-g", "-O0"});
  Result<ObjectFile> object = ObjectFile::Open(program_);
  const uint64_t sign = AddressOf(program_, "sign");
  uint64_t jump = sign;
  while (!object->BranchOrdinal(jump)) ++jump;
  const uint32_t site = Site('b', jump);
  const uint32_t not_taken = Names().Branch(site, false), taken = Names().Branch(site, true);
  EXPECT_EQ(symbols_.name(static_cast<SymbolId>(not_taken)), "B sign: 0 not taken");
  EXPECT_EQ(symbols_.name(static_cast<SymbolId>(taken)), "B sign: 0 taken");
  EXPECT_EQ(Names().Event(site), not_taken);
  EXPECT_EQ(Names().Branch(99, true), SiteNames::kLeftOut);
}

TEST_F(SiteNamesTest, InstructionsWithAndWithoutWhatTheyWorkOn) {
  Build("code.s", kAssembly, {});
  const uint32_t site = Site('i', AddressOf(program_, "calls") + kCallBytes);
  EXPECT_EQ(Event(site), "I MOV");
  settings_.operands = true;
  SymbolTable symbols;
  SiteNames with(sites_, settings_, rules_, objects_, symbols);
  EXPECT_NE(std::string(symbols.name(static_cast<SymbolId>(with.Event(site)))), "I MOV");
  const uint32_t unreadable = static_cast<uint32_t>(sites_.sites.size());
  ASSERT_TRUE(sites_.Add(fmt::format("site {} i - 1000\n", unreadable)).ok());
  SiteNames more(sites_, settings_, rules_, objects_, symbols);
  EXPECT_EQ(symbols.name(static_cast<SymbolId>(more.Event(unreadable))), "I UNKNOWN");
}

// A function has several names in a library; values are asked for by one of them.
TEST_F(SiteNamesTest, TheNameThatValuesWereAskedForIsTaken) {
  Build("code.s", kAssembly, {});
  settings_.values = {"asked"};
  const uint32_t site = Site('m', AddressOf(program_, "next"), "asked");
  EXPECT_EQ(Event(site), "asked");
  settings_.values = {"std::*"};
  ASSERT_TRUE(sites_.Add("site 1 m - 1000 _ZNSt6vectorIiE4sizeEv\n").ok());
  SymbolTable symbols;
  SiteNames names(sites_, settings_, rules_, objects_, symbols);
  EXPECT_TRUE(names.FunctionOf(1)->kept) << "although the rules leave it out";
  EXPECT_NE(symbols.name(static_cast<SymbolId>(names.Event(0))), "asked");
}

TEST_F(SiteNamesTest, NamesHaveALimit) {
  ASSERT_TRUE(sites_.Add("site 0 m - 1000 " + std::string(limits::kMaxNameBytes + 10, 'f') + "\n").ok());
  EXPECT_EQ(Event(0).size(), limits::kMaxNameBytes);
}

}  // namespace
}  // namespace oscope
