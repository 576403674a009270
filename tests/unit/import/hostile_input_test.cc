// Rows 1 to 11 of the fault list: sizes and depths end in kLimit, odd bytes are kept, nothing
// recurses.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "tracer/import/importer.h"

namespace oscope {
namespace {

Status ImportInto(RunCollector& collected, std::string_view importer, std::string_view text) {
  std::vector<ImportProblem> problems;
  return FindImporter(importer)->Import(text, {.project = "P"}, collected, problems);
}

struct NamedText {
  std::string importer;
  std::string before;
  std::string after;
};

void PrintTo(const NamedText& named, std::ostream* out) { *out << named.importer; }  // not its address

class HugeName : public testing::TestWithParam<NamedText> {};

TEST_P(HugeName, IsALimitError) {
  RunCollector collected;
  const std::string text = GetParam().before + std::string(10 << 20, 'x') + GetParam().after;
  const Status status = ImportInto(collected, GetParam().importer, text);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kLimit);
  EXPECT_LT(status.error().message.size(), 1000u);
  EXPECT_TRUE(collected.runs.empty());
}

// Text that is odd but fits.
TEST_P(HugeName, IsKeptByteForByteWhenItFits) {
  if (GetParam().importer == "jsonl" || GetParam().importer == "chrome") GTEST_SKIP() << "JSON escapes";
  const std::string odd = std::string("a\0\x1b\xff\xe2\x80\xae", 7) + "z";
  RunCollector collected;
  const Status status = ImportInto(collected, GetParam().importer, GetParam().before + odd + GetParam().after);
  ASSERT_TRUE(status.ok()) << status.error().message;
  const std::string& name = collected.symbols.name(collected.runs.at(0).traces.at(0).events.back());
  EXPECT_NE(name.find(odd), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All, HugeName,
    testing::Values(NamedText{"gdb", "#0  ", " () at a.c:1\n"},
                    NamedText{"sanitizer", "==1==ERROR: AddressSanitizer: SEGV\n    #0 0x1 in ", " /a.c:1\n"},
                    NamedText{"glibc", "./a(", "+0x1)[0x2]\n"}, NamedText{"java", "a.B: c\n\tat a.", "(B.java:1)\n"},
                    NamedText{"python", "Traceback (most recent call last):\n  File \"a.py\", line 1, in ", "\nE: x\n"},
                    NamedText{"perf", "a 1 2.0: 1 cpu-clock: \n\t 1170 ", "+0x11 (/a)\n"},
                    NamedText{"uftrace", "reading 7.dat\n1.000000001 7: [entry] ", "(4a) depth: 0\n"},
                    NamedText{"thesis", "M a/B ", " ()V\n"}, NamedText{"collapsed", "main;", " 3\n"},
                    NamedText{"chrome", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"", "\"}]"},
                    NamedText{"jsonl", "{\"type\":\"run\",\"traces\":[{\"events\":[\"", "\"]}]}\n"}),
    [](const auto& sample_info) { return sample_info.param.importer; });

TEST(HostileInput, DeepJsonIsALimitErrorNotAStackOverflow) {
  for (const std::string bracket : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += bracket;
    for (const std::string_view importer : {"chrome", "jsonl"}) {
      RunCollector collected;
      const Status status = ImportInto(collected, importer, text);
      ASSERT_FALSE(status.ok());
      EXPECT_EQ(status.error().code, ErrorCode::kLimit);
    }
  }
}

TEST(HostileInput, ADepthOfTenMillionIsALimitError) {
  RunCollector collected;
  const Status status =
      ImportInto(collected, "jsonl", "{\"type\":\"run\",\"traces\":[{\"events\":[\"f\"],\"depths\":[10000000]}]}\n");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kLimit);
}

TEST(HostileInput, APromiseOfManyFramesIsNotBelieved) {
  RunCollector collected;
  const Status repeated = ImportInto(collected, "python",
                                     "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n"
                                     "  [Previous line repeated 18446744073709551615 more times]\nE: x\n");
  ASSERT_FALSE(repeated.ok());
  EXPECT_EQ(repeated.error().code, ErrorCode::kLimit);
  EXPECT_FALSE(
      ImportInto(collected, "java", "a.B\n\tat a.B.c(B.java:1)\nCaused by: a.C\n\t... 18446744073709551615 more\n")
          .ok());
}

TEST(HostileInput, ALineThatIsTooLongIsALimitError) {
  RunCollector collected;
  const Status status = ImportInto(collected, "gdb", "x\n" + std::string(limits::kMaxLineBytes + 1, 'x'));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kLimit);
  EXPECT_NE(status.error().message.find("line 2"), std::string::npos);
}

TEST(HostileInput, BinaryIsRefused) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 7919 >> 3);
  for (const Importer* importer : AllImporters()) {
    RunCollector collected;
    EXPECT_FALSE(ImportInto(collected, importer->name(), bytes).ok()) << importer->name();
  }
}

}  // namespace
}  // namespace oscope
