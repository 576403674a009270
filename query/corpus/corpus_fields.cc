// A bug's field comes from its key, from its failing runs or from a column of its reports. Predicates are judged on
// the column's own text, without a copy, and a date that a predicate compares with is parsed once.
#include "query/corpus/corpus_fields.h"

#include "base/timestamp.h"
#include "bql/check/fields.h"

namespace oscope {

namespace {

bool IsOfKey(std::string_view field) { return field == "id" || field == "project"; }
bool IsOfRuns(std::string_view field) { return field == "test" || field == "signal"; }

// A report always has a status. A bug without one has that of a report that says nothing, as its other fields are.
std::string_view TextOf(const FieldColumn& column, uint32_t bug, std::string_view field) {
  const std::string_view text = column.text(bug);
  return text.empty() && field == "status" ? BugStatusName(Bug().status) : text;
}

}  // namespace

Status CorpusFields::Load(const std::string& field, const std::function<Status()>& ask) {
  if (IsOfKey(field) || IsOfRuns(field) || ColumnOf(field) != nullptr) return {};
  OSCOPE_ASSIGN_OR_RETURN(auto column, corpus_.Field(field, ask));
  columns_.emplace_back(field, std::move(column));
  return {};
}

Status CorpusFields::Load(const bql::FieldPredicate& predicate, const std::function<Status()>& ask) {
  if (bql::TypeOfField(predicate.field) == bql::FieldType::kDate)
    dates_.emplace(&predicate, bql::DatePredicate(predicate));
  return Load(predicate.field, ask);
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
    const std::string_view text = TextOf(*column, bug, field);
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
  if (column == nullptr) return BugFields::Satisfies(bug, predicate);
  if (column->is_time()) {
    const std::optional<int64_t> at_ns = column->time(bug);
    if (predicate.op == Op::kIsNull) return !at_ns;
    if (predicate.op == Op::kIsNotNull || !at_ns) return at_ns.has_value();
    const auto dates = dates_.find(&predicate);
    return dates == dates_.end() ? BugFields::Satisfies(bug, predicate) : dates->second.IsSatisfiedBy(*at_ns);
  }
  const std::string_view text = TextOf(*column, bug, predicate.field);
  if (predicate.op == Op::kIsNull) return text.empty();
  if (predicate.op == Op::kIsNotNull) return !text.empty();
  return bql::ValueSatisfies(predicate, text);
}

}  // namespace oscope
