// Whose traces the expressions of a query take: the corpus's bugs by their numbers and, numbered after them, the runs
// that the query names.
//
// A run stands for a bug that has no other run. It is itself the bug that it belongs to, if any: neither matches the
// other.
// Threads: made by one; const functions may be called from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "query/corpus/corpus.h"
#include "query/plan/query_plan.h"

namespace oscope {

class QuerySubjects {
 public:
  static Result<QuerySubjects> Make(const Corpus& corpus, const QueryPlan& plan);

  // Of an expression without a variable, one of the plan's; kNoBug for a stored bug without traces.
  uint32_t Find(const bql::BugTraces& traces) const;

  bool IsBug(uint32_t subject) const { return subject < corpus_->bugs(); }
  // What identifies a subject where a bug must not match itself: the bug, or for a run without a bug the run.
  uint32_t IdentityOf(uint32_t subject) const {
    return IsRun(subject) ? runs_[subject - corpus_->bugs()].identity : subject;
  }
  // In order of segments and rows.
  std::span<const TraceRef> TracesOf(uint32_t subject) const;

  // The runs that have this trace, as subjects.
  template <typename Visit>
  void ForEachRunWith(TraceRef trace, const Visit& visit) const {
    for (size_t i = 0; i < runs_.size(); ++i) {
      for (const TraceRef one : runs_[i].traces) {
        if (one.segment == trace.segment && one.row == trace.row) visit(static_cast<uint32_t>(corpus_->bugs() + i));
      }
    }
  }

 private:
  struct NamedRun {
    RunId id;
    uint32_t identity = kNoBug;
    std::vector<TraceRef> traces;
  };
  explicit QuerySubjects(const Corpus& corpus) : corpus_(&corpus) {}
  bool IsRun(uint32_t subject) const { return !IsBug(subject) && subject - corpus_->bugs() < runs_.size(); }
  Status AddRun(const bql::BugTraces& traces);

  const Corpus* corpus_;
  std::vector<NamedRun> runs_;
};

}  // namespace oscope
