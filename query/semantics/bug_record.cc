// The fields of a report as BQL names them, from the model's list of fields; anything else is a custom field.
#include "query/semantics/bug_record.h"

#include <algorithm>

#include "base/timestamp.h"
#include "bql/check/fields.h"
#include "tracer/model/bug_fields.h"

namespace oscope {
namespace {

void InsertSorted(std::vector<std::string>& values, std::string value) {
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  if (at == values.end() || *at != value) values.insert(at, std::move(value));
}

// The values of a member as a query compares them: none where the bug does not say.
std::vector<std::string> ValuesOf(const std::string& text) {
  if (text.empty()) return {};
  return {text};
}
std::vector<std::string> ValuesOf(const std::optional<int64_t>& at_ns) {
  if (!at_ns) return {};
  return {FormatTimestamp(*at_ns)};
}
std::vector<std::string> ValuesOf(BugStatus status) { return {std::string(BugStatusName(status))}; }
// No list of a bug is a field of BQL.
template <typename List>
std::vector<std::string> ValuesOf(const List&) {
  return {};
}

}  // namespace

void FailingRuns::Add(const RunHeader& run) {
  if (!IsFailing(run.outcome)) return;
  if (!run.test.empty()) InsertSorted(tests, run.test);
  if (run.failure.signal) InsertSorted(signals, std::to_string(*run.failure.signal));
}

std::vector<std::string> FieldValues(const BugRecord& record, std::string_view field) {
  if (field == "test") return record.runs.tests;
  if (field == "signal") return record.runs.signals;
  for (const BugField* known : kInOrder<kBugFields, &BugField::bql>) {
    if (field != known->name) continue;
    return std::visit([&](const auto& member) { return ValuesOf(member.read(record.bug)); }, known->member);
  }
  const auto custom = record.bug.custom.find(std::string(field));
  return custom == record.bug.custom.end() ? std::vector<std::string>{} : ValuesOf(custom->second);
}

}  // namespace oscope
