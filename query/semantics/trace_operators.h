// The operators of figure 3.3.8 on one trace: prefix, suffix, projection, in the order they were nested.
//
//   [len]b      the first len events
//   b[len]      the last len events up to the failure mark (without a mark: up to the end)
//   PROJ(b, S)  the events in S; the mark stays with the last event up to it that is left
// A shorter trace counts whole. The words of PROJ that choose traces (stack, execution, thread:N, passing) are
// trace_selection.h's.
// Threads: immutable once made; Apply may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bql/check/query.h"
#include "query/semantics/event_names.h"

namespace oscope {

struct MarkedEvents {
  std::vector<uint32_t> events;
  uint64_t marked = 0;  // how many lie up to and with the failing one; events.size() without a mark
  bool operator==(const MarkedEvents&) const = default;
};

class TraceOperators {
 public:
  // Looks at every name of `names` once for each projection; names that coarsening makes are added to it. `ask` is
  // called now and then: its error ends the work and comes back as it is.
  static Result<TraceOperators> Make(const std::vector<bql::TraceOp>& ops, EventNames& names,
                                     const std::function<Status()>& ask);

  void Apply(MarkedEvents& trace) const;

 private:
  static constexpr uint32_t kDropped = UINT32_MAX;
  struct Step {
    bql::TraceOp::Kind kind;
    uint64_t length = 0;
    bool merge = false;                 // equal neighbours become one event
    std::vector<uint32_t> translation;  // of kProject: event -> event or kDropped
  };
  static void Project(const Step& step, MarkedEvents& trace);

  std::vector<Step> steps_;
};

}  // namespace oscope
