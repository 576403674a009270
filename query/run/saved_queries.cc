// Saved queries are kept as the text of their CREATE QUERY statement in the store's settings, and are parsed when they
// are read. One that this release cannot parse is passed over, so that a newer release's query does not make the store
// unusable.
#include "query/run/saved_queries.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/suggest.h"
#include "bql/ast/print.h"
#include "bql/syntax/parse.h"

namespace oscope {
namespace {

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

}  // namespace

std::vector<bql::SavedQuery> ReadSavedQueries(const StoreSettings& settings) {
  std::vector<bql::SavedQuery> queries;
  for (const auto& [name, text] : settings.queries) {
    const bql::ParsedStatement parsed = bql::ParseStatement(text);
    if (!parsed.ok() || parsed.statement->kind != bql::ast::Statement::Kind::kCreateQuery) continue;
    std::vector<bql::Diagnostic> diagnostics;
    if (auto query = bql::DefinitionOf(parsed.statement->definition, diagnostics)) queries.push_back(*std::move(query));
  }
  return queries;
}

Result<std::string> CallAboutBugAtHand(const std::vector<bql::SavedQuery>& saved, std::string_view call) {
  const bool with_arguments = call.find('(') != std::string_view::npos;
  std::string statement = fmt::format("CALL {}", call);
  if (const bql::SavedQuery* query = bql::FindSavedQuery(saved, call); query != nullptr) {
    statement = "CALL " + bql::ast::NameText(query->name);
    if (!query->parameters.empty()) statement += fmt::format("({})", bql::kBugAtHand);
  } else if (!with_arguments) {
    std::vector<std::string> names;
    for (const auto* queries : {&saved, &bql::ShippedQueries()}) {
      for (const bql::SavedQuery& known : *queries) names.push_back(known.name);
    }
    const std::string near = DidYouMean(Suggest(call, names));
    return NotFound("there is no saved query '{}'{}{}", call, near.empty() ? "" : ": ", near);
  }
  const bql::ParsedStatement parsed = bql::ParseStatement(statement);
  if (!parsed.ok()) return Invalid("query {}: {}", call, parsed.diagnostics.front().message);
  if (parsed.statement->kind != bql::ast::Statement::Kind::kCall)
    return Invalid("query {}: is not a call of a saved query", call);
  const bql::SavedQuery* query = bql::FindSavedQuery(saved, parsed.statement->call.name.text);
  if (query == nullptr) return NotFound("there is no saved query '{}'", parsed.statement->call.name.text);
  std::vector<bql::Diagnostic> diagnostics;
  const bql::Parameters at_hand = {{std::string(bql::kBugAtHand), bql::ParameterValue::Unknown()}};
  if (!bql::BindArguments(*query, parsed.statement->call, at_hand, diagnostics)) {
    return Invalid("query {}: {}", call, diagnostics.front().message);
  }
  return statement;
}

Status SaveQuery(Store& store, const bql::SavedQuery& query) {
  const auto save = [&](StoreSettings& settings) -> Status {
    StoreSettings same;
    for (const auto& [name, text] : settings.queries) {
      if (SameName(name, query.name)) same.queries.emplace(name, text);
    }
    if (const auto known = ReadSavedQueries(same); !known.empty())
      return Conflict("there is a query '{}' already: remove it with DROP QUERY first", known[0].name);
    // One that cannot be read is none, here as everywhere.
    std::erase_if(settings.queries, [&](const auto& one) { return same.queries.contains(one.first); });
    settings.queries[query.name] = "CREATE QUERY " + bql::Signature(query) + " AS " + query.text;
    return {};
  };
  OSCOPE_RETURN_IF_ERROR(store.EditSettings(save));
  return {};
}

Status DropQuery(Store& store, const std::string& name) {
  const auto drop = [&](StoreSettings& settings) -> Status {
    if (std::erase_if(settings.queries, [&](const auto& one) { return SameName(one.first, name); }) > 0) return {};
    const std::vector<bql::SavedQuery>& shipped = bql::ShippedQueries();
    if (std::any_of(shipped.begin(), shipped.end(),
                    [&](const bql::SavedQuery& one) { return SameName(one.name, name); })) {
      return Invalid("query '{}' is a shipped one: it cannot be dropped", name);
    }
    std::vector<std::string> names;
    for (const auto& [known, text] : settings.queries) names.push_back(known);
    const std::vector<std::string> near = Suggest(name, names);
    return NotFound("there is no saved query '{}'{}{}", name, near.empty() ? "" : ": ", DidYouMean(near));
  };
  OSCOPE_RETURN_IF_ERROR(store.EditSettings(drop));
  return {};
}

}  // namespace oscope
