// Ends a task's trace and says in a note why it is partial, if records were lost or the file is cut.
#include "tracer/import/uftrace_calls.h"

namespace oscope {

std::vector<SymbolId> UftraceCalls::Open() const {
  std::vector<SymbolId> functions;
  for (const Call& call : open_) functions.push_back(call.function);
  return functions;
}

Trace UftraceCalls::Finish(uint32_t process, uint32_t thread) {
  trace_.header.process = process;
  trace_.header.thread = thread;
  if (lost_ != 0) {
    trace_.header.partial = true;
    trace_.header.partial_note = fmt::format("uftrace lost {} records", lost_);
  } else if (cut_) {
    trace_.header.partial = true;
    trace_.header.partial_note = "the file of the task is cut";
  }
  trace_.FinishHeader();
  return std::move(trace_);
}

}  // namespace oscope
