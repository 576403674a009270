// A statement that the program itself wrote, not a user: `similar` and `duplicates` are queries too.
#pragma once

#include <string_view>

#include "base/result.h"
#include "query/run/session.h"

namespace oscope {

// The answer of a SELECT or a CALL. Fails as the statement does; since no user can act on its diagnostics, they become
// the error's message. kInvalid for a statement that gives no rows (EXPLAIN, CREATE QUERY, …).
// Threads: those of the session.
Result<Answer> ExecuteOwnStatement(Session& session, std::string_view statement);

}  // namespace oscope
