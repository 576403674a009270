// Parses and checks any bytes as BQL against a small catalog. Diagnostics must lie in the text, a query that is
// accepted must be the same once it is printed and read again, and what is hinted at must be of the text before the
// cursor.
#include "bql/check/check.h"
#include "bql/check/print.h"
#include "bql/syntax/hints.h"
#include "bql/syntax/split.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

std::string CheckOne(std::string_view text) {
  static const ListCatalog catalog;
  CheckContext context;
  context.parameters = {{"tbug", "b1"}, {"len", "50"}, {"a", "open"}, {"b", "read | write"}};
  const CheckedStatement checked = Compile(text, catalog, context);
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    OSCOPE_CHECK(diagnostic.span.begin <= diagnostic.span.end && diagnostic.span.end <= text.size());
    OSCOPE_CHECK(!diagnostic.message.empty());
  }
  OSCOPE_CHECK(RenderDiagnostics(text, checked.diagnostics).empty() == checked.diagnostics.empty());
  const std::string told = RenderShort(text, checked.diagnostics);
  if (!checked.select) return told.empty() ? "no query" : told;
  const std::string printed = Print(*checked.select);
  // The same query may be longer once parameters are put in.
  context.syntax_limits.bytes = SIZE_MAX;
  const CheckedStatement again = Compile(printed, catalog, context);
  OSCOPE_CHECK(again.select && *again.select == *checked.select);
  return printed + told;
}

void Hint(std::string_view text, size_t cursor) {
  const SyntaxHints hints = HintsAt(text, static_cast<uint32_t>(cursor));
  OSCOPE_CHECK(hints.replace_begin <= cursor);
  OSCOPE_CHECK(std::is_sorted(hints.keywords.begin(), hints.keywords.end()));
  const SyntaxHints of_prefix = HintsAt(text.substr(0, cursor), static_cast<uint32_t>(cursor));
  OSCOPE_CHECK(hints.keywords == of_prefix.keywords && hints.variables == of_prefix.variables &&
               hints.replace_begin == of_prefix.replace_begin);
}

}  // namespace
}  // namespace oscope::bql

std::string oscope::DescribeInput(std::string_view text) {
  size_t statements = 0, end = 0;
  for (const auto& statement : bql::SplitStatements(text)) {
    OSCOPE_CHECK(statement.offset >= end && statement.offset + statement.text.size() <= text.size());
    OSCOPE_CHECK(text.substr(statement.offset, statement.text.size()) == statement.text);
    end = statement.offset + statement.text.size();
    ++statements;
  }
  bql::Hint(text, text.size() / 2);
  bql::Hint(text, text.size());
  return fmt::format("{} statements; {}", statements, bql::CheckOne(text));
}
