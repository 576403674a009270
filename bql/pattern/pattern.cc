// From text to automaton: tokens, steps, matchers, states. The first three are made even where one of them finds
// errors, so that a user sees several at once; the automaton is built only when there are none.
#include "bql/pattern/pattern.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "bql/pattern/automaton.h"
#include "bql/pattern/pattern_lexer.h"
#include "bql/pattern/pattern_parser.h"

namespace oscope::bql {
namespace {

using Kind = PatternToken::Kind;

// Makes the matchers of the tokens, each matcher once.
class MatcherTable {
 public:
  explicit MatcherTable(Pattern& pattern) : pattern_(pattern), any_(Add(EventMatcher::Any())) {}

  uint32_t any() const { return any_; }

  Result<StepMatchers> Of(const PatternToken& token) {
    switch (token.kind) {
      case Kind::kName: return Name(token.text);
      case Kind::kGlob: return StepMatchers{Add(EventMatcher::Glob(token.text)), {}};
      case Kind::kRegex: {
        OSCOPE_ASSIGN_OR_RETURN(EventMatcher matcher, EventMatcher::Regex(token.text));
        return StepMatchers{Add(std::move(matcher)), {}};
      }
      default: return StepMatchers{any_, {}};
    }
  }

 private:
  // A name with "()" is a method's and cannot be a scope's.
  StepMatchers Name(const std::string& name) {
    const size_t known = pattern_.matchers.size();
    const uint32_t method = Add(EventMatcher::Method(name));
    if (method == known) pattern_.names.push_back(name);
    if (HasCallSuffix(name)) return {method, {}};
    return {method, Add(EventMatcher::Scope(name))};
  }

  uint32_t Add(EventMatcher matcher) {
    const auto next = static_cast<uint32_t>(pattern_.matchers.size());
    const auto [known, added] = index_.emplace(std::pair(matcher.kind(), matcher.text()), next);
    if (added) pattern_.matchers.push_back(std::move(matcher));
    return known->second;
  }

  Pattern& pattern_;
  std::map<std::pair<EventMatcher::Kind, std::string>, uint32_t> index_;
  uint32_t any_;
};

}  // namespace

std::shared_ptr<const Pattern> ParsePattern(std::string_view text, const PatternLimits& limits, uint32_t offset,
                                            std::vector<Diagnostic>& diagnostics) {
  std::vector<Diagnostic> found;
  const TextSpan whole = {offset, offset + static_cast<uint32_t>(text.size())};
  const auto finish = [&](std::shared_ptr<const Pattern> pattern) {
    const bool failed =
        std::any_of(found.begin(), found.end(), [](const Diagnostic& d) { return d.severity == Severity::kError; });
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    return failed ? nullptr : pattern;
  };
  const auto fail = [&](TextSpan span, std::string message) {
    found.push_back({Severity::kError, span, std::move(message)});
  };

  if (text.size() > limits.bytes) {
    fail(whole, fmt::format("pattern of {} bytes, more than {}: --max-pattern-bytes raises the limit", text.size(),
                            limits.bytes));
    return finish(nullptr);
  }
  const std::vector<PatternToken> tokens = LexPattern(text, offset, found);
  const size_t lexical = found.size();
  const std::vector<PatternStep> steps = ParseSteps(tokens, whole, limits.depth, found);
  auto pattern = std::make_shared<Pattern>();
  pattern->text = text;
  MatcherTable table(*pattern);
  std::vector<StepMatchers> matchers(tokens.size());
  for (size_t i = 0; i < tokens.size() && found.size() < lexical + kMaxPatternErrors; ++i) {
    Result<StepMatchers> made = table.Of(tokens[i]);
    if (made.ok()) {
      matchers[i] = *made;
    } else {
      fail(tokens[i].span, made.error().message);
    }
  }
  if (finish(pattern) == nullptr) return nullptr;

  found.clear();
  if (Status built = BuildAutomaton(steps, matchers, table.any(), limits.states, *pattern); !built.ok()) {
    fail(whole, built.error().message);
  } else if (pattern->states == 0) {
    fail(whole, "no trace can match: '^' can only come before the first event, '$' only after the last");
  }
  return finish(pattern);
}

}  // namespace oscope::bql
