#include <gtest/gtest.h>

#include "quill/date/format.h"

namespace quill::date {
namespace {

TEST(Date, CountsDays) {
  EXPECT_EQ(Date(1970, 1, 1).ToDays(), 0);
  EXPECT_EQ(Date(2024, 3, 1).ToDays() - Date(2024, 2, 28).ToDays(), 2);
  EXPECT_EQ(Date::FromDays(19000), Date(2022, 1, 8));
  EXPECT_EQ(Date(2023, 12, 31).DayOfYear(), 365);
  EXPECT_TRUE(Date(2023, 12, 31) < Date(2024, 1, 1));
}

TEST(Date, DaysAndDatesAgree) {
  for (int64_t days = 3650; days < 3650 + 3000; days += 7)
    EXPECT_EQ(Date::FromDays(days).ToDays(), days);
}

TEST(Date, RefusesDaysThatAreNot) {
  EXPECT_THROW(Date(2023, 2, 29), Error);
  EXPECT_THROW(Date(2023, 13, 1), Error);
  EXPECT_THROW(Date(2023, 4, 31), Error);
  EXPECT_THROW(Date(2023, 1, 0), Error);
}

TEST(Date, AddsMonths) {
  EXPECT_EQ(Date(2023, 5, 15).AddMonths(1), Date(2023, 6, 15));
  EXPECT_EQ(Date(2023, 11, 15).AddMonths(14), Date(2025, 1, 15));
  EXPECT_EQ(Date(2023, 5, 15).AddMonths(-4), Date(2023, 1, 15));
}

TEST(Date, KnowsWeekdays) {
  EXPECT_EQ(Date(1970, 1, 1).Weekday(), Weekday::kThursday);
  EXPECT_EQ(Date(2024, 2, 29).Weekday(), Weekday::kThursday);
  EXPECT_EQ(Date(2023, 10, 1).Weekday(), Weekday::kSunday);
}

TEST(Date, KnowsIsoWeeks) {
  EXPECT_EQ(Date(2023, 1, 1).IsoWeek().year, 2022);
  EXPECT_EQ(Date(2023, 1, 1).IsoWeek().week, 52);
  EXPECT_EQ(Date(2020, 12, 31).IsoWeek().week, 53);
}

TEST(Date, TheYear2000HadALeapDay) {
  const Date leap_day = Parse("2000-02-29");
  EXPECT_EQ(Format(leap_day.AddDays(1), "%d %B %Y"), "01 March 2000");
}

TEST(Date, DaysSince2000) {
  EXPECT_EQ(Date(2000, 12, 31).DayOfYear(), 366);
  EXPECT_EQ(Date(2001, 1, 1).ToDays() - Date(2000, 1, 1).ToDays(), 366);
}

TEST(Date, AYearAfterALeapDay) {
  EXPECT_EQ(ApplyStep(Date(1996, 2, 29), "+1y"), Date(1997, 2, 28));
}

TEST(Date, MonthsFromTheLastDay) {
  Date bill(2023, 1, 31);
  EXPECT_EQ(bill.AddMonths(1), Date(2023, 2, 28));
  EXPECT_EQ(bill.AddMonths(3), Date(2023, 4, 30));
  EXPECT_EQ(bill.AddMonths(12), Date(2024, 1, 31));
}

TEST(Date, MonthsBackOverNewYear) {
  EXPECT_EQ(Date(2024, 2, 10).AddMonths(-3), Date(2023, 11, 10));
  EXPECT_EQ(Date(2024, 1, 1).AddMonths(-1), Date(2023, 12, 1));
}

TEST(Date, YearsBack) {
  const Date start = Parse("05 Mar 2021", "%d %b %Y");
  EXPECT_EQ(Format(ApplyStep(start, "-2y"), "%Y-%m-%d"), "2019-03-05");
}

TEST(Date, WeekdaysBefore1970) {
  EXPECT_EQ(Date(1969, 7, 20).Weekday(), Weekday::kSunday);
  EXPECT_EQ(Date(1969, 12, 31).Weekday(), Weekday::kWednesday);
}

TEST(Date, WeeksBefore1970) {
  const IsoWeek week = Date(1961, 4, 12).IsoWeek();
  EXPECT_EQ(week.year, 1961);
  EXPECT_EQ(week.week, 15);
}

TEST(DateFormat, WritesEveryField) {
  EXPECT_EQ(Format(Date(2024, 2, 5), "%Y %m %d %j %b %B %a %A %G %V 100%%"),
            "2024 02 05 036 Feb February Mon Monday 2024 06 100%");
  EXPECT_THROW(Format(Date(2024, 2, 5), "%Q"), Error);
}

TEST(DateFormat, ReadsWhatPatternsSay) {
  EXPECT_EQ(Parse("5 september 1999", "%d %B %Y"), Date(1999, 9, 5));
  EXPECT_EQ(Parse("2024/7", "%Y/%m"), Date(2024, 7, 1));
  EXPECT_THROW(Parse("2024-07"), ParseError);
  EXPECT_THROW(Parse("2024-07-01x"), ParseError);
  EXPECT_THROW(Parse("1 Foo", "%d %b"), ParseError);
}

TEST(DateFormat, Steps) {
  EXPECT_EQ(ApplyStep(Date(2024, 1, 1), "+2w"), Date(2024, 1, 15));
  EXPECT_EQ(ApplyStep(Date(2024, 1, 1), "-1d"), Date(2023, 12, 31));
  EXPECT_THROW(ApplyStep(Date(2024, 1, 1), "3d"), ParseError);
  EXPECT_THROW(ApplyStep(Date(2024, 1, 1), "+3q"), Error);
}

TEST(DateFormat, NamesOldWeekdays) {
  EXPECT_EQ(Format(Parse("1945-05-08"), "%A, %d %B %Y"), "Tuesday, 08 May 1945");
}

}  // namespace
}  // namespace quill::date
