// Checks the clauses of a SELECT around its condition. Variables are declared by their first appearance after SELECT,
// before anything else is checked, because a column may be a field of a variable that is named later. All clauses are
// checked even if one of them has errors, so that one run shows everything that is wrong.
#include <fmt/core.h>

#include <algorithm>

#include "bql/check/scope.h"
#include "bql/syntax/scan.h"

namespace oscope::bql {
namespace {

using ast::Term;

void Declare(Scope& scope, const Term& name) {
  if (name.kind == Term::Kind::kMissing || scope.VariableNamed(name.text)) return;
  scope.Declare(name.text);
  if (scope.variables().size() == kMaxVariables + 1)
    scope.Error(name.span, fmt::format("more than {} variables", kMaxVariables));
}

// Variables first: a column may be a field of one that is named later.
void DeclareVariables(Scope& scope, const ast::Select& select) {
  const bool broken = std::any_of(select.columns.begin(), select.columns.end(),
                                  [](const ast::Column& c) { return c.kind == ast::Column::Kind::kMissing; });
  for (const ast::Column& column : select.columns) {
    Declare(scope, column.variable);
    for (const Term& counted : column.counted) Declare(scope, counted);
  }
  if (scope.variables().empty() && !broken && !select.columns.empty())
    scope.Error(select.columns.front().span, "SELECT names no variable");
}

std::optional<OutputColumn> CheckColumn(Scope& scope, const ast::Column& column) {
  OutputColumn checked;
  switch (column.kind) {
    case ast::Column::Kind::kMissing: return std::nullopt;
    case ast::Column::Kind::kBug: break;
    case ast::Column::Kind::kDistance: checked.kind = OutputColumn::Kind::kDistance; return checked;
    case ast::Column::Kind::kCount: checked.kind = OutputColumn::Kind::kCount; return checked;
    case ast::Column::Kind::kField:
      checked.kind = OutputColumn::Kind::kField;
      checked.field = column.field.text;
      if (!CheckField(scope, column.field)) return std::nullopt;
  }
  checked.variable = scope.VariableNamed(column.variable.text).value_or(0);
  return checked;
}

void CheckColumns(Scope& scope, const ast::Select& select, Select& checked) {
  for (const ast::Column& column : select.columns) {
    if (scope.Stopped()) return;
    if (auto one = CheckColumn(scope, column)) checked.columns.push_back(*std::move(one));
    if (column.kind == ast::Column::Kind::kCount && select.columns.size() > 1) {
      scope.Error(column.span, "COUNT cannot stand beside other columns: it counts the rows that they would show");
    }
  }
}

bool IsAll(const Term& term) {
  return term.kind == Term::Kind::kName && term.quote == 0 && EqualsIgnoringCase(term.text, "ALL");
}

// Sorted, each once; empty for ALL.
std::vector<std::string> CheckProjects(Scope& scope, const std::vector<Term>& from) {
  std::vector<std::string> projects;
  bool all = from.empty();
  for (const Term& term : from) {
    if (scope.Stopped()) break;
    if (IsAll(term)) {
      all = true;
      continue;
    }
    const auto value = scope.TextOf(term);
    if (!value || value->kind == ParameterValue::Kind::kUnknown) continue;
    if (term.kind == Term::Kind::kParameter && EqualsIgnoringCase(value->text, "ALL")) {
      all = true;
    } else if (!scope.catalog().HasProject(value->text)) {
      const std::string nearest = scope.Nearest(value->text, [&] { return scope.catalog().Projects(); });
      scope.Error(term.span, fmt::format("unknown project '{}'{}", value->text, nearest));
    } else {
      projects.push_back(value->text);
    }
  }
  if (all) return {};
  std::sort(projects.begin(), projects.end());
  projects.erase(std::unique(projects.begin(), projects.end()), projects.end());
  return projects;
}

std::optional<OrderBy> CheckOrder(Scope& scope, const ast::OrderBy& order) {
  const ast::Column& column = order.column;
  const bool bare = column.kind == ast::Column::Kind::kField && column.variable.kind == Term::Kind::kMissing;
  if (bare && scope.VariableNamed(column.field.text)) {
    scope.Error(column.span, fmt::format("ORDER BY takes a field or distance: write {}.id", column.field.text));
    return std::nullopt;
  }
  if (bare && scope.variables().size() > 1) {
    scope.Error(column.span,
                fmt::format("a field needs its bug: write {}.{}", scope.variables().front(), column.field.text));
    return std::nullopt;
  }
  if (column.variable.kind != Term::Kind::kMissing && !scope.VariableNamed(column.variable.text)) {
    scope.Error(column.variable.span, fmt::format("'{}' is not a variable of the SELECT{}", column.variable.text,
                                                  NearestVariable(scope, column.variable.text)));
    return std::nullopt;
  }
  auto checked = CheckColumn(scope, column);
  if (!checked) return std::nullopt;
  return OrderBy{*std::move(checked), order.descending};
}

// Null when no metric has the name.
const MetricDefinition* MetricNamed(std::string_view name) {
  for (const MetricDefinition& metric : kMetricDefinitions) {
    const bool is_short = !metric.short_name.empty() && EqualsIgnoringCase(name, metric.short_name);
    if (is_short || EqualsIgnoringCase(name, metric.name)) return &metric;
  }
  return nullptr;
}

std::string UnknownMetric(std::string_view name) {
  std::vector<std::string> known;
  for (const MetricDefinition& metric : kMetricDefinitions) known.emplace_back(metric.name);
  const std::string nearest = Nearest(name, known);
  return fmt::format("unknown metric '{}'{}", name, nearest.empty() ? ": it is " + MetricChoices() : nearest);
}

void CheckUserMetric(Scope& scope, const ast::Metric& metric, Metric& checked) {
  const std::vector<std::string> known = scope.catalog().UserMetrics();
  if (metric.arguments.empty()) {
    if (!metric.broken) scope.Error(metric.span, "u needs the name of a metric of the configuration: u(name)");
    return;
  }
  for (const Term& argument : metric.arguments) {
    const auto value = scope.TextOf(argument);
    checked.arguments.push_back(value ? value->text : "");
  }
  checked.user = checked.arguments.front();
  checked.arguments.erase(checked.arguments.begin());
  if (std::find(known.begin(), known.end(), checked.user) != known.end()) return;
  const std::string hint = known.empty() ? ": the configuration names none" : Nearest(checked.user, known);
  scope.Error(metric.arguments.front().span, fmt::format("unknown metric '{}'{}", checked.user, hint));
}

}  // namespace

Metric CheckMetric(Scope& scope, const ast::Metric& metric) {
  Metric checked;
  if (metric.name.kind == Term::Kind::kMissing) return checked;
  const MetricDefinition* const named = MetricNamed(metric.name.text);
  if (named == nullptr) {
    scope.Error(metric.name.span, UnknownMetric(metric.name.text));
    return checked;
  }
  checked.kind = named->kind;
  if (named->users_own) {
    CheckUserMetric(scope, metric, checked);
  } else if (!metric.arguments.empty()) {
    scope.Error(metric.span, fmt::format("{} takes no arguments", named->name));
  }
  return checked;
}

std::optional<Select> CheckSelect(Scope& scope, const ast::Select& select) {
  Select checked;
  DeclareVariables(scope, select);
  checked.projects = scope.projects = CheckProjects(scope, select.from);
  if (select.metric) checked.metric = scope.metric = CheckMetric(scope, *select.metric);
  CheckColumns(scope, select, checked);
  checked.variables = scope.variables();
  auto where = CheckCondition(scope, select.where);
  if (select.order) checked.order = CheckOrder(scope, *select.order);
  if (select.limit) checked.limit = scope.WholeNumber(*select.limit, "LIMIT", 0);
  if (select.offset) checked.offset = scope.WholeNumber(*select.offset, "OFFSET", 0).value_or(0);
  checked.with_self = select.with_self;
  if (!where) return std::nullopt;
  checked.where = *std::move(where);
  return checked;
}

}  // namespace oscope::bql
