// Fields that are appended to a record, over a list of the test's own: the lists of bugs and runs have none yet.
#include "tracer/model/appended_fields.h"

#include <gtest/gtest.h>

#include "tests/unit/fields/list_rules.h"
#include "tracer/model/bug_fields.h"

namespace oscope {

struct Grown {
  std::string old, text;
  std::optional<int64_t> time_ns;
  std::optional<uint64_t> count;
  std::optional<int32_t> code;
  uint32_t line = 0;
  bool flag = false;
  BugStatus status = BugStatus::kOpen;
  bool operator==(const Grown&) const = default;
};

using GrownField = Field<Grown, std::string, std::optional<int64_t>, std::optional<uint64_t>, std::optional<int32_t>,
                         uint32_t, bool, BugStatus>;

// Not in the order of their numbers.
inline constexpr auto kGrownFields = std::to_array<GrownField>({
    {.name = "old", .column = "old", .what = "old", .member = Through<Grown, &Grown::old>(), .limit = 9},
    {.name = "status", .column = "s", .what = "status", .member = Through<Grown, &Grown::status>(), .appended = 7},
    {.name = "text",
     .column = "t",
     .what = "text",
     .member = Through<Grown, &Grown::text>(),
     .limit = 9,
     .appended = 1},
    {.name = "time", .column = "a", .what = "time", .member = Through<Grown, &Grown::time_ns>(), .appended = 2},
    {.name = "count", .column = "c", .what = "count", .member = Through<Grown, &Grown::count>(), .appended = 3},
    {.name = "code", .column = "e", .what = "code", .member = Through<Grown, &Grown::code>(), .appended = 4},
    {.name = "line", .column = "l", .what = "line", .member = Through<Grown, &Grown::line>(), .appended = 5},
    {.name = "flag", .column = "f", .what = "flag", .member = Through<Grown, &Grown::flag>(), .appended = 6},
});

namespace {

Grown Full() { return {"", "text", -5, UINT64_MAX, INT32_MIN, UINT32_MAX, true, BugStatus::kClosed}; }

std::string Bytes(const Grown& record) {
  ByteWriter out;
  WriteAppended<kGrownFields>(record, out);
  return out.bytes();
}

// What is read, or the code of the error.
std::string Outcome(std::string_view bytes, Grown* read = nullptr) {
  Grown record;
  const Status status = ReadAppended<kGrownFields>(bytes, record);
  if (read != nullptr) *read = record;
  return status.ok() ? "ok" : std::string(ErrorCodeName(status.error().code));
}

TEST(AppendedFields, ComeBack) {
  ExpectAppendedNumbersAreGood(kGrownFields);
  Grown read;
  ASSERT_EQ(Outcome(Bytes(Full()), &read), "ok");
  EXPECT_EQ(read, Full());
  // Zero is a value where a number may be missing.
  Grown zeros;
  zeros.time_ns = 0;
  zeros.count = 0;
  zeros.code = 0;
  ASSERT_EQ(Outcome(Bytes(zeros), &read), "ok");
  EXPECT_EQ(read, zeros);
}

TEST(AppendedFields, AreLeftOutWhereTheyHoldTheirDefault) {
  Grown old;
  old.old = "has no number";
  EXPECT_EQ(Bytes(old), "");
  EXPECT_EQ(Outcome(""), "ok");
  Grown one;
  one.text = "ab";
  EXPECT_EQ(Bytes(one), std::string("\x01\x02"
                                    "ab"));
}

TEST(AppendedFields, EveryCutIsRefusedOrLeavesWholeFields) {
  const std::string bytes = Bytes(Full());
  int whole = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string outcome = Outcome(bytes.substr(0, size));
    EXPECT_TRUE(outcome == "ok" || outcome == "corrupt") << size << ": " << outcome;
    whole += outcome == "ok";
  }
  EXPECT_EQ(whole, 7) << "none, or the first of seven";
}

TEST(AppendedFields, DamagedBytesAreRefused) {
  EXPECT_EQ(Outcome(std::string("\x08\x00", 2)), "unsupported") << "a number that no row has";
  EXPECT_EQ(Outcome(std::string("\x00\x00", 2)), "corrupt") << "0 is no number";
  EXPECT_EQ(Outcome("\x01\x01"
                    "a\x01\x01"
                    "b"),
            "corrupt")
      << "twice the same";
  EXPECT_EQ(Outcome("\x05\x01\x07\x01\x01"
                    "b"),
            "corrupt")
      << "the wrong way round";
  EXPECT_EQ(Outcome("\x01\x0a"
                    "0123456789"),
            "limit")
      << "a text over its limit";
  EXPECT_EQ(Outcome("\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), "limit") << "before anything is allocated for it";
  EXPECT_EQ(Outcome("\x01\x05"
                    "a"),
            "corrupt")
      << "a text that is cut";
  EXPECT_EQ(Outcome("\x05\x02\x07\x07"), "corrupt") << "bytes are left over in a number";
  EXPECT_EQ(Outcome("\x05\x05\xff\xff\xff\xff\x1f"), "corrupt") << "more than 32 bits";
  EXPECT_EQ(Outcome("\x04\x05\xff\xff\xff\xff\x1f"), "corrupt") << "more than 32 bits, signed";
  EXPECT_EQ(Outcome(std::string("\x06\x01\x00", 3)), "corrupt") << "a flag that is not set";
  EXPECT_EQ(Outcome("\x07\x01\x04"), "corrupt") << "a status that is none";
  EXPECT_EQ(Outcome(std::string("\x02\x00", 2)), "corrupt") << "a time without a byte";
}

}  // namespace
}  // namespace oscope
