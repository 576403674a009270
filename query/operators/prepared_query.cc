// Prepares a plan so that its predicates can be evaluated quickly for each row. The order of the steps matters.
//
// First come the operators of all expressions, since coarsening adds event names, and whatever is bound to names
// (patterns, weights, projections) must see all of them. Then the sets of traces are opened: expressions that differ
// only in the bug share their sets, and an expression whose first operator is a short suffix reads tails, while any
// other has its traces read whole, once, for exactly the bugs that can be asked for. Then the metric is made, and
// right sides without a variable are evaluated to constants.
//
// Evaluate is the one place where a row is judged literally, used by searches for the bugs they found, by joins, and
// for the rows that are shown. So each answer has passed through the same code as the oracle's, whatever found it.
//
// For a pattern that stays the same from row to row each thread keeps a LanguageSearcher, which remembers costs it has
// computed. A union that depends on the row gets none, since its languages live only as long as the row.
#include "query/operators/prepared_query.h"

#include <algorithm>
#include <utility>

#include "bql/check/print.h"
#include "query/plan/tails_suffice.h"
#include "query/semantics/expressions.h"
#include "query/semantics/metric_table.h"
#include "query/semantics/set_predicate.h"
#include "query/semantics/trace_union.h"

namespace oscope {

using bql::BugTraces;
using bql::SetPredicate;

namespace {

// The expressions of a plan's predicates, in a fixed order.
template <typename Visit>
void ForEachExpression(const QueryPlan& plan, const Visit& visit) {
  for (const PredicatePlan& predicate : plan.predicates) {
    visit(predicate.predicate.left);
    ForEachTraces(predicate.predicate.right, visit);
  }
}

// The operators of an expression as a text, without the bug that it names.
std::string ShapeOf(const BugTraces& traces) {
  BugTraces shape;
  shape.failing_thread = traces.failing_thread;
  shape.ops = traces.ops;
  return bql::Print(shape, {});
}

}  // namespace

Result<std::unique_ptr<PreparedQuery>> PreparedQuery::Make(const Corpus& corpus, const QueryPlan& plan,
                                                           const UserMetrics& user_metrics, QueryContext& context) {
  OSCOPE_ASSIGN_OR_RETURN(QuerySubjects subjects, QuerySubjects::Make(corpus, plan));
  std::unique_ptr<PreparedQuery> query(new PreparedQuery(corpus, plan, std::move(subjects), context));
  OSCOPE_RETURN_IF_ERROR(query->Prepare(user_metrics));
  return query;
}

Status PreparedQuery::Prepare(const UserMetrics& user_metrics) {
  FindCandidates();
  OSCOPE_RETURN_IF_ERROR(OpenSets());
  // Without a set predicate nothing is compared, so the names of the events are not needed. A user's metric is made even
  // then, so that a query which names a metric that cannot be made fails in every case.
  if (plan_.predicates.empty() && !select().metric.definition().users_own) return {};
  OSCOPE_RETURN_IF_ERROR(corpus_.BuildNames([&] { return context_.Check(); }));
  if (std::holds_alternative<FromMethods>(MeasureOf(select().metric.kind).make)) methods_ = names_.Methods();
  const MetricInputs inputs{names_.names(), corpus_.statistics(), [&] { return corpus_.WordsOfStacks(); },
                            [&] { return methods_; }, user_metrics};
  OSCOPE_ASSIGN_OR_RETURN(metric_, MakeMetric(select().metric, inputs, MetricSpeed::kFast));
  return BindConstants();
}

void PreparedQuery::FindCandidates() {
  const std::vector<std::string>& from = select().projects;
  all_projects_ = from.empty();
  if (all_projects_) return;
  candidates_.resize(corpus_.bugs());
  for (uint32_t bug = 0; bug < corpus_.bugs(); ++bug) {
    candidates_[bug] = std::binary_search(from.begin(), from.end(), corpus_.key(bug).project);
  }
}

Status PreparedQuery::OpenSets() {
  std::unordered_map<std::string, size_t> set_of_shape;
  ForEachExpression(plan_, [&](const BugTraces& traces) {
    const auto [known, added] = set_of_shape.emplace(ShapeOf(traces), sets_.size());
    if (added) sets_.push_back({.shape = &traces, .of_variable = false, .of_subjects = {}, .sets = {}});
    SharedSets* const shared = &sets_[known->second];
    sets_of_.emplace(&traces, known->second);
    if (traces.variable) {
      shared->of_variable = true;
    } else if (const uint32_t subject = subjects_.Find(traces); subject != kNoBug) {
      shared->of_subjects.push_back(subject);
    }
  });
  // All operators before anything reads names: coarsening makes some.
  std::vector<TraceOperators> operators;
  for (const SharedSets& shared : sets_) {
    OSCOPE_RETURN_IF_ERROR(context_.Check());
    OSCOPE_ASSIGN_OR_RETURN(TraceOperators made,
                            names_.MakeOperators(shared.shape->ops, [&] { return context_.Check(); }));
    operators.push_back(std::move(made));
  }
  for (size_t i = 0; i < sets_.size(); ++i) {
    OSCOPE_RETURN_IF_ERROR(context_.Check());
    SharedSets& shared = sets_[i];
    if (plan_.use_tails && TailsSuffice(*shared.shape)) {
      shared.sets = OpenTailSets(corpus_, subjects_, *shared.shape, std::move(operators[i]));
      continue;
    }
    const WantsSubject wants = [&](uint32_t subject) {
      return (shared.of_variable && subjects_.IsBug(subject) && IsCandidate(subject)) ||
             std::find(shared.of_subjects.begin(), shared.of_subjects.end(), subject) != shared.of_subjects.end();
    };
    OSCOPE_ASSIGN_OR_RETURN(shared.sets, ReadWholeSets(corpus_, subjects_, *shared.shape, operators[i], names_,
                                                       plan_.use_tails, wants, context_));
  }
  return {};
}

Status PreparedQuery::BindConstants() {
  for (const PredicatePlan& plan : plan_.predicates) {
    OSCOPE_RETURN_IF_ERROR(context_.Check());
    const SetPredicate& predicate = plan.predicate;
    bool constant = true;
    ConstantSide side;
    ForEachTraces(predicate.right, [&](const BugTraces& traces) {
      constant &= !traces.variable;
      if (!traces.variable) side.identities.push_back(IdentityOf(traces, {}));
    });
    if (!constant) continue;
    OSCOPE_ASSIGN_OR_RETURN(side.all, RightSide(predicate, {}, kNoBug));
    constants_.emplace(&predicate, std::move(side));
  }
  return {};
}

uint32_t PreparedQuery::SubjectOf(const BugTraces& traces, std::span<const uint32_t> row) const {
  return traces.variable ? row[*traces.variable] : subjects_.Find(traces);
}

TraceSet PreparedQuery::TracesOf(const BugTraces& traces, uint32_t subject) const {
  if (subject == kNoBug) return {};
  return sets_[sets_of_.at(&traces)].sets->Of(subject);
}

Result<TraceUnion> PreparedQuery::RightSide(const SetPredicate& predicate, std::span<const uint32_t> row,
                                            uint32_t left_identity) const {
  const oscope::TracesOf traces_of = [&](const BugTraces& traces) -> Result<TraceSet> {
    const uint32_t subject = SubjectOf(traces, row);
    // A bug never matches itself.
    if (!select().with_self && subjects_.IdentityOf(subject) == left_identity) return TraceSet{};
    return TracesOf(traces, subject);
  };
  return MakeTraceUnion(predicate.right, traces_of, names_.names(), [&] { return context_.Check(); });
}

std::optional<uint64_t> PreparedQuery::DistanceTo(const Language& language, uint64_t language_bound, Sequence x,
                                                  uint64_t bound) const {
  std::unique_ptr<LanguageSearcher>& searcher = searchers_.local().of[&language];
  if (searcher == nullptr) {
    searcher = std::make_unique<LanguageSearcher>(language, PatternMetricOf(select().metric), language_bound);
  }
  const std::optional<uint64_t> distance = searcher->Distance(x);
  return distance && *distance <= bound ? distance : std::nullopt;
}

Result<Judgement> PreparedQuery::Evaluate(const SetPredicate& predicate, std::span<const uint32_t> row,
                                          uint64_t bound) const {
  const uint32_t left_subject = SubjectOf(predicate.left, row);
  const TraceSet left = TracesOf(predicate.left, left_subject);
  if (left.empty()) return Judgement{};
  SetPredicate tightened;
  const SetPredicate* asked = &predicate;
  if (bound < predicate.distance.value_or(kUnbounded)) {
    tightened = predicate;
    tightened.distance = bound;
    asked = &tightened;
  }
  const uint64_t own_bound = predicate.distance.value_or(kUnbounded);
  bool remembers = false;
  const TraceMetric metric{*metric_, [&](Sequence x, const Language& language, uint64_t within) {
                             return remembers ? DistanceTo(language, own_bound, x, within)
                                              : PatternDistance(x, language, PatternMetricOf(select().metric), within);
                           }};
  const uint32_t left_identity = subjects_.IdentityOf(left_subject);
  if (const auto constant = constants_.find(&predicate); constant != constants_.end()) {
    const std::vector<uint32_t>& others = constant->second.identities;
    const bool itself = !select().with_self && std::find(others.begin(), others.end(), left_identity) != others.end();
    remembers = !itself;
    if (!itself) return EvaluateSetPredicate(*asked, left, constant->second.all, metric);
  }
  OSCOPE_ASSIGN_OR_RETURN(const TraceUnion right, RightSide(predicate, row, left_identity));
  return EvaluateSetPredicate(*asked, left, right, metric);
}

}  // namespace oscope
