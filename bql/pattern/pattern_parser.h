// The tokens of a pattern as postfix steps, ready to be made an automaton: "a b|c*" is  a b gap c star either.
//
//   pattern := sequence ('|' sequence)*
//   sequence := item (['->'] item)*        without the arrow other events may lie between; never beside an anchor
//   item := ('.' | name | glob | regex | '^' | '$' | '(' pattern ')') ('*' | '+' | '?')*
// The open parentheses are a list, not the call stack.
// Threads: pure functions.
#pragma once

#include <vector>

#include "bql/pattern/pattern_lexer.h"

namespace oscope::bql {

struct PatternStep {
  enum class Kind : uint8_t { kEvent, kBegin, kEnd, kThen, kGap, kEither, kStar, kPlus, kOption };
  Kind kind = Kind::kEvent;
  size_t token = 0;  // of kEvent
};

// `whole` is the span of the pattern. Meaningless after an error.
std::vector<PatternStep> ParseSteps(const std::vector<PatternToken>& tokens, TextSpan whole, size_t max_depth,
                                    std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
