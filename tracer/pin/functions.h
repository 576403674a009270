// Functions of the program: where each begins and what the settings want of it.
//
// A function is known by its symbol; in code that no symbol covers, by the unwind table.
//
// Threads: under the client lock. A Function is never changed and never freed: translated code points at it.
#pragma once

#include <pin.H>

#include <cstdint>
#include <string>

#include "tracer/pin/images.h"
#include "tracer/pin/selection.h"

namespace oscope::pin {

struct Function {
  ADDRINT start = 0;
  bool is_entry = false;  // `start` is where callers go; else a stub, a part, or a place without a known function
  std::string symbol;     // as the object spells it, or empty
  FunctionPlan plan;
  uint32_t site = 0;  // of kind m, where is_entry
};

const Function* FunctionAt(INS ins);
void ForgetFunctions(const Image& image);

}  // namespace oscope::pin
