#include "query/operators/prepared_query.h"

#include <algorithm>
#include <utility>

#include "query/plan/tails_suffice.h"
#include "query/semantics/expressions.h"
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

bool SameShape(const BugTraces& a, const BugTraces& b) { return a.failing_thread == b.failing_thread && a.ops == b.ops; }

}  // namespace

Result<std::unique_ptr<PreparedQuery>> PreparedQuery::Make(const Corpus& corpus, const QueryPlan& plan,
                                                           const UserMetrics& user_metrics, QueryContext& context) {
  std::unique_ptr<PreparedQuery> query(new PreparedQuery(corpus, plan, context));
  OSCOPE_RETURN_IF_ERROR(query->Prepare(user_metrics));
  return query;
}

Status PreparedQuery::Prepare(const UserMetrics& user_metrics) {
  MarkCandidates();
  OSCOPE_RETURN_IF_ERROR(OpenSets());
  const MetricInputs inputs{names_.names(), corpus_.statistics(), [&] { return corpus_.WordsOfStacks(); }, user_metrics};
  OSCOPE_ASSIGN_OR_RETURN(metric_, MakeMetric(select().metric, inputs, MetricSpeed::kFast));
  return BindConstants();
}

void PreparedQuery::MarkCandidates() {
  const std::vector<std::string>& from = select().projects;
  all_projects_ = from.empty();
  if (all_projects_) return;
  candidates_.resize(corpus_.bugs());
  for (uint32_t bug = 0; bug < corpus_.bugs(); ++bug) {
    candidates_[bug] = std::binary_search(from.begin(), from.end(), corpus_.key(bug).project);
  }
}

Status PreparedQuery::OpenSets() {
  ForEachExpression(plan_, [&](const BugTraces& traces) {
    auto shared = std::find_if(sets_.begin(), sets_.end(), [&](const SharedSets& one) { return SameShape(*one.shape, traces); });
    if (shared == sets_.end()) shared = sets_.insert(sets_.end(), SharedSets{.shape = &traces, .of_variable = false, .of_bugs = {}, .sets = {}});
    sets_of_.emplace(&traces, shared - sets_.begin());
    if (traces.variable) {
      shared->of_variable = true;
    } else if (const auto bug = corpus_.Find(traces.bug)) {
      shared->of_bugs.push_back(*bug);
    }
  });
  // All operators before anything reads names: coarsening makes some.
  std::vector<TraceOperators> operators;
  for (const SharedSets& shared : sets_) {
    OSCOPE_ASSIGN_OR_RETURN(TraceOperators made, names_.MakeOperators(shared.shape->ops));
    operators.push_back(std::move(made));
  }
  for (size_t i = 0; i < sets_.size(); ++i) {
    SharedSets& shared = sets_[i];
    if (plan_.use_tails && TailsSuffice(*shared.shape)) {
      shared.sets = OpenTailSets(corpus_, *shared.shape, std::move(operators[i]));
      continue;
    }
    const WantsBug wants = [&](uint32_t bug) {
      return (shared.of_variable && IsCandidate(bug)) ||
             std::find(shared.of_bugs.begin(), shared.of_bugs.end(), bug) != shared.of_bugs.end();
    };
    OSCOPE_ASSIGN_OR_RETURN(shared.sets, ReadWholeSets(corpus_, *shared.shape, operators[i], names_, wants, context_));
  }
  return {};
}

Status PreparedQuery::BindConstants() {
  for (const PredicatePlan& plan : plan_.predicates) {
    const SetPredicate& predicate = plan.predicate;
    bool constant = true;
    ConstantSide side;
    ForEachTraces(predicate.right, [&](const BugTraces& traces) {
      constant &= !traces.variable;
      if (!traces.variable) side.bugs.push_back(BugOf(traces, {}));
    });
    if (!constant) continue;
    OSCOPE_ASSIGN_OR_RETURN(side.all, RightSide(predicate, {}, kNoBug));
    constants_.emplace(&predicate, std::move(side));
  }
  return {};
}

uint32_t PreparedQuery::BugOf(const BugTraces& traces, std::span<const uint32_t> row) const {
  if (traces.variable) return row[*traces.variable];
  return corpus_.Find(traces.bug).value_or(kNoBug);
}

TraceSet PreparedQuery::TracesOf(const BugTraces& traces, uint32_t bug) const {
  if (bug == kNoBug) return {};
  return sets_[sets_of_.at(&traces)].sets->Of(bug);
}

Result<TraceUnion> PreparedQuery::RightSide(const SetPredicate& predicate, std::span<const uint32_t> row,
                                            uint32_t left_bug) const {
  const oscope::TracesOf traces_of = [&](const BugTraces& traces) -> Result<TraceSet> {
    const uint32_t bug = BugOf(traces, row);
    // A bug never matches itself.
    if (!select().with_self && bug == left_bug) return TraceSet{};
    return TracesOf(traces, bug);
  };
  return MakeTraceUnion(predicate.right, traces_of, names_.names());
}

std::optional<uint64_t> PreparedQuery::DistanceTo(const Language& language, uint64_t language_bound, Sequence x, uint64_t bound) const {
  std::unique_ptr<LanguageSearcher>& searcher = searchers_.local().of[&language];
  if (searcher == nullptr) {
    searcher = std::make_unique<LanguageSearcher>(language, PatternMetricOf(select().metric), language_bound);
  }
  const std::optional<uint64_t> distance = searcher->Distance(x);
  return distance && *distance <= bound ? distance : std::nullopt;
}

Result<Verdict> PreparedQuery::Evaluate(const SetPredicate& predicate, std::span<const uint32_t> row, uint64_t bound) const {
  const uint32_t left_bug = BugOf(predicate.left, row);
  const TraceSet left = TracesOf(predicate.left, left_bug);
  if (left.empty()) return Verdict{};
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
  if (const auto constant = constants_.find(&predicate); constant != constants_.end()) {
    const std::vector<uint32_t>& bugs = constant->second.bugs;
    const bool itself = !select().with_self && std::find(bugs.begin(), bugs.end(), left_bug) != bugs.end();
    remembers = !itself;
    if (!itself) return EvaluateSetPredicate(*asked, left, constant->second.all, metric);
  }
  OSCOPE_ASSIGN_OR_RETURN(const TraceUnion right, RightSide(predicate, row, left_bug));
  return EvaluateSetPredicate(*asked, left, right, metric);
}

}  // namespace oscope
