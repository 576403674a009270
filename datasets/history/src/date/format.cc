#include "quill/date/format.h"

#include <array>
#include <cstdio>

#include "quill/text/cursor.h"
#include "quill/text/strings.h"

namespace quill::date {
namespace {

constexpr std::array<const char*, 12> kMonths = {"January",   "February", "March",    "April",
                                                 "May",       "June",     "July",     "August",
                                                 "September", "October",  "November", "December"};
constexpr std::array<const char*, 7> kWeekdays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                  "Friday", "Saturday", "Sunday"};

std::string Padded(int number, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "%0*d", digits, number);
  return text;
}

std::string MonthName(const Date& date) {
  return kMonths.at(static_cast<size_t>(date.month() - 1));
}

std::string WeekdayName(const Date& date) {
  return kWeekdays.at(static_cast<size_t>(date.Weekday()));
}

std::string FormatField(const Date& date, char field) {
  switch (field) {
    case 'Y':
      return Padded(date.year(), 4);
    case 'm':
      return Padded(date.month(), 2);
    case 'd':
      return Padded(date.day(), 2);
    case 'j':
      return Padded(date.DayOfYear(), 3);
    case 'b':
      return MonthName(date).substr(0, 3);
    case 'B':
      return MonthName(date);
    case 'a':
      return WeekdayName(date).substr(0, 3);
    case 'A':
      return WeekdayName(date);
    case 'G':
      return Padded(date.IsoWeek().year, 4);
    case 'V':
      return Padded(date.IsoWeek().week, 2);
    case '%':
      return "%";
    default:
      throw Error(std::string("unknown field %") + field);
  }
}

int ReadNumber(text::Cursor& cursor, size_t max_digits) {
  int number = 0;
  size_t digits = 0;
  while (digits < max_digits && text::IsDigit(cursor.Peek())) {
    number = number * 10 + (cursor.Next() - '0');
    ++digits;
  }
  if (digits == 0) cursor.Fail("expected a number");
  return number;
}

int ReadMonthName(text::Cursor& cursor, bool whole) {
  const std::string word = text::ToLower(cursor.TakeWhile(text::IsLetter));
  for (size_t i = 0; i < kMonths.size(); ++i) {
    const std::string name = text::ToLower(kMonths[i]);
    if (word == (whole ? name : name.substr(0, 3))) return static_cast<int>(i) + 1;
  }
  cursor.Fail("expected a month");
}

}  // namespace

std::string Format(const Date& date, std::string_view pattern) {
  std::string out;
  for (text::Cursor cursor(pattern); !cursor.AtEnd();) {
    if (cursor.Consume('%')) {
      out += FormatField(date, cursor.Next());
    } else {
      out += cursor.Next();
    }
  }
  return out;
}

Date Parse(std::string_view text, std::string_view pattern) {
  int year = 1;
  int month = 1;
  int day = 1;
  text::Cursor in(text);
  for (text::Cursor cursor(pattern); !cursor.AtEnd();) {
    if (!cursor.Consume('%')) {
      in.Expect(cursor.Next());
      continue;
    }
    const char field = cursor.Next();
    if (field == 'Y')
      year = ReadNumber(in, 4);
    else if (field == 'm')
      month = ReadNumber(in, 2);
    else if (field == 'd')
      day = ReadNumber(in, 2);
    else if (field == 'b' || field == 'B')
      month = ReadMonthName(in, field == 'B');
    else
      throw Error(std::string("cannot read field %") + field);
  }
  if (!in.AtEnd()) in.Fail("text after the date");
  return Date(year, month, day);
}

Date ApplyStep(const Date& date, std::string_view step) {
  text::Cursor cursor(step);
  const bool back = cursor.Consume('-');
  if (!back) cursor.Expect('+');
  const int count = ReadNumber(cursor, 6) * (back ? -1 : 1);
  const char unit = cursor.Next();
  if (!cursor.AtEnd()) cursor.Fail("text after the step");
  switch (unit) {
    case 'd':
      return date.AddDays(count);
    case 'w':
      return date.AddDays(int64_t{count} * 7);
    case 'm':
      return date.AddMonths(count);
    case 'y':
      return date.AddMonths(count * 12);
    default:
      throw Error(std::string("unknown unit '") + unit + "'");
  }
}

}  // namespace quill::date
