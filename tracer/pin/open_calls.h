// The calls of a thread that have been entered and not yet left, as far as their end matters:
// functions whose result is recorded, and those of a `chop within`.
//
// A call is known by the stack pointer at its entry and by its return address. A `ret` at that stack pointer to that
// address returns from it. What is deeper than where the thread now is has been left by an exception or a longjmp. An
// entry at the stack pointer of an open call is a tail call if the return address is the same and the function another;
// else the open call was left.
//
// Limits:  a signal handler on a stack of its own, and coroutines, can look like one of those.
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <vector>

#include "tracer/pin/settings.h"

namespace oscope::pin {

struct OpenCall {
  uint64_t sp = 0;
  uint64_t return_address = 0;
  uint32_t site = 0;
  bool result_wanted = false;
  bool has_granularity = false;
  Granularity granularity = Granularity::kOff;
};

struct EndedCall {
  OpenCall call;
  bool returned = false;  // else left by an exception or longjmp
};

class OpenCalls {
 public:
  static constexpr uint64_t kNone = UINT64_MAX;

  // Each returns what ended, innermost first.
  std::vector<EndedCall> Enter(const OpenCall& call);
  std::vector<EndedCall> Return(uint64_t sp, uint64_t return_address);  // a `ret` is about to be executed
  std::vector<EndedCall> Catch(uint64_t sp);    // a handler begins: what lies at or below `sp` was left
  std::vector<EndedCall> ReachAt(uint64_t sp);  // some other instruction is about to be executed

  // Nothing can end while the stack pointer is below this.
  uint64_t lowest_sp() const { return calls_.empty() ? kNone : calls_.back().sp; }

  // The granularity of the innermost call that has one.
  bool FindGranularity(Granularity* granularity) const;

  void Clear() { calls_.clear(); }

 private:
  void Pop(std::vector<EndedCall>* ended, bool returned);
  std::vector<OpenCall> calls_;  // innermost last
};

}  // namespace oscope::pin
