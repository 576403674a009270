#include "query/semantics/bug_record.h"

#include <algorithm>

#include "base/timestamp.h"
#include "bql/check/fields.h"

namespace oscope {
namespace {

void InsertSorted(std::vector<std::string>& values, std::string value) {
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  if (at == values.end() || *at != value) values.insert(at, std::move(value));
}

std::vector<std::string> OneOrNone(std::string value) {
  if (value.empty()) return {};
  return {std::move(value)};
}

std::vector<std::string> Date(const std::optional<int64_t>& at_ns) {
  if (!at_ns) return {};
  return {FormatTimestamp(*at_ns)};
}

}  // namespace

void BugRecord::AddRun(const RunHeader& run) {
  if (!IsFailing(run.outcome)) return;
  if (!run.test.empty()) InsertSorted(tests, run.test);
  if (run.failure.signal) InsertSorted(signals, std::to_string(*run.failure.signal));
}

std::vector<std::string> FieldValues(const BugRecord& record, std::string_view field) {
  const Bug& bug = record.bug;
  if (field == "id") return {bug.key.id};
  if (field == "project") return {bug.key.project};
  if (field == "status") return {std::string(BugStatusName(bug.status))};
  if (field == "severity") return OneOrNone(bug.severity);
  if (field == "title") return OneOrNone(bug.title);
  if (field == "reporter") return OneOrNone(bug.reporter);
  if (field == "created") return Date(bug.created_ns);
  if (field == "resolved") return Date(bug.resolved_ns);
  if (field == "version") return OneOrNone(bug.version);
  if (field == "url") return OneOrNone(bug.url);
  if (field == "test") return record.tests;
  if (field == "signal") return record.signals;
  const auto custom = bug.custom.find(std::string(field));
  return custom == bug.custom.end() ? std::vector<std::string>{} : OneOrNone(custom->second);
}

bool Satisfies(const BugRecord& record, const bql::FieldPredicate& predicate) {
  using Op = bql::FieldPredicate::Op;
  const std::vector<std::string> values = FieldValues(record, predicate.field);
  if (predicate.op == Op::kIsNull) return values.empty();
  if (predicate.op == Op::kIsNotNull) return !values.empty();
  return std::any_of(values.begin(), values.end(),
                     [&](const std::string& value) { return bql::ValueSatisfies(predicate, value); });
}

}  // namespace oscope
