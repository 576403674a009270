// Which events a name, a glob or a regular expression of BQL means.
//
// Separators `/`, `.` and `::` are the same. A name matches an event by the last part or any longer qualified form of
// its method, and of its class or its package:
//   copy, ConfigurationUtils.copy, org/apache/ConfigurationUtils::copy, copy()   the method
//   org.apache.ConfigurationUtils.copy
//   ConfigurationUtils                                                           every method of that class (kScope)
// A trailing "()" is left out, except that of `operator()`. Statement and block events match by their method,
// instructions by their opcode; all three by their whole text too, with or without the letter that opens it.
// Threads: immutable once made.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace oscope::bql {

class EventMatcher {
 public:
  enum class Kind : uint8_t {
    kAny,     // every event
    kMethod,  // name: the event itself is so named
    kScope,   // name: the event's class or package is so named (a C, P event too)
    kGlob,    // over the full text; * crosses separators, \* is a star, \\ a backslash
    kRegex,   // RE2, unanchored, over the full text
  };

  static EventMatcher Any();
  static EventMatcher Method(std::string_view name);
  static EventMatcher Scope(std::string_view name);
  static EventMatcher Glob(std::string_view glob);
  static Result<EventMatcher> Regex(
      std::string_view expression);  // kInvalid with RE2's reason; kLimit when its program is too large

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }
  bool Matches(std::string_view event) const;
  bool operator==(const EventMatcher& other) const { return kind_ == other.kind_ && text_ == other.text_; }

 private:
  EventMatcher(Kind kind, std::string_view text);

  Kind kind_ = Kind::kAny;
  std::string text_;                       // as written
  std::string normalised_;                 // one separator, no "()"
  std::vector<std::string> parts_;         // of a name, innermost first
  std::shared_ptr<const re2::RE2> regex_;  // shared: patterns are copied, RE2 cannot be
};

// Whether a name ends in the "()" that says it is a method's: `copy()`, not `operator()`.
bool HasCallSuffix(std::string_view name);

}  // namespace oscope::bql
