// Turns events with depths into nested calls. An event's depth says which open calls have ended: all at its depth or
// deeper. A stack's frames get the depths 0, 1, 2, …; an execution without depths has depth 0 throughout, so that each
// event ends the one before.
#include "tracer/export/call_sink.h"

namespace oscope {

Status CallSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  run_ = run;
  symbols_ = &symbols;
  return {};
}

Status CallSink::BeginTrace(const TraceHeader& trace) {
  is_stack_ = trace.kind == TraceKind::kStack;
  at_ = 0;
  return BeginThread(trace);
}

Status CallSink::AddEvents(const EventChunk& chunk) {
  for (size_t i = 0; i < chunk.events.size(); ++i, ++at_) {
    const uint32_t given = chunk.depths.empty() ? 0 : chunk.depths[i];
    const uint32_t depth = is_stack_ ? static_cast<uint32_t>(at_) : given;
    OSCOPE_RETURN_IF_ERROR(LeaveDownTo(depth));
    OSCOPE_RETURN_IF_ERROR(Enter(chunk.events[i], at_));
    open_.push_back({chunk.events[i], depth});
  }
  return {};
}

Status CallSink::EndTrace() {
  OSCOPE_RETURN_IF_ERROR(LeaveDownTo(0));
  return EndThread(at_);
}

Status CallSink::LeaveDownTo(uint32_t depth) {
  while (!open_.empty() && open_.back().depth >= depth) {
    OSCOPE_RETURN_IF_ERROR(Leave(open_.back().symbol, at_));
    open_.pop_back();
  }
  return {};
}

std::string RunLabel(const RunHeader& run) {
  const std::string id = ToString(run.id).substr(0, 8);
  if (run.bug.empty()) return fmt::format("{} run {}", run.project, id);
  return fmt::format("{} run {}", ToString(BugKey{run.project, run.bug}), id);
}

std::string ThreadLabel(const TraceHeader& trace) {
  std::string label = trace.process == 0 ? "" : fmt::format("process {} ", trace.process);
  label += fmt::format("thread {}", trace.thread);
  if (!trace.thread_name.empty()) label += fmt::format(" ({})", trace.thread_name);
  if (trace.kind == TraceKind::kStack) label += " stack";
  return label;
}

}  // namespace oscope
