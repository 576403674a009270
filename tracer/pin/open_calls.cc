// The open calls of a thread as a stack that is ordered by stack pointer. Each operation first removes the calls that
// the thread has left without returning; only then is the new event looked at.
#include "tracer/pin/open_calls.h"

namespace oscope::pin {

void OpenCalls::Pop(std::vector<EndedCall>* ended, bool returned) {
  EndedCall end;
  end.call = calls_.back();
  end.returned = returned;
  ended->push_back(end);
  calls_.pop_back();
}

std::vector<EndedCall> OpenCalls::ReachAt(uint64_t sp) {
  std::vector<EndedCall> ended;
  while (!calls_.empty() && calls_.back().sp < sp) Pop(&ended, false);
  return ended;
}

std::vector<EndedCall> OpenCalls::Enter(const OpenCall& call) {
  std::vector<EndedCall> ended = ReachAt(call.sp);
  while (!calls_.empty() && calls_.back().sp == call.sp) {
    const OpenCall& open = calls_.back();
    if (open.return_address == call.return_address && open.site != call.site) break;
    Pop(&ended, false);
  }
  calls_.push_back(call);
  return ended;
}

std::vector<EndedCall> OpenCalls::Return(uint64_t sp, uint64_t return_address) {
  std::vector<EndedCall> ended = ReachAt(sp);
  while (!calls_.empty() && calls_.back().sp == sp) Pop(&ended, calls_.back().return_address == return_address);
  return ended;
}

// The runtime's call lies where the call that threw lay, or deeper; it is no tail call of that.
std::vector<EndedCall> OpenCalls::Catch(uint64_t sp) { return ReachAt(sp + 1); }

bool OpenCalls::FindGranularity(Granularity* granularity) const {
  for (size_t i = calls_.size(); i-- > 0;) {
    if (!calls_[i].has_granularity) continue;
    *granularity = calls_[i].granularity;
    return true;
  }
  return false;
}

}  // namespace oscope::pin
