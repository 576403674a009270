// Dates as text. In a pattern stand
//   %Y year (four digits)   %m month   %d day (two digits)   %j day of the year (three digits)
//   %b "Jan"   %B "January"   %a "Mon"   %A "Monday"   %G-%V ISO year and week   %% "%"
#pragma once

#include <string>
#include <string_view>

#include "quill/date/date.h"

namespace quill::date {

std::string Format(const Date& date, std::string_view pattern);

// Reads %Y, %m, %d, %b and %B; fails with ParseError. What the pattern does not say is 1.
Date Parse(std::string_view text, std::string_view pattern = "%Y-%m-%d");

// A step such as "+3d", "-2w", "+1m", "+10y" from a date.
Date ApplyStep(const Date& date, std::string_view step);

}  // namespace quill::date
