// How a stored value is compared with a written one depends on the field: texts byte by byte, custom fields as numbers
// if both sides are numbers, dates, statuses and signals by their own rules.
//
// A date without a time is a whole day in UTC. So a stored time is compared with a span and not with a point: it is
// equal if it lies within the day, and less if it lies before it. A field without a value satisfies no comparison, not
// even !=; only IS NULL holds for it.
#include "bql/check/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <csignal>
#include <map>
#include <utility>

#include "base/suggest.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "tracer/model/bug_fields.h"

namespace oscope::bql {
namespace {

using Op = FieldPredicate::Op;

constexpr int64_t kDayNs = 86'400'000'000'000;
constexpr size_t kDateOnlyBytes = 10;  // 2026-01-02

constexpr std::pair<std::string_view, int> kSignals[] = {
    {"SIGABRT", SIGABRT}, {"SIGALRM", SIGALRM}, {"SIGBUS", SIGBUS},   {"SIGFPE", SIGFPE},
    {"SIGHUP", SIGHUP},   {"SIGILL", SIGILL},   {"SIGINT", SIGINT},   {"SIGKILL", SIGKILL},
    {"SIGPIPE", SIGPIPE}, {"SIGQUIT", SIGQUIT}, {"SIGSEGV", SIGSEGV}, {"SIGSYS", SIGSYS},
    {"SIGTERM", SIGTERM}, {"SIGTRAP", SIGTRAP}, {"SIGXCPU", SIGXCPU}, {"SIGXFSZ", SIGXFSZ}};

template <typename Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int> ParseSignal(std::string_view text) {
  for (const auto& [name, number] : kSignals) {
    if (name == text || name.substr(3) == text) return number;
  }
  return ParseWhole<int>(text);
}

// A stretch of time: one point, or the day that a bare date means.
struct TimeSpan {
  int64_t begin = 0;
  int64_t length = 1;
};

std::optional<TimeSpan> ParseTimeSpan(std::string_view text) {
  const auto begin = ParseTimestamp(text);
  if (!begin.ok()) return std::nullopt;
  return TimeSpan{*begin, text.size() == kDateOnlyBytes ? kDayNs : 1};
}

std::strong_ordering CompareTimes(int64_t at_ns, const TimeSpan& span) {
  if (at_ns < span.begin) return std::strong_ordering::less;
  // Not begin + length, which may overflow.
  return at_ns - span.length >= span.begin ? std::strong_ordering::greater : std::strong_ordering::equal;
}

// Where a value stands to a written one; nothing when they cannot be compared.
std::optional<std::strong_ordering> Compare(FieldType type, std::string_view value, std::string_view written) {
  switch (type) {
    case FieldType::kText:
    case FieldType::kStatus: return value <=> written;
    case FieldType::kNumberOrText: {
      const auto a = ParseWhole<double>(value), b = ParseWhole<double>(written);
      const bool numbers = a && b && std::isfinite(*a) && std::isfinite(*b);  // "nan" and "inf" are texts here
      if (!numbers) return value <=> written;
      return *a < *b   ? std::strong_ordering::less
             : *a > *b ? std::strong_ordering::greater
                       : std::strong_ordering::equal;
    }
    case FieldType::kDate: {
      const auto at = ParseTimestamp(value);
      const auto span = ParseTimeSpan(written);
      if (!at.ok() || !span) return std::nullopt;
      return CompareTimes(*at, *span);
    }
    case FieldType::kSignal: {
      const auto a = ParseSignal(value), b = ParseSignal(written);
      if (!a || !b) return std::nullopt;
      return *a <=> *b;
    }
  }
  return std::nullopt;
}

bool Holds(Op op, std::strong_ordering order) {
  switch (op) {
    case Op::kEqual:
    case Op::kIn: return order == 0;
    case Op::kNotEqual: return order != 0;
    case Op::kLess: return order < 0;
    case Op::kLessEqual: return order <= 0;
    case Op::kGreater: return order > 0;
    case Op::kGreaterEqual: return order >= 0;
    default: return false;
  }
}

Status ValidateStatus(std::string_view value) {
  if (ParseBugStatus(value).ok()) return {};
  const std::vector<std::string> names = {"open", "reopened", "resolved", "closed"};
  const std::string nearest = DidYouMean(Suggest(value, names));
  return Invalid("unknown status '{}': {}", value,
                 nearest.empty() ? "it is open, reopened, resolved or closed" : nearest);
}

Status ValidateSignal(std::string_view value) {
  if (ParseSignal(value)) return {};
  std::vector<std::string> names;
  for (const auto& [name, number] : kSignals) names.emplace_back(name);
  const std::string nearest = DidYouMean(Suggest(value, names));
  return Invalid("unknown signal '{}': {}", value,
                 nearest.empty() ? "write a name such as SIGSEGV, or a number" : nearest);
}

}  // namespace

const std::vector<std::string>& BuiltInFields() {
  static const std::vector<std::string> fields = [] {
    // Those that the failing runs of a bug have stand among those of the report.
    std::map<uint16_t, std::string> by_place = {{100, "test"}, {110, "signal"}};
    for (const BugField* field : kInOrder<kBugFields, &BugField::bql>) by_place.emplace(field->bql, field->name);
    std::vector<std::string> names;
    for (auto& [place, name] : by_place) names.push_back(std::move(name));
    return names;
  }();
  return fields;
}

FieldType TypeOfField(std::string_view field) {
  if (field == "test") return FieldType::kText;
  if (field == "signal") return FieldType::kSignal;
  if (field == "id") return FieldType::kNumberOrText;
  for (const BugField* known : kInOrder<kBugFields, &BugField::bql>) {
    if (field != known->name) continue;
    if (std::holds_alternative<Member<Bug, std::optional<int64_t>>>(known->member)) return FieldType::kDate;
    return std::holds_alternative<Member<Bug, BugStatus>>(known->member) ? FieldType::kStatus : FieldType::kText;
  }
  return FieldType::kNumberOrText;
}

Status ValidateFieldOperator(std::string_view field, Op op) {
  const FieldType type = TypeOfField(field);
  const bool orders = op == Op::kLess || op == Op::kLessEqual || op == Op::kGreater || op == Op::kGreaterEqual;
  if (type == FieldType::kDate && op == Op::kLike)
    return Invalid("LIKE is for texts, and '{}' is a date: use < and >=", field);
  if (type == FieldType::kSignal && op == Op::kLike)
    return Invalid("LIKE is for texts, and '{}' is a signal: use = or IN", field);
  if (type == FieldType::kStatus && orders) return Invalid("a status has no order: use =, != or IN");
  return {};
}

Status ValidateFieldValue(std::string_view field, Op op, std::string_view value) {
  if (op == Op::kLike) return {};
  switch (TypeOfField(field)) {
    case FieldType::kDate:
      if (ParseTimeSpan(value)) return {};
      return Invalid("'{}' is no date: write 2026-01-02 or 2026-01-02T03:04:05Z", value);
    case FieldType::kStatus: return ValidateStatus(value);
    case FieldType::kSignal: return ValidateSignal(value);
    case FieldType::kText:
    case FieldType::kNumberOrText: return {};
  }
  return {};
}

bool ValueSatisfies(const FieldPredicate& predicate, std::string_view value) {
  if (value.empty()) return false;
  const FieldType type = TypeOfField(predicate.field);
  const bool holds = std::any_of(predicate.values.begin(), predicate.values.end(), [&](const std::string& written) {
    if (predicate.op == Op::kLike) return LikeMatches(written, value);
    const auto order = Compare(type, value, written);
    return order && Holds(predicate.op, *order);
  });
  return holds != predicate.negated;
}

DatePredicate::DatePredicate(const FieldPredicate& predicate) : op_(predicate.op), negated_(predicate.negated) {
  for (const std::string& written : predicate.values) {
    if (const auto span = ParseTimeSpan(written)) written_.push_back({span->begin, span->length});
  }
}

bool DatePredicate::IsSatisfiedBy(int64_t at_ns) const {
  // A time that cannot be written as a text equals no text (base/timestamp.h).
  static const int64_t first = ParseTimestamp("1678-01-01").value();
  static const int64_t last = ParseTimestamp("2261-12-31T23:59:59.999999999Z").value();
  const bool can_be_compared = at_ns >= first && at_ns <= last;
  const bool holds = can_be_compared && std::any_of(written_.begin(), written_.end(), [&](const Written& written) {
                       return Holds(op_, CompareTimes(at_ns, {written.begin_ns, written.length_ns}));
                     });
  return holds != negated_;
}

// The usual two-pointer match: after a mismatch the last % takes one character more. No recursion, at most |pattern| *
// |text| steps.
bool LikeMatches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0;
  size_t after_percent = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      after_percent = ++p;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == '_') {
      ++p;
      t = Utf8CharacterEnd(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (after_percent != std::string_view::npos) {
      p = after_percent;
      t = retry = Utf8CharacterEnd(text, retry);
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') ++p;
  return p == pattern.size();
}

}  // namespace oscope::bql
