// What goldens do not show: malformed lines are told by their number, and nothing of the text is
// sent.
#include <gtest/gtest.h>

#include "tracer/import/importer.h"

namespace oscope {
namespace {

struct Malformed {
  std::string importer;
  std::string text;
  uint64_t line;
  std::string message;  // a part of it
};

void PrintTo(const Malformed& text, std::ostream* out) { *out << text.importer; }  // not its address

class MalformedText : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedText, IsToldByItsLine) {
  RunCollector collected;
  std::vector<ImportProblem> problems;
  const Status status =
      FindImporter(GetParam().importer)->Import(GetParam().text, {.project = "P"}, collected, problems);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kInvalid);
  ASSERT_EQ(problems.size(), 1u) << problems[1].line << problems[1].message;
  EXPECT_EQ(problems[0].line, GetParam().line);
  EXPECT_NE(problems[0].message.find(GetParam().message), std::string::npos) << problems[0].message;
  EXPECT_TRUE(collected.runs.empty());
}

const Malformed kMalformed[] = {
    {"gdb", "#0  f () at a.c:1\n#1  nothing\n#2  main () at a.c:2\n", 2, "frame #1"},
    {"gdb", "#0  f () at a.c:1\n#2  main () at a.c:2\n", 2, "frame #2 where #1"},
    {"gdb", "#0  f (a=1,\n    b=2", 1, "frame #0"},
    {"sanitizer", "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n", 1, "not followed by a stack"},
    {"sanitizer", "==1==ERROR: AddressSanitizer: SEGV\n    #0 0x1 in f a.c:1\n    #2 0x2 in g a.c:2\n", 3,
     "#1 was expected"},
    {"sanitizer", "==1==ERROR: AddressSanitizer: SEGV\n    #0 0x1 f\n", 2, "frame #0"},
    {"glibc", "*** stack smashing detected ***: terminated\n", 1, "not followed by a backtrace"},
    {"glibc", "======= Backtrace: =========\n./a(f+0x1)[0x2]\n./a(f+0x1)[0\n", 3, "expected"},
    {"java", "a.B: c\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.ja\n", 3, "expected 'at"},
    {"java", "a.B: c\n\tat a.B.c(B.java:1)\nCaused by: a.C\n\tat a.C.d(C.java:1)\n\t... 2 more\n", 5, "has 1 frames"},
    {"python", "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n", 1, "without the line"},
    {"python",
     "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n  File \"a.py\", li\nE: "
     "x\n",
     3, "expected"},
    {"thesis", "M a/B c ()V\nQ what\n", 2, "expected M, S or I"},
    {"thesis", "M a/B c\n", 1, "expected class, method and signature"},
    {"thesis", "M a/B c ()V\nM a/B \\\n", 2, "continues"},
    {"thesis", "# mark: 3\nM a/B c ()V\n", 1, "event 3 of 1"},
    {"thesis", "# outcome: odd\nM a/B c ()V\n", 1, "outcome"},
    {"collapsed", "main;f 1\n\nmain;;g 1\n", 3, "expected"},
    {"collapsed", "main;f x\n", 1, "expected"},
    {"chrome", "[\n{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},\n{\"ph\":\"E\",\"ts\":2,\"name\":\"b\"}]", 3,
     "without its B"},
    {"chrome", "[{\"ph\":\"X\",\"name\":\"a\"}]", 1, "'ts'"},
    {"chrome", "[\n{\"ph\":\"X\",\"ts\":\"1\",\"name\":\"a\"}]", 2, "ts"},
    {"chrome", "{\"events\":[]}", 1, "traceEvents"},
    {"chrome", "[{\"ph\":\"B\",\"ts\":1,\n\"name\":\"a\"}, {\"ph", 2, "parse error"},
    {"chrome", "[7]", 1, "an event is an object"},
    {"jsonl", "{\"type\":\"run\"}\n{\"type\":\"sun\"}\n", 2, "type"},
    {"jsonl", "{\"type\":\"run\",\"sginal\":1}\n", 1, "'sginal'"},
    {"jsonl", "{\"type\":\"run\",\"signal\":4294967296}\n", 1, "out of range"},
    {"jsonl", "{\"type\":\"trace\",\"events\":[\"a\"]}\n", 1, "no run line"},
    {"jsonl", "{\"type\":\"run\",\"traces\":[{\"events\":[\"a\"],\"depths\":[1,2]}]}\n", 1, "2 for 1 events"},
    {"jsonl", "{\"type\":\"run\",\"message\":{\"base64\":\"/w\"}}\n", 1, "'message'"},
    {"jsonl", "{\"type\":\"run\"\n", 1, "parse error"},
    {"jsonl", "{\"type\":\"bug\",\"id\":\"1\",\"title\":\"\xff\"}\n", 1, "UTF-8"},
};

INSTANTIATE_TEST_SUITE_P(All, MalformedText, testing::ValuesIn(kMalformed), [](const auto& sample_info) {
  return sample_info.param.importer + std::to_string(sample_info.index);
});

RunCollector ImportOrDie(std::string_view importer, std::string_view text) {
  RunCollector collected;
  std::vector<ImportProblem> problems;
  const Status status = FindImporter(importer)->Import(text, {.project = "P"}, collected, problems);
  EXPECT_TRUE(status.ok()) << status.error().message;
  return collected;
}

// One crash as gdb, a sanitizer, glibc and a profiler show it.
TEST(StackText, TheSameMethodsAreTheSameEventsWhateverToolShowedThem) {
  const RunCollector gdb =
      ImportOrDie("gdb", "#0  0x1 in net::Socket::read (this=0x0) at s.cc:1\n#1  main () at m.cc:1\n");
  const RunCollector others[] = {
      ImportOrDie("sanitizer",
                  "==1==ERROR: AddressSanitizer: SEGV\n    #0 0x1 in net::Socket::read(char*) "
                  "const s.cc:1:2\n    #1 0x2 in main m.cc:1\n"),
      ImportOrDie("glibc", "./a(_ZN3net6Socket4readEPc+0x1)[0x1]\n./a(main+0x2)[0x2]\n"),
      ImportOrDie("collapsed", "main;net::Socket::read(char*) 1\n"),
  };
  for (const RunCollector& other : others) {
    EXPECT_TRUE(SameEvents(gdb.runs[0].traces[0], gdb.symbols, other.runs[0].traces[0], other.symbols));
  }
}

TEST(StackText, JavaFramesEqualTheThesisText) {
  const RunCollector java = ImportOrDie("java", "x.Y\n\tat java.base/a.b.C.d(C.java:1)\n");
  const RunCollector thesis = ImportOrDie("thesis", "M a/b/C d ()V\n");
  EXPECT_TRUE(SameEvents(java.runs[0].traces[0], java.symbols, thesis.runs[0].traces[0], thesis.symbols));
}

TEST(StackText, ProseIsNotAStack) {
  const RunCollector java =
      ImportOrDie("java", "We met\nat the station (twice)\na.B: c\n\tat a.B.c(B.java:1)\nat last\n");
  EXPECT_EQ(java.runs.size(), 1u);
}

}  // namespace
}  // namespace oscope
