// Matches names from the end: `Socket::read` means every event whose last parts are these, whatever stands before.
// Separators are normalised to dots so that C++, Java and paths compare alike; parts are taken from the innermost
// outwards, since that is where most names differ. A quick search for the last part as a substring rejects most events
// before anything is taken apart.
#include "bql/pattern/event_matcher.h"

#include <re2/re2.h>

#include "base/escape.h"
#include "bql/pattern/glob.h"
#include "tracer/model/event.h"

namespace oscope::bql {
namespace {

constexpr int64_t kMaxRegexBytes = 1 << 20;  // RE2's program and cache, each expression
constexpr std::string_view kCall = "()", kOperatorCall = "operator()";

bool IsIdentifierByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

std::string_view WithoutCall(std::string_view name) {
  if (HasCallSuffix(name)) name.remove_suffix(kCall.size());
  return name;
}

std::string_view WithoutSeparator(std::string_view part) {
  if (part.starts_with("::")) return part.substr(2);
  if (part.starts_with('.') || part.starts_with('/')) return part.substr(1);
  return part;
}

// The innermost part of a qualified name, which is cut off it.
std::string_view TakeLastPart(std::string_view& name) {
  const std::string_view scope = ClassOf(name);
  const std::string_view part = WithoutSeparator(name.substr(scope.size()));
  name = scope;
  return part;
}

bool EqualButForSeparators(std::string_view part, const std::string& normalised) {
  if (part == normalised) return true;
  const bool may_differ = part.size() >= normalised.size() && normalised.find('.') != std::string::npos;
  return may_differ && WithOneSeparator(part) == normalised;
}

// Whether `parts` (innermost first) are the last parts of `name`.
bool EndsInParts(std::string_view name, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (name.empty() || !EqualButForSeparators(TakeLastPart(name), part)) return false;
  }
  return true;
}

std::string_view OpcodeOf(std::string_view instruction) { return instruction.substr(0, instruction.find(' ')); }

// An event's text without the letter of its granularity.
std::string_view WithoutTag(std::string_view event, const EventParts& parts) {
  const std::string_view first = parts.granularity == Granularity::kInstruction ? parts.detail : parts.owner;
  return event.substr(static_cast<size_t>(first.data() - event.data()));
}

bool IsMethodNamed(std::string_view event, const EventParts& parts, const std::string& normalised,
                   const std::vector<std::string>& name) {
  switch (parts.granularity) {
    case Granularity::kMethod: return EndsInParts(parts.owner, name);
    case Granularity::kStatement:
    case Granularity::kBlock:
      if (EndsInParts(parts.owner, name)) return true;
      break;
    case Granularity::kInstruction:
      if (OpcodeOf(parts.detail) == normalised) return true;
      break;
    case Granularity::kClass:
    case Granularity::kPackage: return false;
  }
  return EqualButForSeparators(event, normalised) || EqualButForSeparators(WithoutTag(event, parts), normalised) ||
         EqualButForSeparators(parts.detail, normalised);
}

bool IsInScopeNamed(const EventParts& parts, const std::vector<std::string>& name) {
  std::string_view scope = parts.owner;
  if (parts.granularity == Granularity::kInstruction) return false;
  if (parts.granularity == Granularity::kPackage) return EndsInParts(scope, name);
  if (parts.granularity != Granularity::kClass) scope = ClassOf(scope);
  return EndsInParts(scope, name) || EndsInParts(ClassOf(scope), name);
}

}  // namespace

bool HasCallSuffix(std::string_view name) {
  if (name.size() <= kCall.size() || !name.ends_with(kCall)) return false;
  if (!name.ends_with(kOperatorCall)) return true;
  const size_t before = name.size() - kOperatorCall.size();
  return before > 0 && IsIdentifierByte(name[before - 1]);  // "my_operator()"
}

EventMatcher::EventMatcher(Kind kind, std::string_view text) : kind_(kind), text_(text) {
  if (kind_ == Kind::kGlob) normalised_ = WithOneSeparator(text);
  if (kind_ != Kind::kMethod && kind_ != Kind::kScope) return;
  const std::string_view name = WithoutCall(text);
  normalised_ = WithOneSeparator(name);
  std::string_view rest = name;
  // "::main" is main; a name that is only a separator keeps it, and matches nothing.
  while (!rest.empty()) {
    const std::string_view part = TakeLastPart(rest);
    if (!part.empty() || parts_.empty()) parts_.push_back(WithOneSeparator(part));
  }
}

EventMatcher EventMatcher::Any() { return EventMatcher(Kind::kAny, "."); }
EventMatcher EventMatcher::Method(std::string_view name) { return EventMatcher(Kind::kMethod, name); }
EventMatcher EventMatcher::Scope(std::string_view name) { return EventMatcher(Kind::kScope, name); }
EventMatcher EventMatcher::Glob(std::string_view glob) { return EventMatcher(Kind::kGlob, glob); }

Result<EventMatcher> EventMatcher::Regex(std::string_view expression) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxRegexBytes);
  auto regex = std::make_shared<const RE2>(re2::StringPiece(expression.data(), expression.size()), options);
  if (regex->error_code() == RE2::ErrorPatternTooLarge || regex->error_code() == RE2::ErrorRepeatSize) {
    return Limit("regular expression too large: {}", EscapeForTerminal(regex->error()));
  }
  if (!regex->ok()) return Invalid("regular expression: {}", EscapeForTerminal(regex->error()));
  EventMatcher matcher(Kind::kRegex, expression);
  matcher.regex_ = std::move(regex);
  return matcher;
}

bool EventMatcher::Matches(std::string_view event) const {
  if (kind_ == Kind::kAny) return true;
  // Most events have another name: seen before anything is taken apart.
  if (!parts_.empty() && parts_[0].find('.') == std::string::npos && event.find(parts_[0]) == std::string_view::npos)
    return false;
  const EventParts parts = ParseEvent(event);
  const std::string_view bare = WithoutTag(event, parts);
  switch (kind_) {
    case Kind::kAny: return true;
    case Kind::kMethod: return !parts_.empty() && IsMethodNamed(event, parts, normalised_, parts_);
    case Kind::kScope: return !parts_.empty() && IsInScopeNamed(parts, parts_);
    case Kind::kGlob:
      return MatchesGlob(normalised_, WithOneSeparator(bare)) ||
             (bare.size() != event.size() && MatchesGlob(normalised_, WithOneSeparator(event)));
    case Kind::kRegex:
      return RE2::PartialMatch(re2::StringPiece(bare.data(), bare.size()), *regex_) ||
             (bare.size() != event.size() && RE2::PartialMatch(re2::StringPiece(event.data(), event.size()), *regex_));
  }
  return false;
}

}  // namespace oscope::bql
