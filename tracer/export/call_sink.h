// CallSink: runs told as calls that are entered and left, for the formats that want them nested.
//
// Time is the ordinal of the event in its trace: event i is entered at i, and what it ends is left at i too, innermost
// first; what is open at the end is left at the number of events. A call lasts until an event of the same or a lesser
// depth. A stack's frames lie in each other; the events of an execution without depths stand side by side.
#pragma once

#include <string>
#include <vector>

#include "tracer/model/run_sink.h"

namespace oscope {

class CallSink : public RunSink {
 public:
  Status AddBug(const Bug&) override { return {}; }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;
  Status AddEvents(const EventChunk& chunk) override;
  Status EndTrace() override;
  Status EndRun() override { return {}; }
  Status AddAttachment(const Attachment&) override { return {}; }  // no viewer has a place for it

 protected:
  virtual Status BeginThread(const TraceHeader& trace) = 0;
  virtual Status Enter(SymbolId symbol, uint64_t at) = 0;
  virtual Status Leave(SymbolId symbol, uint64_t at) = 0;
  virtual Status EndThread(uint64_t at) = 0;

  const RunHeader& run() const { return run_; }
  const SymbolTable& symbols() const { return *symbols_; }
  bool is_stack() const { return is_stack_; }

 private:
  struct OpenCall {
    SymbolId symbol;
    uint32_t depth;
  };
  Status LeaveDownTo(uint32_t depth);

  RunHeader run_;
  const SymbolTable* symbols_ = nullptr;
  bool is_stack_ = false;
  uint64_t at_ = 0;
  std::vector<OpenCall> open_;
};

// "Beanutils-342 run 1f2e3d4c": what a run is called in a viewer.
std::string RunLabel(const RunHeader& run);
// "thread 2 (worker)", "process 1 thread 0 stack"
std::string ThreadLabel(const TraceHeader& trace);

}  // namespace oscope
