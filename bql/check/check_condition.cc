// Checks conditions: the two kinds of predicates, and how they are combined.
//
// Arguments after the bug and the pattern may be given by position or by name. They are brought into one order first
// (NameArguments), so that each argument is checked in one place, and an argument that is given twice or unknown is
// reported where it stands. All errors of a predicate are reported, and a predicate with errors gives no result; the
// parts around it are still checked.
//
// The result is normalised a little. Chains of && and || become flat, however many parentheses the text has, and
// negations are reduced to at most two. Not to none or one: `!!x` is not `x`, because a predicate that is not negated
// gives its row a distance, and a negated one does not.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "bql/ast/print.h"
#include "bql/check/fields.h"
#include "bql/check/scope.h"
#include "bql/syntax/scan.h"

namespace oscope::bql {
namespace {

using ast::Term;

// ---- The arguments after bug and pattern ----

// In the paper's order.
std::vector<std::string> ArgumentNames(ast::SetPredicate::Kind kind) {
  switch (kind) {
    case ast::SetPredicate::Kind::kIntersect: return {"d", "n"};
    case ast::SetPredicate::Kind::kJaccard: return {"t", "d"};
    case ast::SetPredicate::Kind::kSubset: return {"d"};
  }
  return {};
}

std::string Usage(ast::SetPredicate::Kind kind) {
  switch (kind) {
    case ast::SetPredicate::Kind::kIntersect: return "INTERSECT?(bug, pattern, d, n)";
    case ast::SetPredicate::Kind::kJaccard: return "JACCARD?(bug, pattern, t, d)";
    case ast::SetPredicate::Kind::kSubset: return "SUBSET?(bug, pattern, d)";
  }
  return "";
}

// The values by name; an empty name stands for an argument whose error has been reported.
struct NamedArgument {
  std::string name;
  const ast::Argument* argument;
};

std::vector<NamedArgument> NameArguments(Scope& scope, const ast::SetPredicate& predicate) {
  const std::vector<std::string> names = ArgumentNames(predicate.kind);
  std::vector<NamedArgument> named;
  bool by_name = false;
  for (size_t i = 0; i < predicate.arguments.size(); ++i) {
    const ast::Argument& argument = predicate.arguments[i];
    std::string name;
    if (argument.name) {
      by_name = true;
      const auto found = std::find_if(names.begin(), names.end(),
                                      [&](const std::string& n) { return EqualsIgnoringCase(n, argument.name->text); });
      if (found != names.end())
        name = *found;
      else
        scope.Error(argument.name->span,
                    fmt::format("{} has no argument '{}': {}", ast::SetPredicateName(predicate.kind),
                                argument.name->text, Usage(predicate.kind)));
    } else if (by_name) {
      scope.Error(argument.span, "an argument without a name cannot follow a named one");
    } else if (i >= names.size()) {
      scope.Error(argument.span, fmt::format("too many arguments: {}", Usage(predicate.kind)));
    } else {
      name = names[i];
    }
    if (name.empty()) continue;
    const bool twice = std::any_of(named.begin(), named.end(), [&](const NamedArgument& n) { return n.name == name; });
    if (twice)
      scope.Error(argument.span, fmt::format("'{}' is given twice", name));
    else
      named.push_back({name, &argument});
  }
  return named;
}

bool IsAny(const Term& term) {
  return term.kind == Term::Kind::kName && term.quote == 0 && EqualsIgnoringCase(term.text, "any");
}

bool IsAmount(Scope& scope, const std::string& name, const Term& value) {
  if (value.kind == Term::Kind::kNumber || value.kind == Term::Kind::kParameter) return true;
  scope.Error(value.span,
              fmt::format("{} is a number{}, not {}", name, name == "d" ? " or any" : "", ast::ToText(value)));
  return false;
}

bool SetArgument(Scope& scope, const NamedArgument& named, SetPredicate& checked) {
  const Term& value = named.argument->value;
  if (named.name == "d" && IsAny(value)) {
    checked.distance.reset();
    return true;
  }
  if (!IsAmount(scope, named.name, value)) return false;
  if (named.name == "t") {
    const auto threshold = scope.Fraction(value, "t");
    checked.threshold = threshold.value_or(0);
    return threshold.has_value();
  }
  const auto number = scope.WholeNumber(value, named.name, named.name == "n" ? 1 : 0);
  if (!number) return false;
  (named.name == "n" ? checked.count : *checked.distance) = *number;
  return true;
}

void WarnIfAllMatch(Scope& scope, const SetPredicate& checked, TextSpan span) {
  const MetricDefinition& metric = scope.metric.definition();
  if (metric.patterns != PatternUse::kMeasured || metric.scale != DistanceScale::kEdits) return;
  const auto shortest = ShortestWord(checked.right);
  if (!shortest || !checked.distance || *checked.distance < *shortest) return;
  scope.Warn(span, *shortest == 0
                       ? "every trace matches: the pattern matches a trace without events"
                       : fmt::format("every trace matches: {} edits can turn any trace into the pattern's {} event{}",
                                     *checked.distance, *shortest, *shortest == 1 ? "" : "s"));
}

std::optional<SetPredicate> CheckSetPredicate(Scope& scope, const ast::SetPredicate& predicate) {
  SetPredicate checked;
  checked.kind = static_cast<SetPredicate::Kind>(predicate.kind);
  checked.span = predicate.span;
  auto left =
      CheckBug(scope, predicate.left, fmt::format("the first argument of {}", ast::SetPredicateName(predicate.kind)));
  auto right = CheckPattern(scope, predicate.right);
  bool complete = left && right && !predicate.broken;
  const std::vector<NamedArgument> named = NameArguments(scope, predicate);
  for (const NamedArgument& argument : named) complete &= SetArgument(scope, argument, checked);
  const bool has_t = std::any_of(named.begin(), named.end(), [](const NamedArgument& n) { return n.name == "t"; });
  const bool needs_t = predicate.kind == ast::SetPredicate::Kind::kJaccard && !predicate.broken;
  if (needs_t && !has_t && named.size() == predicate.arguments.size()) {
    scope.Error(predicate.span, fmt::format("JACCARD? needs t: {}", Usage(predicate.kind)));
    complete = false;
  }
  if (!complete) return std::nullopt;
  checked.left = *std::move(left);
  checked.right = *std::move(right);
  const auto d = std::find_if(named.begin(), named.end(), [](const NamedArgument& n) { return n.name == "d"; });
  WarnIfAllMatch(scope, checked, d == named.end() ? checked.right.span : d->argument->span);
  return checked;
}

// ---- Fields ----

std::optional<FieldPredicate> CheckFieldPredicate(Scope& scope, const ast::FieldPredicate& predicate) {
  FieldPredicate checked;
  checked.op = static_cast<FieldPredicate::Op>(predicate.op);
  checked.negated = predicate.negated;
  checked.span = predicate.span;
  bool complete = !predicate.broken;
  if (const auto variable = scope.VariableNamed(predicate.variable.text)) {
    checked.variable = *variable;
  } else if (predicate.variable.kind != Term::Kind::kMissing) {
    scope.Error(predicate.variable.span, fmt::format("'{}' is not a variable of the SELECT{}", predicate.variable.text,
                                                     NearestVariable(scope, predicate.variable.text)));
    complete = false;
  }
  if (predicate.field.kind == Term::Kind::kMissing || !CheckField(scope, predicate.field)) return std::nullopt;
  checked.field = predicate.field.text;
  if (const Status fits = ValidateFieldOperator(checked.field, checked.op); !fits.ok() && !predicate.broken) {
    scope.Error(predicate.span, fits.error().message);
    return std::nullopt;
  }
  for (const Term& value : predicate.values) {
    const auto text = scope.TextOf(value);
    complete &= text.has_value();
    if (!text || text->kind == ParameterValue::Kind::kUnknown) continue;
    if (const Status valid = ValidateFieldValue(checked.field, checked.op, text->text); !valid.ok()) {
      scope.Error(value.span, valid.error().message);
      complete = false;
    }
    checked.values.push_back(text->text);
  }
  if (!complete) return std::nullopt;
  return checked;
}

// ---- Conditions ----

Condition Negated(Condition condition) {
  Condition result;
  result.kind = Condition::Kind::kNot;
  result.parts.push_back(std::move(condition));
  return result;
}

// !!!x is !x; but !!x is not x, which has a distance.
Condition Negated(Condition condition, uint32_t times) {
  const uint32_t kept = times <= 2 ? times : 2 - times % 2;
  for (uint32_t i = 0; i < kept; ++i) condition = Negated(std::move(condition));
  return condition;
}

std::optional<Condition> CheckChain(Scope& scope, const ast::Condition& condition) {
  Condition chain;
  chain.kind = condition.kind == ast::Condition::Kind::kAnd ? Condition::Kind::kAnd : Condition::Kind::kOr;
  bool complete = true;
  for (const ast::Condition& part : condition.parts) {
    auto checked = CheckCondition(scope, part);
    complete &= checked.has_value();
    if (!checked) continue;
    if (checked->kind == chain.kind && chain.parts.empty()) {
      chain.parts = std::move(checked->parts);  // at once: a long chain may lie in many parentheses
    } else if (checked->kind == chain.kind) {
      std::move(checked->parts.begin(), checked->parts.end(), std::back_inserter(chain.parts));
    } else {
      chain.parts.push_back(*std::move(checked));
    }
  }
  if (!complete) return std::nullopt;
  return chain;
}

std::optional<Condition> CheckPositive(Scope& scope, const ast::Condition& condition) {
  Condition checked;
  switch (condition.kind) {
    case ast::Condition::Kind::kMissing: return std::nullopt;
    case ast::Condition::Kind::kAnd:
    case ast::Condition::Kind::kOr: return CheckChain(scope, condition);
    case ast::Condition::Kind::kSet: {
      auto set = CheckSetPredicate(scope, condition.set);
      if (!set) return std::nullopt;
      checked.kind = Condition::Kind::kSet;
      checked.set = *std::move(set);
      return checked;
    }
    case ast::Condition::Kind::kField: {
      auto field = CheckFieldPredicate(scope, condition.field);
      if (!field) return std::nullopt;
      checked.kind = Condition::Kind::kField;
      checked.field = *std::move(field);
      return checked;
    }
  }
  return std::nullopt;
}

}  // namespace

// The store is asked for the fields that people made only where the field is none of those that every bug has.
bool CheckField(Scope& scope, const Term& field) {
  const std::vector<std::string>& built_in = BuiltInFields();
  if (std::find(built_in.begin(), built_in.end(), field.text) != built_in.end()) return true;
  if (scope.catalog().HasCustomField(field.text)) return true;
  const std::string nearest = scope.Nearest(field.text, [&] {
    std::vector<std::string> known = built_in;
    for (std::string& custom : scope.catalog().CustomFields()) known.push_back(std::move(custom));
    return known;
  });
  scope.Error(field.span, fmt::format("unknown field '{}'{}", field.text, nearest));
  return false;
}

std::string NearestVariable(Scope& scope, std::string_view name) {
  return scope.Nearest(name, [&]() -> const std::vector<std::string>& { return scope.variables(); });
}

std::optional<Condition> CheckCondition(Scope& scope, const ast::Condition& condition) {
  if (scope.Stopped()) return std::nullopt;
  auto checked = CheckPositive(scope, condition);
  if (!checked) return std::nullopt;
  return Negated(*std::move(checked), condition.negations);
}

}  // namespace oscope::bql
