// Which importer a text is given to: each format beside what looks like it most; and what options add to it.
#include <gtest/gtest.h>

#include "tests/unit/import/imported_text.h"
#include "tracer/import/import_batch.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

TEST(Detection, EachFormatBesideItsLookAlikes) {
  const std::pair<std::string, std::string> texts[] = {
      {"#0  f () at a.c:1\n", "gdb"},
      {"log\n#0  f () at a.c:1\n", "gdb"},
      {"--Type <RET> for more--#0  f () at a.c:1\n", "gdb"},
      {"log #0  f () at a.c:1\n", ""},
      {"#0  f\n(x)\n", ""},
      {"./a(f+0x1)[0x2]\n", "glibc"},
      {"./a(f+0x1) [0x2]\n", "glibc"},
      {"./a[0x2]\n", ""},
      {"a.c:1: f: Assertion `x' failed.\n", "glibc"},
      {"======= Backtrace: =====\n", "glibc"},
      {"terminate called after\n", "glibc"},
      {"*** Error in `a'\n", "glibc"},
      {"*** stack smashing detected ***\n", "glibc"},
      {"x\n\tat a.B.c(B.java:1)\n", "java"},
      {"x\n    at a.B.c(B.java:1)\n", "java"},
      {"that a.B.c(B.java:1)\n", ""},
      {"at a.B.c(B.java:1)\n", ""},
      {"x\n\tat the station\n", ""},
      {"Full thread dump OpenJDK\n", "java"},
      {"MethodSource [className = 'a']\n", "java"},
      {"Traceback (most recent call last):\n", "python"},
      {"Thread 0x1 (most recent call first):\n", "python"},
      {"  File \"a.py\", line 1\nSyntaxError: x\n", "python"},
      {"  File \"a.py\", line 1, in f\n", ""},
      {"Error: x\n", ""},
      {"==1==ERROR: AddressSanitizer: x\n", "sanitizer"},
      {"WARNING: ThreadSanitizer: x\n", "sanitizer"},
      {"a Sanitizer: x\n", ""},
      {"ERROR: x\n", ""},
      {"a.c:1:2: runtime error: x\n", "sanitizer"},
      {"    #0 0x1 in f a.c:1\n", "sanitizer"},
      {"a 12 1.5: 1 c: \n\t11 f (/x)\n", "perf"},
      {"a 12 1.5: 1 c: \n# a comment\n\t11 f (/x)\n", "perf"},
      {"a 12 1.5: 1 c: 11 f (/x)\n", "perf"},
      {"\t11 f (/x)\n", "perf"},
      {"text\n\n\t11 f (/x)\n", "perf"},
      {"text\n\t11 f (/x)\n", ""},
      {"a 12 [001]\n\tnot a frame\n", ""},
      {"\n\tnot a frame\n", ""},
      {"a 12 1.5: 1 c:\n", ""},
      {"a 12 11 f (/x)\n", ""},
      {"M a/B c ()V\n", "thesis"},
      {"# x\n\nS a/B \\\nc ()V\n", "thesis"},
      {"M B c (I)V\n", "thesis"},
      {"M a/B c\n", "thesis"},
      {"I ALOAD 0\n", "thesis"},
      {"M B c\n", ""},
      {"I\n", ""},
      {"Q a/B c ()V\n", ""},
      {"main;read 3\n", "collapsed"},
      {"# x\n\nmain 3\n", "collapsed"},
      {"main;read\n", ""},
      {"[{\"ph\":\"B\"}]", "chrome"},
      {" {\"traceEvents\":[]}", "chrome"},
      {"x {\"ph\":\"B\"}", ""},
      {"[]", ""},
      {"{\"type\":\"run\"}\n", "jsonl"},
      {"\n {\"type\":\"bug\"}\n", "jsonl"},
      {"{\"kind\":\"run\"}\n", ""},
      {"{\"type\":\"sun\"}\n", ""},
      {"[\"type\",\"run\"]\n", ""},
      {"\nuftrace file header: magic\n", "uftrace"},
      {"\x1b[32mreading 7.dat\x1b[0m\n1.000000001 7: [entry] f(4a) depth: 0\n", "uftrace"},
      {"reading 7.dat\n1.000000001 7: [entry] f(4a)\n", ""},
      {"reading 7.txt\n1.000000001 7: [entry] f(4a) depth: 0\n", ""},
      {"reading 7.dat\n depth: 0\n", ""},
      {"x\nreading 7.dat\n1.000000001 7: [entry] f(4a) depth: 0\n", ""},
  };
  for (const auto& [text, name] : texts) {
    const Importer* found = DetectImporter(text, "");
    EXPECT_EQ(found == nullptr ? "" : found->name(), name) << text;
  }
}

