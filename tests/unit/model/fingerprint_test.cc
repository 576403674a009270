#include "tracer/model/fingerprint.h"

#include <gtest/gtest.h>

#include <csignal>
#include <set>

namespace oscope {
namespace {

using Words = std::vector<std::string>;

Failure Of(FailureKind kind, const std::string& message, std::optional<int32_t> exit_code = std::nullopt) {
  Failure failure;
  failure.kind = kind;
  failure.message = message;
  failure.exit_code = exit_code;
  return failure;
}

Failure BySignal(int32_t signal, const std::string& message) {
  Failure failure = Of(FailureKind::kSignal, message);
  failure.signal = signal;
  return failure;
}

TEST(FingerprintTest, MessageWithoutWhatVaries) {
  EXPECT_EQ(StableMessage("/home/x/src/a.cc:12: Expected equality of these values:\n  f(3)\n  Which is: 7\n"),
            "a.cc: Expected equality of these values: f(#)");
  EXPECT_EQ(StableMessage("read \"some file\" failed at 0x7ffe12 after 12.5 s"), "read \"\" failed at # after # s");
  EXPECT_EQ(StableMessage("vec2 grew"), "vec2 grew");
  EXPECT_EQ(StableMessage(""), "");
}

TEST(FingerprintTest, TellsFailuresApart) {
  const Words frames = {"f", "g", "h", "main"};
  const std::string one = FailureFingerprint(Of(FailureKind::kException, "exception E: at 5"), frames);
  EXPECT_EQ(one.size(), 16u);
  EXPECT_EQ(one, FailureFingerprint(Of(FailureKind::kException, "exception E: at 6"), Words{"f", "g", "h", "other"}));
  EXPECT_NE(one, FailureFingerprint(Of(FailureKind::kException, "exception F: at 5"), frames));
  EXPECT_NE(one, FailureFingerprint(Of(FailureKind::kException, "exception E: at 5"), Words{"f", "g", "k"}));
  std::set<std::string> all;
  for (int i = 0; i < kFailureKinds; ++i) {
    Failure failure = Of(static_cast<FailureKind>(i), "exception E: at 5", 1);
    failure.signal = SIGSEGV;
    all.insert(FailureFingerprint(failure, frames));
  }
  EXPECT_EQ(all.size(), static_cast<size_t>(kFailureKinds)) << "every kind is another";
}

// A debugger, a sanitizer and a recorder word it differently.
TEST(FingerprintTest, OfACrashTheMessageDoesNotCount) {
  const Words frames = {"f", "main"};
  EXPECT_EQ(FailureFingerprint(BySignal(SIGSEGV, "Program received signal SIGSEGV, Segmentation fault."), frames),
            FailureFingerprint(BySignal(SIGSEGV, "AddressSanitizer: SEGV a.c:3 in f"), frames));
  EXPECT_NE(FailureFingerprint(BySignal(SIGSEGV, "m"), frames), FailureFingerprint(BySignal(SIGBUS, "m"), frames));
  for (const FailureKind kind : {FailureKind::kAbort, FailureKind::kAssertion, FailureKind::kTerminate}) {
    EXPECT_EQ(FailureFingerprint(Of(kind, "a.c:3: f: Assertion `x' failed.", 134), frames),
              FailureFingerprint(Of(kind, "Program received signal SIGABRT, Aborted."), frames));
  }
  for (const FailureKind kind : {FailureKind::kException, FailureKind::kTestFailure, FailureKind::kTimeout,
                                 FailureKind::kSanitizer, FailureKind::kUnknown, FailureKind::kExit}) {
    EXPECT_NE(FailureFingerprint(Of(kind, "one"), frames), FailureFingerprint(Of(kind, "another"), frames));
  }
}

// Stores have bugs that are known by them.
TEST(FingerprintTest, ThoseOfEarlierReleasesStay) {
  const Words frames = {"f", "main"};
  EXPECT_EQ(FailureFingerprint(BySignal(SIGSEGV, "SIGSEGV"), frames), "0503c1042a63fea1");
  EXPECT_EQ(FailureFingerprint(Of(FailureKind::kException, "exception E: at 5"), frames), "7db46417d4a3dcc0");
  EXPECT_EQ(FailureFingerprint(Of(FailureKind::kExit, "exit code 3", 3), frames), "48a9c042421818d7");
  EXPECT_EQ(FailureFingerprint(Of(FailureKind::kAbort, "abort"), frames), "cb179f116d748a68");
  EXPECT_EQ(FailureFingerprint(Of(FailureKind::kTestFailure, "/x/a.cc:3: Expected: 4"), frames), "98fee2dc933e54ba");
}

TEST(FingerprintTest, AnExitIsToldByItsCode) {
  const Words frames = {"f", "main"};
  const auto exit = [&](const std::string& message, int32_t code) {
    return FailureFingerprint(Of(FailureKind::kExit, message, code), frames);
  };
  const std::string one = exit("exit code 1", 1);
  EXPECT_EQ(one, exit("exit code 257", 1)) << "as the program said it, and as it came out";
  EXPECT_NE(one, exit("exit code 2", 2));
  EXPECT_NE(one, exit("no such table", 1));
  EXPECT_NE(exit("no such file", 1), exit("no such table", 1));
  EXPECT_NE(exit("no such file", 1), exit("no such file", 2));
  EXPECT_EQ(exit("line 3: no such file", 1), exit("line 4: no such file", 1));
  EXPECT_EQ(FailureFingerprint(Of(FailureKind::kException, "exception E", 1), frames),
            FailureFingerprint(Of(FailureKind::kException, "exception E", 2), frames))
      << "others tell enough";
}

TEST(FingerprintTest, WhatAnExitSaysBesideItsCode) {
  for (const char* plain : {"", "exit", "exit code 3", "exit code -1"})
    EXPECT_EQ(StableExitMessage(plain), "") << plain;
  EXPECT_EQ(StableExitMessage("exit code 3 of the server"), "exit code # of the server");
  EXPECT_EQ(StableExitMessage("a.cc:12: no table"), "a.cc: no table");
}

TEST(FingerprintBounds, PathsNumbersAndQuotes) {
  EXPECT_EQ(StableMessage("/a/b/ c/d"), "/a/b/ d") << "what ends with a slash keeps it";
  EXPECT_EQ(StableMessage("a1 1a (2) x-3 4:5"), "a1 # (#) x-# #");
  EXPECT_EQ(StableMessage(":7"), "") << "a line without a file";
  EXPECT_EQ(StableMessage("\"open\nnext 1"), "\"\" next #") << "a quote ends with its line";
  EXPECT_EQ(StableMessage("\n\none\n\ntwo\nthree"), "one") << "two lines from the first that says something";
  EXPECT_EQ(StableMessage("one\ntwo\nthree"), "one two");
  EXPECT_EQ(StableMessage(" \ta\t\tb "), "a b");
}

TEST(FingerprintBounds, ThreeFramesCount) {
  const auto of = [](const Words& frames) { return FailureFingerprint(Of(FailureKind::kAbort, ""), frames); };
  EXPECT_NE(of({"a", "b"}), of({"a", "b", "c"}));
  EXPECT_EQ(of({"a", "b", "c"}), of({"a", "b", "c", "d"}));
  EXPECT_NE(of({"a", "b", "c"}), of({"a", "c", "b"}));
  EXPECT_NE(FailureFingerprint(Of(FailureKind::kExit, "exit code 1"), Words{}),
            FailureFingerprint(Of(FailureKind::kExit, "exit code 1", 1), Words{}))
      << "without a code the message is all";
}

// --- of stacks ---

Trace Stack(SymbolTable& symbols, const Words& outermost_first) {
  Trace trace;
  trace.header.kind = TraceKind::kStack;
  for (const std::string& frame : outermost_first) trace.events.push_back(symbols.Intern(frame));
  trace.FinishHeader();
  return trace;
}

TEST(FingerprintOfStack, IsThatOfTheProjectsFrames) {
  SymbolTable symbols;
  const Failure crash = BySignal(SIGSEGV, "");
  const std::string plain = FailureFingerprint(crash, Words{"inner", "outer", "main"});
  EXPECT_EQ(FailureFingerprint(crash, Stack(symbols, {"main", "outer", "inner"}), symbols), plain);
  EXPECT_EQ(FailureFingerprint(crash,
                               Stack(symbols, {"_start", "__libc_start_main", "main", "outer", "std::for_each<int*>",
                                               "inner", "strlen"}),
                               symbols),
            plain);
  EXPECT_NE(FailureFingerprint(crash, Stack(symbols, {"main", "outer", "inner", "innermost"}), symbols), plain);
}

TEST(FingerprintOfStack, EndsAtTheMark) {
  SymbolTable symbols;
  Trace trace = Stack(symbols, {"main", "f", "handler", "report"});
  trace.header.mark = FailureMark{2, "SIGSEGV"};
  EXPECT_EQ(FailureFingerprint(BySignal(SIGSEGV, ""), trace, symbols),
            FailureFingerprint(BySignal(SIGSEGV, ""), Words{"f", "main"}));
}

}  // namespace
}  // namespace oscope
