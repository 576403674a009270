// The sets of traces that an expression `bug`, `bug[len]`, `PROJ(bug, S)` denotes, subject by subject, in the query's
// ids.
//
// Two sources: the tails of the index, when the first operator is a suffix that they hold; else the whole traces, read
// once and kept as the operators leave them: from the segments or, short ones, from the tails too.
// Threads: Of may be called from any thread.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "bql/check/query.h"
#include "query/corpus/corpus.h"
#include "query/operators/query_context.h"
#include "query/operators/query_names.h"
#include "query/operators/query_subjects.h"
#include "query/semantics/trace_set.h"

namespace oscope {

class TraceSets {
 public:
  virtual ~TraceSets() = default;
  virtual TraceSet Of(uint32_t subject) const = 0;
};

// Which bugs and runs will be asked for.
using WantsSubject = std::function<bool(uint32_t subject)>;

// Made in two steps, since all operators of a query must be made before anything is bound to its names.
std::unique_ptr<TraceSets> OpenTailSets(const Corpus& corpus, const QuerySubjects& subjects,
                                        const bql::BugTraces& traces, TraceOperators operators);
Result<std::unique_ptr<TraceSets>> ReadWholeSets(const Corpus& corpus, const QuerySubjects& subjects,
                                                 const bql::BugTraces& traces, const TraceOperators& operators,
                                                 const QueryNames& names, bool use_tails, const WantsSubject& wants,
                                                 QueryContext& context);

}  // namespace oscope
