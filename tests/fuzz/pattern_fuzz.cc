// Parses any bytes as a pattern and asks the automaton what a query asks: errors lie in the text, automata are whole,
// distances agree.
#include "query/semantics/bind_pattern.h"
#include "tests/fuzz/fuzz_target.h"

namespace oscope {
namespace {

constexpr uint32_t kOffset = 7;
constexpr bql::PatternLimits kLimits{.bytes = 4096, .states = 512, .depth = 100};
constexpr std::string_view kNames[] = {
    "a", "b", "net::Socket::read", "S f: x = 1;", "org.apache.X.<init>", "f::{lambda(int)#1}::operator()", "I MOV"};

void CheckErrors(std::string_view text, const std::vector<bql::Diagnostic>& diagnostics, bool parsed) {
  bool failed = false;
  for (const bql::Diagnostic& diagnostic : diagnostics) {
    OSCOPE_CHECK(diagnostic.span.begin >= kOffset && diagnostic.span.begin <= diagnostic.span.end);
    OSCOPE_CHECK(diagnostic.span.end <= kOffset + text.size());
    OSCOPE_CHECK(!diagnostic.message.empty() && diagnostic.message.find('\n') == std::string::npos);
    failed = failed || diagnostic.severity == bql::Severity::kError;
  }
  OSCOPE_CHECK(failed != parsed);
}

void CheckAutomaton(const bql::Pattern& pattern) {
  OSCOPE_CHECK(pattern.states > 0 && pattern.states <= kLimits.states && pattern.accepting.size() == pattern.states);
  for (const bql::PatternEdge& edge : pattern.edges) {
    OSCOPE_CHECK(edge.from < pattern.states && edge.to < pattern.states && edge.matcher < pattern.matchers.size());
  }
}

// How far a trace is from what the pattern says.
uint64_t Ask(const bql::Pattern& pattern) {
  const Language language = BindPattern(pattern, kNames);
  const std::vector<uint32_t> x = {0, 2, 3, 2, 6, 9, 1};
  const auto distance = PatternDistance(x, language, PatternMetric::kLevenshtein, UINT64_MAX);
  OSCOPE_CHECK(distance.has_value());
  OSCOPE_CHECK(Accepts(language, x) == (*distance == 0));
  OSCOPE_CHECK(*distance <= pattern.shortest_word);
  const auto script = AlignWithPattern(x, language);
  OSCOPE_CHECK(script.ok() && script->has_value());
  uint64_t edits = 0;
  for (const PatternEdit& edit : **script) edits += edit.kind != EditKind::kKeep;
  OSCOPE_CHECK(edits == *distance);
  return *distance;
}

}  // namespace

std::string DescribeInput(std::string_view text) {
  std::vector<bql::Diagnostic> diagnostics;
  const auto pattern = bql::ParsePattern(text, kLimits, kOffset, diagnostics);
  CheckErrors(text, diagnostics, pattern != nullptr);
  std::string told;
  for (const bql::Diagnostic& diagnostic : diagnostics) {
    told += fmt::format("; {} to {}: {}", diagnostic.span.begin - kOffset, diagnostic.span.end - kOffset,
                        diagnostic.message);
  }
  if (pattern == nullptr) return "refused" + told;
  CheckAutomaton(*pattern);
  return fmt::format("{} states, {} edges, {} matchers, words of {} and more, distance {}{}", pattern->states,
                     pattern->edges.size(), pattern->matchers.size(), pattern->shortest_word, Ask(*pattern), told);
}

}  // namespace oscope
