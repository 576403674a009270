// The bounds of what is imported: at each of them it is taken, one beyond is refused.
#include "base/limits.h"

#include <gtest/gtest.h>

#include "tests/unit/import/samples.h"
#include "tracer/import/base64.h"
#include "tracer/import/importer.h"
#include "tracer/import/json_text.h"
#include "tracer/import/tar_members.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

struct Imported {
  Status status;
  RunCollector collected;
  std::vector<ImportProblem> problems;

  std::string code() const { return status.ok() ? "ok" : std::string(ErrorCodeName(status.error().code)); }
};

Imported Import(std::string_view importer, std::string_view text) {
  Imported imported;
  imported.status = FindImporter(importer)->Import(text, {.project = "P"}, imported.collected, imported.problems);
  return imported;
}

std::string Json(std::string_view line) { return Import("jsonl", line).code(); }

// --- names ---

struct NamedText {
  std::string importer, before, after;
};

void PrintTo(const NamedText& named, std::ostream* out) { *out << named.importer; }  // not its address

class NameOfTheLimit : public testing::TestWithParam<NamedText> {};

// How much longer than the name is the longest text that is kept of it: "a.B.name" of "name".
size_t Overhead(const NamedText& text, size_t name_bytes) {
  const Imported imported = Import(text.importer, text.before + std::string(name_bytes, 'x') + text.after);
  EXPECT_TRUE(imported.status.ok()) << imported.status.error().message;
  size_t longest = 0;
  for (uint32_t i = 0; i < imported.collected.symbols.size(); ++i) {
    const auto id = static_cast<SymbolId>(i);
    const SymbolAttributes& attributes = imported.collected.symbols.attributes(id);
    longest = std::max({longest, imported.collected.symbols.name(id).size(), attributes.signature.size(),
                        attributes.file.size(), attributes.object.size(), attributes.build_id.size()});
  }
  return longest - name_bytes;
}

