#include "query/semantics/symmetry.h"

#include <algorithm>
#include <utility>

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

bool Same(const Condition& a, const Condition& b, bool symmetric_metric);

// As multisets.
bool SameParts(const std::vector<Condition>& a, const std::vector<Condition>& b, bool symmetric_metric) {
  if (a.size() != b.size()) return false;
  std::vector<bool> used(b.size());
  return std::all_of(a.begin(), a.end(), [&](const Condition& part) {
    for (size_t i = 0; i < b.size(); ++i) {
      if (used[i] || !Same(part, b[i], symmetric_metric)) continue;
      used[i] = true;
      return true;
    }
    return false;
  });
}

bool Same(const Condition& a, const Condition& b, bool symmetric_metric) {
  if (a.kind != b.kind) return false;
  if (a.kind == Condition::Kind::kField) return a.field == b.field;
  if (a.kind != Condition::Kind::kSet) return SameParts(a.parts, b.parts, symmetric_metric);
  if (a.set == b.set) return true;
  if (!symmetric_metric || !SidesMayChange(a.set) || !SidesMayChange(b.set)) return false;
  SetPredicate turned = a.set;
  std::swap(turned.left, turned.right.traces);
  return turned == b.set;
}

}  // namespace

bool IsSymmetric(const bql::Select& select, uint32_t a, uint32_t b) {
  Condition swapped = select.where;
  Swap(a, b).Apply(swapped);
  // Nothing is known of a user's own metric.
  return Same(select.where, swapped, select.metric.kind != bql::Metric::Kind::kUser);
}

}  // namespace oscope
