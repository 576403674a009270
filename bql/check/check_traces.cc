// Checks what stands for traces: bugs with their operators, quoted patterns, and the second argument of PROJ.
//
// The difficulty is that one word may mean several things, and its place decides which. A bare name is a variable of
// the SELECT, else a stored bug, else a run (`run/1f2e…`). A parameter in the place of a pattern may be either a bug or
// a pattern: a quoted value is a pattern, and a bare value is one if no bug has that name. Inside a quoted pattern
// `:name` is replaced before the pattern is parsed (pattern_text.h), and every place in the combined text is translated
// back, so that a message points into the query that the user wrote.
//
// Names of events are only warned about. A name that no trace has yet may be a typing error, but a saved query must
// stay valid in a store that does not have the name. To find similar names takes a look at all of them; so once more
// warnings have been collected than are shown, further ones get no suggestions.
//
// When a saved query is checked at its definition, its parameters have no values. An unknown value fits everywhere;
// whatever can be checked without it is checked.
#include <fmt/core.h>

#include <algorithm>

#include "base/suggest.h"
#include "bql/ast/print.h"
#include "bql/check/pattern_text.h"
#include "bql/check/scope.h"
#include "bql/syntax/scan.h"
#include "tracer/model/granularity.h"

namespace oscope::bql {
namespace {

using ast::Term;
using ast::Traces;

// ---- PROJ ----

bool IsOpening(char c) { return c == '<' || c == '(' || c == '[' || c == '{'; }
bool IsClosing(char c) { return c == '>' || c == ')' || c == ']' || c == '}'; }

struct ListedName {
  std::string name;
  size_t begin = 0;  // in the list's text
};

// Names are parted by commas, save those inside brackets: "map<int, int>::at, close".
std::vector<ListedName> SplitNames(std::string_view list) {
  std::vector<ListedName> names;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && IsOpening(list[i])) ++depth;
    if (i < list.size() && IsClosing(list[i])) depth = std::max(0, depth - 1);
    if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
    const size_t first = list.substr(0, i).find_first_not_of(" \t\r\n", begin);
    if (first != std::string_view::npos) {
      const size_t last = list.substr(0, i).find_last_not_of(" \t\r\n");
      names.push_back({std::string(list.substr(first, last + 1 - first)), first});
    }
    begin = i + 1;
  }
  return names;
}

bool IsGlobText(std::string_view name) {
  return name.find('*') != std::string_view::npos && !name.ends_with("operator*");
}

// `place()` is where the name stands, and is asked for when it is shown; `rest` is the end of the whole, where the
// warnings are put that are only counted.
template <typename Place>
void WarnIfNoEvent(Scope& scope, std::string_view name, uint32_t rest, const Place& place) {
  if (scope.Stopped()) return;
  const auto matches = scope.catalog().EventMatches(name);
  if (!matches || *matches) return;
  if (scope.warnings() >= kMaxDiagnostics) return scope.Warn({rest, rest}, fmt::format("no event is named '{}'", name));
  const std::string nearest = DidYouMean(scope.catalog().NearestEvents(name));
  scope.Warn(place(), fmt::format("no event is named '{}'{}", name, nearest.empty() ? "" : ": " + nearest));
}

std::optional<Projection> NamedEvents(Scope& scope, std::string_view list, const Term& term) {
  Projection projection;
  const std::vector<ListedName> names = SplitNames(list);
  if (names.empty()) {
    scope.Error(term.span, "this names no events");
    return std::nullopt;
  }
  const bool has_glob = std::any_of(names.begin(), names.end(), [](const ListedName& n) { return IsGlobText(n.name); });
  if (has_glob && names.size() > 1) {
    scope.Error(term.span, "a list contains names only: give a glob by itself");
    return std::nullopt;
  }
  projection.kind = has_glob ? Projection::Kind::kGlob : Projection::Kind::kNames;
  for (const ListedName& name : names) {
    projection.texts.push_back(name.name);
    if (has_glob) continue;
    const auto begin = static_cast<uint32_t>(term.span.begin + (term.quote == 0 ? 0 : 1) + name.begin);
    const bool placed = term.kind != Term::Kind::kParameter;
    WarnIfNoEvent(scope, name.name, term.span.end, [&] {
      return placed ? TextSpan{begin, static_cast<uint32_t>(begin + name.name.size())} : term.span;
    });
  }
  return projection;
}

std::optional<Projection> Regex(Scope& scope, const Term& term) {
  const auto matcher = EventMatcher::Regex(term.text);
  if (!matcher.ok()) {
    scope.Error(term.span, matcher.error().message);
    return std::nullopt;
  }
  Projection projection;
  projection.kind = Projection::Kind::kRegex;
  projection.texts = {term.text};
  return projection;
}

