#include "query/run/saved_queries.h"

#include <algorithm>

#include "base/suggest.h"
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

Status SaveQuery(Store& store, const bql::SavedQuery& query) {
  OSCOPE_ASSIGN_OR_RETURN(StoreSettings settings, store.Settings());
  std::erase_if(settings.queries, [&](const auto& one) { return SameName(one.first, query.name); });
  settings.queries[query.name] = "CREATE QUERY " + bql::Signature(query) + " AS " + query.text;
  OSCOPE_ASSIGN_OR_RETURN([[maybe_unused]] const uint64_t version, store.SetSettings(settings));
  return {};
}

Status DropQuery(Store& store, const std::string& name) {
  OSCOPE_ASSIGN_OR_RETURN(StoreSettings settings, store.Settings());
  std::vector<std::string> names;
  for (const auto& [known, text] : settings.queries) names.push_back(known);
  if (std::erase_if(settings.queries, [&](const auto& one) { return SameName(one.first, name); }) == 0) {
    const std::vector<bql::SavedQuery>& shipped = bql::ShippedQueries();
    if (std::any_of(shipped.begin(), shipped.end(), [&](const bql::SavedQuery& one) { return SameName(one.name, name); })) {
      return Invalid("query '{}' is a shipped one: it cannot be dropped", name);
    }
    const std::vector<std::string> near = Suggest(name, names);
    return NotFound("there is no saved query '{}'{}{}", name, near.empty() ? "" : ": ", DidYouMean(near));
  }
  OSCOPE_ASSIGN_OR_RETURN([[maybe_unused]] const uint64_t version, store.SetSettings(settings));
  return {};
}

}  // namespace oscope
