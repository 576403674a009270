// The failure that an importer makes of a text: its kind, its place, and a fingerprint that is the same for all who saw
// one crash.
#include <gtest/gtest.h>

#include <csignal>
#include <set>

#include "tests/unit/import/imported_text.h"
#include "tests/unit/import/samples.h"
#include "tracer/model/fingerprint.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

Failure FailureOf(std::string_view importer, std::string_view text, const ImportOptions& options = {.project = "P"}) {
  const ImportedText imported = ImportText(importer, text, options);
  EXPECT_TRUE(imported.status.ok()) << imported.status.error().message;
  return imported.collected.runs.empty() ? Failure{} : imported.collected.runs[0].header.failure;
}

// What our recorder makes of a crash with this stack, the innermost frame first.
std::string Recorded(FailureKind kind, std::optional<int32_t> signal, const Words& frames) {
  Failure failure;
  failure.kind = kind;
  failure.signal = signal;
  failure.message = "as the recorder words it";
  return FailureFingerprint(failure, frames);
}

// --- one crash, seen by several ---

TEST(OneCrash, ANullPointerIsTheSameForGdbAsanAndTheRecorder) {
  const Failure gdb = FailureOf("gdb",
                                "Program received signal SIGSEGV, Segmentation fault.\n"
                                "0x0000555555555145 in value_of (node=0x0) at list.c:10\n"
                                "10\tint value_of(struct node *node) { return node->value; }\n"
                                "#0  0x0000555555555145 in value_of (node=0x0) at list.c:10\n"
                                "#1  0x0000555555555175 in sum (node=0x0, count=3) at list.c:15\n"
                                "#2  0x00005555555551cb in main () at list.c:23\n");
  const Failure asan = FailureOf(
      "sanitizer",
      "==14773==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x56484d47d20c bp 0x1 sp 0x2 T0)\n"
      "==14773==The signal is caused by a READ memory access.\n"
      "    #0 0x56484d47d20c in value_of /src/list.c:10\n"
      "    #1 0x56484d47d23b in sum /src/list.c:15\n"
      "    #2 0x56484d47d3d3 in main /src/list.c:23\n"
      "    #3 0x7f831fc45249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58\n"
      "    #4 0x7f831fc45304 in __libc_start_main_impl ../csu/libc-start.c:360\n"
      "    #5 0x56484d47d100 in _start (/src/list_asan+0x1100)\n\n"
      "SUMMARY: AddressSanitizer: SEGV /src/list.c:10 in value_of\n");
  EXPECT_EQ(gdb.fingerprint, Recorded(FailureKind::kSignal, SIGSEGV, {"value_of", "sum", "main"}));
  EXPECT_EQ(asan.fingerprint, gdb.fingerprint);
  EXPECT_EQ(gdb.kind, FailureKind::kSignal);
  EXPECT_EQ(asan.kind, FailureKind::kSignal);
  EXPECT_EQ(gdb.place, (FailurePlace{"list.c", 10, "value_of"}));
  EXPECT_EQ(asan.place, (FailurePlace{"/src/list.c", 10, "value_of"}));
}

TEST(OneCrash, InsideTheLibraryItIsTheCallers) {
  const Failure gdb = FailureOf("gdb",
                                "Program received signal SIGSEGV, Segmentation fault.\n"
                                "#0  __strlen_evex () at ../sysdeps/x86_64/multiarch/strlen-evex.S:79\n"
                                "#1  0x0000555555555161 in length (s=0x0) at ovf.c:3\n"
                                "#2  0x000055555555518e in main (c=1, v=0x7fffffffe7d8) at ovf.c:4\n");
  const Failure asan = FailureOf(
      "sanitizer",
      "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x1 bp 0x2 sp 0x3 T0)\n"
      "    #0 0x7fc967985ad8 in __strlen_evex ../sysdeps/x86_64/multiarch/strlen-evex.S:79\n"
      "    #1 0x7fc967a4a6ac in __interceptor_strlen ../../../../src/libsanitizer/sanitizer_common/x.inc:387\n"
      "    #2 0x5569d8edb1b0 in length /src/ovf.c:3\n"
      "    #3 0x5569d8edb1fe in main /src/ovf.c:4\n");
  EXPECT_EQ(gdb.fingerprint, Recorded(FailureKind::kSignal, SIGSEGV, {"length", "main"}));
  EXPECT_EQ(asan.fingerprint, gdb.fingerprint);
  EXPECT_EQ(asan.place.function, "length");
}

