// Python tracebacks: where one ends, chains, groups, tests and threads; and the dumps of faulthandler.
#include <gtest/gtest.h>

#include "tests/unit/import/imported_text.h"

namespace oscope {
namespace {

const std::string kHead = "Traceback (most recent call last):\n";

std::string Frame(const std::string& module, int line, const std::string& function) {
  return fmt::format("  File \"{}.py\", line {}, in {}\n", module, line, function);
}

std::string Thrown(const std::string& message, const std::string& trace, const std::string& test = "") {
  return fmt::format(
      "run\n{}  language: python\n  outcome: failed\n  message: {}\n  failing thread: 0.0\n  trace 0.0 stack{}",
      test.empty() ? "" : fmt::format("  test: {}\n", test), message, trace);
}

std::string NoTrace(const std::string& text) {
  return fmt::format(
      "0: no trace in {} bytes: expected 'Traceback (most recent call last):' with frames such as '  File \"x.py\", "
      "line 12, in f'\n",
      text.size());
}

TEST(PythonTracebacks, EndWithTheirException) {
  const std::string told = Thrown("E: x", "\n    a.f  -- a.py:1\n    ^ throw\n");
  const TextCase cases[] = {
      {"the usual", kHead + Frame("a", 1, "f") + "    source()\n    ^^^^^^\nE: x\n", told},
      {"an empty line of source", kHead + Frame("a", 1, "f") + "\n    source()\nE: x\n", told},
      {"in a log that indents it", "  " + kHead + "  " + Frame("a", 1, "f") + "      source()\n  E: x\n", told},
      {"without the end of its last line", kHead + Frame("a", 1, "f") + "E: x", told},
      {"in lines of Windows", "Traceback (most recent call last):\r\n  File \"a.py\", line 1, in f\r\nE: x\r\n", told},
      {"an exception whose text begins like a frame", kHead + Frame("a", 1, "f") + "File \"x\" was not found\n",
       Thrown("File \"x\" was not found", "\n    a.f  -- a.py:1\n    ^ throw\n")},
      {"an assertion", kHead + Frame("a", 1, "f") + "AssertionError\n",
       Thrown("AssertionError", "\n    a.f  -- a.py:1\n    ^ assertion\n")},
      {"frames, outermost first", kHead + Frame("a", 1, "f") + Frame("b", 2, "g") + "E: x\n",
       Thrown("E: x", "\n    a.f  -- a.py:1\n    b.g  -- b.py:2\n    ^ throw\n")},
      {"two of them", kHead + Frame("a", 1, "f") + "E: x\n" + kHead + Frame("b", 2, "g") + "F: y\n",
       told + Thrown("F: y", "\n    b.g  -- b.py:2\n    ^ throw\n")},
      {"a syntax error, which has no headline",
       "  File \"a.py\", line 3\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n",
       Thrown("SyntaxError: invalid syntax", "\n    [a.py]  -- a.py:3\n    ^ throw\n")},
  };
  ExpectTold("python", cases);
}

TEST(PythonTracebacks, ProblemsAreToldByTheirLine) {
  const TextCase cases[] = {
      {"another headline before the exception",
       "x\n" + kHead + Frame("a", 1, "f") + kHead + Frame("b", 2, "g") + "E: x\n",
       "2: a traceback without the line of its exception\n"},
      {"no frames", kHead + "E: x\n", "1: a traceback without frames\n"},
      {"no frames in a chain",
       kHead + "E: x\n\nDuring handling of the above exception, another exception occurred:\n\n" + kHead +
           Frame("a", 1, "f") + "F: y\n",
       "1: a traceback without frames\n"},
      {"a frame that is cut", kHead + "  File \"a.py\", li\nE: x\n",
       "2: expected 'File \"x.py\", line 12, in f'\n1: a traceback without frames\n"},
      {"a repetition without a number", kHead + Frame("a", 1, "f") + "  [Previous line repeated x more times]\nE: x\n",
       "3: expected '[Previous line repeated 12 more times]' after a frame\n"},
      {"a repetition in other words", kHead + Frame("a", 1, "f") + "  [Previous line repeated 3 less times]\nE: x\n",
       "3: expected '[Previous line repeated 12 more times]' after a frame\n"},
      {"a repetition of nothing", kHead + "  [Previous line repeated 3 more times]\n" + Frame("a", 1, "f") + "E: x\n",
       "2: expected '[Previous line repeated 12 more times]' after a frame\n"},
  };
  ExpectTold("python", cases);
}

TEST(PythonTracebacks, RepeatedFramesAreThereAsOften) {
  for (const std::string indent : {"  ", ""}) {
    EXPECT_EQ(
        Told("python", kHead + Frame("a", 1, "f") + indent + "[Previous line repeated 2 more times]\n" +
                           Frame("b", 2, "g") + "E: x\n"),
        Thrown("E: x",
               "\n    a.f  -- a.py:1\n    a.f  -- a.py:1\n    a.f  -- a.py:1\n    b.g  -- b.py:2\n    ^ throw\n"));
  }
}

TEST(PythonTracebacks, OtherLinesAreNone) {
  for (const std::string text :
       {"File \"a.py\", line 1, in f\n", "  File \"a.py\", li\n", "  File \"a.py\"\n", "Traceback\n",
        "During handling of the above exception, another exception occurred:\n"}) {
    EXPECT_EQ(Told("python", text), NoTrace(text)) << text;
  }
}

TEST(PythonChains, TheFirstExceptionIsTheStackWithItsCallersFromTheNext) {
  const std::string during = "\nDuring handling of the above exception, another exception occurred:\n\n";
  const std::string cause = "\nThe above exception was the direct cause of the following exception:\n\n";
  const TextCase cases[] = {
      {"the function that caught it is in the next one",
       kHead + Frame("a", 5, "load") + Frame("a", 9, "read") + "E: x\n" + during + kHead + Frame("a", 1, "main") +
           Frame("a", 6, "load") + Frame("b", 2, "g") + "F: y\n",
       Thrown("E: x\\nF: y", "\n    a.main  -- a.py:1\n    a.load  -- a.py:5\n    a.read  -- a.py:9\n    ^ throw\n")},
      {"it is not: what is around is not known",
       kHead + Frame("a", 9, "read") + "E: x\n" + cause + kHead + Frame("a", 1, "main") + "F: y\n",
       Thrown("E: x\\nF: y",
              " partial: the frames around the first exception's are not known\n    a.read  -- a.py:9\n    ^ throw\n")},
      {"a function of the same name in another file is another",
       kHead + Frame("a", 9, "load") + "E: x\n" + during + kHead + Frame("d/a", 1, "load") + "F: y\n",
       Thrown("E: x\\nF: y",
              " partial: the frames around the first exception's are not known\n    a.load  -- a.py:9\n    ^ throw\n")},
      {"of a recursion the innermost caller counts",
       kHead + Frame("a", 5, "load") + "E: x\n" + during + kHead + Frame("a", 1, "load") + Frame("a", 2, "load") +
           "F: y\n",
       Thrown("E: x\\nF: y", "\n    a.load  -- a.py:1\n    a.load  -- a.py:5\n    ^ throw\n")},
      {"three of them",
       kHead + Frame("a", 9, "read") + "E: x\n" + during + kHead + Frame("a", 6, "load") + Frame("a", 8, "read") +
           "F: y\n" + cause + kHead + Frame("a", 1, "main") + Frame("a", 7, "load") + "G: z\n",
       Thrown("E: x\\nF: y\\nG: z",
              "\n    a.main  -- a.py:1\n    a.load  -- a.py:6\n    a.read  -- a.py:9\n    ^ throw\n")},
      {"an assertion first",
       kHead + Frame("a", 5, "load") + "AssertionError: x\n" + during + kHead + Frame("a", 6, "load") + "F: y\n",
       Thrown("AssertionError: x\\nF: y", "\n    a.load  -- a.py:5\n    ^ assertion\n")},
  };
  ExpectTold("python", cases);
}

const std::string kGroupHead =
    "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 1, in main\n  | ExceptionGroup: "
    "several\n";

TEST(PythonGroups, MembersAreFurtherStacks) {
  const std::string main = "\n    a.main  -- a.py:1\n    ^ throw\n";
  const TextCase cases[] = {
      {"members with and without a traceback",
       kGroupHead +
           "  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File \"a.py\", "
           "line 2, in f\n    | E: x\n"
           "    +---------------- 2 ----------------\n    | ERROR: t (a.T)\n    | Exception in thread x:\n    "
           "+------------------------------------\n" +
           kHead + Frame("b", 3, "g") + "F: y\n",
       Thrown("ExceptionGroup: several", main) + "  trace 0.1 stack 'exception 1: E: x'\n    a.f  -- a.py:2\n" +
           Thrown("F: y", "\n    b.g  -- b.py:3\n    ^ throw\n")},
      {"an exception that followed the group",
       kGroupHead +
           "  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File \"a.py\", "
           "line 2, in f\n    | E: x\n"
           "    +------------------------------------\n\nDuring handling of the above exception, another exception "
           "occurred:\n\n" +
           kHead + Frame("a", 7, "main") + "F: y\n",
       Thrown("ExceptionGroup: several\\nF: y", main) + "  trace 0.1 stack 'exception 1: E: x'\n    a.f  -- a.py:2\n"},
      {"a member that followed another",
       kGroupHead + "  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File "
                    "\"a.py\", line 2, in f\n    | E: x\n    |\n"
                    "    | During handling of the above exception, another exception occurred:\n    |\n"
                    "    | Traceback (most recent call last):\n    |   File \"a.py\", line 3, in g\n    | F: y\n    "
                    "+------------------------------------\n",
       Thrown("ExceptionGroup: several", main) + "  trace 0.1 stack 'exception 1: E: x'\n    a.f  -- a.py:2\n" +
           "  trace 0.2 stack 'exception 1: F: y'\n    a.g  -- a.py:3\n"},
      {"a text that begins inside a group",
       "    +---------------- 2 ----------------\n    | Traceback (most recent call last):\n    |   File \"a.py\", "
       "line 2, in f\n    | E: x\n"
       "    +---------------- 3 ----------------\n    | Traceback (most recent call last):\n    |   File \"a.py\", "
       "line 3, in g\n    | F: y\n"
       "    +------------------------------------\n",
       Thrown("E: x", "\n    a.f  -- a.py:2\n    ^ throw\n") +
           "  trace 0.1 stack 'exception 3: F: y'\n    a.g  -- a.py:3\n"},
      {"rules that are not indented are none",
       "+-+---------------- 1 ----------------\n" + kHead + Frame("a", 2, "f") + "E: x\n",
       Thrown("E: x", "\n    a.f  -- a.py:2\n    ^ throw\n")},
  };
  ExpectTold("python", cases);
}

TEST(PythonTests, AreNamedByUnittest) {
  const std::pair<std::string, std::string> lines[] = {
      {"FAIL: test_a (tests.T.test_a)", "tests.T.test_a"},
      {"ERROR: test_a (tests.T)", "tests.T.test_a"},
      {"FAIL: test_a) (tests.T)", "tests.T.test_a)"},
      {"FAIL: test_a (tests.T", ""},
      {"FAIL: test_a tests.T)", ""},
      {"FAIL: test_a", ""},
      {"FAILED: test_a (tests.T)", ""},
  };
  for (const auto& [line, test] : lines) {
    EXPECT_EQ(Told("python", line + "\n" + kHead + Frame("a", 1, "f") + "E: x\n"),
              Thrown("E: x", "\n    a.f  -- a.py:1\n    ^ throw\n", test))
        << line;
  }
  EXPECT_EQ(Told("python", "FAIL: t (T)\nException in thread w (run):\n" + kHead + Frame("a", 1, "f") + "E: x\n" +
                               kHead + Frame("b", 2, "g") + "F: y\n"),
            Thrown("E: x", " 'w (run)'\n    a.f  -- a.py:1\n    ^ throw\n", "T.t") +
                Thrown("F: y", "\n    b.g  -- b.py:2\n    ^ throw\n"));
}

std::string Dumped(const std::string& rest) { return "run\n  language: python\n  outcome: " + rest; }

TEST(PythonFaults, HaveAStackForEachThread) {
  const TextCase cases[] = {
      {"the current thread, which comes last, is marked",
       "Fatal Python error: Segmentation fault\n\nThread 0x1 (most recent call first):\n  File \"a.py\", line 2 in g\n "
       " File \"a.py\", line 1 in f\n\n"
       "Current thread 0x2 (most recent call first):\n  File \"a.py\", line 3 in h\n",
       Dumped("signal\n  signal: 11\n  message: Segmentation fault\n  failing thread: 0.0\n  trace 0.1 stack\n    a.f  "
              "-- a.py:1\n    a.g  -- a.py:2\n"
              "  trace 0.0 stack\n    a.h  -- a.py:3\n    ^ fatal error\n")},
      {"a thread that runs no Python",
       "Fatal Python error: Aborted\n\nCurrent thread 0x1 (most recent call first):\n  <no Python frame>\n\nThread 0x2 "
       "(most recent call first):\n"
       "  File \"a.py\", line 1 in f\n",
       Dumped("signal\n  signal: 6\n  message: Aborted\n  trace 0.0 stack\n    a.f  -- a.py:1\n")},
      {"stacks that are longer than what is shown",
       "Fatal Python error: Bus error\n\nThread 0x1 (most recent call first):\n  File \"a.py\", line 1 in f\n  ...\n\n"
       "Current thread 0x2 (most recent call first):\n  File \"a.py\", line 3 in h\n\nExtension modules: x (total: "
       "1)\n",
       Dumped("signal\n  signal: 7\n  message: Bus error\n  failing thread: 0.0\n  trace 0.1 stack partial: outer "
              "frames are not in the text\n    a.f  -- a.py:1\n"
              "  trace 0.0 stack\n    a.h  -- a.py:3\n    ^ fatal error\n")},
      {"two of them",
       "Fatal Python error: Floating point exception\n\nCurrent thread 0x1 (most recent call first):\n  File \"a.py\", "
       "line 1 in f\n"
       "Fatal Python error: Illegal instruction\n\nCurrent thread 0x1 (most recent call first):\n  File \"b.py\", line "
       "2 in g\n",
       Dumped("signal\n  signal: 8\n  message: Floating point exception\n  failing thread: 0.0\n  trace 0.0 stack\n    "
              "a.f  -- a.py:1\n    ^ fatal error\n") +
           Dumped("signal\n  signal: 4\n  message: Illegal instruction\n  failing thread: 0.0\n  trace 0.0 stack\n    "
                  "b.g  -- b.py:2\n    ^ fatal error\n")},
      {"an error that is no signal",
       "Fatal Python error: deadlock\n\nStack (most recent call first):\n  File \"a.py\", line 1 in f\n",
       Dumped("failed\n  message: deadlock\n  failing thread: 0.0\n  trace 0.0 stack\n    a.f  -- a.py:1\n    ^ fatal "
              "error\n")},
  };
  ExpectTold("python", cases);
}

TEST(PythonFaults, AndTracebacksComeInTheOrderOfTheText) {
  const std::string traceback_x = kHead + Frame("a", 1, "f") + "E: x\n",
                    traceback_y = kHead + Frame("a", 2, "g") + "E: y\n";
  const std::string told_x = Thrown("E: x", "\n    a.f  -- a.py:1\n    ^ throw\n"),
                    told_y = Thrown("E: y", "\n    a.g  -- a.py:2\n    ^ throw\n");
  const std::string fatal =
      "Fatal Python error: deadlock\n\nStack (most recent call first):\n  File \"a.py\", line 3 in h\n";
  const std::string told_fatal = Dumped(
      "failed\n  message: deadlock\n  failing thread: 0.0\n  trace 0.0 stack\n    a.h  -- a.py:3\n    ^ fatal error\n");
  const std::string dump = "Thread 0x1 (most recent call first):\n  File \"a.py\", line 4 in k\n";
  const std::string told_dump = Dumped("failed\n  trace 0.0 stack\n    a.k  -- a.py:4\n");
  const TextCase cases[] = {
      {"a fatal error between", traceback_x + fatal + traceback_y, told_x + told_fatal + told_y},
      {"a dump between", traceback_x + dump + traceback_y, told_x + told_dump + told_y},
      {"a dump before and between", dump + traceback_x + dump + traceback_y, told_dump + told_x + told_dump + told_y},
      {"a dump that ends at another line", dump + "hello\n  File \"b.py\", line 9 in g\n",
       "4: a traceback without the line of its exception\n"},
      {"frames that no thread is named for", "Fatal Python error: x\n  File \"b.py\", line 9 in g\n",
       "2: a traceback without the line of its exception\n"},
      {"a frame that is cut", dump + "  File \"b.py\", li\n", "3: expected 'File \"x.py\", line 12 in f'\n"},
  };
  ExpectTold("python", cases);
}

}  // namespace
}  // namespace oscope