// The words that need no quotes; nothing for any other.
std::optional<Projection> WordEvents(std::string_view word) {
  using Kind = Projection::Kind;
  static constexpr std::pair<std::string_view, Kind> kWords[] = {
      {"stack", Kind::kStack}, {"execution", Kind::kExecution}, {"passing", Kind::kPassing}};
  static constexpr std::pair<std::string_view, Granularity> kGranularities[] = {
      {"method", Granularity::kMethod}, {"statement", Granularity::kStatement},     {"block", Granularity::kBlock},
      {"class", Granularity::kClass},   {"instruction", Granularity::kInstruction}, {"package", Granularity::kPackage}};
  Projection projection;
  for (const auto& [name, kind] : kWords) {
    projection.kind = kind;
    if (EqualsIgnoringCase(name, word)) return projection;
  }
  for (const auto& [name, granularity] : kGranularities) {
    const bool coarse = granularity == Granularity::kClass || granularity == Granularity::kPackage;
    projection.kind = coarse ? Kind::kCoarsen : Kind::kGranularity;
    projection.granularity = granularity;
    if (EqualsIgnoringCase(name, word)) return projection;
  }
  return std::nullopt;
}

constexpr std::string_view kThreadPrefix = "thread:";

std::optional<Projection> ThreadEvents(Scope& scope, const Term& term) {
  Term number{Term::Kind::kNumber, term.text.substr(kThreadPrefix.size()), 0, term.span};
  const auto thread = scope.WholeNumber(number, "a thread's number", 0);
  if (!thread) return std::nullopt;
  if (*thread > UINT32_MAX) {
    scope.Error(term.span, "a thread's number is below 2^32");
    return std::nullopt;
  }
  Projection projection;
  projection.kind = Projection::Kind::kThread;
  projection.thread = static_cast<uint32_t>(*thread);
  return projection;
}

std::optional<Projection> BareEvents(Scope& scope, const Term& term) {
  if (auto word = WordEvents(term.text)) return word;
  if (EqualsIgnoringCase(std::string_view(term.text).substr(0, kThreadPrefix.size()), kThreadPrefix))
    return ThreadEvents(scope, term);
  return NamedEvents(scope, term.text, term);
}

std::optional<Projection> PositiveEvents(Scope& scope, const Term& term) {
  switch (term.kind) {
    case Term::Kind::kRegex: return Regex(scope, term);
    case Term::Kind::kBare: return BareEvents(scope, term);
    case Term::Kind::kText: return NamedEvents(scope, term.text, term);
    case Term::Kind::kParameter: {
      const auto value = scope.ValueOf(term.text, term.span);
      if (!value) return std::nullopt;
      if (value->kind == ParameterValue::Kind::kUnknown) return Projection{};
      if (value->kind == ParameterValue::Kind::kText) return NamedEvents(scope, value->text, term);
      Term bare = term;
      if (auto word = WordEvents(value->text)) return word;
      return NamedEvents(scope, value->text, bare);
    }
    default: return std::nullopt;
  }
}

bool CanBeNegated(Projection::Kind kind) {
  using Kind = Projection::Kind;
  return kind == Kind::kNames || kind == Kind::kGlob || kind == Kind::kRegex || kind == Kind::kGranularity;
}

// ---- Bugs ----

std::optional<BugKey> ResolveStored(Scope& scope, std::string_view name, TextSpan span) {
  auto key = scope.catalog().ResolveBug(name, scope.projects);
  if (key.ok()) return *std::move(key);
  std::string message = key.error().message;
  // A misspelt variable is as likely as a misspelt bug.
  const bool unknown = key.error().code == ErrorCode::kNotFound;
  if (unknown && message.find("did you mean") == std::string::npos) message += NearestVariable(scope, name);
  scope.Error(span, std::move(message));
  return std::nullopt;
}

// "run/1f2e3d4c"
std::optional<BugTraces> ResolveRun(Scope& scope, std::string_view name, TextSpan span) {
  const auto run = scope.catalog().ResolveRun(name.substr(kRunPrefix.size()));
  if (!run.ok()) {
    scope.Error(span, run.error().message);
    return std::nullopt;
  }
  BugTraces bug;
  bug.run = run->id;
  bug.bug = run->bug;
  return bug;
}

