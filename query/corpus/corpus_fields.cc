#include "query/corpus/corpus_fields.h"

#include "base/timestamp.h"
#include "bql/check/fields.h"

namespace oscope {

namespace {

bool IsOfKey(std::string_view field) { return field == "id" || field == "project"; }
bool IsOfRuns(std::string_view field) { return field == "test" || field == "signal"; }

}  // namespace

Status CorpusFields::Load(const std::string& field, const std::function<Status()>& ask) {
  if (IsOfKey(field) || IsOfRuns(field) || ColumnOf(field) != nullptr) return {};
  OSCOPE_ASSIGN_OR_RETURN(auto column, corpus_.Field(field, ask));
  columns_.emplace_back(field, std::move(column));
  return {};
}

const FieldColumn* CorpusFields::ColumnOf(std::string_view field) const {
  for (const auto& [name, column] : columns_) {
    if (name == field) return column.get();
  }
  return nullptr;
}

std::vector<std::string> CorpusFields::ValuesOf(uint32_t bug, const std::string& field) const {
  const FieldColumn* column = ColumnOf(field);
  if (column != nullptr && column->is_time()) {
    const std::optional<int64_t> at_ns = column->time(bug);
    return at_ns ? std::vector<std::string>{FormatTimestamp(*at_ns)} : std::vector<std::string>();
  }
  if (column != nullptr) {
    const std::string_view text = column->text(bug);
    return text.empty() ? std::vector<std::string>() : std::vector<std::string>{std::string(text)};
  }
  if (IsOfRuns(field)) {
    const FailingRuns& runs = corpus_.failing_runs(bug);
    return field == "test" ? runs.tests : runs.signals;
  }
  OSCOPE_CHECK(IsOfKey(field));
  return {field == "id" ? KeyOf(bug).id : KeyOf(bug).project};
}

// As BugFields::Satisfies, without a copy of the value.
bool CorpusFields::Satisfies(uint32_t bug, const bql::FieldPredicate& predicate) const {
  using Op = bql::FieldPredicate::Op;
  const FieldColumn* column = ColumnOf(predicate.field);
  if (column == nullptr || column->is_time()) return BugFields::Satisfies(bug, predicate);
  const std::string_view text = column->text(bug);
  if (predicate.op == Op::kIsNull) return text.empty();
  if (predicate.op == Op::kIsNotNull) return !text.empty();
  return bql::ValueSatisfies(predicate, text);
}

}  // namespace oscope
