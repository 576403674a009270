// UftraceCalls: the entries and exits of one task, turned into a trace.
#pragma once

#include <cstdint>
#include <vector>

#include "tracer/model/run.h"

namespace oscope {

class UftraceCalls {
 public:
  void Enter(SymbolId function, uint32_t depth, uint64_t time_ns) {
    Leave(depth, time_ns);
    open_.push_back({depth, function});
    trace_.events.push_back(function);
    trace_.depths.push_back(depth);
  }

  // The function at `depth` returned, and with it all that it called.
  void Leave(uint32_t depth, uint64_t time_ns) {
    while (!open_.empty() && open_.back().depth >= depth) open_.pop_back();
    if (empty()) first_ns_ = time_ns;
    last_ns_ = time_ns;
  }

  void Lose(uint64_t records) { lost_ += records; }
  void Cut() { cut_ = true; }

  bool empty() const { return trace_.events.empty(); }
  uint64_t first_ns() const { return first_ns_; }
  uint64_t last_ns() const { return last_ns_; }
  std::vector<SymbolId> Open() const;  // not returned from, outermost first

  Trace Finish(uint32_t process, uint32_t thread);

 private:
  struct Call {
    uint32_t depth;
    SymbolId function;
  };

  Trace trace_;
  std::vector<Call> open_;
  uint64_t first_ns_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t lost_ = 0;
  bool cut_ = false;
};

}  // namespace oscope
