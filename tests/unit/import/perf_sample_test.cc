#include "tracer/import/perf_sample.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

std::string Header(std::string_view line) {
  const auto header = ParsePerfHeader(line);
  if (!header) return "(none)";
  return fmt::format("{}|{}|{}|{}|{}", header->command, header->pid, header->tid, header->has_time, header->place);
}

std::string Frame(std::string_view line) {
  const auto frame = ParsePerfFrame(line);
  if (!frame) return "(none)";
  return fmt::format("{}|{}{}", frame->symbol, frame->object, frame->in_kernel ? "|kernel" : "");
}

TEST(PerfHeader, HasTheFieldsThatPerfWasAskedFor) {
  EXPECT_EQ(Header("spin 32685  2780.835523:    5025125 cpu-clock: "), "spin|0|32685|true|");
  EXPECT_EQ(Header("spin 32685/32687 [001]  2780.835523:    5025125 cycles:u: "), "spin|32685|32687|true|");
  EXPECT_EQ(Header("Web Content 12  1.5: 1 cpu/cycles,u/: "), "Web Content|0|12|true|");
  EXPECT_EQ(Header("thread 7 9 12  1.5: 1 cycles: "), "thread 7 9|0|12|true|");
  EXPECT_EQ(Header("spin 32685 "), "spin|0|32685|false|");
  EXPECT_EQ(Header("32685 "), "|0|32685|false|");
}

TEST(PerfHeader, MayHaveThePlaceInTheSameLine) {
  EXPECT_EQ(Header("   spin   343  2795.085495:    5025125 cpu-clock:u:      559490c6617a leaf+0x11 (/tmp/spin)"),
            "spin|0|343|true|559490c6617a leaf+0x11 (/tmp/spin)");
  EXPECT_EQ(Header("   spin   343      559490c6617a net::read"), "spin|0|343|false|559490c6617a net::read");
}

TEST(PerfHeader, OfATracepointHasNoPlace) {
  EXPECT_EQ(Header("bash 12 [000] 3.5: sched:sched_switch: prev_comm=bash prev_pid=12 ==> next_comm=x"),
            "bash|0|12|true|");
  EXPECT_EQ(Header("bash 12 [000] 3.5: syscalls:sys_enter_write: fd: 0x00000001, buf: 0x55"), "bash|0|12|true|");
}

TEST(PerfHeader, OtherLinesAreNone) {
  for (const char* line :
       {"", "hello world", "# cmdline : perf record -F 199 ./spin", "\t 117a leaf (/tmp/spin)", "  spin.c:5"}) {
    EXPECT_EQ(Header(line), "(none)") << line;
  }
}

// Each number might be a thread, and each colon the end of an event's name.
TEST(PerfHeader, OfManyNumbersAndColonsIsReadInLinearTime) {
  std::string line;
  while (line.size() < 8 << 20) line += "1 : ";
  line += "7 1.5: cycles:";
  const auto header = ParsePerfHeader(line);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->tid, 7u);
  EXPECT_TRUE(header->has_time);
}

TEST(PerfFrame, HasSymbolAndObject) {
  EXPECT_EQ(Frame("\t            117a leaf+0x11 (/tmp/spin)"), "leaf+0x11|/tmp/spin");
  EXPECT_EQ(Frame("\t 117a std::sort(int (*)(char))+0x1 (/tmp/my spin (deleted))"),
            "std::sort(int (*)(char))+0x1|/tmp/my spin (deleted)");
  EXPECT_EQ(Frame("\t 117a std::sort(int (*)(char))"), "std::sort(int (*)(char))|");
  EXPECT_EQ(Frame("\t 117a append+0x1 (inlined)"), "append+0x1|");
  EXPECT_EQ(Frame("\t 117a [unknown] ([unknown])"), "|");
  EXPECT_EQ(Frame("\t 117a [unknown] (/usr/lib/libc.so.6)"), "|/usr/lib/libc.so.6");
  EXPECT_EQ(Frame("\t 117a *ABS*+0xa2bd0@plt (/usr/lib/libc.so.6)"), "|/usr/lib/libc.so.6");
}

TEST(PerfFrame, TellsTheKernel) {
  EXPECT_EQ(Frame("\tffffffff816586d6 alloc_pages+0x86 ([kernel.kallsyms])"),
            "alloc_pages+0x86|[kernel.kallsyms]|kernel");
  EXPECT_EQ(Frame("\tffffffffc0123456 ext4_read+0x1 ([ext4])"), "ext4_read+0x1|[ext4]|kernel");
  EXPECT_EQ(Frame("\tffffffffc0123456 x+0x1 (/lib/modules/6.1/x.ko.xz)"), "x+0x1|/lib/modules/6.1/x.ko.xz|kernel");
  EXPECT_EQ(Frame("\t7ffe000a clock_gettime+0x1 ([vdso])"), "clock_gettime+0x1|[vdso]");
}

TEST(PerfFrame, OtherLinesAreNone) {
  for (const char* line : {"", "  spin.c:5", "\tleaf", "117a", "117a ", "face", "cpu-clock: "})
    EXPECT_EQ(Frame(line), "(none)") << line;
}

}  // namespace
}  // namespace oscope
