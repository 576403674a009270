// Chop points: at which granularity a thread is recorded now.
//
// `start` and `stop` are a switch of the process: all threads. `within` is a granularity of a thread, for as long as
// the method is on its stack. While the switch is off nothing is recorded; with a `chop start` it is off at first. So
// `granularity off` with a `within` alone records just what that says.
//
// Threads: the switch may be read and set by any; a ThreadChop belongs to one.
#pragma once

#include <cstdint>

#include "tracer/pin/open_calls.h"
#include "tracer/pin/settings.h"

namespace oscope::pin {

class ChopSwitch {
 public:
  explicit ChopSwitch(const Settings& settings);
  void Set(bool on) { __atomic_store_n(&on_, on, __ATOMIC_RELAXED); }
  bool on() const { return __atomic_load_n(&on_, __ATOMIC_RELAXED); }
  Granularity base() const { return base_; }

 private:
  bool on_;
  Granularity base_;
};

class ThreadChop {
 public:
  // When the thread begins: no change yet.
  void Begin(const ChopSwitch& chop_switch) { now_ = chop_switch.on() ? chop_switch.base() : Granularity::kOff; }
  Granularity now() const { return now_; }
  // Takes over what the switch and the open calls say. Returns true if that is a change, for which a CHOP record is
  // then written.
  bool Update(const ChopSwitch& chop_switch, const OpenCalls& calls);

 private:
  Granularity now_ = Granularity::kOff;
};

// Whether a record of granularity `kind` belongs into a recording of granularity `now`: methods belong into all.
inline bool Includes(Granularity now, Granularity kind) {
  return now == kind || (kind == Granularity::kMethod && now != Granularity::kOff);
}

}  // namespace oscope::pin
