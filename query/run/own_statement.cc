// Runs a statement that the program wrote; its diagnostics become the message of an error, since no user wrote the
// text they point into.
#include "query/run/own_statement.h"

#include <utility>

namespace oscope {

Result<Answer> ExecuteOwnStatement(Session& session, std::string_view statement) {
  StatementResult result = session.Execute(statement);
  if (result.answer) return *std::move(result.answer);
  if (!result.error) return Invalid("{}: gave no answer", statement);
  Error error = *std::move(result.error);
  if (bql::HasErrors(result.diagnostics)) error.message = bql::RenderShort(statement, result.diagnostics);
  return error;
}

}  // namespace oscope
