// A strict parser of ISO 8601. A date without a time, or a time without an offset, could be guessed at; only the first
// is allowed (midnight UTC), because a local time would mean something else on each machine.
#include "base/timestamp.h"

#include <charconv>
#include <chrono>
#include <limits>
#include <optional>

namespace oscope {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

// Reads a text from the left. Each function returns nullopt or false when the text has something else there.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `count` digits.
  std::optional<int> Number(size_t count) {
    if (CountDigits() < count) return std::nullopt;
    int value = 0;
    for (size_t i = 0; i < count; ++i) value = value * 10 + (rest_[i] - '0');
    rest_.remove_prefix(count);
    return value;
  }

  size_t CountDigits() const {
    const size_t end = rest_.find_first_not_of("0123456789");
    return end == std::string_view::npos ? rest_.size() : end;
  }

  bool AtEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

Error BadTimestamp(std::string_view text, std::string_view reason) { return Invalid("time '{}': {}", text, reason); }

// Seconds since midnight.
Result<int64_t> TakeTimeOfDay(Scanner& scanner, std::string_view text) {
  const auto hour = scanner.Number(2);
  const bool colon = scanner.Take(':');
  const auto minute = scanner.Number(2);
  const bool second_colon = scanner.Take(':');
  const auto second = scanner.Number(2);
  if (!hour || !colon || !minute || !second_colon || !second) {
    return BadTimestamp(text, "after T comes the time of day, as in 03:04:05");
  }
  if (*hour > 23 || *minute > 59 || *second > 59) return BadTimestamp(text, "there is no such time of day");
  return *hour * 3600 + *minute * 60 + *second;
}

Result<int64_t> TakeFraction(Scanner& scanner, std::string_view text) {
  if (!scanner.Take('.')) return int64_t{0};
  const size_t digits = scanner.CountDigits();
  if (digits < 1 || digits > 9) return BadTimestamp(text, "a fraction has 1 to 9 digits");
  int64_t fraction = *scanner.Number(digits);
  for (size_t i = digits; i < 9; ++i) fraction *= 10;
  return fraction;
}

Result<int64_t> TakeOffset(Scanner& scanner, std::string_view text) {
  if (scanner.Take('Z')) return int64_t{0};
  const bool east = scanner.Take('+');
  if (!east && !scanner.Take('-')) return BadTimestamp(text, "Z or an offset such as +01:00 is missing");
  const auto hours = scanner.Number(2);
  const bool colon = scanner.Take(':');
  const auto minutes = scanner.Number(2);
  if (!hours || !colon || !minutes || *hours > 23 || *minutes > 59) {
    return BadTimestamp(text, "an offset is written +01:00");
  }
  const int64_t seconds = *hours * 3600 + *minutes * 60;
  return east ? seconds : -seconds;
}

Result<int64_t> TakeDate(Scanner& scanner, std::string_view text) {
  const auto year = scanner.Number(4);
  const bool dash = scanner.Take('-');
  const auto month = scanner.Number(2);
  const bool second_dash = scanner.Take('-');
  const auto day = scanner.Number(2);
  if (!year || !dash || !month || !second_dash || !day) {
    return BadTimestamp(text, "expected a date such as 2026-01-02 or a time such as 2026-01-02T03:04:05Z");
  }
  const std::chrono::year_month_day date{std::chrono::year{*year}, std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return BadTimestamp(text, "there is no such day");
  if (*year < 1678 || *year > 2261) return BadTimestamp(text, "the year must be between 1678 and 2261");
  return std::chrono::sys_days{date}.time_since_epoch().count();
}

}  // namespace

Result<int64_t> ParseTimestamp(std::string_view text) {
  Scanner scanner(text);
  OSCOPE_ASSIGN_OR_RETURN(const int64_t days, TakeDate(scanner, text));
  int64_t seconds = days * kSecondsPerDay;
  if (scanner.AtEnd()) return seconds * kNanosPerSecond;
  if (!scanner.Take('T')) return BadTimestamp(text, "a date is followed by T and the time of day");
  OSCOPE_ASSIGN_OR_RETURN(const int64_t time_of_day, TakeTimeOfDay(scanner, text));
  OSCOPE_ASSIGN_OR_RETURN(const int64_t fraction_ns, TakeFraction(scanner, text));
  OSCOPE_ASSIGN_OR_RETURN(const int64_t offset, TakeOffset(scanner, text));
  if (!scanner.AtEnd()) return BadTimestamp(text, "something follows the time");
  seconds += time_of_day - offset;
  return seconds * kNanosPerSecond + fraction_ns;
}

namespace {

// Digit by digit: a query may sort a million dates by their texts, and fmt::format takes five times as long.
void PutDigits(char* at, int digits, int64_t number) {
  for (int i = digits - 1; i >= 0; --i, number /= 10) at[i] = static_cast<char>('0' + number % 10);
}

}  // namespace

std::string FormatTimestamp(int64_t time_ns) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(time_ns)};
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const int64_t second_of_day = floor<std::chrono::seconds>(time - day).count();
  char text[] = "0000-00-00T00:00:00.000000000Z";
  PutDigits(text, 4, static_cast<int>(date.year()));
  PutDigits(text + 5, 2, static_cast<unsigned>(date.month()));
  PutDigits(text + 8, 2, static_cast<unsigned>(date.day()));
  PutDigits(text + 11, 2, second_of_day / 3600);
  PutDigits(text + 14, 2, second_of_day / 60 % 60);
  PutDigits(text + 17, 2, second_of_day % 60);
  size_t length = 19;
  const int64_t fraction_ns = (time - floor<std::chrono::seconds>(time)).count();
  if (fraction_ns != 0) {
    PutDigits(text + 20, 9, fraction_ns);
    for (length = 29; text[length - 1] == '0';) --length;
  }
  text[length++] = 'Z';
  return std::string(text, length);
}

Result<int64_t> ParseDuration(std::string_view text) {
  struct Unit {
    std::string_view name;
    int64_t nanos;
  };
  constexpr Unit kUnits[] = {{"w", 7 * kSecondsPerDay * kNanosPerSecond},
                             {"d", kSecondsPerDay * kNanosPerSecond},
                             {"h", 3600 * kNanosPerSecond},
                             {"m", 60 * kNanosPerSecond},
                             {"s", kNanosPerSecond},
                             {"ms", kNanosPerSecond / 1000}};
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit_name = text.substr(static_cast<size_t>(end - text.data()));
  if (problem == std::errc::result_out_of_range) return Invalid("duration '{}': too long", text);
  if (problem != std::errc{} || number < 0) {
    return Invalid("duration '{}': expected a whole number and a unit, such as 90d", text);
  }
  for (const Unit& unit : kUnits) {
    if (unit.name != unit_name) continue;
    if (number > std::numeric_limits<int64_t>::max() / unit.nanos) return Invalid("duration '{}': too long", text);
    return number * unit.nanos;
  }
  return Invalid("duration '{}': the unit must be one of w, d, h, m, s, ms", text);
}

}  // namespace oscope
