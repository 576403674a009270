// Collects a condition's distinct predicates, by a hash since there may be ten thousand of them, and applies the rules
// in a fixed order: expressions are shortened before it is decided who reads tails, roles are chosen before operators,
// and what depends on roles (limits, reports) comes last.
#include "query/plan/query_plan.h"

#include <algorithm>

#include "base/result.h"
#include "query/semantics/expressions.h"

namespace oscope {

namespace {

void Mix(size_t& hash, size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 32); }
void Mix(size_t& hash, const std::string& text) { Mix(hash, std::hash<std::string>()(text)); }

void Mix(size_t& hash, const bql::BugTraces& traces) {
  Mix(hash, traces.variable.value_or(bql::kMaxVariables));
  Mix(hash, traces.bug.project);
  Mix(hash, traces.bug.id);
  if (traces.run) Mix(hash, ToString(*traces.run));
  for (const bql::TraceOp& op : traces.ops) {
    Mix(hash, op.length);
    for (const std::string& text : op.projection.texts) Mix(hash, text);
  }
}

void Mix(size_t& hash, const bql::TracePattern& pattern) {
  Mix(hash, static_cast<size_t>(pattern.kind));
  Mix(hash, pattern.traces);
  if (pattern.pattern) Mix(hash, pattern.pattern->text);
  for (const bql::TracePattern& part : pattern.parts) Mix(hash, part);
}

// Equal predicates have equal hashes; most that differ have different ones.
size_t HashOf(const bql::SetPredicate& predicate) {
  size_t hash = static_cast<size_t>(predicate.kind);
  Mix(hash, predicate.left);
  Mix(hash, predicate.right);
  Mix(hash, predicate.distance.value_or(UINT64_MAX));
  Mix(hash, predicate.count);
  Mix(hash, predicate.threshold);
  return hash;
}

}  // namespace

std::optional<size_t> QueryPlan::Find(const bql::SetPredicate& predicate, size_t hash) const {
  const auto [begin, end] = index_by_hash_.equal_range(hash);
  const auto at =
      std::find_if(begin, end, [&](const auto& entry) { return predicates[entry.second].predicate == predicate; });
  if (at == end) return std::nullopt;
  return at->second;
}

size_t QueryPlan::IndexOf(const bql::SetPredicate& predicate) const {
  const std::optional<size_t> index = Find(predicate, HashOf(predicate));
  OSCOPE_CHECK(index.has_value());
  return *index;
}

void QueryPlan::Add(const bql::SetPredicate& predicate) {
  const size_t hash = HashOf(predicate);
  if (Find(predicate, hash)) return;
  index_by_hash_.emplace(hash, predicates.size());
  predicates.emplace_back().predicate = predicate;
}

QueryPlan MakePlan(const bql::Select& select) {
  QueryPlan plan;
  plan.select = select;
  ForEachSetPredicate(plan.select.where, [&](const bql::SetPredicate& predicate) { plan.Add(predicate); });
  plan.runs_first = true;
  return plan;
}

}  // namespace oscope
