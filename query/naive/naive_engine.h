// The literal evaluator of BQL: every combination of bugs, every trace against every trace. The oracle of the other
// engines.
//
// Holds the whole store in memory and computes everything anew for every row. Right by being obvious; for small stores
// only.
// Threads: one query at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "bql/check/query.h"
#include "index/store/snapshot.h"
#include "query/semantics/answer.h"
#include "query/semantics/bug_record.h"
#include "query/semantics/event_names.h"
#include "query/semantics/make_metric.h"
#include "query/semantics/trace_selection.h"
#include "query/semantics/trace_set.h"
#include "query/semantics/words_metric.h"

namespace oscope {

class NaiveEngine {
 public:
  // `ask` is called for every run that is read, every row that is tried and every pair of traces that is compared: its
  // error ends the work and comes back as it is.
  using Ask = std::function<Status()>;
  static Result<NaiveEngine> Load(const Snapshot& snapshot, const Ask& ask);

  Result<Answer> Run(const bql::Select& select, const UserMetrics& user_metrics, const Ask& ask) const;

 private:
  struct StoredTrace {
    TraceId id;
    TraceTraits traits;
    std::vector<uint32_t> events;
    uint64_t marked = 0;
  };
  struct StoredBug {
    BugRecord record;
    std::vector<StoredTrace> traces;
  };
  class Evaluation;
  void CountWords(const StoredTrace& stack);

  EventNames names_;
  std::vector<StoredBug> bugs_;                           // by key
  std::map<RunId, std::vector<StoredTrace>> loose_runs_;  // that belong to no bug
  EventStatistics statistics_;
  StackWords words_;
};

}  // namespace oscope
