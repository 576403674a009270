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
  std::string leap_days;
  for (int year = 1992; year <= 2008; year += 4) {
    leap_days += Format(Parse(std::to_string(year) + "-02-29").AddDays(1), "%d%b%Y ");
  }
  EXPECT_EQ(leap_days, "01Mar1992 01Mar1996 01Mar2000 01Mar2004 01Mar2008 ");
}

TEST(Date, AWeekAfterTheLeapDayOf2000) {
  std::string weeks;
  for (const char* const day : {"1998-02-22", "1999-02-28", "1996-02-29", "2000-02-29"}) {
    weeks += Format(Parse(day).AddDays(7), "%d.%m.%Y ");
  }
  EXPECT_EQ(weeks, "01.03.1998 07.03.1999 07.03.1996 07.03.2000 ");
}

TEST(Date, DaysSince2000) {
  for (int year = 1990; year < 2010; ++year) {
    const int64_t days = Date(year + 1, 1, 1).ToDays() - Date(year, 1, 1).ToDays();
    ASSERT_EQ(Date(year, 12, 31).DayOfYear(), days);
  }
}

TEST(Date, AYearAfterALeapDay) {
  const std::vector<std::string> birthdays = {"12 Jan 1990", "03 Jul 1984", "29 Feb 1996",
                                              "31 Dec 2001"};
  std::vector<std::string> next;
  for (const std::string& birthday : birthdays) {
    next.push_back(Format(ApplyStep(Parse(birthday, "%d %b %Y"), "+1y"), "%d %b %Y"));
  }
  EXPECT_EQ(next,
            (std::vector<std::string>{"12 Jan 1991", "03 Jul 1985", "28 Feb 1997", "31 Dec 2002"}));
}

TEST(Date, MonthsFromTheLastDay) {
  const Date first_bill(2023, 3, 30);
  std::string bills;
  for (int month = 0; month < 14; ++month) {
    bills += Format(first_bill.AddMonths(month), "%m-%d ");
  }
  EXPECT_EQ(bills,
            "03-30 04-30 05-30 06-30 07-30 08-30 09-30 10-30 11-30 12-30 01-30 02-29 03-30 04-30 ");
}

TEST(Date, QuartersFromTheLastDay) {
  const Date first_report(2020, 12, 31);
  std::string reports;
  for (int quarter = 0; quarter < 6; ++quarter) {
    reports += Format(first_report.AddMonths(3 * quarter), "%d %b %Y; ");
  }
  EXPECT_EQ(reports,
            "31 Dec 2020; 31 Mar 2021; 30 Jun 2021; 30 Sep 2021; 31 Dec 2021; 31 Mar 2022; ");
}

TEST(Date, MonthsBackOverNewYear) {
  std::string months;
  for (int back = 0; back < 30; ++back)
    months += Format(Date(2024, 12, 10).AddMonths(-back), "%b%Y ");
  EXPECT_EQ(months.substr(0, 24), "Dec2024 Nov2024 Oct2024 ");
  EXPECT_EQ(months.substr(months.size() - 16), "Aug2022 Jul2022 ");
}

TEST(Date, QuartersBackOverNewYear) {
  std::string quarters;
  for (int back = 3; back <= 24; back += 3)
    quarters += Format(Date(2019, 10, 1).AddMonths(-back), "%m/%Y ");
  EXPECT_EQ(quarters, "07/2019 04/2019 01/2019 10/2018 07/2018 04/2018 01/2018 10/2017 ");
}

TEST(Date, YearsBack) {
  std::string starts;
  for (const char* const day : {"05 Mar 2021", "17 Aug 1998"}) {
    const Date start = Parse(day, "%d %b %Y");
    starts +=
        Format(ApplyStep(start, "+1m"), "%Y-%m-%d ") + Format(ApplyStep(start, "-2y"), "%Y-%m-%d ");
  }
  EXPECT_EQ(starts, "2021-04-05 2019-03-05 1998-09-17 1996-08-17 ");
}

TEST(Date, WeekdaysBefore1970) {
  int expected = static_cast<int>(Weekday::kSunday);
  for (Date day(1970, 1, 11); Date(1969, 12, 1) < day; day = day.AddDays(-1)) {
    ASSERT_EQ(static_cast<int>(day.Weekday()), expected);
    expected = (expected + 6) % 7;
  }
}

TEST(Date, WeekdaysOfTheSixties) {
  int expected = static_cast<int>(Weekday::kTuesday);
  for (Date day(1971, 3, 2); Date(1960, 1, 1) < day; day = day.AddDays(-10)) {
    ASSERT_EQ(static_cast<int>(day.Weekday()), expected);
    expected = (expected + 4) % 7;
  }
}

TEST(Date, WeeksBefore1970) {
  for (int year = 1999; year > 1959; year -= 3) {
    const IsoWeek week = Date(year, 1, 4).IsoWeek();
    ASSERT_EQ(week.year, year);
    ASSERT_EQ(week.week, 1);
  }
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
  std::string days;
  for (const char* const day : {"1989-11-09", "1971-08-15", "1969-07-21", "1945-05-08"}) {
    days += Format(Parse(day), "%A, %d %B %Y; ");
  }
  EXPECT_EQ(days,
            "Thursday, 09 November 1989; Sunday, 15 August 1971; Monday, 21 July 1969; Tuesday, 08 "
            "May 1945; ");
}

}  // namespace
}  // namespace quill::date
