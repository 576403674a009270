// What happens at the first instruction of a function that is more than an entry. The order of the steps is the order
// of the records that the readers expect: calls that turn out to have ended, then chop points, then the entry with its
// values, then the exception or failure that the function stands for.
#include "tracer/pin/entries.h"

#include <cstdint>
#include <string>

#include "tracer/pin/app_memory.h"
#include "tracer/pin/calls.h"
#include "tracer/pin/marks.h"
#include "tracer/pin/stacks.h"
#include "tracer/pin/thrown.h"
#include "tracer/pin/tool.h"
#include "tracer/pin/values.h"

namespace oscope::pin {
namespace {

void Switch(const ChopPoint& chop) {
  if (chop.kind == ChopPoint::Kind::kStart) tool.chop_switch.Set(true);
  if (chop.kind == ChopPoint::Kind::kStop) tool.chop_switch.Set(false);
}

bool IsRecordedNow(const Thread& thread) {
  const Granularity now = tool.has_chops ? thread.chop.now() : tool.settings.granularity;
  return now != Granularity::kOff;
}

void WriteEntryOf(Thread* thread, const Function& function, ADDRINT sp) {
  const uint32_t words[] = {OSC_RAW_WORD(OSC_RAW_ENTRY, function.site), static_cast<uint32_t>(sp)};
  // The entry belongs to the values that follow it, also where a thread is not recorded otherwise.
  Cursor* cursor = function.plan.values ? CursorForAlways(thread) : &thread->events;
  WriteWords(thread, cursor, words, 2);
}

void WriteThrow(Thread* thread, uint64_t object, uint64_t type_info, ADDRINT sp, ADDRINT caller,
                const CONTEXT* context) {
  const Thrown thrown = DescribeThrown(ReadProgram, object, type_info, tool.settings.string_limit);
  Record record(OSC_RAW_THROW);
  record.Word(static_cast<uint32_t>(sp));
  record.Word(CallSite(caller));
  record.TextIf(thrown.has_type, thrown.type);
  record.TextIf(thrown.has_what, thrown.what);
  WriteRecord(thread, &record);
  thread->thrown_at = StackAt(context);
  thread->thrown = object;
}

void WriteCaller(Thread* thread, OscRawExtended type, ADDRINT sp, ADDRINT caller) {
  Record record(type);
  record.Word(static_cast<uint32_t>(sp));
  record.Word(CallSite(caller));
  WriteRecord(thread, &record);
}

// What the thread itself threw last is rethrown; what another thread threw, or an unknown one, counts as thrown here.
void WriteThrowOn(Thread* thread, ADDRINT sp, ADDRINT caller, const CONTEXT* context) {
  const StoredException stored = FindStored(ReadProgram, ArgumentOf(context, 0));
  if (stored.object != 0 && stored.object == thread->thrown) return WriteCaller(thread, OSC_RAW_RETHROW, sp, caller);
  WriteThrow(thread, stored.object, stored.type_info, sp, caller, context);
}

void WriteRole(Thread* thread, Role role, ADDRINT sp, ADDRINT caller, const CONTEXT* context) {
  switch (role) {
    case Role::kThrow: return WriteThrow(thread, ArgumentOf(context, 0), ArgumentOf(context, 1), sp, caller, context);
    case Role::kCatch: return WriteCaller(thread, OSC_RAW_CATCH, sp, caller);
    case Role::kRethrow: return WriteCaller(thread, OSC_RAW_RETHROW, sp, caller);
    case Role::kThrowOn: return WriteThrowOn(thread, sp, caller, context);
    case Role::kFreeException:
      // Its place is for the next one.
      if (ArgumentOf(context, 0) == thread->thrown) thread->thrown = 0;
      return;
    case Role::kPlain: return;
  }
}

}  // namespace

VOID PIN_FAST_ANALYSIS_CALL EnterSpecial(Thread* thread, const Function* function, const CONTEXT* context) {
  const FunctionPlan& plan = function->plan;
  const ADDRINT sp = PIN_GetContextReg(context, REG_STACK_PTR);
  uint64_t caller = 0;
  ReadWord(ReadProgram, sp, &caller);

  if (plan.role == Role::kCatch) CatchAt(thread, sp);
  EnterCall(thread, *function, sp, caller);
  for (const ChopPoint* chop : plan.chops) Switch(*chop);
  ReachAt(thread, sp);

  if (plan.values || (plan.kept && IsRecordedNow(*thread))) WriteEntryOf(thread, *function, sp);
  if (plan.values) WriteValues(thread, function->site, sp, context);
  WriteRole(thread, plan.role, sp, caller, context);
  for (const MarkRule* mark : plan.marks) WriteMarkIfFits(thread, *mark, sp, caller, context);
}

VOID PIN_FAST_ANALYSIS_CALL ReachLineChop(Thread* thread, const ChopPoint* chop, ADDRINT sp) {
  Switch(*chop);
  ReachAt(thread, sp);
}

}  // namespace oscope::pin
