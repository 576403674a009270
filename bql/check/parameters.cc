// A value's text decides its kind: quotes around it make it a text, which can be a pattern and cannot be a bug.
#include "bql/check/parameters.h"

#include "bql/syntax/scan.h"

namespace oscope::bql {

ParameterValue::ParameterValue(std::string_view value) : text(value) {
  const bool quoted = value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && QuotedEnd(value, 0) == value.size();
  if (!quoted) return;
  kind = Kind::kText;
  text.clear();
  for (size_t i = 1; i + 1 < value.size(); ++i) {
    text += value[i];
    if (value[i] == value[0]) ++i;  // doubled
  }
}

ParameterValue ParameterValue::Text(std::string_view text) {
  ParameterValue value;
  value.kind = Kind::kText;
  value.text = text;
  return value;
}

ParameterValue ParameterValue::Unknown() {
  ParameterValue value;
  value.kind = Kind::kUnknown;
  return value;
}

}  // namespace oscope::bql
