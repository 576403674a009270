// Checks a syntax tree and makes a query of it: names are looked up, parameters are filled in, arguments are checked.
//
// All errors are reported together, each with its place. What is only suspicious (a name that no event has, a distance
// with which everything matches) is a warning. Parts that the parser found broken are skipped, since it has reported
// them.
// Threads: pure functions, as far as the catalog is one.
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

// At most this many errors and warnings of a statement are reported, errors first; one more says how many were left
// out.
inline constexpr size_t kMaxDiagnostics = 50;

struct CheckContext {
  Parameters parameters;
  std::vector<SavedQuery> saved_queries;  // the user's; the shipped ones are always there
  SyntaxLimits syntax_limits;
  PatternLimits pattern_limits;
  // Called for every part of the statement. When it returns an error (cancelled, out of time) the check ends; see
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
  std::optional<Error> stopped;          // the error of CheckContext::ask, which ended the check before its end
  bool ok() const { return !stopped && !HasErrors(diagnostics); }
};

CheckedStatement Check(const ast::Statement& statement, const Catalog& catalog, const CheckContext& context);

// Parses and checks; the diagnostics of both.
CheckedStatement Compile(std::string_view text, const Catalog& catalog, const CheckContext& context);

// Returns the SELECT of a saved query with these values, or nullopt after errors. The places of the diagnostics are in
// the query's own text.
std::optional<Select> CheckSavedQuery(const SavedQuery& query, const Parameters& values, const Catalog& catalog,
                                      const CheckContext& context, std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
