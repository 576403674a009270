#include "bql/check/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "bql/check/scope.h"

namespace oscope::bql {
namespace {

using ast::Term;

std::vector<std::string> QueryNames(const CheckContext& context) {
  std::vector<std::string> names;
  for (const auto* queries : {&context.saved_queries, &ShippedQueries()}) {
    for (const SavedQuery& query : *queries) names.push_back(query.name);
  }
  return names;
}

void Error(CheckedStatement& checked, TextSpan span, std::string message) {
  checked.diagnostics.push_back({Severity::kError, span, std::move(message)});
}

void ErrorUnknownQuery(CheckedStatement& checked, const Term& name, const CheckContext& context) {
  Error(checked, name.span, fmt::format("unknown query '{}'{}", name.text, Nearest(name.text, QueryNames(context))));
}

// An error in the saved text at `:name` is one of the argument for it; any other is one of the call as a whole.
TextSpan PlaceInCall(const SavedQuery& query, const ast::Call& call, TextSpan span) {
  const std::string_view text = std::string_view(query.text).substr(std::min<size_t>(span.begin, query.text.size()));
  for (size_t i = 0; i < query.parameters.size(); ++i) {
    const std::string& name = query.parameters[i].name;
    if (text.substr(0, span.end - span.begin) != ":" + name) continue;
    for (size_t place = 0; place < call.arguments.size(); ++place) {
      const ast::Argument& argument = call.arguments[place];
      if (argument.name ? argument.name->text == name : place == i) return argument.value.span;
    }
  }
  return call.span;
}

void CheckCall(const ast::Call& call, const Catalog& catalog, const CheckContext& context, CheckedStatement& checked) {
  if (call.name.kind == Term::Kind::kMissing) return;
  const SavedQuery* query = FindSavedQuery(context.saved_queries, call.name.text);
  if (query == nullptr) return ErrorUnknownQuery(checked, call.name, context);
  auto values = BindArguments(*query, call, context.parameters, checked.diagnostics);
  if (!values || call.broken) return;
  std::vector<Diagnostic> inside;
  checked.select = CheckSavedQuery(*query, *values, catalog, context, inside);
  for (Diagnostic& diagnostic : inside) {
    diagnostic.span = PlaceInCall(*query, call, diagnostic.span);
    checked.diagnostics.push_back(std::move(diagnostic));
  }
  checked.call = BoundCall{*query, *std::move(values)};
}

// A definition is checked with parameters that may be anything: names, fields and fixed arguments are wrong now or
// never.
void CheckDefinition(const ast::Definition& definition, const Catalog& catalog, const CheckContext& context,
                     CheckedStatement& checked) {
  if (const SavedQuery* known = FindSavedQuery(context.saved_queries, definition.name.text)) {
    Error(checked, definition.name.span,
          known->shipped ? fmt::format("'{}' is a query that comes with the program", known->name)
                         : fmt::format("there is a query '{}': DROP QUERY it first", known->name));
  }
  auto query = DefinitionOf(definition, checked.diagnostics);
  CheckContext open = context;
  open.parameters.clear();
  open.parameters.emplace(std::string(kBugAtHand), ParameterValue::Unknown());
  for (const ast::QueryParameter& parameter : definition.parameters) {
    open.parameters.insert_or_assign(parameter.name.text, ParameterValue::Unknown());
  }
  Scope scope(catalog, open, checked.diagnostics);
  CheckSelect(scope, definition.select);
  checked.definition = std::move(query);
}

void CheckDrop(const Term& name, const CheckContext& context, CheckedStatement& checked) {
  checked.name = name.text;
  const SavedQuery* query = FindSavedQuery(context.saved_queries, name.text);
  if (query == nullptr) {
    ErrorUnknownQuery(checked, name, context);
  } else if (query->shipped) {
    Error(checked, name.span, fmt::format("'{}' is a query that comes with the program", query->name));
  } else {
    checked.name = query->name;
  }
}

// An error never comes with a query that could be run by mistake.
void Finish(CheckedStatement& checked) {
  auto& all = checked.diagnostics;
  std::stable_sort(all.begin(), all.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  std::vector<Diagnostic> once;
  for (Diagnostic& diagnostic : all) {
    if (std::find(once.begin(), once.end(), diagnostic) == once.end()) once.push_back(std::move(diagnostic));
  }
  all = std::move(once);
  if (!HasErrors(all)) return;
  checked.select.reset();
  checked.definition.reset();
}

}  // namespace

std::optional<Select> CheckSavedQuery(const SavedQuery& query, const Parameters& values, const Catalog& catalog,
                                      const CheckContext& context, std::vector<Diagnostic>& diagnostics) {
  ParsedStatement parsed = ParseStatement(query.text, context.syntax_limits);
  std::vector<Diagnostic> found = std::move(parsed.diagnostics);
  std::optional<Select> select;
  if (parsed.statement && parsed.statement->kind == ast::Statement::Kind::kSelect) {
    CheckContext bound = context;
    bound.parameters = values;
    Scope scope(catalog, bound, found);
    select = CheckSelect(scope, parsed.statement->select);
  } else if (!HasErrors(found)) {
    found.push_back({Severity::kError, {}, "a saved query is a SELECT"});
  }
  for (Diagnostic& diagnostic : found) diagnostic.message = fmt::format("in {}: {}", query.name, diagnostic.message);
  if (HasErrors(found)) select.reset();
  std::move(found.begin(), found.end(), std::back_inserter(diagnostics));
  return select;
}

CheckedStatement Check(const ast::Statement& statement, const Catalog& catalog, const CheckContext& context) {
  CheckedStatement checked;
  checked.kind = statement.kind;
  checked.explain = statement.explain;
  checked.analyze = statement.analyze;
  switch (statement.kind) {
    case ast::Statement::Kind::kSelect: {
      Scope scope(catalog, context, checked.diagnostics);
      checked.select = CheckSelect(scope, statement.select);
      break;
    }
    case ast::Statement::Kind::kCall: CheckCall(statement.call, catalog, context, checked); break;
    case ast::Statement::Kind::kCreateQuery: CheckDefinition(statement.definition, catalog, context, checked); break;
    case ast::Statement::Kind::kShowQueries: break;
    case ast::Statement::Kind::kDropQuery: CheckDrop(statement.name, context, checked); break;
  }
  Finish(checked);
  return checked;
}

CheckedStatement Compile(std::string_view text, const Catalog& catalog, const CheckContext& context) {
  ParsedStatement parsed = ParseStatement(text, context.syntax_limits);
  CheckedStatement checked;
  if (parsed.statement) checked = Check(*parsed.statement, catalog, context);
  checked.diagnostics.insert(checked.diagnostics.begin(), parsed.diagnostics.begin(), parsed.diagnostics.end());
  Finish(checked);
  return checked;
}

}  // namespace oscope::bql
