// What the checks of one SELECT share: the catalog, the variables in scope, and where errors go. Internal to bql/check.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bql/ast/statement.h"
#include "bql/check/check.h"

namespace oscope::bql {

// ": did you mean 'x'?" or nothing.
std::string Nearest(std::string_view name, const std::vector<std::string>& candidates);

class Scope {
 public:
  Scope(const Catalog& catalog, const CheckContext& context, std::vector<Diagnostic>& diagnostics)
      : catalog_(catalog), context_(context), diagnostics_(diagnostics) {}

  const Catalog& catalog() const { return catalog_; }
  const PatternLimits& pattern_limits() const { return context_.pattern_limits; }

  // In sight: set by the SELECT before its condition is checked.
  std::vector<std::string> projects;
  Metric metric;

  void Error(TextSpan span, std::string message) {
    diagnostics_.push_back({Severity::kError, span, std::move(message)});
  }
  void Warn(TextSpan span, std::string message) {
    ++warnings_;
    diagnostics_.push_back({Severity::kWarning, span, std::move(message)});
  }

  // Whether the check is to end before it has seen everything (CheckContext::ask). Asked for every part whose check may
  // look into the store.
  bool Stopped();

  const std::vector<std::string>& variables() const { return variables_; }
  void Declare(const std::string& variable);
  std::optional<uint32_t> VariableNamed(std::string_view name) const;

  // ": did you mean 'x'?" or nothing. `candidates()` are asked for only while suggestions are made: a statement with
  // more wrong names than are told gets no more.
  template <typename Candidates>
  std::string Nearest(std::string_view name, const Candidates& candidates) {
    if (suggestions_ >= kMaxDiagnostics) return "";
    ++suggestions_;
    return bql::Nearest(name, candidates());
  }
  // How many warnings there are: those after the first kMaxDiagnostics are counted, not shown.
  size_t warnings() const { return warnings_; }

  // The value of `:name`; an unknown one is reported.
  std::optional<ParameterValue> ValueOf(std::string_view name, TextSpan span);
  // A name, a text, a number or a parameter's value, as text.
  std::optional<ParameterValue> TextOf(const ast::Term& term);

  // A whole number from `least` on: "d", "a length", "LIMIT". Told of when it is not.
  std::optional<uint64_t> WholeNumber(const ast::Term& term, std::string_view what, uint64_t least);
  // 0 to 1, in 1 / kFractionScale.
  std::optional<uint64_t> Fraction(const ast::Term& term, std::string_view what);

 private:
  const Catalog& catalog_;
  const CheckContext& context_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<std::string> variables_;
  std::unordered_map<std::string, uint32_t> number_of_;  // of each variable
  size_t suggestions_ = 0, warnings_ = 0;
  bool stopped_ = false;
};

std::optional<BugTraces> CheckBug(Scope& scope, const ast::Traces& traces,
                                  std::string_view whose);  // "the first argument of SUBSET?"
std::optional<TracePattern> CheckPattern(Scope& scope, const ast::Traces& traces);
std::optional<Projection> CheckProjection(Scope& scope, const ast::EventSet& events);
std::optional<Condition> CheckCondition(Scope& scope, const ast::Condition& condition);
// The shortest word of the quoted patterns in it; nothing when there is none.
std::optional<uint32_t> ShortestWord(const TracePattern& pattern);
// ": did you mean 'x'?" of the variables in sight, or nothing.
std::string NearestVariable(Scope& scope, std::string_view name);
// Whether a field exists; if it does not, that is reported.
bool CheckField(Scope& scope, const ast::Term& field);
Metric CheckMetric(Scope& scope, const ast::Metric& metric);
std::optional<Select> CheckSelect(Scope& scope, const ast::Select& select);

}  // namespace oscope::bql
