#include "quill/expr/node.h"

#include <cmath>

namespace quill::expr {
namespace {

double Divisor(double number) {
  if (number == 0) throw EvaluationError("division by zero");
  return number;
}

}  // namespace

Value Literal::Evaluate(const Scope&) const { return value_; }

Value Variable::Evaluate(const Scope& scope) const {
  const Value* const value = scope.Find(symbol_);
  if (value == nullptr) throw EvaluationError("'" + name_ + "' is not defined");
  return *value;
}

Value Negation::Evaluate(const Scope& scope) const { return -operand_->Evaluate(scope).AsNumber(); }

Value Inversion::Evaluate(const Scope& scope) const { return !operand_->Evaluate(scope).AsTruth(); }

Value Arithmetic::Evaluate(const Scope& scope) const {
  const Value left = left_->Evaluate(scope);
  const Value right = right_->Evaluate(scope);
  if (operation_ == '+' && left.IsText()) return left.AsText() + right.ToText();
  switch (operation_) {
    case '+':
      return left.AsNumber() + right.AsNumber();
    case '-':
      return left.AsNumber() - right.AsNumber();
    case '*':
      return left.AsNumber() * right.AsNumber();
    case '/':
      return left.AsNumber() / Divisor(right.AsNumber());
    case '%':
      return std::fmod(left.AsNumber(), Divisor(right.AsNumber()));
    default:
      return std::pow(left.AsNumber(), right.AsNumber());
  }
}

Value Comparison::Evaluate(const Scope& scope) const {
  const Value left = left_->Evaluate(scope);
  const Value right = right_->Evaluate(scope);
  if (operation_ == "==") return left == right;
  if (operation_ == "!=") return !(left == right);
  if (operation_ == "<") return left < right;
  if (operation_ == ">") return right < left;
  if (operation_ == "<=") return !(right < left);
  return !(left < right);
}

Value Junction::Evaluate(const Scope& scope) const {
  const bool left = left_->Evaluate(scope).AsTruth();
  if (left != all_) return left;
  return right_->Evaluate(scope).AsTruth();
}

Value Conditional::Evaluate(const Scope& scope) const {
  return condition_->Evaluate(scope).AsTruth() ? yes_->Evaluate(scope) : no_->Evaluate(scope);
}

Value Call::Evaluate(const Scope& scope) const {
  Arguments arguments;
  for (const NodePtr& argument : arguments_) arguments.push_back(argument->Evaluate(scope));
  return function_.call(arguments);
}

Value Sum::Evaluate(const Scope& scope) const {
  const double first = first_->Evaluate(scope).AsNumber();
  const double last = last_->Evaluate(scope).AsNumber();
  double sum = 0;
  Scope inner(&scope);
  for (double i = first; i <= last; ++i) {
    inner.Define(variable_, i);
    sum += term_->Evaluate(inner).AsNumber();
  }
  return sum;
}

}  // namespace quill::expr