// A name or a parameter, without its operators.
std::optional<BugTraces> ResolveBase(Scope& scope, const Term& term) {
  BugTraces bug;
  const bool at_hand = term.kind == Term::Kind::kName && term.quote == 0 && term.text == kBugAtHand;
  if (term.kind == Term::Kind::kName) bug.variable = scope.VariableNamed(term.text);
  if (bug.variable) return bug;
  std::string name = term.text;
  if (term.kind == Term::Kind::kParameter || at_hand) {
    const auto value = scope.ValueOf(term.text, term.span);
    if (!value) return std::nullopt;
    if (value->kind == ParameterValue::Kind::kUnknown) return bug;
    name = value->text;
  }
  if (name.starts_with(kRunPrefix)) return ResolveRun(scope, name, term.span);
  auto key = ResolveStored(scope, name, term.span);
  if (!key) return std::nullopt;
  bug.bug = *std::move(key);
  return bug;
}

std::optional<TraceOp> CheckOp(Scope& scope, const ast::TraceOp& op) {
  TraceOp checked;
  if (op.kind == ast::TraceOp::Kind::kProject) {
    checked.kind = TraceOp::Kind::kProject;
    auto projection = CheckProjection(scope, op.events);
    if (!projection) return std::nullopt;
    checked.projection = *std::move(projection);
    return checked;
  }
  checked.kind = op.kind == ast::TraceOp::Kind::kPrefix ? TraceOp::Kind::kPrefix : TraceOp::Kind::kSuffix;
  const auto length = scope.WholeNumber(op.length, "a length", 1);
  if (!length) return std::nullopt;
  checked.length = *length;
  return checked;
}

bool IsBugTerm(const Traces& traces) {
  return traces.kind == Traces::Kind::kTerm && traces.term.kind != Term::Kind::kText && !traces.star;
}

// ---- Patterns ----

void RefuseMetric(Scope& scope, TextSpan span) {
  const MetricDefinition& metric = scope.metric.definition();
  switch (metric.patterns) {
    case PatternUse::kMeasured: return;
    case PatternUse::kPairsOnly:
      scope.Error(span, fmt::format("a pattern cannot be compared by {}: it is for pairs of traces", metric.name));
      return;
    case PatternUse::kRenames:
      scope.Error(span, fmt::format("a pattern cannot be compared under {}: that metric renames events, and a "
                                    "pattern whose events are renamed is no longer a pattern",
                                    metric.name));
      return;
  }
}

// Where the name stands in the pattern, for a warning.
TextSpan PlaceOfName(const PatternText& text, std::string_view name) {
  const std::string& all = text.text();
  const auto is_part = [&](size_t at) {
    return at < all.size() && (IsWordByte(all[at]) || all[at] == ':' || all[at] == '.');
  };
  for (size_t at = all.find(name); at != std::string::npos; at = all.find(name, at + 1)) {
    const bool starts = at == 0 || !is_part(at - 1);
    if (starts && !is_part(at + name.size())) {
      return text.InQuery({static_cast<uint32_t>(at), static_cast<uint32_t>(at + name.size())});
    }
  }
  return text.InQuery({0, static_cast<uint32_t>(all.size())});
}

std::optional<TracePattern> ParsedPattern(Scope& scope, const PatternText& text, TextSpan span) {
  RefuseMetric(scope, span);
  std::vector<Diagnostic> found;
  auto pattern = ParsePattern(text.text(), scope.pattern_limits(), 0, found);
  for (Diagnostic& diagnostic : found) {
    const TextSpan place = text.InQuery(diagnostic.span);
    if (diagnostic.severity == Severity::kError)
      scope.Error(place, std::move(diagnostic.message));
    else
      scope.Warn(place, std::move(diagnostic.message));
  }
  if (!pattern) return std::nullopt;
  for (const std::string& name : pattern->names)
    WarnIfNoEvent(scope, name, span.end, [&] { return PlaceOfName(text, name); });
  TracePattern result;
  result.kind = TracePattern::Kind::kQuoted;
  result.pattern = std::move(pattern);
  return result;
}

std::optional<TracePattern> QuotedPattern(Scope& scope, const Term& term) {
  bool complete = true;
  const PatternText text = PatternText::FromLiteral(term, [&](const std::string& name, TextSpan span) {
    const auto value = scope.ValueOf(name, span);
    complete &= value.has_value();
    // Any event will do where the value is missing or to come.
    return value && value->kind != ParameterValue::Kind::kUnknown ? value->text : std::string(".");
  });
  auto pattern = ParsedPattern(scope, text, term.span);
  return complete ? pattern : std::nullopt;
}

// A parameter where a bug or a pattern may stand.
bool IsPatternParameter(const Scope& scope, const ParameterValue& value) {
  if (value.kind == ParameterValue::Kind::kText) return true;
  if (value.text.starts_with(kRunPrefix)) return false;
  return value.kind == ParameterValue::Kind::kAny && !scope.catalog().ResolveBug(value.text, scope.projects).ok();
}

