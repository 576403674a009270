// A planned query with everything that its evaluation reads: the operators and the metric bound to the ids of events,
// and the traces of its expressions.
//
// Threads: made by one thread; then const functions may be called from any thread, also at the same time.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "query/corpus/corpus.h"
#include "query/distance/language_searcher.h"
#include "query/operators/query_context.h"
#include "query/operators/query_names.h"
#include "query/operators/trace_sets.h"
#include "query/plan/query_plan.h"
#include "query/semantics/judgement.h"
#include "query/semantics/make_metric.h"

namespace oscope {

class PreparedQuery {
 public:
  // Makes everything ready, and reads the whole traces that the plan needs. The corpus, the plan and the context are
  // borrowed and must outlive the query. Fails with kNotFound when a user's metric is not configured, with kLimit when
  // the memory of the context is used up, with kCancelled when it is stopped, and with the errors of reading the store.
  static Result<std::unique_ptr<PreparedQuery>> Make(const Corpus& corpus, const QueryPlan& plan,
                                                     const UserMetrics& user_metrics, QueryContext& context);

  const Corpus& corpus() const { return corpus_; }
  const QueryPlan& plan() const { return plan_; }
  const bql::Select& select() const { return plan_.select; }
  QueryContext& context() const { return context_; }

  std::string_view NameOf(uint32_t event) const { return names_.names().name(event); }

  // Whether FROM admits the bug.
  bool IsCandidate(uint32_t bug) const { return all_projects_ || candidates_[bug] != 0; }

  // Returns the bug or run that an expression is about, given the row's bugs by variable; kNoBug for a stored bug
  // without traces.
  uint32_t SubjectOf(const bql::BugTraces& traces, std::span<const uint32_t> row) const;
  uint32_t IdentityOf(const bql::BugTraces& traces, std::span<const uint32_t> row) const {
    return subjects_.IdentityOf(SubjectOf(traces, row));
  }
  TraceSet TracesOf(const bql::BugTraces& traces, uint32_t subject) const;

  // How rare methods are; null when the metric does not need it.
  const MethodWeights* methods() const { return methods_.get(); }

  // Evaluates a predicate of the plan for a row, trace by trace, as the language defines it. `bound` may tighten the
  // predicate's own distance. Fails only when a user's metric fails, or when the context is stopped.
  Result<Judgement> Evaluate(const bql::SetPredicate& predicate, std::span<const uint32_t> row,
                             uint64_t bound = kUnbounded) const;

 private:
  PreparedQuery(const Corpus& corpus, const QueryPlan& plan, QuerySubjects subjects, QueryContext& context)
      : corpus_(corpus), plan_(plan), context_(context), subjects_(std::move(subjects)), names_(corpus) {}
  Status Prepare(const UserMetrics& user_metrics);
  void FindCandidates();
  Status OpenSets();
  Status BindConstants();
  std::optional<uint64_t> DistanceTo(const Language& language, uint64_t language_bound, Sequence x,
                                     uint64_t bound) const;
  Result<TraceUnion> RightSide(const bql::SetPredicate& predicate, std::span<const uint32_t> row,
                               uint32_t left_identity) const;

  const Corpus& corpus_;
  const QueryPlan& plan_;
  QueryContext& context_;
  const QuerySubjects subjects_;
  QueryNames names_;
  bool all_projects_ = true;
  std::vector<uint8_t> candidates_;
  std::shared_ptr<const MethodWeights> methods_;
  std::unique_ptr<SequenceMetric> metric_;

  // Expressions that differ only in whose traces they take share their sets.
  struct SharedSets {
    const bql::BugTraces* shape = nullptr;
    bool of_variable = false;
    std::vector<uint32_t> of_subjects;
    std::unique_ptr<TraceSets> sets;
  };
  std::vector<SharedSets> sets_;
  std::unordered_map<const bql::BugTraces*, size_t> sets_of_;

  // Right sides that name no variable, made once; and the identities in them.
  struct ConstantSide {
    TraceUnion all;
    std::vector<uint32_t> identities;
  };
  std::unordered_map<const bql::SetPredicate*, ConstantSide> constants_;

  // For the languages of constant sides: each thread remembers what it met (query/distance/language_searcher.h).
  struct Searchers {
    std::unordered_map<const Language*, std::unique_ptr<LanguageSearcher>> of;
  };
  mutable tbb::enumerable_thread_specific<Searchers> searchers_;
};

}  // namespace oscope
