#include "tracer/harness/failure_message.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(FailureMessage, Places) {
  EXPECT_EQ(FindPlace("at /a/b-c/d.cc:12: Failure"), (SourcePlace{"/a/b-c/d.cc", 12}));
  EXPECT_EQ(FindPlace("x.cpp(7): error"), (SourcePlace{"x.cpp", 7}));
  EXPECT_EQ(FindPlace("  File \"t/x.py\", line 31, in f"), (SourcePlace{"t/x.py", 31}));
  EXPECT_EQ(FindPlace("- file   : bt.cc\n- line   : 6\n"), (SourcePlace{"bt.cc", 6}));
  EXPECT_EQ(FindPlace("UNCAUGHT\n- file: unknown location\n- line: 0\nLast checkpoint:\n- file: bt.cc\n- line: 9\n"),
            (SourcePlace{"bt.cc", 9}));
  EXPECT_EQ(FindPlace("example.com:80 and 127.0.0.1:22 at 10:30"), std::nullopt);
}

TEST(FailureMessage, TheTellingLine) {
  EXPECT_EQ(FailureMessage("start\nprog: a.c:3: f: Assertion `x > 0' failed.\nAborted\n"),
            "prog: a.c:3: f: Assertion `x > 0' failed.");
  EXPECT_EQ(FailureMessage(
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\nAborted"),
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at");
  EXPECT_EQ(FailureMessage("a error: b\n==1==ERROR: AddressSanitizer: heap-use-after-free on address\n#0 f\n"),
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address");
  EXPECT_EQ(FailureMessage("[ RUN      ] S.C\n/x/a.cc:3: Failure\nExpected: 1\n[  FAILED  ] S.C (0 ms)\n"),
            "/x/a.cc:3: Failure\nExpected: 1");
  EXPECT_EQ(FailureMessage("\x1b[31mx.cc(6): error: in \"s/c\": check 1 == 2 has failed\x1b[0m\n\n*** 1 failure\n"),
            "x.cc(6): error: in \"s/c\": check 1 == 2 has failed");
  EXPECT_EQ(FailureMessage("Traceback (most recent call last):\n  File \"x.py\", line 1\nValueError: bad\n"),
            "ValueError: bad");
  EXPECT_EQ(FailureMessage("one\nlast words\n\n \n"), "last words");
  EXPECT_EQ(FailureMessage(""), "");
  EXPECT_EQ(FailureMessage("\n \n"), "");
}

TEST(FailureMessage, AFrameworksProgressIsNone) {
  EXPECT_EQ(FailureMessage("Running main() from /build/gtest_main.cc\nNote: Google Test filter = Shelf.*\n[==========] "
                           "Running 1 test from 1 test suite.\n"
                           "[----------] Global test environment set-up.\n[----------] 1 test from Shelf\n[ RUN      ] "
                           "Shelf.TakeOfUnknown\n"),
            "");
  EXPECT_EQ(FailureMessage("\x1b[0;32m[ RUN      ] \x1b[mShelf.Take\nopening the shelf\n[  FAILED  ] Shelf.Take (0 "
                           "ms)\n[  PASSED  ] 0 tests.\n\n 1 FAILED TEST\n"),
            "opening the shelf");
  EXPECT_EQ(FailureMessage("Running 2 test cases...\n\n*** 1 failure is detected in the test module \"shelf\"\n"), "");
  EXPECT_EQ(FailureMessage("a.cc(3): Entering test case \"take\"\n"), "");
  EXPECT_EQ(
      FailureMessage("Randomness seeded to: 31\n\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\nshelf is a Catch2 v3.4.0 "
                     "host application.\n"
                     "Run with -? for "
                     "options\n\n----------------------------------------\n........................................\n"
                     "========================================\ntest cases: 1 | 1 failed\nassertions: - none -\n"),
      "");
  // What only looks like it.
  EXPECT_EQ(FailureMessage("[info] Running main loop\n"), "[info] Running main loop");
  EXPECT_EQ(FailureMessage("Running 3 servers\n"), "Running 3 servers");

  JUnitCase crashed;
  crashed.output = "[ RUN      ] Shelf.TakeOfUnknown\n";
  EXPECT_EQ(FailureMessage(crashed), "");
}

TEST(FailureMessage, OfACase) {
  JUnitCase google;
  google.message = "/x/a.cc:3\nExpected equality of these values:\n  1\n  2";
  EXPECT_EQ(FailureMessage(google), google.message);
  EXPECT_EQ(FindPlace(google), (SourcePlace{"/x/a.cc", 3}));

  JUnitCase boost;
  boost.message = "failure";
  boost.text = "\nASSERTION FAILURE:\n- file   : bt.cc\n- line   : 6\n- message: check 1 == 2 has failed [1 != 2]\n\n";
  EXPECT_EQ(FailureMessage(boost), "check 1 == 2 has failed [1 != 2]");

  JUnitCase thrown;
  thrown.message = "unexpected exception";
  thrown.text =
      "\nUNCAUGHT EXCEPTION:\n- file: unknown location\n- line: 0\n\n\nEXCEPTION STACK TRACE: "
      "----\nstd::runtime_error: boo\n----\n";
  EXPECT_EQ(FailureMessage(thrown), "std::runtime_error: boo");

  JUnitCase java;
  java.type = "java.lang.AssertionError";
  EXPECT_EQ(FailureMessage(java), "java.lang.AssertionError");
  java.file = "A.java";
  java.line = 4;
  EXPECT_EQ(FindPlace(java), (SourcePlace{"A.java", 4}));
}

TEST(FailureMessage, LinesForLists) {
  EXPECT_EQ(MessageLine("/x/a.cc:3\nExpected equality of these values:\n  1\n  2"),
            "/x/a.cc:3: Expected equality of these values: 1 2");
  EXPECT_EQ(MessageLine("/x/a.cc:3: Failure\r\nValue of: f()\r\n"), "/x/a.cc:3: Failure: Value of: f()");
  EXPECT_EQ(MessageLine("a.cc(7): FAILED:\n  CHECK( x )"), "a.cc(7): FAILED: CHECK( x )");
  EXPECT_EQ(MessageLine("unknown file\nC++ exception with description \"far\""),
            "unknown file: C++ exception with description \"far\"");
  EXPECT_EQ(MessageLine("a.c:3: f: Assertion `x' failed.\nmore"), "a.c:3: f: Assertion `x' failed.");
  EXPECT_EQ(MessageLine("one\r\ntwo"), "one");
  EXPECT_EQ(MessageLine("/x/a.cc:3\n \n"), "/x/a.cc:3");
  EXPECT_EQ(MessageLine("/x/a.cc:3"), "/x/a.cc:3");
  EXPECT_EQ(MessageLine("\nsecond"), "");
  EXPECT_EQ(MessageLine(""), "");
}

TEST(FailureMessage, Headlines) {
  EXPECT_EQ(Headline("/x/a.cc:3\nExpected equality of these values:\n  1\n  2"),
            "Expected equality of these values: 1 2");
  EXPECT_EQ(Headline("/x/a.cc:3: Failure\nValue of: f()\n  Actual: false"), "Value of: f() Actual: false");
  EXPECT_EQ(Headline("unknown file\nC++ exception with description \"boo\""), "C++ exception with description \"boo\"");
  EXPECT_EQ(Headline("/x/a.cc:3"), "/x/a.cc:3");
  EXPECT_EQ(Headline("  \n"), "");
  EXPECT_EQ(Headline("äöü", 3), "ä…");
}

}  // namespace
}  // namespace oscope
