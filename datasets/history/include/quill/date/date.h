// Days of the Gregorian calendar, extended to all years.
#pragma once

#include <cstdint>

#include "quill/error.h"

namespace quill::date {

enum class Weekday { kMonday, kTuesday, kWednesday, kThursday, kFriday, kSaturday, kSunday };

// ISO 8601: week 1 is the one with the year's first Thursday.
struct IsoWeek {
  int year = 0;
  int week = 0;
};

bool IsLeapYear(int year);
int DaysInMonth(int year, int month);

class Date {
 public:
  // Fails with Error if there is no such day.
  Date(int year, int month, int day);
  // Days since 1970-01-01.
  static Date FromDays(int64_t days);

  int year() const { return year_; }
  int month() const { return month_; }
  int day() const { return day_; }

  int64_t ToDays() const;
  int DayOfYear() const;  // from 1
  date::Weekday Weekday() const;
  date::IsoWeek IsoWeek() const;

  Date AddDays(int64_t days) const;
  // The same day of another month, or its last one if it is shorter.
  Date AddMonths(int months) const;

  bool operator==(const Date& other) const;
  bool operator<(const Date& other) const;

 private:
  int year_;
  int month_;
  int day_;
};

}  // namespace quill::date
