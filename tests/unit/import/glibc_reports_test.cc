// Aborts of the C and C++ libraries: which lines are frames, messages and assertions, and where a report ends.
#include <gtest/gtest.h>

#include "tests/unit/import/imported_text.h"

namespace oscope {
namespace {

std::string OneFrame(const std::string& frame) {
  return "run\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack\n    " + frame + "\n    ^ backtrace\n";
}

std::string NoTrace(size_t bytes) {
  return fmt::format(
      "0: no trace in {} bytes: expected a backtrace line such as './prog(main+0x1d)[0x4005fd]' or a failed "
      "assertion\n",
      bytes);
}

TEST(GlibcFrames, HaveObjectFunctionAndAddress) {
  const TextCase cases[] = {
      {"with its function", "./a(f+0x1d)[0x4005fd]\n", OneFrame("f  -- in ./a @0x4005fd")},
      {"with a blank before the address", "./a(f+0x1d) [0x4005fd]\n", OneFrame("f  -- in ./a @0x4005fd")},
      {"between blanks", "  ./a(f+0x1d)[0x4005fd] \t\n", OneFrame("f  -- in ./a @0x4005fd")},
      {"with an offset alone", "./a(+0x1139)[0x55d0]\n", OneFrame("[a]  -- in ./a")},
      {"with empty brackets", "./a()[0x55d0]\n", OneFrame("[a]  -- in ./a")},
      {"without brackets", "./a[0x55d0]\n", OneFrame("[a]  -- in ./a")},
      {"without the end of its line", "./a(f+0x1)[0x2]", OneFrame("f  -- in ./a @0x2")},
      {"in a line of Windows", "./a(f+0x1)[0x2]\r\n", OneFrame("f  -- in ./a @0x2")},
      {"in an object with brackets in its name", "./a(b)(f+0x1)[0x2]\n", OneFrame("f  -- in ./a(b) @0x2")},
  };
  ExpectTold("glibc", cases);
}

TEST(GlibcFrames, OtherLinesAreNone) {
  for (const std::string line :
       {"./a(f+0x1)[0x2)", "./a(f+0x1)[0x2] and more", "0x12]", "[0x2]", "./a(f+0x1)[0x2y]", "./a(f+0x1)[0xg]",
        "./a(f+0x1)[2]", "a+0x1)[0x2]", "./a(f)[0x2]", "./a(f+1)[0x2]", "(f+0x1)[0x2]", "a.c:12: f",
        "a.c:1: f: Assertion `x' holds.", "a.c:x: f: Assertion `x' failed.", "a.c:4294967296: f: Assertion `x' failed.",
        "f: Assertion `x' failed."}) {
    EXPECT_EQ(Told("glibc", line + "\n"), NoTrace(line.size() + 1)) << line;
  }
}

TEST(GlibcReports, AssertionsSayWhereTheyAre) {
  const TextCase cases[] = {
      {"with the program's name", "prog: a.c:12: f: Assertion `x' failed.\n",
       "run\n  language: c\n  outcome: signal\n  signal: 6\n  message: prog: a.c:12: f: Assertion `x' failed.\n  "
       "failing thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- a.c:12\n    ^ assertion\n"},
      {"without it, in a method", "a.cc:4294967295: int A::f(char): Assertion `x == \"a: b\"' failed.\n",
       "run\n  language: c++\n  outcome: signal\n  signal: 6\n  message: a.cc:4294967295: int A::f(char): Assertion `x "
       "== \"a: b\"' failed.\n"
       "  failing thread: 0.0\n  trace 0.0 stack\n    A::f  -- a.cc:4294967295 sig int A::f(char)\n    ^ assertion\n"},
      {"in a file whose name has numbers", "p: a:1:b.c:2: f: Assertion `x' failed.\n",
       "run\n  language: c\n  outcome: signal\n  signal: 6\n  message: p: a:1:b.c:2: f: Assertion `x' failed.\n  "
       "failing thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- a:1:b.c:2\n    ^ assertion\n"},
      {"and the backtrace that follows tells more",
       "a.c:12: f: Assertion `x' failed.\n./a(f+0x1)[0x2]\n./a(main+0x1)[0x3]\n",
       "run\n  language: c\n  outcome: signal\n  signal: 6\n  message: a.c:12: f: Assertion `x' failed.\n  failing "
       "thread: 0.0\n"
       "  trace 0.0 stack\n    main  -- in ./a @0x3\n    f  -- in ./a @0x2\n    ^ assertion\n"},
      {"two of them", "a.c:1: f: Assertion `x' failed.\nb.cc:2: g: Assertion `y' failed.\n",
       "run\n  language: c\n  outcome: signal\n  signal: 6\n  message: a.c:1: f: Assertion `x' failed.\n  failing "
       "thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- a.c:1\n    ^ assertion\n"
       "run\n  language: c++\n  outcome: signal\n  signal: 6\n  message: b.cc:2: g: Assertion `y' failed.\n  failing "
       "thread: 0.0\n"
       "  trace 0.0 stack\n    g  -- b.cc:2\n    ^ assertion\n"},
  };
  ExpectTold("glibc", cases);
}

TEST(GlibcReports, MessagesNameTheReason) {
  const std::pair<std::string, std::string> messages[] = {
      {"*** Error in `./a': double free", "abort"},
      {"*** stack smashing detected ***: terminated", "stack smashing"},
      {"*** buffer overflow detected ***: terminated", "buffer overflow"},
      {"*** %n in writable segment detected ***", "abort"},
      {"terminate called without an active exception", "throw"},
      {"double free or corruption (out)", "abort"},
      {"corrupted size vs. prev_size", "abort"},
      {"free(): invalid pointer", "abort"},
      {"malloc(): corrupted top size", "abort"},
      {"malloc_consolidate(): invalid chunk size", "abort"},
      {"realloc(): invalid pointer", "abort"},
      {"munmap_chunk(): invalid pointer", "abort"},
      {"pure virtual method called", "abort"},
  };
  for (const auto& [message, reason] : messages) {
    EXPECT_EQ(Told("glibc", message + "\n./a(f+0x1)[0x2]\n"),
              fmt::format("run\n  outcome: signal\n  signal: 6\n  message: {}\n  failing thread: 0.0\n  trace 0.0 "
                          "stack\n    f  -- in ./a @0x2\n    ^ {}\n",
                          message, reason));
  }
}

TEST(GlibcReports, EndWhereAnotherBegins) {
  const TextCase cases[] = {
      {"at a message after frames",
       "free(): invalid pointer\n./a(f+0x1)[0x2]\nmalloc(): corrupted top size\n./a(g+0x1)[0x3]\n",
       "run\n  outcome: signal\n  signal: 6\n  message: free(): invalid pointer\n  failing thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- in ./a @0x2\n    ^ abort\n"
       "run\n  outcome: signal\n  signal: 6\n  message: malloc(): corrupted top size\n  failing thread: 0.0\n"
       "  trace 0.0 stack\n    g  -- in ./a @0x3\n    ^ abort\n"},
      {"at a message after an assertion", "a.c:1: f: Assertion `x' failed.\nfree(): invalid pointer\n./a(g+0x1)[0x3]\n",
       "run\n  language: c\n  outcome: signal\n  signal: 6\n  message: a.c:1: f: Assertion `x' failed.\n  failing "
       "thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- a.c:1\n    ^ assertion\n"
       "run\n  outcome: signal\n  signal: 6\n  message: free(): invalid pointer\n  failing thread: 0.0\n"
       "  trace 0.0 stack\n    g  -- in ./a @0x3\n    ^ abort\n"},
      {"at prose after frames", "./a(f+0x1)[0x2]\nhello\n./a(g+0x1)[0x3]\n",
       OneFrame("f  -- in ./a @0x2") + OneFrame("g  -- in ./a @0x3")},
      {"not at a blank line", "./a(f+0x1)[0x2]\n \n./a(g+0x1)[0x3]\n",
       "run\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack\n    g  -- in ./a @0x3\n    f  -- in ./a "
       "@0x2\n    ^ backtrace\n"},
      {"not at prose before the frames", "free(): invalid pointer\nAborted (core dumped)\n./a(f+0x1)[0x2]\n",
       "run\n  outcome: signal\n  signal: 6\n  message: free(): invalid pointer\n  failing thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- in ./a @0x2\n    ^ abort\n"},
      {"not at a second message before the frames",
       "pure virtual method called\nterminate called without an active exception\n./a(_Z1fv+0x1)[0x2]\n",
       "run\n  language: c++\n  outcome: signal\n  signal: 6\n  message: pure virtual method called\\nterminate called "
       "without an active exception\n"
       "  failing thread: 0.0\n  trace 0.0 stack\n    f  -- in ./a @0x2\n    ^ throw\n"},
      {"what() is of a throw",
       "terminate called after throwing an instance of 'E'\n  what():  no bean \n./a(f+0x1)[0x2]\n",
       "run\n  outcome: signal\n  signal: 6\n  message: terminate called after throwing an instance of 'E': no bean\n  "
       "failing thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- in ./a @0x2\n    ^ throw\n"},
      {"what() is of a throw alone", "free(): invalid pointer\n  what():  no bean\n./a(f+0x1)[0x2]\n",
       "run\n  outcome: signal\n  signal: 6\n  message: free(): invalid pointer\n  failing thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- in ./a @0x2\n    ^ abort\n"},
  };
  ExpectTold("glibc", cases);
}

TEST(GlibcReports, AHeadlinePromisesNothingButFrames) {
  const TextCase cases[] = {
      {"a line that is none", "======= Backtrace: =========\n./a(f+0x1)[0x2]\n\nwhat is this\n",
       "4: expected 'object(function+0x12)[0x34]'\n"},
      {"the memory map ends them",
       "*** Error in `./a': free\n======= Backtrace: =========\n./a(f+0x1)[0x2]\n======= Memory map: "
       "========\n00400000-00401000 r-xp ./a\n",
       "run\n  outcome: signal\n  signal: 6\n  message: *** Error in `./a': free\n  failing thread: 0.0\n"
       "  trace 0.0 stack\n    f  -- in ./a @0x2\n    ^ abort\n"},
      {"a message without frames", "hello\n*** stack smashing detected ***: terminated\nbye\n",
       "2: '*** stack smashing detected ***: terminated' is not followed by a backtrace\n"},
  };
  ExpectTold("glibc", cases);
}

}  // namespace
}  // namespace oscope
