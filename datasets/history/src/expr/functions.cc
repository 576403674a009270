#include "quill/expr/functions.h"

#include <cmath>
#include <limits>

#include "quill/text/utf8.h"

namespace quill::expr {
namespace {

constexpr size_t kAny = std::numeric_limits<size_t>::max();

Value Smallest(const Arguments& arguments) {
  Value smallest = arguments[0];
  for (const Value& argument : arguments) {
    if (argument < smallest) smallest = argument;
  }
  return smallest;
}

Value Largest(const Arguments& arguments) {
  Value largest = arguments[0];
  for (const Value& argument : arguments) {
    if (largest < argument) largest = argument;
  }
  return largest;
}

Value Mean(const Arguments& arguments) {
  double sum = arguments[0].AsNumber();
  for (size_t i = 1; i < arguments.size(); ++i) sum += arguments[i].AsNumber();
  return sum / static_cast<double>(arguments.size());
}

Value SquareRoot(const Arguments& arguments) {
  if (arguments[0].AsNumber() < 0) throw EvaluationError("root of a negative number");
  return std::sqrt(arguments[0].AsNumber());
}

Value Upper(const Arguments& arguments) {
  std::string upper = arguments[0].AsText();
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

Value Concatenate(const Arguments& arguments) {
  std::string text;
  for (const Value& argument : arguments) text += argument.ToText();
  return text;
}

}  // namespace

FunctionTable FunctionTable::Standard() {
  FunctionTable table;
  table.Add("abs", {1, 1, [](const Arguments& a) { return std::fabs(a[0].AsNumber()); }});
  table.Add("round", {1, 1, [](const Arguments& a) { return std::round(a[0].AsNumber()); }});
  table.Add("floor", {1, 1, [](const Arguments& a) { return std::floor(a[0].AsNumber()); }});
  table.Add("sqrt", {1, 1, SquareRoot});
  table.Add("min", {1, kAny, Smallest});
  table.Add("max", {1, kAny, Largest});
  table.Add("mean", {1, kAny, Mean});
  table.Add("len", {1, 1, [](const Arguments& a) {
                      return static_cast<double>(text::DisplayWidth(a[0].AsText()));
                    }});
  table.Add("upper", {1, 1, Upper});
  table.Add("contains", {2, 2, [](const Arguments& a) {
                           return a[0].AsText().find(a[1].AsText()) != std::string::npos;
                         }});
  table.Add("concat", {0, kAny, Concatenate});
  return table;
}

void FunctionTable::Add(std::string name, Function function) {
  functions_.insert_or_assign(std::move(name), std::move(function));
}

const Function* FunctionTable::Find(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

}  // namespace quill::expr
