// Parses and checks any bytes as BQL against a small catalog. Diagnostics must lie in the text, and a query that is accepted must be
// the same once it is printed and read again.
#include <cstddef>
#include <cstdint>

#include "bql/check/check.h"
#include "bql/check/print.h"
#include "bql/syntax/hints.h"
#include "bql/syntax/split.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

void CheckOne(std::string_view text) {
  static const ListCatalog catalog;
  CheckContext context;
  context.parameters = {{"tbug", "b1"}, {"len", "50"}, {"a", "open"}, {"b", "read | write"}};
  const CheckedStatement checked = Compile(text, catalog, context);
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    OSCOPE_CHECK(diagnostic.span.begin <= diagnostic.span.end && diagnostic.span.end <= text.size());
  }
  RenderDiagnostics(text, checked.diagnostics);
  if (!checked.select) return;
  const std::string printed = Print(*checked.select);
  // The same query may be longer once parameters are put in.
  context.syntax_limits.bytes = SIZE_MAX;
  const CheckedStatement again = Compile(printed, catalog, context);
  OSCOPE_CHECK(again.select && *again.select == *checked.select);
}

}  // namespace
}  // namespace oscope::bql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  oscope::bql::CheckOne(text);
  for (const auto& statement : oscope::bql::SplitStatements(text)) OSCOPE_CHECK(statement.offset + statement.text.size() <= size);
  oscope::bql::HintsAt(text, static_cast<uint32_t>(size / 2));
  oscope::bql::HintsAt(text, static_cast<uint32_t>(size));
  return 0;
}
