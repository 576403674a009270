// A statement that a command of ours wrote: `similar` and `duplicates` are queries too.
#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/context/context.h"
#include "query/run/session.h"

namespace oscope::cli {

// ExecuteOwnStatement of query/run, with a progress bar.
Result<Answer> RunOwnStatement(const Context& context, Session& session, std::string_view statement);

}  // namespace oscope::cli
