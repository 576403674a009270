#include "tracer/pin/values.h"

#include <string>

#include "tracer/pin/app_memory.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {

ADDRINT ArgumentOf(const CONTEXT* context, uint32_t number) {
  // The C library has enumerators of these names too.
  static const REG registers[kArguments] = {LEVEL_BASE::REG_RDI, LEVEL_BASE::REG_RSI, LEVEL_BASE::REG_RDX,
                                            LEVEL_BASE::REG_RCX, LEVEL_BASE::REG_R8,  LEVEL_BASE::REG_R9};
  return PIN_GetContextReg(context, registers[number]);
}

void WriteValues(Thread* thread, uint32_t site, ADDRINT sp, const CONTEXT* context) {
  Record record(OSC_RAW_VALUES);
  record.Word(site);
  record.Word(static_cast<uint32_t>(sp));
  record.Word(kArguments);
  for (uint32_t i = 0; i < kArguments; ++i) {
    const ADDRINT argument = ArgumentOf(context, i);
    std::string text;
    record.Wide(argument);
    record.TextIf(ReadCString(ReadProgram, argument, tool.settings.string_limit, true, &text), text);
  }
  WriteRecord(thread, &record);
}

}  // namespace oscope::pin
