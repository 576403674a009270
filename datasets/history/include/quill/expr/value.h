// What an expression is worth: a number, a text or a truth.
#pragma once

#include <string>
#include <variant>

#include "quill/error.h"

namespace quill::expr {

class EvaluationError : public Error {
 public:
  using Error::Error;
};

class Value {
 public:
  Value(double number) : data_(number) {}
  Value(int number) : data_(static_cast<double>(number)) {}
  Value(bool truth) : data_(truth) {}
  Value(std::string text) : data_(std::move(text)) {}
  Value(const char* text) : data_(std::string(text)) {}

  bool IsText() const { return std::holds_alternative<std::string>(data_); }

  // These fail with EvaluationError for another type; a truth counts as the number 0 or 1.
  double AsNumber() const;
  bool AsTruth() const;
  const std::string& AsText() const;
  // As it is shown: whole numbers without a point.
  std::string ToText() const;

  bool operator==(const Value& other) const { return data_ == other.data_; }
  // Numbers by size, texts by their bytes; fails for a mixture.
  bool operator<(const Value& other) const;

 private:
  std::variant<double, std::string, bool> data_;
};

}  // namespace quill::expr
