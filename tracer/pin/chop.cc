#include "tracer/pin/chop.h"

namespace oscope::pin {

ChopSwitch::ChopSwitch(const Settings& settings)
    : on_(!settings.Chops(ChopPoint::Kind::kStart)), base_(settings.granularity) {
  // What a `start` begins must be something.
  if (!on_ && base_ == Granularity::kOff) base_ = Granularity::kMethod;
}

bool ThreadChop::Update(const ChopSwitch& chop_switch, const OpenCalls& calls) {
  Granularity next = chop_switch.base();
  calls.FindGranularity(&next);
  if (!chop_switch.on()) next = Granularity::kOff;
  const bool changed = next != now_;
  now_ = next;
  return changed;
}

}  // namespace oscope::pin
