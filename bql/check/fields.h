// The fields of a bug that a query may ask for, and how a stored value is compared with a written one.
//
// Texts are compared byte by byte, with case. A custom field and `id` compare as numbers when both sides are numbers. A
// date that was written 2026-01-02 means that whole day (UTC): `=` any time in it, `<` before it, `>` after it.
// `signal` takes SIGSEGV or 11.
// LIKE: % is any text, _ any one character, all else itself, with case; the whole value must match.
// An empty value counts as none (NULL); no comparison holds for it, NOT LIKE and NOT IN neither.
// Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bql/check/query.h"

namespace oscope::bql {

enum class FieldType : uint8_t { kText, kNumberOrText, kDate, kStatus, kSignal };

// id, project, status, severity, title, reporter, created, resolved, version, test, signal, url: in this order.
const std::vector<std::string>& BuiltInFields();
// kNumberOrText for a name that is not built in: a custom field's.
FieldType TypeOfField(std::string_view field);

// Whether the operator makes sense for the type, and the value has its form. kInvalid says what would be right.
Status ValidateFieldOperator(std::string_view field, FieldPredicate::Op op);
Status ValidateFieldValue(std::string_view field, FieldPredicate::Op op, std::string_view value);

// Whether a stored value (dates as FormatTimestamp writes them, signals as numbers) satisfies the predicate; for every
// operator but IS NULL and IS NOT NULL, which ask whether there is a value at all.
bool ValueSatisfies(const FieldPredicate& predicate, std::string_view value);

// A predicate on a date with what was written read once, for who asks of many times.
class DatePredicate {
 public:
  explicit DatePredicate(const FieldPredicate& predicate);
  // As ValueSatisfies of FormatTimestamp(at_ns).
  bool IsSatisfiedBy(int64_t at_ns) const;

 private:
  struct Written {
    int64_t begin_ns = 0, length_ns = 1;
  };
  FieldPredicate::Op op_;
  bool negated_;
  std::vector<Written> written_;
};

bool LikeMatches(std::string_view pattern, std::string_view text);

}  // namespace oscope::bql
