// The wish to stop, for the whole process: long work asks now and then and returns kCancelled.
//
// Threads: everything here may be called from any thread; Cancelled() is one relaxed load.
#pragma once

#include "base/result.h"

namespace oscope {

// From now on the first SIGINT or SIGTERM requests cancellation and wakes blocking calls (EINTR); a SIGINT when it is
// already requested ends the process at once with exit code 130.
void InstallCancelOnSignals();

bool Cancelled();
Status CheckCancelled();  // kCancelled once cancellation was requested

void RequestCancel();
void ClearCancel();  // so that a shell can take the next command

}  // namespace oscope
