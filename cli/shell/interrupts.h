// Ctrl-C in a shell: it cancels the statement that runs, or clears the line that is written, and never ends the
// process.
//
// Takes the place of the handler of InstallCancelOnSignals, whose second Ctrl-C would. SIGTERM still asks to leave.
// Threads: Install once, from the main thread; a signal may arrive on any.
#pragma once

#include "base/cancel.h"

namespace oscope::cli::interrupts {

// From now on Ctrl-C cancels `process`, which Forget takes back.
void Install(CancelSource process);

// Readable when a signal came since the last Forget.
int Descriptor();
bool Requested();       // by either signal, since the last Forget
bool LeaveRequested();  // by SIGTERM

// Takes back a Ctrl-C, so that the next statement runs.
void Forget();

}  // namespace oscope::cli::interrupts