constexpr std::string_view kAbortFrames =
    "Program received signal SIGABRT, Aborted.\n"
    "#0  __pthread_kill_implementation (threadid=<optimized out>, signo=6) at ./nptl/pthread_kill.c:44\n"
    "#1  0x00007ffff7e5ff4f in __pthread_kill_internal (signo=6) at ./nptl/pthread_kill.c:78\n"
    "#2  0x00007ffff7e10fb2 in __GI_raise (sig=sig@entry=6) at ../sysdeps/posix/raise.c:26\n"
    "#3  0x00007ffff7dfb472 in __GI_abort () at ./stdlib/abort.c:79\n";

TEST(OneCrash, AnAssertionIsTheSameForGdbTheLibraryAndTheRecorder) {
  const Failure gdb = FailureOf("gdb", std::string(kAbortFrames) +
                                           "#4  0x1 in __assert_fail_base (line=2) at ./assert/assert.c:94\n"
                                           "#5  0x2 in __GI___assert_fail (line=2) at ./assert/assert.c:103\n"
                                           "#6  0x3 in check (n=1) at as.c:2\n"
                                           "#7  0x4 in main () at as.c:4\n");
  EXPECT_EQ(gdb.kind, FailureKind::kAssertion);
  EXPECT_EQ(gdb.place, (FailurePlace{"as.c", 2, "check"}));
  EXPECT_EQ(gdb.fingerprint, Recorded(FailureKind::kAssertion, SIGABRT, {"check", "main"}));
  const Failure glibc = FailureOf("glibc",
                                  "as: as.c:2: check: Assertion `n > 3' failed.\n"
                                  "./as(check+0x1d)[0x4005fd]\n./as(main+0x9)[0x400609]\n");
  EXPECT_EQ(glibc.kind, FailureKind::kAssertion);
  EXPECT_EQ(glibc.fingerprint, gdb.fingerprint);
}

TEST(OneCrash, AnExceptionThatNobodyCaughtIsTheSameForGdbAndTheRecorder) {
  const Failure gdb =
      FailureOf("gdb", std::string(kAbortFrames) +
                           "#4  0x00007ffff7c9d919 in ?? () from /lib/x86_64-linux-gnu/libstdc++.so.6\n"
                           "#5  0x00007ffff7ca8e85 in std::terminate() () from /lib/x86_64-linux-gnu/libstdc++.so.6\n"
                           "#6  0x00007ffff7ca90d8 in __cxa_throw () from /lib/x86_64-linux-gnu/libstdc++.so.6\n"
                           "#7  0x5 in net::Socket::read (this=0x1, n=1) at th.cc:2\n"
                           "#8  0x6 in main (c=1) at th.cc:4\n");
  EXPECT_EQ(gdb.kind, FailureKind::kTerminate);
  EXPECT_EQ(gdb.fingerprint, Recorded(FailureKind::kTerminate, SIGABRT, {"net::Socket::read", "main"}));
  const Failure aborted = FailureOf("gdb", std::string(kAbortFrames) + "#4  0x5 in f () at a.c:2\n");
  EXPECT_EQ(aborted.kind, FailureKind::kAbort);
  EXPECT_EQ(aborted.fingerprint, Recorded(FailureKind::kAbort, SIGABRT, {"f"}));
}

// --- who makes one ---

TEST(ImportedFailure, EverySampleOfAFailureHasAFingerprintAndNoRecordingHas) {
  const std::set<std::string> tell = {"gdb", "sanitizer", "glibc", "java", "python"};
  for (const Sample& sample : Samples()) {
    const ImportedText imported = ImportText(sample.importer, sample.bytes);
    for (const oscope::Run& run : imported.collected.runs) {
      const bool marked =
          std::ranges::any_of(run.traces, [](const Trace& trace) { return trace.header.mark.has_value(); });
      const Failure& failure = run.header.failure;
      EXPECT_EQ(failure.fingerprint.size(), tell.contains(sample.importer) && marked ? 16u : 0u) << sample.path;
      EXPECT_EQ(failure.place.function.empty(), failure.fingerprint.empty()) << sample.path;
    }
  }
}