std::optional<TracePattern> TermPattern(Scope& scope, const Traces& traces) {
  const bool has_operators = !traces.ops.empty() || traces.failing;
  if (traces.term.kind == Term::Kind::kText) {
    if (has_operators) {
      scope.Error(traces.span, "[len], PROJ and .failing take a bug, not a pattern");
      return std::nullopt;
    }
    return QuotedPattern(scope, traces.term);
  }
  if (traces.term.kind == Term::Kind::kParameter && !has_operators && traces.term.text != kBugAtHand) {
    const auto value = scope.ValueOf(traces.term.text, traces.term.span);
    if (!value) return std::nullopt;
    if (IsPatternParameter(scope, *value)) {
      return ParsedPattern(scope, PatternText::FromValue(value->text, traces.term.span), traces.term.span);
    }
  }
  Traces bug = traces;
  bug.star = false;
  auto checked = CheckBug(scope, bug, "");
  if (!checked) return std::nullopt;
  TracePattern pattern;
  pattern.traces = *std::move(checked);
  return pattern;
}

std::optional<TracePattern> GroupPattern(Scope& scope, const Traces& traces) {
  if (!traces.ops.empty()) {
    scope.Error(traces.span, "[len] and PROJ take a bug, not a pattern");
    return std::nullopt;
  }
  TracePattern all;
  all.kind = TracePattern::Kind::kUnion;
  bool complete = true;
  for (const Traces& part : traces.parts) {
    auto checked = CheckPattern(scope, part);
    complete &= checked.has_value();
    if (!checked) continue;
    if (checked->kind == TracePattern::Kind::kUnion && all.parts.empty()) {
      all.parts = std::move(checked->parts);
    } else if (checked->kind == TracePattern::Kind::kUnion) {
      std::move(checked->parts.begin(), checked->parts.end(), std::back_inserter(all.parts));
    } else {
      all.parts.push_back(*std::move(checked));
    }
  }
  if (!complete) return std::nullopt;
  if (all.parts.size() == 1) {
    TracePattern only = std::move(all.parts.front());
    return only;
  }
  return all;
}

}  // namespace

std::optional<Projection> CheckProjection(Scope& scope, const ast::EventSet& events) {
  auto projection = PositiveEvents(scope, events.term);
  if (!projection) return std::nullopt;
  if (events.negated && !CanBeNegated(projection->kind)) {
    scope.Error(events.span,
                fmt::format("'{}' cannot be negated: ! drops events by name, glob, regular expression or granularity",
                            ast::ToText(events.term)));
    return std::nullopt;
  }
  projection->negated = events.negated;
  return projection;
}

std::optional<BugTraces> CheckBug(Scope& scope, const Traces& traces, std::string_view whose) {
  if (traces.kind == Traces::Kind::kMissing) return std::nullopt;
  if (!IsBugTerm(traces)) {
    scope.Error(traces.span, fmt::format("{} is a bug, not a pattern", whose));
    return std::nullopt;
  }
  auto bug = ResolveBase(scope, traces.term);
  bool complete = bug.has_value();
  if (!bug) bug.emplace();
  bug->failing_thread = traces.failing;
  bug->span = traces.span;
  for (const ast::TraceOp& op : traces.ops) {
    auto checked = CheckOp(scope, op);
    complete &= checked.has_value();
    if (checked) bug->ops.push_back(*std::move(checked));
  }
  if (!complete) return std::nullopt;
  return bug;
}

std::optional<TracePattern> CheckPattern(Scope& scope, const Traces& traces) {
  if (traces.kind == Traces::Kind::kMissing || scope.Stopped()) return std::nullopt;
  auto pattern = traces.kind == Traces::Kind::kTerm ? TermPattern(scope, traces) : GroupPattern(scope, traces);
  if (!pattern) return std::nullopt;
  pattern->span = traces.span;
  if (!traces.star || pattern->kind == TracePattern::Kind::kStar) return pattern;
  if (pattern->kind != TracePattern::Kind::kQuoted) RefuseMetric(scope, traces.span);
  TracePattern star;
  star.kind = TracePattern::Kind::kStar;
  star.span = traces.span;
  star.parts.push_back(*std::move(pattern));
  return star;
}

std::optional<uint32_t> ShortestWord(const TracePattern& pattern) {
  switch (pattern.kind) {
    case TracePattern::Kind::kTraces: return std::nullopt;
    case TracePattern::Kind::kQuoted: return pattern.pattern->shortest_word;
    // The empty trace alone is in every repetition: no bound that holds for every trace comes of it.
    case TracePattern::Kind::kStar: return std::nullopt;
    case TracePattern::Kind::kUnion: break;
  }
  std::optional<uint32_t> shortest;
  for (const TracePattern& part : pattern.parts) {
    const auto word = ShortestWord(part);
    if (word && (!shortest || *word < *shortest)) shortest = word;
  }
  return shortest;
}

}  // namespace oscope::bql
