// The session that a command asks for similar bugs: opened in the background with the options of the command line, and
// shown at work.
#pragma once

#include "cli/context/context.h"
#include "index/store/store.h"
#include "query/run/session_opening.h"

namespace oscope::cli {

// Begins to open a session on the store, with --partial, the project at hand and the user's own metrics. What is wrong
// with one of these is told by SessionOpening::Ready, as is what goes wrong while the store is read.
SessionOpening StartSession(const Context& context, Store store, Readiness readiness);

}  // namespace oscope::cli