// Where the text does not say that something failed, the user may.
TEST(ImportedFailure, OfARecordingOnlyWhereItIsSaidToHaveFailed) {
  const std::pair<std::string_view, std::string_view> recordings[] = {
      {"collapsed", "main;run;spin 7\n"},
      {"java",
       "Full thread dump OpenJDK\n\"main\" #1\n\tat org.Spin.spin(Spin.java:3)\n\tat org.Spin.main(S.java:9)\n"},
  };
  for (const auto& [importer, text] : recordings) {
    EXPECT_EQ(FailureOf(importer, text).fingerprint, "") << importer;
    const Failure failed = FailureOf(importer, text, {.project = "P", .outcome = Outcome::kFailed});
    EXPECT_EQ(failed.fingerprint.size(), 16u) << importer;
    EXPECT_TRUE(failed.place.function.ends_with("spin")) << failed.place.function;
    EXPECT_EQ(FailureOf(importer, text, {.project = "P", .outcome = Outcome::kPassed}).fingerprint, "") << importer;
  }
}

TEST(ImportedFailure, OneThatIsSaidToHavePassedHasNone) {
  const std::string_view text = "Program received signal SIGSEGV, Segmentation fault.\n#0  f () at a.c:1\n";
  const Failure passed = FailureOf("gdb", text, {.project = "P", .outcome = Outcome::kPassed});
  EXPECT_FALSE(passed.tells_what_went_wrong());
  EXPECT_EQ(passed.message, "Program received signal SIGSEGV, Segmentation fault.");
}

TEST(ImportedFailure, JsonLinesBringTheirOwn) {
  const std::string run = R"({"type":"run","outcome":"failed","message":"m",)";
  const std::string traces =
      R"("traces":[{"kind":"stack","events":["main","f"],"mark":{"events":2,"reason":"throw"}}]})";
  EXPECT_FALSE(FailureOf("jsonl", run + traces).tells_what_went_wrong());
  EXPECT_FALSE(FailureOf("jsonl", run + traces, {.project = "P", .outcome = Outcome::kFailed}).tells_what_went_wrong());
  const std::string old = R"("custom":{"fingerprint":"00ff","where":"a.cc:3","host":"h"},)";
  const ImportedText imported = ImportText("jsonl", run + old + traces);
  const RunHeader& header = imported.collected.runs.at(0).header;
  EXPECT_EQ(header.failure.fingerprint, "00ff");
  EXPECT_EQ(header.failure.place, (FailurePlace{"a.cc", 3, ""}));
  EXPECT_EQ(header.custom, (CustomFields{{"host", "h"}}));
  const std::string both =
      R"("failure":{"kind":"exception","file":"b.cc","line":4,"function":"f","fingerprint":"01"},)";
  const Failure told = FailureOf("jsonl", run + both + traces);
  EXPECT_EQ(told.kind, FailureKind::kException);
  EXPECT_EQ(told.place, (FailurePlace{"b.cc", 4, "f"}));
  EXPECT_EQ(told.fingerprint, "01");
}

TEST(ImportedFailure, JsonLinesThatSayNonsenseAreRefused) {
  const TextCase cases[] = {
      {"an unknown kind", R"({"type":"run","failure":{"kind":"crash"}})",
       "1: failure, 'kind': 'crash': a failure is one of unknown, signal, abort, assertion, exception, uncaught "
       "exception, test failure, exit, time-out, sanitizer report\n"},
      {"an unknown field", R"({"type":"run","failure":{"signal":11}})",
       "1: failure, 'signal': not a field that is known here\n"},
  };
  ExpectTold("jsonl", cases);
  const ImportedText passed = ImportText("jsonl", R"({"type":"run","outcome":"passed","failure":{"kind":"exit"}})");
  EXPECT_EQ(passed.status.error().code, ErrorCode::kInvalid);
}

// An exception of another type or at another place is another failure; numbers in its message do not count.
TEST(ImportedFailure, OfExceptionsTheMessageCounts) {
  const auto of = [](const std::string& headline, const std::string& method) {
    return FailureOf("java", headline + "\n\tat org.Bean." + method +
                                 "(Bean.java:3)\n\tat org.Main.main(Main.java:9)\n" +
                                 "\tat java.base/java.lang.Thread.run(Thread.java:1583)\n")
        .fingerprint;
  };
  const std::string one = of("java.lang.IllegalStateException: at 5", "get");
  EXPECT_EQ(of("java.lang.IllegalStateException: at 6", "get"), one);
  EXPECT_NE(of("java.lang.NullPointerException: at 5", "get"), one);
  EXPECT_NE(of("java.lang.IllegalStateException: at 5", "set"), one);
}

}  // namespace
}  // namespace oscope
