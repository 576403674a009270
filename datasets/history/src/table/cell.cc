#include "quill/table/cell.h"

#include <cstdio>
#include <cstdlib>

namespace quill::table {
namespace {

template <typename T>
int Sign(const T& left, const T& right) {
  if (left < right) return -1;
  return right < left ? 1 : 0;
}

bool IsText(const Cell& cell) { return std::holds_alternative<std::string>(cell); }
bool IsInteger(const Cell& cell) { return std::holds_alternative<int64_t>(cell); }

double AsNumber(const Cell& cell) {
  return IsInteger(cell) ? static_cast<double>(std::get<int64_t>(cell)) : std::get<double>(cell);
}

int CompareNumbers(const Cell& left, const Cell& right) {
  if (IsInteger(left) && IsInteger(right)) {
    return Sign(std::get<int64_t>(left), std::get<int64_t>(right));
  }
  return Sign(AsNumber(left), AsNumber(right));
}

}  // namespace

bool IsNull(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

std::string ToText(const Cell& cell) {
  if (IsNull(cell)) return "";
  if (IsText(cell)) return std::get<std::string>(cell);
  if (IsInteger(cell)) return std::to_string(std::get<int64_t>(cell));
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.10g", std::get<double>(cell));
  return digits;
}

Cell FromText(const std::string& text, Type type) {
  if (text.empty()) return {};
  if (type == Type::kText) return text;
  char* end = nullptr;
  Cell cell;
  if (type == Type::kInteger) {
    cell = static_cast<int64_t>(std::strtoll(text.c_str(), &end, 10));
  } else {
    cell = std::strtod(text.c_str(), &end);
  }
  if (*end != '\0') throw Error("'" + text + "' is no number");
  return cell;
}

int Compare(const Cell& left, const Cell& right) {
  if (IsNull(left) || IsNull(right)) return Sign(IsNull(right), IsNull(left));
  if (IsText(left) != IsText(right)) return IsText(left) ? 1 : -1;
  if (IsText(left)) return Sign(std::get<std::string>(left), std::get<std::string>(right));
  return CompareNumbers(left, right);
}

}  // namespace quill::table
