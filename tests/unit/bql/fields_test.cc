#include "bql/check/fields.h"

#include <gtest/gtest.h>

#include <regex>

#include "base/timestamp.h"

namespace oscope::bql {
namespace {

using Op = FieldPredicate::Op;

bool Satisfies(std::string field, Op op, std::vector<std::string> values, std::string_view stored,
               bool negated = false) {
  FieldPredicate predicate;
  predicate.field = std::move(field);
  predicate.op = op;
  predicate.values = std::move(values);
  predicate.negated = negated;
  return ValueSatisfies(predicate, stored);
}

TEST(Fields, ADatePredicateIsSatisfiedByTheTimesWhoseTextsSatisfyIt) {
  constexpr int64_t kDay = 86'400'000'000'000, kHour = kDay / 24;
  std::vector<int64_t> times = {0, 1, -1, INT64_MIN, INT64_MAX, INT64_MIN + kDay};
  for (int64_t at = 19'000 * kDay; at < 19'004 * kDay; at += 5 * kHour) times.insert(times.end(), {at - 1, at, at + 1});
  const std::vector<std::vector<std::string>> written = {
      {"2022-01-09"}, {"2022-01-09T05:00:00Z"}, {"2022-01-10", "2022-01-08"}, {"no date"}, {"1970-01-01"}, {}};
  for (const Op op : {Op::kEqual, Op::kNotEqual, Op::kLess, Op::kLessEqual, Op::kGreater, Op::kGreaterEqual, Op::kIn}) {
    for (const auto& values : written) {
      for (const bool negated : {false, true}) {
        FieldPredicate predicate;
        predicate.field = "created";
        predicate.op = op;
        predicate.values = values;
        predicate.negated = negated;
        const DatePredicate dates(predicate);
        for (const int64_t at : times) {
          EXPECT_EQ(dates.IsSatisfiedBy(at), ValueSatisfies(predicate, FormatTimestamp(at)))
              << static_cast<int>(op) << " " << FormatTimestamp(at);
        }
      }
    }
  }
}

TEST(Fields, CompareTextsByBytes) {
  EXPECT_TRUE(Satisfies("title", Op::kEqual, {"a"}, "a"));
  EXPECT_FALSE(Satisfies("title", Op::kEqual, {"A"}, "a"));
  EXPECT_TRUE(Satisfies("severity", Op::kLess, {"b"}, "a"));
  EXPECT_TRUE(Satisfies("version", Op::kLess, {"9"}, "10"));  // a text, although of digits
}

TEST(Fields, CompareNumbersAsNumbersInIdsAndCustomFields) {
  EXPECT_TRUE(Satisfies("votes", Op::kGreater, {"9"}, "10"));
  EXPECT_TRUE(Satisfies("votes", Op::kEqual, {"1.0"}, "1"));
  EXPECT_TRUE(Satisfies("id", Op::kGreaterEqual, {"323"}, "1000"));
  EXPECT_TRUE(Satisfies("votes", Op::kGreater, {"many"}, "some"));  // as texts, when one is none
}

TEST(Fields, TakeADateForItsDay) {
  const std::string noon = "2026-01-02T12:00:00Z";
  EXPECT_TRUE(Satisfies("created", Op::kEqual, {"2026-01-02"}, noon));
  EXPECT_FALSE(Satisfies("created", Op::kLess, {"2026-01-02"}, noon));
  EXPECT_TRUE(Satisfies("created", Op::kLessEqual, {"2026-01-02"}, noon));
  EXPECT_FALSE(Satisfies("created", Op::kGreater, {"2026-01-02"}, noon));
  EXPECT_TRUE(Satisfies("created", Op::kGreater, {"2026-01-01"}, noon));
  EXPECT_TRUE(Satisfies("created", Op::kGreater, {"2026-01-02"}, "2026-01-03T00:00:00Z"));
  EXPECT_TRUE(Satisfies("resolved", Op::kLess, {"2026-01-02T12:00:01Z"}, noon));
  EXPECT_TRUE(Satisfies("resolved", Op::kIn, {"2025-01-01", "2026-01-02"}, noon));
}

TEST(Fields, TakeSignalsByNameOrNumber) {
  EXPECT_TRUE(Satisfies("signal", Op::kEqual, {"SIGSEGV"}, "11"));
  EXPECT_TRUE(Satisfies("signal", Op::kEqual, {"SEGV"}, "11"));
  EXPECT_TRUE(Satisfies("signal", Op::kEqual, {"11"}, "11"));
  EXPECT_FALSE(Satisfies("signal", Op::kEqual, {"SIGABRT"}, "11"));
}

TEST(Fields, HoldNothingOfAMissingValue) {
  EXPECT_FALSE(Satisfies("title", Op::kNotEqual, {"x"}, ""));
  EXPECT_FALSE(Satisfies("title", Op::kLike, {"x"}, "", true));
}

TEST(Fields, NegateLikeAndIn) {
  EXPECT_TRUE(Satisfies("title", Op::kLike, {"%x%"}, "abc", true));
  EXPECT_FALSE(Satisfies("title", Op::kIn, {"a", "b"}, "a", true));
}

TEST(Fields, MatchLikeByCharacters) {
  EXPECT_TRUE(LikeMatches("a_c", "abc"));
  EXPECT_TRUE(LikeMatches("a_c", "aäc"));
  EXPECT_FALSE(LikeMatches("a_c", "ac"));
  EXPECT_TRUE(LikeMatches("%", ""));
  EXPECT_FALSE(LikeMatches("", "x"));
  EXPECT_FALSE(LikeMatches("ABC", "abc"));
}

TEST(Fields, MatchLikeAsARegularExpressionWould) {
  std::mt19937 random(7);
  const std::string_view letters = "ab%_";
  const auto text = [&](size_t kinds, size_t most) {
    std::string made;
    for (size_t n = random() % (most + 1); n > 0; --n) made += letters[random() % kinds];
    return made;
  };
  for (int i = 0; i < 3000; ++i) {
    const std::string pattern = text(4, 6), value = text(2, 8);
    std::string expression;
    for (const char c : pattern)
      expression += c == '%' ? std::string(".*") : c == '_' ? std::string(".") : std::string(1, c);
    EXPECT_EQ(LikeMatches(pattern, value), std::regex_match(value, std::regex(expression))) << pattern << " " << value;
  }
}

TEST(Fields, StandALikeThatWouldBacktrack) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "%a";
  EXPECT_FALSE(LikeMatches(pattern + "b", std::string(10'000, 'a')));
}

}  // namespace
}  // namespace oscope::bql
