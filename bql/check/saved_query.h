// A saved query: a SELECT with parameters under a name. `CALL name(…)` is that SELECT with the arguments put in.
//
//   CREATE QUERY suffix(bug, len = 50, d = 10) AS SELECT b FROM ALL WHERE SUBSET?(:bug.failing[:len], b.failing[:len],
//   :d)
//   CALL suffix(`BEANUTILS-342`, d => 20)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bql/ast/statement.h"
#include "bql/check/parameters.h"
#include "bql/diagnostic.h"

namespace oscope::bql {

struct SavedQueryParameter {
  std::string name;
  std::optional<std::string> default_value;  // as written: 50, 'text', Rhino
  bool operator==(const SavedQueryParameter&) const = default;
};

struct SavedQuery {
  std::string name;
  std::vector<SavedQueryParameter> parameters;  // those with a default come last
  std::string text;                             // the SELECT, in which a parameter is `:name`
  bool shipped = false;
  bool operator==(const SavedQuery&) const = default;
};

// suffix, regex, stack, duplicates, before: in this order.
const std::vector<SavedQuery>& ShippedQueries();

std::string Signature(const SavedQuery& query);                   // "suffix(bug, len = 50, d = 10)"
std::string ParameterText(const SavedQueryParameter& parameter);  // "len = 50"

// Among `saved`, then the shipped ones; without regard to case. Null when there is none.
const SavedQuery* FindSavedQuery(const std::vector<SavedQuery>& saved, std::string_view name);

// The parameters' values in a call: arguments by place or by name, then defaults; an argument that is itself a
// parameter is looked up in `session`. `:tbug` is passed on from `session` too. Nothing after an error, each located at
// its argument.
std::optional<Parameters> BindArguments(const SavedQuery& query, const ast::Call& call, const Parameters& session,
                                        std::vector<Diagnostic>& diagnostics);

// Checks a CREATE QUERY: its names must differ, and parameters with defaults come last. Returns nothing after an error.
std::optional<SavedQuery> DefinitionOf(const ast::Definition& definition, std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
