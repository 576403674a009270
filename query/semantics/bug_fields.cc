// What a field predicate says of a bug's values: it holds if one of them satisfies it.
#include "query/semantics/bug_fields.h"

#include <algorithm>

#include "bql/check/fields.h"

namespace oscope {

bool BugFields::Satisfies(uint32_t bug, const bql::FieldPredicate& predicate) const {
  using Op = bql::FieldPredicate::Op;
  const std::vector<std::string> values = ValuesOf(bug, predicate.field);
  if (predicate.op == Op::kIsNull) return values.empty();
  if (predicate.op == Op::kIsNotNull) return !values.empty();
  return std::any_of(values.begin(), values.end(),
                     [&](const std::string& value) { return bql::ValueSatisfies(predicate, value); });
}

}  // namespace oscope
