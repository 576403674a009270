// Sizes are parsed as floating-point numbers, because people write 1.5GiB. Limits of this kind need no exact last byte.
// ParseCount is ParseByteSize with decimal units, so that both accept the same spellings.
#include "base/quantity.h"

#include <array>
#include <cctype>
#include <charconv>

namespace oscope {
namespace {

constexpr std::string_view kPrefixes = "KMGTPE";

// 0 for a unit that there is not.
double UnitBytes(std::string_view unit) {
  std::string upper;
  for (const char c : unit) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (upper.empty() || upper == "B") return 1;
  const size_t power = kPrefixes.find(upper[0]);
  if (power == std::string_view::npos) return 0;
  const std::string_view suffix = std::string_view(upper).substr(1);
  if (!suffix.empty() && suffix != "IB" && suffix != "B") return 0;
  double bytes = 1;
  for (size_t i = 0; i <= power; ++i) bytes *= suffix == "B" ? 1000 : 1024;
  return bytes;
}

}  // namespace

Result<uint64_t> ParseByteSize(std::string_view text) {
  const size_t number_end = std::min(text.find_first_not_of("0123456789."), text.size());
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + number_end, number, std::chars_format::fixed);
  if (problem != std::errc{} || end != text.data() + number_end || text.starts_with('.') ||
      text[number_end - 1] == '.') {
    return Invalid("size '{}': expected a number and a unit, such as 10G or 1.5GiB", text);
  }
  const double unit = UnitBytes(text.substr(number_end));
  if (unit == 0) return Invalid("size '{}': the unit must be one of K, M, G, T, KiB, MiB, …, KB, MB, …", text);
  if (number * unit >= 9223372036854775808.0) return Invalid("size '{}': too large", text);
  return static_cast<uint64_t>(number * unit);
}

Result<uint64_t> ParseCount(std::string_view text) {
  const bool has_unit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0;
  // A byte size with decimal units, less the fractions of one.
  const Result<uint64_t> count = ParseByteSize(has_unit ? std::string(text) + "B" : std::string(text));
  const bool fraction = !has_unit && text.find('.') != std::string_view::npos;
  if (!count.ok() || *count == 0 || fraction)
    return Invalid("'{}': expected a number above 0, such as 300, 50K or 8M", text);
  return *count;
}

std::string FormatByteSize(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  size_t prefix = 0;
  // 1023.95 would be printed as 1024.0.
  for (; value >= 1023.95 && prefix + 1 < kPrefixes.size(); ++prefix) value /= 1024;
  return fmt::format("{:.1f} {}iB", value, kPrefixes[prefix]);
}

std::string FormatCount(uint64_t count) {
  std::string text = std::to_string(count);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

}  // namespace oscope
