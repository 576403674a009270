#include "cli/session/own_statement.h"

#include "cli/session/query_progress.h"
#include "query/run/own_statement.h"

namespace oscope::cli {

Result<Answer> RunOwnStatement(const Context& context, Session& session, std::string_view statement) {
  const ShownProgress progress(session, context.quiet());
  return ExecuteOwnStatement(session, statement);
}

}  // namespace oscope::cli