TEST_P(NameOfTheLimit, IsTakenAndOneByteMoreIsNot) {
  const NamedText& text = GetParam();
  const size_t fits = limits::kMaxNameBytes - Overhead(text, 100);
  EXPECT_EQ(Import(text.importer, text.before + std::string(fits, 'x') + text.after).code(), "ok");
  const Imported refused = Import(text.importer, text.before + std::string(fits + 1, 'x') + text.after);
  ASSERT_EQ(refused.code(), "limit");
  EXPECT_NE(refused.status.error().message.find(
                fmt::format("{} bytes; the limit is {}", limits::kMaxNameBytes + 1, limits::kMaxNameBytes)),
            std::string::npos)
      << refused.status.error().message;
  EXPECT_TRUE(refused.collected.runs.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, NameOfTheLimit,
    testing::Values(NamedText{"gdb", "#0  ", " () at a.c:1\n"},
                    NamedText{"sanitizer", "==1==ERROR: AddressSanitizer: SEGV\n    #0 0x1 in ", " /a.c:1\n"},
                    NamedText{"glibc", "./a(", "+0x1)[0x2]\n"}, NamedText{"java", "a.B: c\n\tat a.", "(B.java:1)\n"},
                    NamedText{"python", "Traceback (most recent call last):\n  File \"a.py\", line 1, in ", "\nE: x\n"},
                    NamedText{"perf", "a 1 2.0: 1 cpu-clock: \n\t 1170 ", " (/a)\n"},
                    NamedText{"uftrace", "reading 7.dat\n1.000000001 7: [entry] ", "(4a) depth: 0\n"},
                    NamedText{"thesis", "M a/B ", " ()V\n"}, NamedText{"collapsed", "main;", " 3\n"},
                    NamedText{"chrome", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"", "\"}]"},
                    NamedText{"jsonl", "{\"type\":\"run\",\"traces\":[{\"events\":[\"", "\"]}]}\n"}),
    [](const auto& sample_info) { return sample_info.param.importer; });

TEST(ImportLimits, OfAttributes) {
  for (const char* field : {"signature", "file", "object", "build_id"}) {
    const auto line = [&](size_t size) {
      return fmt::format("{{\"type\":\"run\",\"traces\":[{{\"events\":[{{\"event\":\"f\",\"{}\":\"{}\"}}]}}]}}\n",
                         field, std::string(size, 'x'));
    };
    EXPECT_EQ(Json(line(limits::kMaxNameBytes)), "ok") << field;
    EXPECT_EQ(Json(line(limits::kMaxNameBytes + 1)), "limit") << field;
  }
}

// The writer of recordings refuses longer ones: a run that was imported must be fit to be exported.
TEST(ImportLimits, OfValues) {
  const auto json = [](size_t size) {
    return Json(fmt::format("{{\"type\":\"run\",\"traces\":[{{\"events\":[\"f\",\"g\"],\"values\":[\"\",\"{}\"]}}]}}\n",
                            std::string(size, 'x')));
  };
  EXPECT_EQ(json(limits::kMaxNameBytes), "ok");
  EXPECT_EQ(json(limits::kMaxNameBytes + 1), "limit");
  const auto thesis = [](size_t size) { return Import("thesis", "I LDC " + std::string(size, 'x') + "\n").code(); };
  EXPECT_EQ(thesis(limits::kMaxNameBytes), "ok");
  EXPECT_EQ(thesis(limits::kMaxNameBytes + 1), "limit");
}

// --- lines, nesting, problems ---

TEST(ImportLimits, OfLines) {
  std::string text = "x\n" + std::string(limits::kMaxLineBytes, 'x');
  EXPECT_EQ(Import("gdb", text).code(), "invalid") << "it is read, and holds no trace";
  text += "\nx\n";
  EXPECT_EQ(Import("gdb", text).code(), "invalid");
  text.insert(2, "y");
  const Imported refused = Import("gdb", text);
  EXPECT_EQ(refused.code(), "limit");
  EXPECT_EQ(refused.status.error().message, fmt::format("line 2 is longer than {} bytes", limits::kMaxLineBytes));
}

std::string Nested(int levels) {
  return std::string(static_cast<size_t>(levels), '[') + std::string(static_cast<size_t>(levels), ']');
}

TEST(ImportLimits, OfNesting) {
  EXPECT_EQ(FindTooDeepNesting(Nested(kMaxJsonNesting)), 0u);
  EXPECT_EQ(FindTooDeepNesting("\n\n" + Nested(kMaxJsonNesting + 1)), 3u);
  EXPECT_EQ(FindTooDeepNesting(Nested(kMaxJsonNesting) + Nested(kMaxJsonNesting)), 0u)
      << "what is closed does not count";
  EXPECT_EQ(FindTooDeepNesting("\"\\\"" + std::string(100, '[') + "\""), 0u) << "a text, with a quote in it";
  EXPECT_EQ(FindTooDeepNesting("\"\\\\\"" + std::string(100, '{')), 1u) << "after a text that ends with a backslash";
  // The line's own braces and the list of traces are two of the levels.
  EXPECT_EQ(Json("{\"type\":\"run\",\"odd\":" + Nested(kMaxJsonNesting - 1) + "}\n"), "invalid");
  EXPECT_EQ(Json("{\"type\":\"run\",\"odd\":" + Nested(kMaxJsonNesting) + "}\n"), "limit");
  EXPECT_EQ(Import("chrome", "{\"odd\":" + Nested(kMaxJsonNesting - 1) +
                                 ",\"traceEvents\":[{\"ph\":\"B\",\"ts\":1,\"name\":\"f\"}]}")
                .code(),
            "ok");
  EXPECT_EQ(Import("chrome",
                   "{\"odd\":" + Nested(kMaxJsonNesting) + ",\"traceEvents\":[{\"ph\":\"B\",\"ts\":1,\"name\":\"f\"}]}")
                .code(),
            "limit");
}

TEST(ImportLimits, OfProblemsThatAreKept) {
  const auto problems = [](size_t count) {
    std::string text = "main;f 1\n";
    for (size_t i = 0; i < count; ++i) text += "no count\n";
    Imported imported = Import("collapsed", text);
    EXPECT_EQ(imported.code(), "invalid");
    EXPECT_EQ(imported.status.error().message, fmt::format("{} problem{}, the first: line 2: {}", count,
                                                           count == 1 ? "" : "s", imported.problems[0].message));
    return imported.problems;
  };
  EXPECT_EQ(problems(1).size(), 1u);
  EXPECT_EQ(problems(kMaxImportProblems).size(), kMaxImportProblems);
  EXPECT_EQ(problems(kMaxImportProblems).back().line, kMaxImportProblems + 1);
  EXPECT_EQ(problems(kMaxImportProblems + 1).size(), kMaxImportProblems + 1);
  EXPECT_EQ(problems(kMaxImportProblems + 1).back().message, "and 1 more");
  EXPECT_EQ(problems(kMaxImportProblems + 1).back().line, 0u);
}

// --- numbers ---

TEST(ImportLimits, OfNumbers) {
  const auto field = [](std::string_view name, std::string_view value) {
    return Json(fmt::format("{{\"type\":\"run\",\"{}\":{}}}\n", name, value));
  };
  EXPECT_EQ(field("signal", "2147483647"), "ok");
  EXPECT_EQ(field("signal", "2147483648"), "invalid");
  EXPECT_EQ(field("exit_code", "-2147483648"), "ok");
  EXPECT_EQ(field("exit_code", "-2147483649"), "invalid");
  EXPECT_EQ(field("exit_code", "1.0"), "invalid");
  EXPECT_EQ(field("duration_ns", "18446744073709551615"), "ok");
  EXPECT_EQ(field("duration_ns", "18446744073709551616"), "invalid");
  EXPECT_EQ(field("duration_ns", "-1"), "invalid");
  EXPECT_EQ(field("started", "-9223372036854775808"), "ok");
  EXPECT_EQ(field("started", "9223372036854775807"), "ok");
  EXPECT_EQ(field("started", "9223372036854775808"), "invalid");
  EXPECT_EQ(field("incomplete", "1"), "invalid");
  EXPECT_EQ(field("failing_thread", "{\"process\":4294967295,\"thread\":0}"), "ok");
  EXPECT_EQ(field("failing_thread", "{\"process\":4294967296,\"thread\":0}"), "invalid");
  EXPECT_EQ(field("failing_thread", "{\"process\":0,\"thread\":-1}"), "invalid");
  EXPECT_EQ(field("failing_thread", "[]"), "invalid");
  EXPECT_EQ(field("command", "[7]"), "invalid");
  EXPECT_EQ(field("command", "{}"), "invalid");
  EXPECT_EQ(field("custom", "{\"a\":7}"), "invalid");
  EXPECT_EQ(field("inputs", "[7]"), "invalid");
}

TEST(ImportLimits, OfDepths) {
  const auto depth = [](uint64_t value) {
    return Json(fmt::format("{{\"type\":\"run\",\"traces\":[{{\"events\":[\"f\"],\"depths\":[{}]}}]}}\n", value));
  };
  EXPECT_EQ(depth(limits::kMaxDepth), "ok");
  EXPECT_EQ(depth(limits::kMaxDepth + 1), "limit");
  EXPECT_EQ(depth(UINT64_MAX), "limit");
  const auto uftrace = [](uint64_t value) {
    return Import("uftrace", fmt::format("reading 7.dat\n1.000000001 7: [entry] f(4a) depth: {}\n", value)).code();
  };
  EXPECT_EQ(uftrace(limits::kMaxDepth - 1), "ok");
  EXPECT_EQ(uftrace(limits::kMaxDepth), "limit");
}

TEST(ImportLimits, OfRepeatedFrames) {
  const auto repeated = [](uint64_t times) {
    return Import("python", fmt::format("Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n  "
                                        "[Previous line repeated {} more times]\nE: x\n",
                                        times));
  };
  const Imported most = repeated(limits::kMaxDepth - 1);
  ASSERT_EQ(most.code(), "ok") << most.status.error().message;
  EXPECT_EQ(most.collected.runs.at(0).traces.at(0).events.size(), limits::kMaxDepth);
  EXPECT_EQ(repeated(limits::kMaxDepth).code(), "limit");
}

TEST(ImportLimits, OfCountsOfOneStack) {
  EXPECT_EQ(Import("collapsed", "a;b 18446744073709551614\na;b 1\n").code(), "ok");
  EXPECT_EQ(Import("collapsed", "a;b 18446744073709551614\na;b 1\na;b 1\n").code(), "limit");
  EXPECT_EQ(Import("collapsed", "a;b 18446744073709551616\n").code(), "invalid");
}

TEST(ImportLimits, OfMarks) {
  const auto mark = [](std::string_view value) {
    return Import("thesis", fmt::format("# mark: {}\nM a/B c ()V\nM a/B d ()V\n", value)).code();
  };
  EXPECT_EQ(mark("1"), "ok");
  EXPECT_EQ(mark("2"), "ok");
  EXPECT_EQ(mark("3"), "invalid");
  EXPECT_EQ(mark("0"), "invalid");
  EXPECT_EQ(mark("x"), "invalid");
  const auto json = [](int events) {
    return Json(
        fmt::format("{{\"type\":\"run\",\"traces\":[{{\"events\":[\"f\"],\"mark\":{{\"events\":{}}}}}]}}\n", events));
  };
  EXPECT_EQ(json(1), "ok");
  EXPECT_EQ(json(2), "invalid");
}

// --- the small readers ---

TEST(TextLines, NumbersEndAtSixtyFourBits) {
  std::string_view most = "18446744073709551615x", more = "18446744073709551616x", none = "x",
                   hex = "0xffffffffffffffff", long_hex = "0x10000000000000000";
  EXPECT_EQ(ConsumeNumber(most), UINT64_MAX);
  EXPECT_EQ(most, "x");
  EXPECT_EQ(ConsumeNumber(more), std::nullopt);
  EXPECT_EQ(more, "18446744073709551616x") << "nothing is taken";
  EXPECT_EQ(ConsumeNumber(none), std::nullopt);
  EXPECT_EQ(ConsumeHex(hex), UINT64_MAX);
  EXPECT_EQ(ConsumeHex(long_hex), std::nullopt);
  EXPECT_EQ(long_hex, "0x10000000000000000");
  std::string_view bare = "ff", no_digits = "0xg";
  EXPECT_EQ(ConsumeHex(bare), std::nullopt) << "without 0x";
  EXPECT_EQ(ConsumeHexDigits(bare), 255u);
  EXPECT_EQ(ConsumeHex(no_digits), std::nullopt);
  EXPECT_EQ(no_digits, "0xg");
  EXPECT_EQ(ParseNumber("12"), 12u);
  EXPECT_EQ(ParseNumber("12 "), std::nullopt);
  EXPECT_EQ(ParseNumber(""), std::nullopt);
}

TEST(TextLines, LocationsHaveLinesOfThirtyTwoBits) {
  const auto location = [](std::string_view text) {
    SymbolAttributes attributes;
    ParseLocation(text, attributes);
    return fmt::format("{} {}", attributes.file, attributes.line);
  };
  EXPECT_EQ(location("a.c:12:3"), "a.c 12");
  EXPECT_EQ(location("a.c:12"), "a.c 12");
  EXPECT_EQ(location("a.c"), "a.c 0");
  EXPECT_EQ(location("1:2:3:4"), "1:2 3") << "two numbers at most";
  EXPECT_EQ(location("a.c:4294967295"), "a.c 4294967295");
  EXPECT_EQ(location("a.c:4294967296"), "a.c:4294967296 0");
  EXPECT_EQ(location("a.c:12:x"), "a.c:12:x 0");
}

TEST(TextLines, SignalsHaveTheirNumbers) {
  EXPECT_EQ(SignalNumber("SIGHUP"), 1);
  EXPECT_EQ(SignalNumber("SIGSYS"), 31);
  EXPECT_EQ(SignalNumber(""), std::nullopt);
  EXPECT_EQ(SignalNumber("SIGNONE"), std::nullopt);
}

TEST(TextLines, LinesEndInEitherWayOrNotAtAll) {
  EXPECT_EQ(SplitLines(""), std::vector<std::string_view>{});
  EXPECT_EQ(SplitLines("\n"), std::vector<std::string_view>{""});
  EXPECT_EQ(SplitLines("a\r\nb\n\r\nc\r"), (std::vector<std::string_view>{"a", "b", "", "c"}));
}

TEST(Base64Bounds, EveryLengthComesBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    const auto decoded = DecodeBase64(EncodeBase64(bytes));
    ASSERT_TRUE(decoded.ok()) << i;
    ASSERT_EQ(*decoded, bytes);
    bytes += static_cast<char>(i * 37);
  }
}

