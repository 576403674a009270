// Samples of perf script: which lines are one sample, whose it is, and what the traces are made of.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "tests/unit/import/imported_text.h"
#include "tracer/import/perf_sample.h"

namespace oscope {
namespace {

std::string Header(std::string_view line) {
  const auto header = ParsePerfHeader(line);
  if (!header) return "(none)";
  return fmt::format("{}|{}|{}|{}|{}", header->command, header->pid, header->tid, header->has_time, header->place);
}

TEST(PerfHeaderFields, AreKnownByTheirForm) {
  const std::pair<std::string, std::string> lines[] = {
      {"spin 12 [001]", "spin|0|12|false|"},
      {"spin 12 [x]", "(none)"},
      {"spin 12 []", "(none)"},
      {"spin 12 [5", "(none)"},
      {"spin 12 5]", "(none)"},
      {"spin 12 1.5:", "spin|0|12|true|"},
      {"spin 12 a.5: x", "(none)"},
      {"spin 12 5.a: x", "(none)"},
      {"spin 12 5: x", "(none)"},
      {"spin 12 1.5", "(none)"},
      {"spin x/12 [001]", "(none)"},
      {"spin 11/x [001]", "(none)"},
      {"spin 11/12 [001]", "spin|11|12|false|"},
      {"spin 12\t", "spin|0|12|false|"},
      {"\tspin 12 ", "(none)"},
      {"# spin 12 ", "(none)"},
      {"spin 32685 [001] 7", "spin|0|32685|false|"},
      {"spin 12 words", "(none)"},
      {"spin 7 1.5: cycles: x: 1170 f (/a)", "spin|0|7|true|1170 f (/a)"},
      {"spin 7 1.5: 1170 cycles:", "spin|0|7|true|"},
  };
  for (const auto& [line, told] : lines) EXPECT_EQ(Header(line), told) << line;
}

TEST(PerfHeaderFields, AreLookedForAFewTimes) {
  const auto colons = [](int count) {
    std::string line = "spin 7 1.5: ";
    for (int i = 0; i < count; ++i) line += "x: ";
    return line + "1170 f (/a)";
  };
  EXPECT_EQ(Header(colons(8)), "spin|0|7|true|1170 f (/a)");
  EXPECT_EQ(Header(colons(9)), "spin|0|7|true|");
  const auto numbers = [](int count) {
    std::string line;
    for (int i = 1; i < count; ++i) line += fmt::format("{} x ", i);
    return line + fmt::format("{} 1170 f (/a)", count);
  };
  EXPECT_EQ(Header(numbers(8)), "1 x 2 x 3 x 4 x 5 x 6 x 7 x|0|8|false|1170 f (/a)");
  EXPECT_EQ(Header(numbers(9)), "(none)");
}

TEST(PerfFrameFields, TheLastBracketsAreTheObject) {
  const auto frame = ParsePerfFrame("\t117a f ([x]) (/tmp/a)");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->symbol, "f ([x])");
  EXPECT_EQ(frame->object, "/tmp/a");
  const auto other = ParsePerfFrame("\t117a f (/x) ([vdso])");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->symbol, "f (/x)");
  EXPECT_EQ(other->object, "[vdso]");
}

std::string Sampled(const std::string& traces) { return "run\n  outcome: failed\n" + traces; }

