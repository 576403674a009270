// Binds the arguments of a call to the parameters of a saved query: by place, then by name, then by default. A missing
// argument is reported only if there is no other error, since a misspelt name would otherwise be reported twice.
//
// A query may have thousands of parameters, and a call of it thousands of wrong names. Signatures in messages are
// therefore cut, and only as many names get a suggestion as errors are shown; each suggestion compares the name with
// all parameters.
#include "bql/check/saved_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/escape.h"
#include "base/suggest.h"
#include "bql/ast/print.h"
#include "bql/syntax/scan.h"

namespace oscope::bql {
namespace {

using ast::Term;

void Error(std::vector<Diagnostic>& diagnostics, TextSpan span, std::string message) {
  diagnostics.push_back({Severity::kError, span, std::move(message)});
}

constexpr size_t kShownSignature = 300;  // columns of it, in an error

// What an error says of the query that was called. A query may have thousands of parameters, and so may a call of it.
class Called {
 public:
  explicit Called(const SavedQuery& query) : query_(query), signature_(Truncate(Signature(query), kShownSignature)) {
    for (const SavedQueryParameter& parameter : query.parameters) names_.push_back(parameter.name);
    known_.insert(names_.begin(), names_.end());
  }

  const std::string& signature() const { return signature_; }
  bool Has(const std::string& parameter) const { return known_.contains(parameter); }
  // The parameter at this place, if there is one.
  const std::string* At(size_t place) const { return place < names_.size() ? &names_[place] : nullptr; }

  std::string NoParameter(const std::string& name) {
    const std::string nearest = suggestions_++ < kMaxSuggestions ? DidYouMean(Suggest(name, names_)) : "";
    return fmt::format("'{}' has no parameter '{}': {}", query_.name, name, nearest.empty() ? signature_ : nearest);
  }

 private:
  static constexpr size_t kMaxSuggestions = 50;  // more errors are not shown

  const SavedQuery& query_;
  std::string signature_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
  size_t suggestions_ = 0;
};

std::optional<ParameterValue> ValueOf(const Term& term, const Parameters& session,
                                      std::vector<Diagnostic>& diagnostics) {
  const bool at_hand = term.kind == Term::Kind::kName && term.quote == 0 && term.text == kBugAtHand;
  if (term.kind != Term::Kind::kParameter && !at_hand) {
    return term.kind == Term::Kind::kText ? ParameterValue::Text(term.text) : ParameterValue(term.text);
  }
  if (const auto found = session.find(term.text); found != session.end()) return found->second;
  Error(diagnostics, term.span, fmt::format("unknown parameter ':{}'", term.text));
  return std::nullopt;
}

// The parameter that an argument is for; nothing, after an error has been reported, when there is none.
std::optional<std::string> TargetOf(Called& called, const ast::Argument& argument, size_t place,
                                    std::vector<Diagnostic>& diagnostics) {
  if (!argument.name) {
    if (const std::string* name = called.At(place)) return *name;
    Error(diagnostics, argument.span, fmt::format("too many arguments: {}", called.signature()));
    return std::nullopt;
  }
  if (called.Has(argument.name->text)) return argument.name->text;
  Error(diagnostics, argument.name->span, called.NoParameter(argument.name->text));
  return std::nullopt;
}

SavedQuery Shipped(std::string name, std::vector<SavedQueryParameter> parameters, std::string text) {
  return {std::move(name), std::move(parameters), std::move(text), true};
}

}  // namespace

const std::vector<SavedQuery>& ShippedQueries() {
  static const std::vector<SavedQuery> queries = {
      Shipped("suffix", {{"bug", {}}, {"len", "50"}, {"d", "10"}},
              "SELECT b FROM ALL WHERE SUBSET?(:bug.failing[:len], b.failing[:len], :d)"),
      Shipped("regex", {{"pattern", {}}}, "SELECT b FROM ALL WHERE INTERSECT?(b, \":pattern\")"),
      Shipped("stack", {{"bug", {}}, {"d", {}}},
              "SELECT b FROM ALL WHERE SUBSET?(PROJ(:bug, stack), PROJ(b, stack), :d)"),
      Shipped("duplicates", {{"project", {}}},
              "SELECT b1, b2 FROM :project WHERE INTERSECT?(b1.failing[50], b2.failing[50], 10)"),
      Shipped("before", {{"a", {}}, {"b", {}}}, "SELECT x FROM ALL WHERE INTERSECT?(x, \":a :b\")"),
  };
  return queries;
}

std::string ParameterText(const SavedQueryParameter& parameter) {
  return parameter.name + (parameter.default_value ? " = " + *parameter.default_value : "");
}

std::string Signature(const SavedQuery& query) {
  std::string parameters;
  for (const SavedQueryParameter& parameter : query.parameters) {
    if (!parameters.empty()) parameters += ", ";
    parameters += ParameterText(parameter);
  }
  return fmt::format("{}({})", query.name, parameters);
}

const SavedQuery* FindSavedQuery(const std::vector<SavedQuery>& saved, std::string_view name) {
  for (const auto* queries : {&saved, &ShippedQueries()}) {
    const auto found = std::find_if(queries->begin(), queries->end(),
                                    [&](const SavedQuery& q) { return EqualsIgnoringCase(q.name, name); });
    if (found != queries->end()) return &*found;
  }
  return nullptr;
}

std::optional<Parameters> BindArguments(const SavedQuery& query, const ast::Call& call, const Parameters& session,
                                        std::vector<Diagnostic>& diagnostics) {
  const size_t before = diagnostics.size();
  Parameters bound;
  if (const auto at_hand = session.find(kBugAtHand); at_hand != session.end()) bound.insert(*at_hand);
  std::set<std::string> given;
  Called called(query);
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const auto target = TargetOf(called, call.arguments[i], i, diagnostics);
    const auto value = ValueOf(call.arguments[i].value, session, diagnostics);
    if (!target || !value) continue;
    if (!given.insert(*target).second)
      Error(diagnostics, call.arguments[i].span, fmt::format("'{}' is given twice", *target));
    bound[*target] = *value;
  }
  for (const SavedQueryParameter& parameter : query.parameters) {
    if (given.count(parameter.name) != 0) continue;
    if (parameter.default_value) {
      bound[parameter.name] = ParameterValue(*parameter.default_value);
    } else if (diagnostics.size() == before) {
      Error(diagnostics, call.span, fmt::format("'{}' is missing: {}", parameter.name, called.signature()));
    }
  }
  if (diagnostics.size() > before) return std::nullopt;
  return bound;
}

std::optional<SavedQuery> DefinitionOf(const ast::Definition& definition, std::vector<Diagnostic>& diagnostics) {
  const size_t before = diagnostics.size();
  SavedQuery query;
  query.name = definition.name.text;
  query.text = definition.select_text;
  std::unordered_set<std::string> names;
  for (const ast::QueryParameter& parameter : definition.parameters) {
    const std::string& name = parameter.name.text;
    if (!names.insert(name).second) {
      Error(diagnostics, parameter.name.span, fmt::format("the parameter '{}' is named twice", name));
    }
    if (!parameter.default_value && !query.parameters.empty() && query.parameters.back().default_value) {
      Error(diagnostics, parameter.span, fmt::format("'{}' needs a default, since one before it has one", name));
    }
    query.parameters.push_back({name, {}});
    if (parameter.default_value) query.parameters.back().default_value = ast::ToText(*parameter.default_value);
  }
  if (definition.broken || diagnostics.size() > before) return std::nullopt;
  return query;
}

}  // namespace oscope::bql
