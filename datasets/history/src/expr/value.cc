#include "quill/expr/value.h"

#include <cmath>
#include <cstdio>

namespace quill::expr {

double Value::AsNumber() const {
  if (const double* const number = std::get_if<double>(&data_)) return *number;
  if (const bool* const truth = std::get_if<bool>(&data_)) return *truth ? 1 : 0;
  throw EvaluationError("'" + ToText() + "' is no number");
}

bool Value::AsTruth() const {
  if (const bool* const truth = std::get_if<bool>(&data_)) return *truth;
  if (const double* const number = std::get_if<double>(&data_)) return *number != 0;
  throw EvaluationError("'" + ToText() + "' is neither true nor false");
}

const std::string& Value::AsText() const {
  if (const std::string* const text = std::get_if<std::string>(&data_)) return *text;
  throw EvaluationError(ToText() + " is no text");
}

std::string Value::ToText() const {
  if (const std::string* const text = std::get_if<std::string>(&data_)) return *text;
  if (const bool* const truth = std::get_if<bool>(&data_)) return *truth ? "true" : "false";
  const double number = std::get<double>(data_);
  const bool whole = number == std::floor(number) && std::fabs(number) < 1e15;
  char digits[40];
  std::snprintf(digits, sizeof digits, whole ? "%.0f" : "%.10g", number);
  return digits;
}

bool Value::operator<(const Value& other) const {
  if (IsText() && other.IsText()) return AsText() < other.AsText();
  return AsNumber() < other.AsNumber();
}

}  // namespace quill::expr
