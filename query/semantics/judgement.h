// What a condition says of a row: whether it holds, how near, and through which traces.
#pragma once

#include <cstdint>
#include <optional>

#include "bql/check/query.h"
#include "query/semantics/answer.h"

namespace oscope {

struct Judgement {
  bool holds = false;
  std::optional<uint64_t> distance;
  std::optional<TracePair> pair;
  bool operator==(const Judgement&) const = default;
};

// The judgement of a condition from those of its predicates: `&&` has the greatest distance of its parts, `||` the least
// of those that hold, `!` and field predicates none. The pair is that of the first part with the distance.
// `predicate(const bql::SetPredicate&)` and `field(const bql::FieldPredicate&)` give Judgements; only what is needed is
// asked.
template <typename SetJudgement, typename FieldJudgement>
Judgement Judge(const bql::Condition& condition, const SetJudgement& predicate, const FieldJudgement& field) {
  using Kind = bql::Condition::Kind;
  switch (condition.kind) {
    case Kind::kSet: return predicate(condition.set);
    case Kind::kField: return {.holds = field(condition.field), .distance = {}, .pair = {}};
    case Kind::kNot: return {.holds = !Judge(condition.parts[0], predicate, field).holds, .distance = {}, .pair = {}};
    case Kind::kAnd: {
      Judgement all{.holds = true, .distance = {}, .pair = {}};
      for (const bql::Condition& part : condition.parts) {
        Judgement one = Judge(part, predicate, field);
        if (!one.holds) return {};
        if (one.distance && (!all.distance || *one.distance > *all.distance)) all = std::move(one);
      }
      return all;
    }
    case Kind::kOr: {
      Judgement any;
      for (const bql::Condition& part : condition.parts) {
        Judgement one = Judge(part, predicate, field);
        if (!one.holds) continue;
        const bool nearer = one.distance && (!any.distance || *one.distance < *any.distance);
        if (!any.holds || nearer) any = std::move(one);
      }
      return any;
    }
  }
  return {};
}

}  // namespace oscope
