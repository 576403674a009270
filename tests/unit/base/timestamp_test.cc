#include "base/timestamp.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace oscope {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(Timestamp, ParsesWhatIso8601Writes) {
  EXPECT_EQ(*ParseTimestamp("1970-01-01"), 0);
  EXPECT_EQ(*ParseTimestamp("2026-01-02T03:04:05Z"), 1'767'323'045 * kSecond);
  EXPECT_EQ(*ParseTimestamp("2026-01-02T04:04:05+01:00"), 1'767'323'045 * kSecond);
  EXPECT_EQ(*ParseTimestamp("2026-01-01T21:34:05-05:30"), 1'767'323'045 * kSecond);
  EXPECT_EQ(*ParseTimestamp("1970-01-01T00:00:00.25Z"), kSecond / 4);
  EXPECT_EQ(*ParseTimestamp("1969-12-31T23:59:59.999999999Z"), -1);
  EXPECT_TRUE(ParseTimestamp("2024-02-29").ok());
}

TEST(Timestamp, RefusesEverythingElseAndSaysWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "expected a date"},
      {"yesterday", "expected a date"},
      {"2026-1-2", "expected a date"},
      {"2026-02-29", "no such day"},
      {"2026-13-01", "no such day"},
      {"9999-01-01", "the year must be"},
      {"2026-01-02 03:04:05Z", "followed by T"},
      {"2026-01-02T03:04Z", "time of day"},
      {"2026-01-02T24:00:00Z", "no such time of day"},
      {"2026-01-02T03:04:05", "Z or an offset"},
      {"2026-01-02T03:04:05.Z", "1 to 9 digits"},
      {"2026-01-02T03:04:05.1234567890Z", "1 to 9 digits"},
      {"2026-01-02T03:04:05+1", "an offset is written"},
      {"2026-01-02T03:04:05Z ", "something follows"},
  };
  for (const auto& [text, reason] : cases) {
    const auto parsed = ParseTimestamp(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalid);
    EXPECT_NE(parsed.error().message.find(reason), std::string::npos) << parsed.error().message;
  }
}

TEST(Timestamp, FormatsAndRoundTrips) {
  EXPECT_EQ(FormatTimestamp(1'767'323'045 * kSecond), "2026-01-02T03:04:05Z");
  EXPECT_EQ(FormatTimestamp(kSecond / 4), "1970-01-01T00:00:00.25Z");
  EXPECT_EQ(FormatTimestamp(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(FormatTimestamp(std::numeric_limits<int64_t>::max()), "2262-04-11T23:47:16.854775807Z");
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int64_t> times(-9'000'000'000 * kSecond, 9'000'000'000 * kSecond);
  for (int round = 0; round < 2000; ++round) {
    const int64_t time = times(random);
    EXPECT_EQ(*ParseTimestamp(FormatTimestamp(time)), time);
  }
}

TEST(Timestamp, Durations) {
  EXPECT_EQ(*ParseDuration("90d"), 90 * 86'400 * kSecond);
  EXPECT_EQ(*ParseDuration("2w"), 14 * 86'400 * kSecond);
  EXPECT_EQ(*ParseDuration("12h"), 12 * 3600 * kSecond);
  EXPECT_EQ(*ParseDuration("30m"), 1800 * kSecond);
  EXPECT_EQ(*ParseDuration("45s"), 45 * kSecond);
  EXPECT_EQ(*ParseDuration("250ms"), kSecond / 4);
  EXPECT_EQ(*ParseDuration("0s"), 0);
  for (const char* text : {"", "d", "-1d", "+1d", "1", "1y", "1 d", "1.5h", "99999999999999999999s", "99999999w"}) {
    EXPECT_EQ(ParseDuration(text).error().code, ErrorCode::kInvalid) << text;
  }
}

TEST(Timestamp, TimesAtTheirBounds) {
  for (const char* text : {"2026-01-02T23:59:59Z", "1678-01-01", "2261-12-31T23:59:59.999999999Z",
                           "2026-01-02T00:00:00+23:59", "2026-12-31", "2000-02-29"}) {
    const auto time = ParseTimestamp(text);
    EXPECT_TRUE(time.ok()) << text;
  }
  for (const char* text : {"2026-01-02T24:00:00Z", "2026-01-02T23:60:00Z", "2026-01-02T23:59:60Z", "1677-12-31",
                           "2262-01-01", "2026-01-02T00:00:00+24:00", "2026-01-02T00:00:00+23:60", "2026-00-01",
                           "2026-01-00", "2026-01-32", "1900-02-29", "2026-01-02T00:00:00z", "2026-01-02t00:00:00Z"}) {
    EXPECT_EQ(ParseTimestamp(text).error().code, ErrorCode::kInvalid) << text;
  }
  EXPECT_EQ(*ParseTimestamp("1970-01-01T00:00:00.000000001Z"), 1);
  EXPECT_EQ(*ParseTimestamp("1970-01-01T00:00:00-00:01"), 60 * kSecond);
  EXPECT_EQ(FormatTimestamp(std::numeric_limits<int64_t>::min()), "1677-09-21T00:12:43.145224192Z");
}

TEST(Timestamp, DurationsAtTheirBounds) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(*ParseDuration("9223372036854ms"), 9223372036854 * (kSecond / 1000));
  EXPECT_EQ(ParseDuration("9223372036855ms").error().message, "duration '9223372036855ms': too long");
  EXPECT_EQ(*ParseDuration("9223372036s"), kMost / kSecond * kSecond);
  EXPECT_FALSE(ParseDuration("9223372037s").ok());
  EXPECT_EQ(*ParseDuration("15250w"), int64_t{15250} * 7 * 86'400 * kSecond);
  EXPECT_FALSE(ParseDuration("15251w").ok());
}

}  // namespace
}  // namespace oscope
