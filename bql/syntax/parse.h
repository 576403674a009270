// BQL text -> syntax tree and diagnostics.
//
// As many errors as can be told apart are found at once: after one the parser goes on at the next argument, condition
// or clause. Nothing recurses without bound: a text over the limits is refused before the grammar sees it.
// Threads: pure functions.
//
// Example: ParseStatement("SELECT b FROM ALL WHERE INTERSECT?(b") has one diagnostic, "1:37: expected ',' and a
// pattern".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bql/ast/statement.h"
#include "bql/diagnostic.h"

namespace oscope::bql {

struct SyntaxLimits {
  size_t bytes = 256 << 10;  // of a statement; the option --max-query-bytes
  size_t nesting = 200;      // of parentheses and brackets; the option --max-nesting
  size_t errors = 50;        // that are told; what follows is not looked at
};

struct ParsedStatement {
  // with broken parts when there are errors; nothing when its kind is not even clear
  std::optional<ast::Statement> statement;
  std::vector<Diagnostic> diagnostics;  // in the order of their places
  bool gave_up = false;                 // after SyntaxLimits::errors: there may be more
  bool ok() const { return statement.has_value() && !HasErrors(diagnostics); }
};

// One statement, with or without its `;`.
ParsedStatement ParseStatement(std::string_view text, const SyntaxLimits& limits = {});

}  // namespace oscope::bql
