// Cuts the text of a quoted pattern into tokens.
//
// What belongs to a plain name:
//   letters, digits, _ ~ : @ # % & = ! , ; ' - and bytes beyond ASCII; `-` not before `>`
//   . / $   before another byte of a name (org/apache/X.copy, Outer$Inner); else `.` is any event, `$` the end, `/`
//           opens a regular expression
//   <…> […] {…}   whole, with what is inside: <init>, map<int, int>::at, f::{lambda(int)#1}. `{` only at the start of a
//                 part: a{3} is not in the language
//   ()      directly after a name: copy(). After `operator` any of C++'s operators: operator*, operator().
// Everything else must be in backquotes, where \ makes the next byte a plain one.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bql/diagnostic.h"

namespace oscope::bql {

struct PatternToken {
  enum class Kind : uint8_t {
    kAny,
    kName,
    kGlob,
    kRegex,
    kBegin,
    kEnd,
    kOpen,
    kClose,
    kBar,
    kArrow,
    kStar,
    kPlus,
    kOption
  };
  Kind kind = Kind::kAny;
  TextSpan span;     // in the query: `offset` is added
  std::string text;  // of a name (escapes resolved), a glob, a regular expression
};

// Errors go to `diagnostics`, as many as there are up to kMaxPatternErrors; the tokens go on after each.
inline constexpr size_t kMaxPatternErrors = 20;
std::vector<PatternToken> LexPattern(std::string_view text, uint32_t offset, std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