TEST(Base64Bounds, BitsThatNoByteHoldsAreRefused) {
  EXPECT_EQ(*DecodeBase64("/w=="), "\xff");
  EXPECT_EQ(DecodeBase64("/x==").error().message, "base64 with bits left over");
  EXPECT_EQ(*DecodeBase64("//8="), "\xff\xff");
  EXPECT_EQ(DecodeBase64("//9=").error().message, "base64 with bits left over");
  EXPECT_EQ(DecodeBase64("//8=//8=").error().message, "base64 with a wrong character at 3");
  EXPECT_EQ(DecodeBase64("//8").error().message, "base64 of 3 characters, not a multiple of 4");
}

// --- archives ---

TEST(TarMembersTest, NamesAndSizesAtTheirBounds) {
  std::string archive;
  EXPECT_TRUE(AppendToTar(std::string(100, 'n'), std::string(512, 'x'), archive).ok());
  EXPECT_TRUE(AppendToTar("empty", "", archive).ok());
  EXPECT_TRUE(AppendToTar("odd", std::string(513, 'y'), archive).ok());
  const std::string whole = archive;
  EXPECT_EQ(AppendToTar(std::string(101, 'n'), "", archive).error().code, ErrorCode::kLimit);
  EXPECT_EQ(archive, whole) << "nothing is added";
  EXPECT_EQ(archive.size(), 2 * 512u + 512u + 3 * 512u);
  const auto members = ReadTar(archive);
  ASSERT_TRUE(members.ok());
  ASSERT_EQ(members->size(), 3u);
  EXPECT_EQ((*members)[0].name, std::string(100, 'n'));
  EXPECT_EQ((*members)[0].bytes, std::string(512, 'x'));
  EXPECT_EQ((*members)[1].bytes, "");
  EXPECT_EQ((*members)[2].bytes, std::string(513, 'y'));
  // The padding of the last file may be missing, its bytes may not.
  const std::string_view all = archive;
  EXPECT_TRUE(ReadTar(all.substr(0, all.size() - 511)).ok());
  EXPECT_EQ(ReadTar(all.substr(0, all.size() - 512)).error().code, ErrorCode::kCorrupt);
  std::string spoilt = archive;
  spoilt[0] ^= 1;
  EXPECT_EQ(ReadTar(spoilt).error().message, "archive: a header's sum or size is wrong");
}

}  // namespace
}  // namespace oscope
