#include "tracer/pin/marks.h"

#include <string>

#include "tracer/pin/app_memory.h"
#include "tracer/pin/stacks.h"
#include "tracer/pin/tool.h"
#include "tracer/pin/values.h"

namespace oscope::pin {
namespace {

int32_t NumberOf(const CONTEXT* context, uint32_t argument) {
  return static_cast<int32_t>(ArgumentOf(context, argument));
}

bool Fits(const MarkRule& mark, const CONTEXT* context) {
  if (mark.always) return true;
  const int32_t number = NumberOf(context, mark.argument);
  return mark.low <= number && number <= mark.high;
}

bool ReadCapture(const Capture& capture, const CONTEXT* context, std::string* text) {
  const ADDRINT value = ArgumentOf(context, capture.argument);
  switch (capture.kind) {
    case 's': return ReadCString(ReadProgram, value, tool.settings.string_limit, false, text);
    case 'S': return ReadStdString(ReadProgram, value, tool.settings.string_limit, text);
    default: *text = std::to_string(NumberOf(context, capture.argument)); return true;
  }
}

}  // namespace

void WriteMarkIfFits(Thread* thread, const MarkRule& mark, ADDRINT sp, ADDRINT caller, const CONTEXT* context) {
  if (!Fits(mark, context)) return;
  WriteStackOfThrow(thread);
  Record record(OSC_RAW_MARK);
  record.Word(static_cast<uint32_t>(sp));
  record.Word(mark.index);
  record.Word(CallSite(caller));
  record.Word(static_cast<uint32_t>(mark.captures.size()));
  for (const Capture& capture : mark.captures) {
    std::string text;
    record.TextIf(ReadCapture(capture, context, &text), text);
  }
  WriteRecord(thread, &record);
  WriteStack(thread, OSC_RAW_MARK, StackAt(context));
}

}  // namespace oscope::pin
