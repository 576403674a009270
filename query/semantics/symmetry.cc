// Compares the condition with itself after two variables have changed places, as texts in a canonical order. Whether
// two conditions are equivalent for deeper reasons is not asked: a symmetry that is missed only shows a pair twice.
#include "query/semantics/symmetry.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "bql/check/print.h"
#include "query/semantics/expressions.h"

namespace oscope {
namespace {

using bql::BugTraces;
using bql::Condition;
using bql::SetPredicate;
using bql::TracePattern;

class Swap {
 public:
  Swap(uint32_t a, uint32_t b) : a_(a), b_(b) {}

  void Apply(Condition& condition) const {
    for (Condition& part : condition.parts) Apply(part);
    if (condition.kind == Condition::Kind::kSet) {
      Apply(condition.set.left);
      Apply(condition.set.right);
    }
    if (condition.kind == Condition::Kind::kField) condition.field.variable = Other(condition.field.variable);
  }

 private:
  uint32_t Other(uint32_t variable) const { return variable == a_ ? b_ : variable == b_ ? a_ : variable; }
  void Apply(BugTraces& traces) const {
    if (traces.variable) traces.variable = Other(*traces.variable);
  }
  void Apply(TracePattern& pattern) const {
    Apply(pattern.traces);
    for (TracePattern& part : pattern.parts) Apply(part);
  }
  uint32_t a_, b_;
};

bool SidesMayChange(const SetPredicate& predicate) {
  if (predicate.right.kind != TracePattern::Kind::kTraces) return false;
  return predicate.kind == SetPredicate::Kind::kJaccard ||
         (predicate.kind == SetPredicate::Kind::kIntersect && predicate.count == 1);
}

// A text that two conditions share exactly when they mean the same but for the order of their parts and, where
// `sides_may_change`, of the two sides of a predicate. Comparing every part with every other would take the square of
// their number.
class OrderlessText {
 public:
  OrderlessText(const std::vector<std::string>& variables, bool sides_may_change)
      : variables_(variables), sides_may_change_(sides_may_change) {}

  std::string Of(const Condition& condition) const {
    switch (condition.kind) {
      case Condition::Kind::kField: return bql::Print(condition.field, variables_);
      case Condition::Kind::kSet: return Of(condition.set);
      default: break;
    }
    std::vector<std::string> parts;
    for (const Condition& part : condition.parts) parts.push_back(Of(part));
    std::sort(parts.begin(), parts.end());
    // With their lengths, so that no two lists of parts run together into the same text.
    std::string text = fmt::format("{}(", static_cast<int>(condition.kind));
    for (const std::string& part : parts) text += fmt::format("{}:{}", part.size(), part);
    return text + ")";
  }

 private:
  std::string Of(const SetPredicate& predicate) const {
    std::string text = Exact(predicate);
    if (!sides_may_change_ || !SidesMayChange(predicate)) return text;
    SetPredicate turned = predicate;
    std::swap(turned.left, turned.right.traces);
    return std::min(std::move(text), Exact(turned));
  }

  // "a-b-3" may be bug 3 of a-b or bug b-3 of a: the length of the project's name says which.
  std::string Exact(const SetPredicate& predicate) const {
    std::string text = bql::Print(predicate, variables_);
    const auto add = [&](const BugTraces& traces) { text += fmt::format(" {}", traces.bug.project.size()); };
    add(predicate.left);
    ForEachTraces(predicate.right, add);
    return text;
  }

  const std::vector<std::string>& variables_;
  bool sides_may_change_;
};

}  // namespace

bool IsSymmetric(const bql::Select& select, uint32_t a, uint32_t b) {
  Condition swapped = select.where;
  Swap(a, b).Apply(swapped);
  const OrderlessText text(select.variables, select.metric.definition().symmetric);
  return text.Of(select.where) == text.Of(swapped);
}

}  // namespace oscope
