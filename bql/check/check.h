// Syntax tree -> checked query: names are looked up, parameters put in, arguments checked.
//
// Everything wrong is told at once, located; what is only odd (a name that no event has, a d under which everything
// matches) is a warning. The parts that the parser found broken are passed over in silence: it told of them.
// Threads: pure functions (of a catalog that is).
//
// Example:
//   CheckedStatement checked = Compile("SELECT b FROM Rhino WHERE INTERSECT?(b, \"close\")", catalog, {});
//   if (!checked.ok()) std::cerr << RenderDiagnostics(text, checked.diagnostics);
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bql/ast/statement.h"
#include "bql/check/catalog.h"
#include "bql/check/parameters.h"
#include "bql/check/query.h"
#include "bql/check/saved_query.h"
#include "bql/diagnostic.h"
#include "bql/pattern/pattern.h"
#include "bql/syntax/parse.h"

namespace oscope::bql {

// So many errors and warnings are told of a statement, errors first; a last one says how many more there were.
inline constexpr size_t kMaxDiagnostics = 50;

struct CheckContext {
  Parameters parameters;
  std::vector<SavedQuery> saved_queries;  // the user's; the shipped ones are always there
  SyntaxLimits syntax_limits;
  PatternLimits pattern_limits;
  // Asked for every part of the statement: an error (cancelled, out of time) ends the check, see
  // CheckedStatement::stopped.
  std::function<Status()> ask = [] { return Status(); };
};

// A CALL with its arguments: to run the same query with another value, change it here and use CheckSavedQuery.
struct BoundCall {
  SavedQuery query;
  Parameters values;
};

struct CheckedStatement {
  ast::Statement::Kind kind = ast::Statement::Kind::kSelect;
  bool explain = false;
  bool analyze = false;
  std::optional<Select> select;          // of SELECT and CALL, when there is no error
  std::optional<BoundCall> call;         // of CALL
  std::optional<SavedQuery> definition;  // of CREATE QUERY
  std::string name;                      // of DROP QUERY
  std::vector<Diagnostic> diagnostics;   // in the order of their places
  std::optional<Error> stopped;          // what CheckContext::ask said: not all was checked
  bool ok() const { return !stopped && !HasErrors(diagnostics); }
};

CheckedStatement Check(const ast::Statement& statement, const Catalog& catalog, const CheckContext& context);

// Parses and checks; the diagnostics of both.
CheckedStatement Compile(std::string_view text, const Catalog& catalog, const CheckContext& context);

// The SELECT of a saved query with these values. Diagnostics lie in the query's own text.
std::optional<Select> CheckSavedQuery(const SavedQuery& query, const Parameters& values, const Catalog& catalog,
                                      const CheckContext& context, std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
