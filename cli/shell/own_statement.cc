#include "cli/shell/own_statement.h"

#include "cli/shell/query_progress.h"

namespace oscope::cli {

Result<Answer> RunOwnStatement(const Context& context, Session& session, std::string_view statement) {
  StatementResult result;
  {
    QueryProgressBar bar(context.quiet());
    session.options().on_progress = [&bar](const QueryProgress& progress) { bar.Show(progress); };
    result = session.Execute(statement);
    session.options().on_progress = nullptr;
  }
  if (result.answer) return *std::move(result.answer);
  if (!result.error) return Invalid("{}: gave no answer", statement);
  Error error = *std::move(result.error);
  if (bql::HasErrors(result.diagnostics)) error.message = bql::RenderShort(statement, result.diagnostics);
  return error;
}

}  // namespace oscope::cli
