#include "quill/date/date.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace quill::date {
namespace {

constexpr int64_t kDaysOf400Years = 146097;

// The quotient rounded down, and what remains, which is never negative.
int64_t FloorDivide(int64_t number, int64_t divisor) {
  return (number >= 0 ? number : number - divisor + 1) / divisor;
}

int64_t FloorRemainder(int64_t number, int64_t divisor) {
  return number - FloorDivide(number, divisor) * divisor;
}

int64_t DaysBeforeYear(int year) {
  const int64_t past = year - 1;
  return past * 365 + FloorDivide(past, 4) - FloorDivide(past, 100) + FloorDivide(past, 400);
}

constexpr int64_t kDaysBefore1970 = 719162;

int WeeksInYear(int year) {
  const Weekday first = Date(year, 1, 1).Weekday();
  const bool long_year =
      first == Weekday::kThursday || (first == Weekday::kWednesday && IsLeapYear(year));
  return long_year ? 53 : 52;
}

}  // namespace

bool IsLeapYear(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int DaysInMonth(int year, int month) {
  switch (month) {
    case 2:
      return IsLeapYear(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
      return 30;
    default:
      return 31;
  }
}

Date::Date(int year, int month, int day) : year_(year), month_(month), day_(day) {
  if (month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month)) {
    throw Error("no such day: " + std::to_string(year) + "-" + std::to_string(month) + "-" +
                std::to_string(day));
  }
}

Date Date::FromDays(int64_t days) {
  const int64_t shifted = days + kDaysBefore1970;
  int year = static_cast<int>(FloorDivide(shifted, kDaysOf400Years) * 400 +
                              FloorRemainder(shifted, kDaysOf400Years) / 366) +
             1;
  while (DaysBeforeYear(year + 1) <= shifted) ++year;
  int64_t left = shifted - DaysBeforeYear(year);
  int month = 1;
  while (left >= DaysInMonth(year, month)) left -= DaysInMonth(year, month++);
  return Date(year, month, static_cast<int>(left) + 1);
}

int64_t Date::ToDays() const { return DaysBeforeYear(year_) + DayOfYear() - 1 - kDaysBefore1970; }

int Date::DayOfYear() const {
  int days = day_;
  for (int month = 1; month < month_; ++month) days += DaysInMonth(year_, month);
  return days;
}

Weekday Date::Weekday() const {
  // 1970-01-01 was a Thursday.
  return static_cast<date::Weekday>(FloorRemainder(ToDays() + 3, 7));
}

IsoWeek Date::IsoWeek() const {
  const int week = (DayOfYear() - static_cast<int>(Weekday()) + 9) / 7;
  if (week < 1) return {year_ - 1, WeeksInYear(year_ - 1)};
  if (week > WeeksInYear(year_)) return {year_ + 1, 1};
  return {year_, week};
}

Date Date::AddDays(int64_t days) const { return FromDays(ToDays() + days); }

Date Date::AddMonths(int months) const {
  const int64_t total = int64_t{year_} * 12 + (month_ - 1) + months;
  const int year = static_cast<int>(FloorDivide(total, 12));
  const int month = static_cast<int>(FloorRemainder(total, 12)) + 1;
  return Date(year, month, std::min(day_, DaysInMonth(year, month)));
}

bool Date::operator==(const Date& other) const {
  return year_ == other.year_ && month_ == other.month_ && day_ == other.day_;
}

bool Date::operator<(const Date& other) const {
  return std::tie(year_, month_, day_) < std::tie(other.year_, other.month_, other.day_);
}

}  // namespace quill::date
