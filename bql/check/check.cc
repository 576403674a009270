// The entry of the checks, and what happens around them. A statement is parsed as far as possible and checked as far
// as possible, so that a user sees all errors at once: CheckAll never stops at the first one, except when the caller
// wants to stop. Finish then removes repetitions, orders the diagnostics by place and keeps the first fifty, errors
// before warnings.
//
// A call of a saved query is checked as the query's own SELECT with the arguments put in. An error in its text is
// shown at the argument that caused it, or at the call as a whole (PlacesInCall), because the user does not see that
// text.
#include "bql/check/check.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

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
class PlacesInCall {
 public:
  PlacesInCall(const SavedQuery& query, const ast::Call& call) : query_(query), call_(call) {
    for (size_t place = 0; place < call.arguments.size(); ++place) {
      const ast::Argument& argument = call.arguments[place];
      if (argument.name) {
        argument_for_.emplace(argument.name->text, argument.value.span);
      } else if (place < query.parameters.size()) {
        argument_for_.emplace(query.parameters[place].name, argument.value.span);
      }
    }
  }

  TextSpan Of(TextSpan span) const {
    const std::string_view text(query_.text);
    const std::string_view part = text.substr(std::min<size_t>(span.begin, text.size()), span.end - span.begin);
    if (!part.starts_with(':')) return call_.span;
    const auto argument = argument_for_.find(std::string(part.substr(1)));
    return argument == argument_for_.end() ? call_.span : argument->second;
  }

 private:
  const SavedQuery& query_;
  const ast::Call& call_;
  std::unordered_map<std::string, TextSpan> argument_for_;  // by the parameter's name
};

void CheckCall(const ast::Call& call, const Catalog& catalog, const CheckContext& context, CheckedStatement& checked) {
  if (call.name.kind == Term::Kind::kMissing) return;
  const SavedQuery* query = FindSavedQuery(context.saved_queries, call.name.text);
  if (query == nullptr) return ErrorUnknownQuery(checked, call.name, context);
  auto values = BindArguments(*query, call, context.parameters, checked.diagnostics);
  if (!values || call.broken) return;
  std::vector<Diagnostic> inside;
  checked.select = CheckSavedQuery(*query, *values, catalog, context, inside);
  const PlacesInCall places(*query, call);
  for (Diagnostic& diagnostic : inside) {
    diagnostic.span = places.Of(diagnostic.span);
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
                         : fmt::format("there is a query '{}' already: remove it with DROP QUERY first", known->name));
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

std::string Counted(size_t count, std::string_view what) {
  return fmt::format("{} more {}{}", count, what, count == 1 ? "" : "s");
}

// The first kMaxDiagnostics, errors before warnings, and one that says how many were left out. `all` is in the order of
// places, and stays so.
void LeaveTheFirst(std::vector<Diagnostic>& all) {
  if (all.size() <= kMaxDiagnostics) return;
  const auto errors = static_cast<size_t>(
      std::count_if(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::kError; }));
  size_t errors_left = std::min(errors, kMaxDiagnostics), warnings_left = kMaxDiagnostics - errors_left;
  const size_t more_errors = errors - errors_left, more_warnings = all.size() - errors - warnings_left;
  std::erase_if(all, [&](const Diagnostic& diagnostic) {
    size_t& left = diagnostic.severity == Severity::kError ? errors_left : warnings_left;
    if (left == 0) return true;
    --left;
    return false;
  });
  std::string message = more_errors > 0 ? Counted(more_errors, "error") : "";
  if (more_warnings > 0) message += (message.empty() ? "" : " and ") + Counted(more_warnings, "warning");
  const bool one = more_errors + more_warnings == 1;
  all.push_back({more_errors > 0 ? Severity::kError : Severity::kWarning, all.back().span,
                 fmt::format("{} {} not shown", message, one ? "is" : "are")});
}

// An error never comes with a query that could be run by mistake.
void Finish(CheckedStatement& checked) {
  std::vector<Diagnostic> once;
  std::set<std::tuple<uint32_t, uint32_t, Severity, std::string_view>> known;
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    const TextSpan span = diagnostic.span;
    if (known.emplace(span.begin, span.end, diagnostic.severity, diagnostic.message).second) once.push_back(diagnostic);
  }
  std::stable_sort(once.begin(), once.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  LeaveTheFirst(once);
  checked.diagnostics = std::move(once);
  if (checked.ok()) return;
  checked.select.reset();
  checked.definition.reset();
}

CheckedStatement CheckAll(const ast::Statement& statement, const Catalog& catalog, const CheckContext& given) {
  CheckedStatement checked;
  checked.kind = statement.kind;
  checked.explain = statement.explain;
  checked.analyze = statement.analyze;
  // Once it is to stop it stays so, whatever is answered later: what was left out is not taken for checked.
  CheckContext context = given;
  context.ask = [&]() -> Status {
    if (Status go_on = checked.stopped ? Status() : given.ask(); !go_on.ok())
      checked.stopped = std::move(go_on).error();
    return checked.stopped ? Status(*checked.stopped) : Status();
  };
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
  return checked;
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
  CheckedStatement checked = CheckAll(statement, catalog, context);
  Finish(checked);
  return checked;
}

CheckedStatement Compile(std::string_view text, const Catalog& catalog, const CheckContext& context) {
  ParsedStatement parsed = ParseStatement(text, context.syntax_limits);
  CheckedStatement checked;
  if (parsed.statement) checked = CheckAll(*parsed.statement, catalog, context);
  checked.diagnostics.insert(checked.diagnostics.begin(), parsed.diagnostics.begin(), parsed.diagnostics.end());
  Finish(checked);
  if (parsed.gave_up)
    Error(checked, checked.diagnostics.back().span, "too many errors: the rest of the statement was not read");
  return checked;
}

}  // namespace oscope::bql