TEST(PerfSamples, AreHeadersWithTheirFrames) {
  const TextCase cases[] = {
      {"a chain, and one that shares its outer part",
       "a 1 1.0: 1 c: \n\t11 leaf+0x1 (/x)\n\t12 main+0x2 (/x)\n\na 1 1.1: 1 c: \n\t13 other (/x)\n\t12 main+0x2 "
       "(/x)\n",
       Sampled("  trace 0.0 stack 'a'\n    main  -- in /x\n    other  -- in /x\n"
               "  trace 0.0 execution 'a' partial: sampled: 2 samples\n    0 main  -- in /x\n    1 leaf  -- in /x\n    "
               "1 other  -- in /x\n")},
      {"the same chain twice adds nothing", "a 1 1.0: 1 c: \n\t12 main (/x)\n\na 1 1.1: 1 c: \n\t12 main (/x)\n",
       Sampled("  trace 0.0 stack 'a'\n    main  -- in /x\n  trace 0.0 execution 'a' partial: sampled: 2 samples\n    "
               "0 main  -- in /x\n")},
      {"places alone", "a 1 1.0: 1 c: 11 leaf (/x)\na 1 1.1: 1 c: 12 main (/x)\n",
       Sampled("  trace 0.0 execution 'a' partial: sampled: 2 samples\n    leaf  -- in /x\n    main  -- in /x\n")},
      {"one thread with chains, one without", "a 1 1.0: 1 c: \n\t12 main (/x)\n\nb 2 1.1: 1 c: 11 leaf (/x)\n",
       Sampled("  trace 0.0 stack 'a'\n    main  -- in /x\n  trace 0.0 execution 'a' partial: sampled: 1 sample\n    0 "
               "main  -- in /x\n"
               "  trace 0.1 execution 'b' partial: sampled: 1 sample\n    leaf  -- in /x\n")},
      {"frames without a header are of no thread", "a 1 1.0: 1 c: \n\t11 f (/x)\n\n\t12 g (/x)\n",
       Sampled("  trace 0.0 stack 'a'\n    f  -- in /x\n  trace 0.0 execution 'a' partial: sampled: 1 sample\n    0 f  "
               "-- in /x\n"
               "  trace 0.1 stack\n    g  -- in /x\n  trace 0.1 execution partial: sampled: 1 sample\n    0 g  -- in "
               "/x\n")},
      {"what perf itself recorded is no sample",
       "a 1 1.0: 1 c: \nb 2 1.0: PERF_RECORD_MMAP2 1/2\n# b 3 1.0: 1 c:\n\t11 f (/x)\n",
       Sampled("  trace 0.0 stack 'a'\n    f  -- in /x\n  trace 0.0 execution 'a' partial: sampled: 1 sample\n    0 f  "
               "-- in /x\n")},
      {"a sample of the kernel alone does not count",
       "a 1 1.0: 1 c: \n\t11 f (/x)\n\na 1 1.1: 1 c: \n\tffff8165 k ([kernel.kallsyms])\n\nb 2 1.1: 1 c: \n\tffff8165 "
       "k ([kernel.kallsyms])\n",
       Sampled("  trace 0.0 stack 'a'\n    f  -- in /x\n  trace 0.0 execution 'a' partial: sampled: 1 sample\n    0 f  "
               "-- in /x\n")},
      {"source lines follow their frames",
       "a 1 1.0: 1 c: \n\t11 f (/x)\n  f.c:5\n\t12 g (inlined)\n  g.c:6 (inlined)\n\t13 h (/x)\n  ??:0\n\t14 k (/x)\n  "
       "no place\n\t15 main (/x)\nnote.c:5\n",
       Sampled("  trace 0.0 stack 'a'\n    main  -- in /x\n    k  -- in /x\n    h  -- in /x\n    g  -- g.c:6\n    f  "
               "-- f.c:5 in /x\n"
               "  trace 0.0 execution 'a' partial: sampled: 1 sample\n    0 main  -- in /x\n    1 k  -- in /x\n    2 h "
               " -- in /x\n    3 g  -- g.c:6\n    4 f  -- f.c:5 in /x\n")},
      {"a thread that changed its name", "a 1 1.0: 1 c: 11 f (/x)\nb 1 1.1: 1 c: 11 f (/x)\n 1 1.1: 1 c: 11 f (/x)\n",
       Sampled("  trace 0.0 execution 'b' partial: sampled: 3 samples\n    f  -- in /x\n")},
      {"a name that is mangled tells the language", "a 1 1.0: 1 c: 11 net::f(int)+0x1 (/x)\n",
       "run\n  language: c++\n  outcome: failed\n  trace 0.0 execution 'a' partial: sampled: 1 sample\n    net::f  -- "
       "in /x\n"},
  };
  ExpectTold("perf", cases);
}

TEST(PerfSamples, ProcessesAndThreadsAreNumberedByTheirFirstSample) {
  EXPECT_EQ(Told("perf",
                 "a 20/21 1.0: 1 c: 1 f (/x)\nb 30/32 1.0: 1 c: 1 g (/x)\na 20/20 1.0: 1 c: 1 h (/x)\nb 30/33 1.0: 1 "
                 "c: 1 k (/x)\na 20/19 1.0: 1 c: 1 l (/x)\n"),
            Sampled("  trace 0.1 execution 'a' partial: sampled: 1 sample\n    f  -- in /x\n"
                    "  trace 1.0 execution 'b' partial: sampled: 1 sample\n    g  -- in /x\n"
                    "  trace 0.0 execution 'a' partial: sampled: 1 sample\n    h  -- in /x\n"
                    "  trace 1.1 execution 'b' partial: sampled: 1 sample\n    k  -- in /x\n"
                    "  trace 0.2 execution 'a' partial: sampled: 1 sample\n    l  -- in /x\n"));
  EXPECT_EQ(Told("perf", "b 30/32 1.0: 1 c: \n\t1 g (/x)\n\na 20/21 1.0: 1 c: \n\t1 f (/x)\n"),
            Sampled("  trace 0.0 stack 'b'\n    g  -- in /x\n  trace 0.0 execution 'b' partial: sampled: 1 sample\n    "
                    "0 g  -- in /x\n"
                    "  trace 1.0 stack 'a'\n    f  -- in /x\n  trace 1.0 execution 'a' partial: sampled: 1 sample\n    "
                    "0 f  -- in /x\n"));
}

TEST(PerfSamples, OfTooManyFramesAreALimitError) {
  std::string text = "a 1 1.0: 1 c: \n";
  for (uint32_t i = 0; i < limits::kMaxDepth; ++i) text += "\t1 f\n";
  const ImportedText most = ImportText("perf", text);
  ASSERT_TRUE(most.status.ok()) << most.status.error().message;
  EXPECT_EQ(most.collected.runs.at(0).traces.at(0).events.size(), limits::kMaxDepth);
  text += "\t1 f\n";
  const ImportedText more = ImportText("perf", text);
  ASSERT_FALSE(more.status.ok());
  EXPECT_EQ(more.status.error().code, ErrorCode::kLimit);
  EXPECT_EQ(more.status.error().message, "line 1048578: more than 1048576 calls within each other");
}

TEST(PerfSamples, ATextWithoutOneIsRefused) {
  EXPECT_EQ(
      Told("perf", "a 1 1.0: 1 c: \n\nhello\n"),
      "0: no trace in 22 bytes: expected samples as 'perf script' prints them, with the fields tid, ip and sym\n");
}

}  // namespace
}  // namespace oscope
