// Parses a BQL text: returns a syntax tree and diagnostics.
//
// All errors of a text are found together: after an error the parser goes on at the next argument, condition or clause.
// A text beyond the limits is refused before the grammar sees it, so that recursion is bounded.
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
  size_t errors = 50;        // that are reported; the parser gives up after them
};

struct ParsedStatement {
  // with broken parts when there are errors; nothing when its kind is not even clear
  std::optional<ast::Statement> statement;
  std::vector<Diagnostic> diagnostics;  // in the order of their places
  bool gave_up = false;                 // after SyntaxLimits::errors: there may be more
  bool ok() const { return statement.has_value() && !HasErrors(diagnostics); }
};

// Parses one statement, with or without its `;`. Never fails: what is wrong is in the diagnostics.
ParsedStatement ParseStatement(std::string_view text, const SyntaxLimits& limits = {});

}  // namespace oscope::bql
