// The events of a recording thread by thread: how many each has, and then the events themselves.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tracer/model/run_sink.h"
#include "tracer/raw/process_recording.h"
#include "tracer/record/failure.h"
#include "tracer/record/site_names.h"

namespace oscope {

// How deep calls are, from the stack pointers at their entries: what lies at or below a new frame has returned, been
// thrown through, or been jumped out of. A tail call takes its caller's place.
class CallDepths {
 public:
  uint32_t Enter(uint32_t stack_pointer, uint32_t function);
  // Of an event inside a function that was entered before.
  uint32_t Inside(uint32_t function);

 private:
  struct Frame {
    uint32_t stack_pointer;
    uint32_t function;
  };
  std::vector<Frame> frames_;
};

// The first reading of a process: counts, the failure, and what functions returned (which comes after their entry).
struct ProcessSummary {
  struct Result {
    std::string text;  // " = 3"
    EventOutcome outcome = EventOutcome::kReturned;
  };
  std::map<uint32_t, uint64_t> events;  // by thread
  uint32_t last_thread = 0;             // the one that ran last
  bool chopped = false;
  uint64_t broken = 0;  // chunks that break off
  uint64_t results_dropped = 0;
  std::map<uint32_t, std::unordered_map<uint64_t, Result>> results;  // by thread and event
};
ProcessSummary Summarise(const raw::ProcessRecording& recording, SiteNames& names, FailureFinder& failure);

// The second: sends the events of one thread. The trace has been begun with as many events as the summary counted.
Status SendThread(const raw::ProcessRecording& recording, SiteNames& names, uint32_t thread,
                  const ProcessSummary& summary, bool with_values, RunSink& sink);

}  // namespace oscope
