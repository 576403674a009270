#include "tracer/pin/stacks.h"

#include "tracer/pin/images.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {

std::vector<ADDRINT> StackAt(const CONTEXT* context) {
  void* frames[OSC_RAW_MAX_STACK];
  const ClientLock lock;
  const int count = PIN_Backtrace(context, frames, OSC_RAW_MAX_STACK);
  std::vector<ADDRINT> stack;
  // A call may be the last instruction of its function: the return address then belongs to the next one.
  for (int i = 0; i < count && frames[i] != nullptr; ++i)
    stack.push_back(reinterpret_cast<ADDRINT>(frames[i]) - (i > 0 ? 1 : 0));
  return stack;
}

void WriteStack(Thread* thread, uint32_t why, const std::vector<ADDRINT>& frames) {
  Record record(OSC_RAW_STACK);
  record.Word(why);
  record.Word(static_cast<uint32_t>(frames.size()));
  {
    const ClientLock lock;
    for (const ADDRINT frame : frames) record.Word(SiteAt('c', frame));
    FlushSites();
  }
  WriteRecord(thread, &record);
}

void WriteStackOfThrow(Thread* thread) {
  if (thread->thrown_at.empty()) return;
  WriteStack(thread, OSC_RAW_THROW, thread->thrown_at);
  thread->thrown_at.clear();
}

uint32_t CallSite(ADDRINT return_address) {
  const ClientLock lock;
  const uint32_t site = SiteAt('c', return_address - 1);
  FlushSites();
  return site;
}

}  // namespace oscope::pin