TEST(Detection, TheSurestWinsAndAnExtensionCountsLast) {
  EXPECT_EQ(DetectImporter("#0  f () at a.c:1\n", "a.folded")->name(), "gdb");
  EXPECT_EQ(DetectImporter("x", "a.jsonl")->name(), "jsonl");
  EXPECT_EQ(DetectImporter("x", "a.ndjson")->name(), "jsonl");
  EXPECT_EQ(DetectImporter("x", "a.json")->name(), "chrome");
  EXPECT_EQ(DetectImporter("x", "a.collapsed")->name(), "collapsed");
  EXPECT_EQ(DetectImporter("x", "json"), nullptr);
  EXPECT_EQ(DetectImporter("#0  f () at a.c:1\n==1==ERROR: AddressSanitizer: x\n", "")->name(), "sanitizer");
  // Of what is equally sure, the first in the list: gdb before Java.
  EXPECT_EQ(DetectImporter("\tat a.B.c(B.java:1)\n#0  f () at a.c:1\n", "")->name(), "gdb");
}

TEST(Options, FillInWhatTheTextDoesNotSay) {
  const ImportOptions options{.project = "P", .bug = "7", .test = "T", .version = "v1", .language = "ada"};
  const ImportedText none = ImportText("collapsed", "main 1\n", options);
  const RunHeader& filled = none.collected.runs.at(0).header;
  EXPECT_EQ(fmt::format("{} {} {} {} {}", filled.project, filled.bug, filled.test, filled.version, filled.language),
            "P 7 T v1 ada");
  const ImportedText all =
      ImportText("thesis", "# project: Q\n# bug: 9\n# test: U\n# version: v2\nM a/B c ()V\n", options);
  const RunHeader& own = all.collected.runs.at(0).header;
  EXPECT_EQ(fmt::format("{} {} {} {} {}", own.project, own.bug, own.test, own.version, own.language), "Q 9 U v2 java");
  const ImportedText bug = ImportText(
      "jsonl", "{\"type\":\"bug\",\"id\":\"1\",\"duplicates\":[{\"id\":\"2\"},{\"id\":\"3\",\"project\":\"Q\"}]}\n",
      options);
  EXPECT_EQ(bug.collected.bugs.at(0).key, (BugKey{"P", "1"}));
  EXPECT_EQ(bug.collected.bugs.at(0).duplicates, (std::vector<BugKey>{{"P", "2"}, {"Q", "3"}}));
}

TEST(Options, AnOutcomeThatFailsLeavesTheMarks) {
  const ImportedText failed = ImportText("gdb", "#0  f () at a.c:1\n", {.project = "P", .outcome = Outcome::kTimeout});
  const oscope::Run& run = failed.collected.runs.at(0);
  EXPECT_EQ(run.header.outcome, Outcome::kTimeout);
  EXPECT_EQ(run.header.failing_thread, (ThreadRef{0, 0}));
  EXPECT_EQ(run.traces.at(0).header.mark, (FailureMark{1, "stop"}));
  const ImportedText passed = ImportText("gdb", "#0  f () at a.c:1\n", {.project = "P", .outcome = Outcome::kPassed});
  EXPECT_FALSE(passed.collected.runs.at(0).header.failing_thread);
  EXPECT_FALSE(passed.collected.runs.at(0).traces.at(0).header.mark);
}

TEST(Options, WithoutAProjectTheErrorSaysSo) {
  EXPECT_EQ(ImportText("gdb", "#0  f () at a.c:1\n", {}).status.error().message,
            "the text names no project: one must be given");
}

