// Writes the RESULT records of calls that have ended. Which calls those are is decided by OpenCalls, from stack
// pointers alone. lowest_open_sp is a copy of the innermost open call's stack pointer, kept where translated code can
// compare it with one instruction.
#include "tracer/pin/calls.h"

#include <vector>

#include "tracer/pin/app_memory.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {
namespace {

void WriteResult(Thread* thread, const EndedCall& ended, ADDRINT result) {
  Record record(OSC_RAW_RESULT);
  record.Word(ended.call.site);
  record.Word(static_cast<uint32_t>(ended.call.sp));
  record.Word(ended.returned ? 0 : 1);
  record.Wide(ended.returned ? result : 0);
  std::string text;
  record.TextIf(ended.returned && ReadCString(ReadProgram, result, tool.settings.string_limit, true, &text), text);
  WriteRecord(thread, &record);
}

void Finish(Thread* thread, const std::vector<EndedCall>& ended, ADDRINT result) {
  for (const EndedCall& one : ended) {
    if (one.call.result_wanted) WriteResult(thread, one, result);
  }
  thread->lowest_open_sp = thread->calls.lowest_sp();
}

}  // namespace

void UpdateChop(Thread* thread) {
  if (!tool.has_chops || !thread->chop.Update(tool.chop_switch, thread->calls) || thread->muted) return;
  Record record(OSC_RAW_CHOP);
  record.Word(static_cast<uint32_t>(thread->chop.now()));
  WriteRecord(thread, &record);
}

void EnterCall(Thread* thread, const Function& function, ADDRINT sp, ADDRINT return_address) {
  OpenCall call;
  call.sp = sp;
  call.return_address = return_address;
  call.site = function.site;
  call.result_wanted = function.plan.values;
  for (const ChopPoint* chop : function.plan.chops) {
    if (chop->kind != ChopPoint::Kind::kWithin) continue;
    call.has_granularity = true;
    call.granularity = chop->granularity;
  }
  if (call.result_wanted || call.has_granularity) Finish(thread, thread->calls.Enter(call), 0);
}

void CatchAt(Thread* thread, ADDRINT sp) {
  if (thread->lowest_open_sp <= sp) Finish(thread, thread->calls.Catch(sp), 0);
  UpdateChop(thread);
}

void ReachAt(Thread* thread, ADDRINT sp) {
  if (thread->lowest_open_sp < sp) Finish(thread, thread->calls.ReachAt(sp), 0);
  UpdateChop(thread);
}

ADDRINT PIN_FAST_ANALYSIS_CALL MayEndCalls(const Thread* thread, ADDRINT sp) { return thread->lowest_open_sp <= sp; }

VOID PIN_FAST_ANALYSIS_CALL ReturnAt(Thread* thread, ADDRINT sp, ADDRINT result) {
  uint64_t return_address = 0;
  ReadWord(ReadProgram, sp, &return_address);
  Finish(thread, thread->calls.Return(sp, return_address), result);
  UpdateChop(thread);
}

}  // namespace oscope::pin
