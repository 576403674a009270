// Reports of the sanitizers: what begins and ends one, which stack bears which title, and how frames are written.
#include <gtest/gtest.h>

#include "tests/unit/import/imported_text.h"
#include "tracer/import/sanitizer_frame.h"

namespace oscope {
namespace {

std::string ToldFrame(std::string_view text) {
  const auto frame = ParseSanitizerFrame(text);
  if (!frame) return "(none)";
  const SymbolAttributes& at = frame->attributes;
  return fmt::format("{}|{}|{}:{}|{}|{}|{:#x}", frame->name, at.signature, at.file, at.line, at.object, at.build_id,
                     at.address);
}

TEST(SanitizerFrame, HasAddressNamePlaceAndObject) {
  const std::pair<std::string_view, std::string_view> frames[] = {
      {" 0x55d0 in f /src/a.c:5:3", "f||/src/a.c:5|||0x55d0"},
      {" 0x55d0 in f(int) /src/a.c:5", "f(int)|f(int)|/src/a.c:5|||0x55d0"},
      {" 0x55d0 in A::f() const /src/a.c:5", "A::f() const|A::f() const|/src/a.c:5|||0x55d0"},
      {" 0x55d0 in A::operator() /src/a.c:5", "A::operator()||/src/a.c:5|||0x55d0"},
      {" 0x55d0 in f (a.out+0x12)", "f||:0|a.out||0x12"},
      {" 0x55d0 in f /src/a.c:5 (a.out+0x12) (BuildId: 00ff)", "f||/src/a.c:5|a.out|00ff|0x12"},
      {" 0x55d0  (a.out+0x12)", "||:0|a.out||0x12"},
      {" 0x55d0 (my prog+0x12)", "||:0|my prog||0x12"},
      {" 0x55d0", "||:0|||0x55d0"},
      {" f /src/a.c:5", "f||/src/a.c:5|||0x0"},
      {" <null> <null> (a.out+0x12)", "||:0|a.out||0x12"},
      {" 0x55d0 in f  <null>", "f||:0|||0x55d0"},
      {" 0x55d0 in f ??:0", "f||:0|||0x55d0"},
      {" 0x55d0 in __interceptor_free /src/a.c:5", "free||/src/a.c:5|||0x55d0"},
      {" 0x55d0 in ___interceptor_free /src/a.c:5", "free||/src/a.c:5|||0x55d0"},
  };
  for (const auto& [text, told] : frames) EXPECT_EQ(ToldFrame(text), told) << text;
}

TEST(SanitizerFrame, PlacesBeginWithASlashOrAreTheLastWord) {
  const std::pair<std::string_view, std::string_view> frames[] = {
      {" 0x1 in f /my src/a.c:5", "f||/my src/a.c:5|||0x1"},
      {" 0x1 in f(char /x) /a.c:5", "f(char /x)|f(char /x)|/a.c:5|||0x1"},
      {" 0x1 in f<(a) /b> /a.c:5", "f<(a) /b>||/a.c:5|||0x1"},
      {" 0x1 in operator> /a.c:5", "operator>||/a.c:5|||0x1"},
      {" 0x1 in /a.c", "||/a.c:0|||0x1"},
      {" 0x1 in f ./a.c", "f||./a.c:0|||0x1"},
      {" 0x1 in f ../a.c", "f||../a.c:0|||0x1"},
      {" 0x1 in f a.c:5", "f||a.c:5|||0x1"},
      {" 0x1 in f a.c", "f a.c||:0|||0x1"},
      {" 0x1 in f 5", "f 5||:0|||0x1"},
      {" 0x1 in f :5", "f :5||:0|||0x1"},
      {" 0x1 in f a:b", "f a:b||:0|||0x1"},
      {" 0x1 in f a::5", "f a::5||:0|||0x1"},
  };
  for (const auto& [text, told] : frames) EXPECT_EQ(ToldFrame(text), told) << text;
}

TEST(SanitizerFrame, ObjectsStandInTheLastBrackets) {
  const std::pair<std::string_view, std::string_view> frames[] = {
      {" 0x1 in f (a+0x12", "f (a+0x12||:0|||0x1"},
      {" 0x1 in a+0x1)", "a+0x1)|a+0x1)|:0|||0x1"},
      {" 0x1 in f(a+0x1)", "f(a+0x1)|f(a+0x1)|:0|||0x1"},
      {" 0x1 (+0x12)", "(+0x12)|(+0x12)|:0|||0x1"},
      {" 0x1 in f (a+0x12g)", "f (a+0x12g)|f (a+0x12g)|:0|||0x1"},
      {" 0x1 in f (a+0xg)", "f (a+0xg)|f (a+0xg)|:0|||0x1"},
      {" 0x1 in f (a)", "f (a)|f (a)|:0|||0x1"},
      {" 0x1 in f (a+0x1+0x12)", "f||:0|a+0x1||0x12"},
  };
  for (const auto& [text, told] : frames) EXPECT_EQ(ToldFrame(text), told) << text;
}

TEST(SanitizerFrame, OtherTextsAreNone) {
  for (const std::string_view text : {"", " ", " <null>", " 0x1 f", " 0x1 at f"})
    EXPECT_EQ(ToldFrame(text), "(none)") << text;
}

std::string Report(const std::string& message, const std::string& reason, const std::string& frames) {
  return fmt::format(
      "run\n  language: c\n  outcome: failed\n  message: {}\n  failing thread: 0.0\n  trace 0.0 stack{}    ^ {}\n",
      message, frames, reason);
}

TEST(SanitizerReports, BeginWithTheirHeadline) {
  const std::string frame = "    #0 0x1 in f a.c:1\n";
  const std::string f = "\n    f  -- a.c:1 @0x1\n";
  const TextCase cases[] = {
      {"the usual", "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6 at pc 0x5\n" + frame,
       Report("heap-use-after-free on address 0x6 at pc 0x5", "heap-use-after-free", f)},
      {"after a blank", "[info] ERROR: AddressSanitizer: odd thing\n" + frame, Report("odd thing", "odd thing", f)},
      {"a warning", "WARNING: ThreadSanitizer: data race (pid=7)\n" + frame,
       Report("data race (pid=7)", "data race", f)},
      {"a double free", "==7==ERROR: AddressSanitizer: attempting double-free on 0x6 in thread T0:\n" + frame,
       Report("attempting double-free on 0x6 in thread T0:", "double-free", f)},
      {"a kind that a colon ends", "ERROR: LeakSanitizer: odd: thing\n" + frame, Report("odd: thing", "odd", f)},
      {"a kind that an address ends", "ERROR: LeakSanitizer: odd 0x12\n" + frame, Report("odd 0x12", "odd", f)},
      {"a kind that a place ends", "ERROR: LeakSanitizer: odd at b\n" + frame, Report("odd at b", "odd", f)},
      {"not inside a word", "xERROR: AddressSanitizer: odd\n" + frame,
       "run\n  language: c\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack 'xERROR: AddressSanitizer: "
       "odd'" +
           f + "    ^ report\n"},
      {"not of another program", "ERROR: my AddressSanitizer: odd\n" + frame,
       "run\n  language: c\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack 'ERROR: my AddressSanitizer: "
       "odd'" +
           f + "    ^ report\n"},
      {"a stack alone", frame,
       "run\n  language: c\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack" + f + "    ^ report\n"},
  };
  ExpectTold("sanitizer", cases);
}

TEST(SanitizerReports, OfSignalsHaveThem) {
  struct Case {
    const char *kind, *signal;
    int number;
  };
  for (const auto& [kind, signal, number] : {Case{"SEGV", "SIGSEGV", 11},
                                             {"FPE", "SIGFPE", 8},
                                             {"BUS", "SIGBUS", 7},
                                             {"ILL", "SIGILL", 4},
                                             {"ABRT", "SIGABRT", 6},
                                             {"TRAP", "SIGTRAP", 5},
                                             {"stack-overflow", "SIGSEGV", 11}}) {
    EXPECT_EQ(
        Told("sanitizer",
             fmt::format("==1==ERROR: AddressSanitizer: {} on unknown address 0x0\n    #0 0x1 in f a.c:1\n", kind)),
        fmt::format("run\n  language: c\n  outcome: signal\n  signal: {}\n  message: {} on unknown address 0x0\n  "
                    "failing thread: 0.0\n"
                    "  trace 0.0 stack\n    f  -- a.c:1 @0x1\n    ^ {}\n",
                    number, kind, signal));
  }
}

TEST(SanitizerReports, EndWithTheirSummaryOrTheNextHeadline) {
  const std::string f = "\n    f  -- a.c:1 @0x1\n", g = "\n    g  -- a.c:2 @0x2\n";
  const TextCase cases[] = {
      {"the summary is the message",
       "ERROR: AddressSanitizer: odd thing\n    #0 0x1 in f a.c:1\nSUMMARY: AddressSanitizer: odd thing a.c:1 in f\n",
       Report("AddressSanitizer: odd thing a.c:1 in f", "odd thing", f)},
      {"what follows the summary is another",
       "ERROR: AddressSanitizer: one\n    #0 0x1 in f a.c:1\nSUMMARY: AddressSanitizer: one\n    #0 0x2 in g a.c:2\n",
       Report("AddressSanitizer: one", "one", f) +
           "run\n  language: c\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack" + g + "    ^ report\n"},
      {"two headlines",
       "ERROR: AddressSanitizer: one\n    #0 0x1 in f a.c:1\nand a title\nERROR: AddressSanitizer: two\n    #0 0x2 in "
       "g a.c:2\n",
       Report("one", "one", f) + Report("two", "two", g)},
      {"the total of leaks is not of another report",
       "ERROR: AddressSanitizer: one\n    #0 0x1 in f a.c:1\nSUMMARY: AddressSanitizer: 4 byte(s) leaked in 1 "
       "allocation(s).\n",
       Report("one", "one", f)},
      {"the total of leaks is that of the leaks",
       "ERROR: LeakSanitizer: detected memory leaks\n    #0 0x1 in f a.c:1\nSUMMARY: AddressSanitizer: 4 byte(s) "
       "leaked in 1 allocation(s).\n",
       Report("AddressSanitizer: 4 byte(s) leaked in 1 allocation(s).", "detected memory leaks", f)},
      {"a summary of nothing", "SUMMARY: AddressSanitizer: odd\n    #0 0x1 in f a.c:1\n",
       "run\n  language: c\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack" + f + "    ^ report\n"},
  };
  ExpectTold("sanitizer", cases);
}

TEST(SanitizerReports, RuntimeErrorsSayWhereTheyAre) {
  const std::string place =
      "run\n  language: c\n  outcome: failed\n  message: division by zero\n  failing thread: 0.0\n  trace 0.0 stack\n  "
      "  [a.c]  -- a.c:1\n"
      "    ^ division by zero\n";
  const TextCase cases[] = {
      {"alone", "a.c:1:2: runtime error: division by zero\n", place},
      {"with the source, a note and a stack",
       "a.c:1:2: runtime error: division by zero\n  x / 0\n    ^\nb.h:3:4: note: declared here\n    #0 0x1 in f "
       "a.c:1\n",
       Report("division by zero", "division by zero", "\n    f  -- a.c:1 @0x1\n")
           .insert(std::string("run\n  language: c\n  outcome: failed\n  message: division by zero\n  "
                               "failing thread: 0.0\n  trace 0.0 stack")
                       .size(),
                   " 'b.h:3:4: note: declared here'")},
      {"a stack after another line is not its own",
       "a.c:1:2: runtime error: division by zero\nhello\n    #0 0x1 in f a.c:1\n",
       place + "run\n  language: c\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack 'hello'\n    f  -- "
               "a.c:1 @0x1\n    ^ report\n"},
      {"nor after its summary, which says less than its own line",
       "a.c:1:2: runtime error: division by zero\nSUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.c:1:2\n    "
       "#0 0x1 in f a.c:1\n",
       place + "run\n  language: c\n  outcome: failed\n  failing thread: 0.0\n  trace 0.0 stack\n    f  -- a.c:1 "
               "@0x1\n    ^ report\n"},
  };
  ExpectTold("sanitizer", cases);
}

TEST(SanitizerReports, StacksBearTheLineBeforeThem) {
  const std::string head = "ERROR: AddressSanitizer: one\n";
  const TextCase cases[] = {
      {"without addresses, which differ from run to run",
       head + "READ of size 4 at 0x602f thread T0\n    #0 0x1 in f a.c:1\nfreed by thread T0 at 0x12 and at 0x34:\n    "
              "#0 0x2 in g a.c:2\n",
       "run\n  language: c\n  outcome: failed\n  message: one\n  failing thread: 0.0\n  trace 0.0 stack 'READ of size "
       "4 thread T0'\n    f  -- a.c:1 @0x1\n    ^ one\n"
       "  trace 0.1 stack 'freed by thread T0 and'\n    g  -- a.c:2 @0x2\n"},
      {"not over a blank line", head + "a title\n\n    #0 0x1 in f a.c:1\n",
       Report("one", "one", "\n    f  -- a.c:1 @0x1\n")},
      {"not a hint", head + "==7==Hint: address points to the zero page.\n    #0 0x1 in f a.c:1\n",
       Report("one", "one", "\n    f  -- a.c:1 @0x1\n")},
      {"one after another", head + "    #0 0x1 in f a.c:1\n    #0 0x2 in g a.c:2\n",
       Report("one", "one", "\n    f  -- a.c:1 @0x1\n") + "  trace 0.1 stack\n    g  -- a.c:2 @0x2\n"},
      {"outermost first, in lines of Windows, the last without its end",
       head + "    #0 0x1 in f a.c:1\r\n    #1 0x2 in g a.c:2",
       Report("one", "one", "\n    g  -- a.c:2 @0x2\n    f  -- a.c:1 @0x1\n")},
  };
  ExpectTold("sanitizer", cases);
}

TEST(SanitizerReports, ProblemsAreToldByTheirLine) {
  const std::string head = "ERROR: AddressSanitizer: one\n";
  const TextCase cases[] = {
      {"frames after a blank line", head + "    #0 0x1 in f a.c:1\n\n    #1 0x2 in g a.c:2\n",
       "4: frame #1 where #0 was expected\n"},
      {"frames after another line", head + "    #0 0x1 in f a.c:1\nhello\n    #1 0x2 in g a.c:2\n",
       "4: frame #1 where #0 was expected\n"},
      {"frames after the summary", head + "    #0 0x1 in f a.c:1\nSUMMARY: x\n    #1 0x2 in g a.c:2\n",
       "4: frame #1 where #0 was expected\n"},
      {"a gap, told once", head + "    #0 0x1 in f a.c:1\n    #2 0x2 in g a.c:2\n    #3 0x3 in h a.c:3\n",
       "3: frame #2 where #1 was expected\n"},
      {"a frame that is none", head + "    #0 0x1 f\n    #1 0x2 in g a.c:2\n",
       "2: frame #0 is not 'address in function place'\n"},
      {"a number without a blank after it is no frame", head + "    #0x1 in f a.c:1\n",
       "1: 'one' is not followed by a stack\n"},
      {"a frame that is not indented is none", "\n" + head + "#0 0x1 in f a.c:1\n",
       "2: 'one' is not followed by a stack\n"},
      {"a frame without anything", head + "    #0\n", "2: frame #0 is not 'address in function place'\n"},
  };
  ExpectTold("sanitizer", cases);
}

}  // namespace
}  // namespace oscope