TEST(Identity, IsOfTheBytesAndThePlaceInThem) {
  const std::string text = "./a(f+0x1)[0x2]\nhello\n./a(g+0x1)[0x3]\n";
  const ImportedText imported = ImportText("glibc", text);
  ASSERT_EQ(imported.collected.runs.size(), 2u);
  EXPECT_EQ(imported.collected.runs[0].header.id, ImportedRunId(text, 0));
  EXPECT_EQ(imported.collected.runs[1].header.id, ImportedRunId(text, 1));
  const std::string given =
      "{\"type\":\"run\",\"id\":\"00000000000000010000000000000002\",\"traces\":[{\"events\":[\"f\"]}]}\n{\"type\":"
      "\"run\",\"traces\":[{\"events\":[\"f\"]}]}\n";
  const ImportedText own = ImportText("jsonl", given);
  ASSERT_EQ(own.collected.runs.size(), 2u);
  EXPECT_EQ(own.collected.runs[0].header.id, (RunId{{1, 2}}));
  EXPECT_EQ(own.collected.runs[1].header.id, ImportedRunId(given, 1));
}

TEST(Problems, OfAnEarlierImportAreForgotten) {
  RunCollector collected;
  std::vector<ImportProblem> problems = {{7, "old"}};
  EXPECT_TRUE(FindImporter("collapsed")->Import("a 1\n", {.project = "P"}, collected, problems).ok());
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(ImportText("collapsed", "a\nb\n").status.error().message,
            "2 problems, the first: line 1: expected 'frame;frame;frame count'");
  EXPECT_EQ(ImportText("collapsed", "a\n").status.error().message,
            "1 problem, the first: line 1: expected 'frame;frame;frame count'");
}

