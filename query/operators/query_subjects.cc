// Numbers the runs that a query names after the corpus's bugs, so that sets, searches and rows treat a run as a bug
// with one run. Its identity is the bug it belongs to, or a number of its own.
#include "query/operators/query_subjects.h"

#include <algorithm>

#include "query/semantics/expressions.h"

namespace oscope {

Result<QuerySubjects> QuerySubjects::Make(const Corpus& corpus, const QueryPlan& plan) {
  QuerySubjects subjects(corpus);
  Status status;
  const auto add = [&](const bql::BugTraces& traces) {
    if (status.ok() && traces.run) status = subjects.AddRun(traces);
  };
  for (const PredicatePlan& one : plan.predicates) {
    add(one.predicate.left);
    ForEachTraces(one.predicate.right, add);
  }
  OSCOPE_RETURN_IF_ERROR(status);
  return subjects;
}

Status QuerySubjects::AddRun(const bql::BugTraces& traces) {
  if (std::any_of(runs_.begin(), runs_.end(), [&](const NamedRun& known) { return known.id == *traces.run; }))
    return {};
  NamedRun run;
  run.id = *traces.run;
  OSCOPE_ASSIGN_OR_RETURN(run.traces, corpus_->TracesOfRun(run.id));
  run.identity = corpus_->Find(traces.bug).value_or(static_cast<uint32_t>(corpus_->bugs() + runs_.size()));
  runs_.push_back(std::move(run));
  return {};
}

uint32_t QuerySubjects::Find(const bql::BugTraces& traces) const {
  if (!traces.run) return corpus_->Find(traces.bug).value_or(kNoBug);
  const auto at = std::find_if(runs_.begin(), runs_.end(), [&](const NamedRun& run) { return run.id == *traces.run; });
  OSCOPE_CHECK(at != runs_.end());
  return static_cast<uint32_t>(corpus_->bugs() + static_cast<size_t>(at - runs_.begin()));
}

std::span<const TraceRef> QuerySubjects::TracesOf(uint32_t subject) const {
  if (IsBug(subject)) return corpus_->TracesOf(subject);
  if (IsRun(subject)) return runs_[subject - corpus_->bugs()].traces;
  return {};
}

}  // namespace oscope
