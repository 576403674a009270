// A quoted pattern of BQL: a regular language over events.
//
// Text -> ParsePattern -> Pattern: an automaton whose edges carry matchers (name, glob, regular expression, any event).
// It knows no event ids: BindPattern (query/run/bind_pattern.h) makes the matchers concrete for the names at hand.
//
// The language is that of the whole traces: an unanchored pattern p has the automaton of .* p .*, `a b` that of a .* b,
// `a -> b` that of a b, and a class or package name that of one or more neighbouring events of it.
// Threads: immutable once made.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bql/diagnostic.h"
#include "bql/pattern/event_matcher.h"

namespace oscope::bql {

struct PatternLimits {
  size_t bytes = 16 << 10;
  size_t states = 4096;
  size_t depth = 200;  // of parentheses
};

// An edge: from `from` to `to`, reading one event that `matcher` (an index in Pattern::matchers) accepts.
struct PatternEdge {
  uint32_t from = 0;
  uint32_t matcher = 0;
  uint32_t to = 0;
  bool operator==(const PatternEdge&) const = default;
};

// A nondeterministic automaton without empty moves; every state lies on a path from the start to an accepting state.
struct Pattern {
  std::string text;  // as written, without the outer quotes
  std::vector<EventMatcher> matchers;
  uint32_t states = 0;  // 0 .. states - 1
  std::vector<uint32_t> start;
  std::vector<bool> accepting;
  std::vector<PatternEdge> edges;  // by from, then matcher, then to
  std::vector<std::string> names;  // the plain event names that occur, for warnings about names that no event has
  // The least number of events of p itself, without the .* around and inside it: when d reaches it every trace matches.
  // 2^32 - 1 when no d makes every trace match: ^a -> b$ takes in no other events anywhere.
  uint32_t shortest_word = 0;
};

// Parses a pattern. Returns null after an error, which is added to `diagnostics`; `offset` is added to its span, so
// that the place is that in the query which contains the pattern. A pattern beyond a limit is an error that names the
// limit.
std::shared_ptr<const Pattern> ParsePattern(std::string_view text, const PatternLimits& limits, uint32_t offset,
                                            std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