// The line of a name that is too long, for every importer that has one.
TEST(Problems, OfLongNamesHaveTheirLine) {
  const std::string name(65'537, 'x');
  const std::tuple<std::string, std::string, uint64_t> texts[] = {
      {"gdb", "#0  f () at a.c:1\n#1  " + name + " () at a.c:2\n", 2},
      {"sanitizer", "ERROR: AddressSanitizer: x\n    #0 0x1 in f a.c:1\n    #1 0x1 in " + name + " a.c:1\n", 3},
      {"sanitizer", "\n/" + name + ":1:2: runtime error: x\n", 2},
      {"glibc", "./a(f+0x1)[0x2]\n./a(" + name + "+0x1)[0x2]\n", 2},
      {"glibc", "\na.c:1: " + name + ": Assertion `x' failed.\n", 2},
      {"java", "a.B: c\n\tat a.B.c(B.java:1)\n\tat a.B." + name + "(B.java:1)\n", 3},
      {"java", "=> a.B: c\n\ta.B.c(B.java:1)\n\ta.B." + name + "(B.java:1)\n", 3},
      {"java", "Full thread dump\n\"main\" #1\n\tat a.B." + name + "(B.java:1)\n", 3},
      {"python", "Traceback (most recent call last):\n  File \"a.py\", line 1, in " + name + "\nE: x\n", 2},
      {"python", "Thread 0x1 (most recent call first):\n  File \"a.py\", line 1 in " + name + "\n", 2},
      {"perf", "a 1 1.0: 1 c: \n\t11 f (/x)\n\t12 " + name + " (/x)\n", 3},
      {"chrome", "[\n{\"ph\":\"B\",\"ts\":1,\"name\":\"" + name + "\"}]", 2},
      {"uftrace", "reading 7.dat\n1.000000001 7: [entry] " + name + "(4a) depth: 0\n", 2},
      {"thesis", "M a/B c ()V\nM a/B " + name + " ()V\n", 2},
  };
  for (const auto& [importer, text, line] : texts) {
    const ImportedText imported = ImportText(importer, text);
    ASSERT_FALSE(imported.status.ok()) << importer;
    EXPECT_EQ(imported.status.error().code, ErrorCode::kLimit) << importer;
    ASSERT_EQ(imported.problems.size(), 1u) << importer;
    EXPECT_EQ(imported.problems[0].line, line) << importer;
  }
}

// What a name of the limit stands for is looked for like any other.
TEST(Names, OfTheLimitLoseTheirSignature) {
  const std::string name = "f(" + std::string(65'536 - 3, 'x') + ")";
  for (const auto& [importer, text] : {std::pair<std::string, std::string>{"perf", "a 1 1.0: 1 c: 11 " + name + "\n"},
                                       {"chrome", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"" + name + "\"}]"},
                                       {"uftrace", "reading 7.dat\n1.000000001 7: [entry] " + name + "(4a) depth: 0\n"},
                                       {"collapsed", name + " 1\n"}}) {
    const ImportedText imported = ImportText(importer, text);
    ASSERT_TRUE(imported.status.ok()) << importer;
    EXPECT_EQ(imported.collected.symbols.name(imported.collected.runs.at(0).traces.at(0).events.at(0)), "f")
        << importer;
  }
}

TEST(FrameEvents, AreNamesOrPlaces) {
  const auto event = [](std::string name, bool exact, std::string object, std::string file) {
    StackFrame frame;
    frame.name = std::move(name);
    frame.exact = exact;
    frame.attributes.object = std::move(object);
    frame.attributes.file = std::move(file);
    return FrameEvent(frame);
  };
  EXPECT_EQ(event("net::f(int)", false, "/lib/a.so", "a.c"), "net::f");
  EXPECT_EQ(event("net::f(int)", true, "/lib/a.so", "a.c"), "net::f(int)");
  EXPECT_EQ(event("_ZN3net1fEi", false, "", ""), "net::f");
  EXPECT_EQ(event("I x", true, "", ""), "M I x");
  EXPECT_EQ(event("??", false, "/lib/a.so", "d/a.c"), "[a.so]");
  EXPECT_EQ(event("", false, "", "d/a.c"), "[a.c]");
  EXPECT_EQ(event("", true, "", ""), "[unknown]");
}

TEST(NativeLanguage, IsThatOfTheFilesOrTheNames) {
  const auto language = [](std::initializer_list<std::pair<std::string, std::string>> frames) {
    std::vector<StackFrame> stack;
    for (const auto& [name, file] : frames) {
      stack.emplace_back().name = name;
      stack.back().attributes.file = file;
    }
    return NativeLanguageOf(stack);
  };
  for (const auto& [file, told] : {std::pair<std::string, std::string>{"a.cc", "c++"},
                                   {"a.cpp", "c++"},
                                   {"a.cxx", "c++"},
                                   {"a.hpp", "c++"},
                                   {"a.C", "c++"},
                                   {"a.rs", "rust"},
                                   {"a.go", "go"},
                                   {"a.f90", "fortran"},
                                   {"a.c", "c"},
                                   {"a.h", ""},
                                   {"", ""}}) {
    EXPECT_EQ(language({{"f", file}}), told) << file;
  }
  EXPECT_EQ(language({{"read", "read.c"}, {"f", "a.cc"}}), "c++") << "the C library is in every stack";
  EXPECT_EQ(language({{"f", ""}, {"read", "read.c"}}), "c");
  EXPECT_EQ(language({{"f", "a.rs"}, {"g", "a.cc"}}), "rust");
  EXPECT_EQ(language({{"a::f", ""}}), "c++");
  EXPECT_EQ(language({{"malloc", "src/libsanitizer/asan/a.cpp"}, {"free", "llvm/compiler-rt/a.cc"}, {"f", "a.c"}}),
            "c");
}

TEST(Colours, AreTakenAwayAndNothingElse) {
  std::string storage;
  EXPECT_EQ(WithoutColour("plain", storage), "plain");
  EXPECT_EQ(WithoutColour("\x1b[1;31mred\x1b[0m\x1b[m", storage), "red");
  EXPECT_EQ(WithoutColour("a\x1b[2Kb", storage), "a\x1b[2Kb");
  EXPECT_EQ(WithoutColour("a\x1b[12", storage), "a\x1b[12");
  EXPECT_EQ(WithoutColour("\x1b", storage), "\x1b");
}

}  // namespace
}  // namespace oscope
