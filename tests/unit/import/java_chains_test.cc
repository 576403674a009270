// Java stack traces: causes and suppressed exceptions, messages of several lines, tests, and thread dumps.
#include <gtest/gtest.h>

#include "tests/unit/import/imported_text.h"

namespace oscope {
namespace {

std::string Thrown(const std::string& message, const std::string& trace, const std::string& test = "") {
  return fmt::format(
      "run\n{}  language: java\n  outcome: failed\n{}  failing thread: 0.0\n  trace 0.0 stack{}    ^ throw\n",
      test.empty() ? "" : fmt::format("  test: {}\n", test),
      message.empty() ? "" : fmt::format("  message: {}\n", message), trace);
}

TEST(JavaCauses, TheRootCauseIsTheStackAndSharesItsOuterFrames) {
  const TextCase cases[] = {
      {"a cause",
       "a.B: c\n\tat a.B.b2(B.java:2)\n\tat a.B.b1(B.java:1)\nCaused by: a.C: d\n\tat a.C.d(C.java:3)\n\t... 1 more\n",
       Thrown("a.B: c\\nCaused by: a.C: d", "\n    a.B.b1  -- B.java:1\n    a.C.d  -- C.java:3\n")},
      {"a cause of a cause",
       "a.B: c\n\tat a.B.b1(B.java:1)\nCaused by: a.C\n\tat a.C.c(C.java:2)\n\t... 1 more\nCaused by: a.D: e\n\tat "
       "a.D.d(D.java:3)\n\t... 2 more\n",
       Thrown("a.B: c\\nCaused by: a.C\\nCaused by: a.D: e",
              "\n    a.B.b1  -- B.java:1\n    a.C.c  -- C.java:2\n    a.D.d  -- D.java:3\n")},
      {"a cause that shares all of its frames, and what is printed next",
       "a.B: c\n\tat a.B.b1(B.java:1)\nCaused by: a.C: d\n\t... 1 more\nbye\n",
       Thrown("a.B: c\\nCaused by: a.C: d", "\n    a.B.b1  -- B.java:1\n")},
      {"frames that a logger left out",
       "a.B: c\n\tat a.B.b1(B.java:1)\nCaused by: a.C: d\n\tat a.C.d(C.java:3)\n\t... 1 common frames omitted\n",
       Thrown("a.B: c\\nCaused by: a.C: d", "\n    a.B.b1  -- B.java:1\n    a.C.d  -- C.java:3\n")},
      {"a log that begins inside a chain",
       "Caused by: a.B\n\tat a.B.c(B.java:1)\n\t... 7 more\nCaused by: a.C\n\tat a.C.d(C.java:2)\n\t... 8 more\n",
       Thrown("Caused by: a.B\\nCaused by: a.C",
              " partial: 7 outer frames are not in the text\n    a.B.c  -- B.java:1\n    a.C.d  -- C.java:2\n")},
      {"a message of several lines, one of which begins like a frame",
       "a.B: c\n\tat a.B.b1(B.java:1)\nCaused by: a.C: we met\n at the station\n ... and left\n\tat "
       "a.C.d(C.java:3)\n\t... 1 more\n",
       Thrown("a.B: c\\nCaused by: a.C: we met\\n at the station\\n ... and left",
              "\n    a.B.b1  -- B.java:1\n    a.C.d  -- C.java:3\n")},
      {"the last line without its end, lines as on Windows",
       "a.B: c\r\n\tat a.B.b1(B.java:1)\r\nCaused by: a.C: d\r\n\tat a.C.d(C.java:3)\r\n\t... 1 more",
       Thrown("a.B: c\\nCaused by: a.C: d", "\n    a.B.b1  -- B.java:1\n    a.C.d  -- C.java:3\n")},
  };
  ExpectTold("java", cases);
}

TEST(JavaCauses, SuppressedExceptionsAreLeftOutWithTheirOwnCauses) {
  const TextCase cases[] = {
      {"with a cause of their own, before the cause that counts",
       "a.B: c\n\tat a.B.b1(B.java:1)\n\tSuppressed: a.S: s\n\t\tat a.S.s(S.java:2)\n\t\t... 1 more\n\tCaused by: a.T: "
       "t\n\t\tat a.T.t(T.java:3)\n\t\t... 9 more\n"
       "Caused by: a.C: d\n\tat a.C.d(C.java:4)\n\t... 1 more\n",
       Thrown("a.B: c\\nCaused by: a.C: d", "\n    a.B.b1  -- B.java:1\n    a.C.d  -- C.java:4\n")},
      {"where a logger took the indentation away",
       "a.B: c\nat a.B.b1(B.java:1)\nSuppressed: a.S: s\nat a.S.s(S.java:2)\n",
       Thrown("a.B: c", "\n    a.B.b1  -- B.java:1\n")},
      {"a line of a log that only begins like one",
       "a.B: c\n\tat a.B.b1(B.java:1)\nSuppressed: nothing\n\tat a.S.s(S.java:2)\n",
       Thrown("a.B: c", "\n    a.B.b1  -- B.java:1\n") + Thrown("Suppressed: nothing", "\n    a.S.s  -- S.java:2\n")},
      {"with messages of several lines",
       "a.B: c\n\tat a.B.b1(B.java:1)\n\tSuppressed: a.S: s\n\t second line\n\t\tat a.S.s(S.java:2)\n\tCaused by: a.T: "
       "t\n\t third line\n\t\t... 1 more\nbye\n",
       Thrown("a.B: c", "\n    a.B.b1  -- B.java:1\n")},
      {"and what follows their last frames is not theirs",
       "a.B: c\n\tat a.B.b1(B.java:1)\n\tSuppressed: a.S: s\n\t\t... 1 more\nsome words\n\tat a.C.c(C.java:2)\n",
       Thrown("a.B: c", "\n    a.B.b1  -- B.java:1\n") + Thrown("some words", "\n    a.C.c  -- C.java:2\n")},
  };
  ExpectTold("java", cases);
}

TEST(JavaStacks, GoOnOrEnd) {
  const TextCase cases[] = {
      {"locks and blank lines are inside",
       "a.B: c\n\tat a.B.b2(B.java:2)\n\t- locked <0x1> (a X)\n\n\tat a.B.b1(B.java:1)\n",
       Thrown("a.B: c", "\n    a.B.b1  -- B.java:1\n    a.B.b2  -- B.java:2\n")},
      {"other lines are not", "a.B: c\n\tat a.B.b1(B.java:1)\nsome words\n\tat a.C.c(C.java:2)\n",
       Thrown("a.B: c", "\n    a.B.b1  -- B.java:1\n") + Thrown("some words", "\n    a.C.c  -- C.java:2\n")},
      {"dots that begin a line of a log", "a.B: c\n\tat a.B.b1(B.java:1)\n... and so on\n\tat a.C.c(C.java:2)\n",
       Thrown("a.B: c", "\n    a.B.b1  -- B.java:1\n") + Thrown("... and so on", "\n    a.C.c  -- C.java:2\n")},
  };
  ExpectTold("java", cases);
}

TEST(JavaStacks, ProblemsAreToldByTheirLine) {
  const TextCase cases[] = {
      {"a frame that is cut, and a count that is wrong",
       "a.B: c\n\tat a.B.b1(B.java:1)\n\tat broken\nCaused by: a.C\n\tat a.C.d(C.java:1)\n\t... 2 more\n",
       "3: expected 'at package.Class.method(File.java:12)'\n6: '... 2 more', but the exception around it has 1 "
       "frames\n"},
      {"dots without a number", "a.B: c\n\tat a.B.b1(B.java:1)\n\t... x more\n", "3: expected '... 12 more'\n"},
      {"dots with a blank for a number", "a.B: c\n\tat a.B.b1(B.java:1)\n\t...  more\n", "3: expected '... 12 more'\n"},
      {"dots with another word, and a count that is wrong",
       "a.B: c\n\tat a.B.b1(B.java:1)\n\t... 2 frames\nCaused by: a.C\n\tat a.C.d(C.java:1)\n\t... 3 more\n",
       "3: expected '... 12 more'\n6: '... 3 more', but the exception around it has 1 frames\n"},
  };
  ExpectTold("java", cases);
}

TEST(JavaMessages, AreThoseOfTheLastThrowableLine) {
  const std::string frame = "\tat a.B.c(B.java:1)\n";
  const std::string trace = "\n    a.B.c  -- B.java:1\n";
  const TextCase cases[] = {
      {"several lines", "a.B: c\nmore\n\n" + frame, Thrown("a.B: c\\nmore\\n", trace)},
      {"a throwable after another", "a.A: first\nmore\na.B: second\n" + frame, Thrown("a.B: second", trace)},
      {"a class alone", "a.B\nmore\n" + frame, Thrown("a.B\\nmore", trace)},
      {"a class without a package", "IllegalStateException: x\nmore\n" + frame,
       Thrown("IllegalStateException: x\\nmore", trace)},
      {"an error without a package", "MyError:\nmore\n" + frame, Thrown("MyError:\\nmore", trace)},
      {"with the level of a log", "[ERROR] a.B: c\nmore\n" + frame, Thrown("a.B: c\\nmore", trace)},
      {"a thread's", "Exception in thread \"my \"pool\"-1\" a.B: c\n" + frame,
       Thrown("a.B: c", " 'my \"pool\"-1'" + trace)},
      {"a thread's that is cut", "Exception in thread \"main\nmore\n" + frame, Thrown("more", trace)},
      {"no class: words after it", "a.B c\nmore\n" + frame, Thrown("more", trace)},
      {"no class: no package and no usual ending", "note: x\nmore\n" + frame, Thrown("more", trace)},
      {"no class: a dot at the beginning", ".a.B: x\nmore\n" + frame, Thrown("more", trace)},
      {"no class: a dot at the end", "a.B.: x\nmore\n" + frame, Thrown("more", trace)},
      {"no class: nothing before the colon", ": x\nmore\n" + frame, Thrown("more", trace)},
      {"the line before, over a blank one", "  something odd happened \n\n" + frame,
       Thrown("something odd happened", trace)},
      {"none", frame, Thrown("", trace)},
  };
  ExpectTold("java", cases);
}

TEST(JavaMessages, ThatAreTooLongAreNone) {
  const auto message_bytes = [](size_t rest) {
    const ImportedText imported = ImportText("java", "a.B: c\n" + std::string(rest, 'x') + "\n\tat a.B.c(B.java:1)\n");
    EXPECT_TRUE(imported.status.ok());
    return imported.collected.runs.at(0).header.failure.message.size();
  };
  EXPECT_EQ(message_bytes(65'535), 6u + 65'536u);
  EXPECT_EQ(message_bytes(65'536), 0u);
}

TEST(JavaMessages, OfAssertionsMarkThem) {
  for (const std::string type :
       {"java.lang.AssertionError", "org.opentest4j.AssertionFailedError", "org.junit.ComparisonFailure"}) {
    const ImportedText imported = ImportText("java", type + ": x\n\tat a.B.c(B.java:1)\n");
    ASSERT_TRUE(imported.status.ok());
    EXPECT_EQ(imported.collected.runs.at(0).traces.at(0).header.mark, (FailureMark{1, "assertion"})) << type;
  }
  // The root cause tells.
  const ImportedText imported = ImportText(
      "java", "a.AssertionError: x\n\tat a.B.c(B.java:1)\nCaused by: a.C: AssertionError\n\tat a.C.d(C.java:1)\n");
  EXPECT_EQ(imported.collected.runs.at(0).traces.at(0).header.mark, (FailureMark{1, "throw"}));
}

TEST(JavaTests, AreNamedByTheLineBefore) {
  const std::string report = "a.B: c\n\tat a.B.c(B.java:1)\n";
  const std::pair<std::string, std::string> lines[] = {
      {"1) testGet(org.BeanTest)", "org.BeanTest.testGet"},
      {"  12) testGet(org.BeanTest)", "org.BeanTest.testGet"},
      {"testGet(org.BeanTest)  Time elapsed: 0.1 s  <<< FAILURE!", "org.BeanTest.testGet"},
      {"[ERROR] org.BeanTest.testGet -- Time elapsed: 0.1 s <<< ERROR!", "org.BeanTest.testGet"},
      {"MethodSource [className = 'org.BeanTest', methodName = 'testGet', methodParameterTypes = '']",
       "org.BeanTest.testGet"},
      {"1) testGet", ""},
      {"1) testGet()", ""},
      {"1) testGet(org.BeanTest", ""},
      {"1. testGet(org.BeanTest)", ""},
      {"testGet(org.BeanTest)", ""},
      {"MethodSource [className = 'org.BeanTest']", ""},
  };
  for (const auto& [line, test] : lines) {
    EXPECT_EQ(Told("java", line + "\n" + report), Thrown("a.B: c", "\n    a.B.c  -- B.java:1\n", test)) << line;
  }
  // A test has one failure: the next stack is not its own.
  EXPECT_EQ(Told("java", "1) t(T)\n" + report + "x\n" + report),
            Thrown("a.B: c", "\n    a.B.c  -- B.java:1\n", "T.t") + Thrown("a.B: c", "\n    a.B.c  -- B.java:1\n"));
}

TEST(JavaTests, OfJUnitsConsoleHaveBareFrames) {
  const TextCase cases[] = {
      {"with frames left out", "  => a.B: c\n     a.B.b2(B.java:2)\n     [...]\n     a.B.b1(B.java:1)\n\nbye\n",
       Thrown("a.B: c", " partial: JUnit left frames out\n    a.B.b1  -- B.java:1\n    a.B.b2  -- B.java:2\n")},
      {"only after an arrow", "a.B: c\n     a.B.b2(B.java:2)\n\tat a.B.b1(B.java:1)\n",
       Thrown("a.B: c\\n     a.B.b2(B.java:2)", "\n    a.B.b1  -- B.java:1\n")},
  };
  ExpectTold("java", cases);
}

std::string Dump(const std::string& message, const std::string& traces) {
  return fmt::format("run\n  language: java\n  outcome: failed\n  message: {}\n{}", message, traces);
}

TEST(JavaDumps, HaveAStackForEachThread) {
  const TextCase cases[] = {
      {"the main thread first, and none without frames",
       "Full thread dump OpenJDK:\n\n\"w \"1\"\" #2 prio=5 \"x\"\n   java.lang.Thread.State: RUNNABLE\n\tat "
       "a.W.w2(W.java:2)\n\t- locked <0x1>\n\n\tat a.W.w1(W.java:1)\n\n"
       "\"GC\" os_prio=0\n\n\"main\"\n\tat a.M.main(M.java:3)\n",
       Dump("Full thread dump OpenJDK:",
            "  trace 0.0 stack 'main'\n    a.M.main  -- M.java:3\n  trace 0.1 stack 'w \"1\"'\n    a.W.w1  -- "
            "W.java:1\n    a.W.w2  -- W.java:2\n")},
      {"two of them, after and before an exception",
       "a.B: c\n\tat a.B.c(B.java:1)\nFull thread dump A\n\"main\" #1\n\tat a.M.a(M.java:1)\nFull thread dump "
       "B\n\"main\" #1\n\tat a.M.b(M.java:2)\n"
       "Exception in thread \"t\" a.D: e\n\tat a.D.e(D.java:3)\n",
       Thrown("a.B: c", "\n    a.B.c  -- B.java:1\n") +
           Dump("Full thread dump A", "  trace 0.0 stack 'main'\n    a.M.a  -- M.java:1\n") +
           Dump("Full thread dump B", "  trace 0.0 stack 'main'\n    a.M.b  -- M.java:2\n") +
           Thrown("a.D: e", " 't'\n    a.D.e  -- D.java:3\n")},
      {"what is found that is no deadlock",
       "Full thread dump A\n\"main\" #1\nFound 2 locks\nno deadlock here\n\tat a.M.a(M.java:1)\n",
       Dump("Full thread dump A", "  trace 0.0 stack 'main'\n    a.M.a  -- M.java:1\n")},
      {"a deadlock, which repeats stacks",
       "Full thread dump A\n\"main\" #1\n\tat a.M.a(M.java:1)\nFound one Java-level deadlock:\n\"main\":\n\tat "
       "a.M.a(M.java:1)\nFull thread dump B\n\"t\" #1\n\tat a.M.b(M.java:2)\n",
       Dump("Found one Java-level deadlock:", "  trace 0.0 stack 'main'\n    a.M.a  -- M.java:1\n") +
           Dump("Full thread dump B", "  trace 0.0 stack 't'\n    a.M.b  -- M.java:2\n")},
      {"a frame that is cut", "Full thread dump A\n\"main\" #1\n\tat a.M.a(M.ja\n",
       "3: expected a thread's 'at package.Class.method(File.java:12)'\n"},
      {"a frame of no thread", "Full thread dump A\n\n\tat a.M.a(M.java:1)\n",
       "3: expected a thread's 'at package.Class.method(File.java:12)'\n"},
  };
  ExpectTold("java", cases);
}

}  // namespace
}  // namespace oscope
