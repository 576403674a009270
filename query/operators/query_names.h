// The event ids that one query works in: the corpus's, and those of the names that its coarsening makes.
//
// Threads: may be read from any thread once all operators are made.
#pragma once

#include <functional>
#include <optional>

#include "query/corpus/corpus.h"
#include "query/semantics/event_names.h"
#include "query/semantics/trace_operators.h"

namespace oscope {

class QueryNames {
 public:
  explicit QueryNames(const Corpus& corpus) : corpus_(corpus) {}

  Result<TraceOperators> MakeOperators(const std::vector<bql::TraceOp>& ops, const std::function<Status()>& ask) {
    const bool coarsens = std::any_of(ops.begin(), ops.end(), [](const bql::TraceOp& op) {
      return op.kind == bql::TraceOp::Kind::kProject && op.projection.kind == bql::Projection::Kind::kCoarsen;
    });
    const bool projects = std::any_of(ops.begin(), ops.end(),
                                      [](const bql::TraceOp& op) { return op.kind == bql::TraceOp::Kind::kProject; });
    // Only coarsening adds names; without a projection they are not even looked at.
    if ((coarsens || projects) && !own_) own_ = corpus_.names().Copy();
    EventNames none;
    return TraceOperators::Make(ops, own_ ? *own_ : none, ask);
  }

  const EventNames& names() const { return own_ ? *own_ : corpus_.names(); }

  std::shared_ptr<const MethodWeights> Methods() const {
    if (!own_) return corpus_.methods();
    oscope::Methods methods;
    methods.Extend(*own_);
    return std::make_shared<MethodWeights>(methods.Weigh(corpus_.statistics()));
  }

 private:
  const Corpus& corpus_;
  std::optional<EventNames> own_;
};

}  // namespace oscope
