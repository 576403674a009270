// The texts and lists of bugs, runs and traces that have a limit, so that each can be tried at it and beyond.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope {

template <typename T>
struct SizedField {
  std::string name;  // as errors name it
  size_t limit;
  std::function<void(T&, size_t)> resize;
};

inline std::string TextOf(size_t size) { return std::string(size, 'x'); }

inline std::map<std::string, std::string> FieldsOf(size_t count) {
  std::map<std::string, std::string> fields;
  for (size_t i = 0; i < count; ++i) fields[fmt::format("{:08}", i)] = "v";
  return fields;
}

inline Bug SmallBug() {
  Bug bug;
  bug.key = {"demo", "1"};
  return bug;
}

inline RunHeader SmallRun() {
  RunHeader run;
  run.id = RunId{{1, 2}};
  run.project = "demo";
  return run;
}

// The texts among the rows of a list of fields, and then `more`.
template <typename T, typename Rows>
std::vector<SizedField<T>> SizedTexts(const Rows& rows, std::vector<SizedField<T>> more) {
  std::vector<SizedField<T>> fields;
  for (const auto& row : rows) {
    const auto* member = std::get_if<Member<T, std::string>>(&row.member);
    if (member == nullptr) continue;
    fields.push_back(
        {row.what, row.limit, [member](T& record, size_t size) { member->change(record) = TextOf(size); }});
  }
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

inline std::vector<SizedField<Bug>> SizedFieldsOfBugs() {
  using namespace limits;
  return SizedTexts<Bug>(
      kBugFields,
      {
          {"comments", kMaxFields, [](Bug& bug, size_t size) { bug.comments.resize(size); }},
          {"comment author", kMaxNameBytes,
           [](Bug& bug, size_t size) { bug.comments = {{TextOf(size), std::nullopt, ""}}; }},
          {"comment", kMaxTextBytes, [](Bug& bug, size_t size) { bug.comments = {{"", std::nullopt, TextOf(size)}}; }},
          {"duplicates", kMaxFields, [](Bug& bug, size_t size) { bug.duplicates.assign(size, {"demo", "2"}); }},
          {"project of a duplicate", kMaxIdBytes,
           [](Bug& bug, size_t size) { bug.duplicates = {{TextOf(size), "2"}}; }},
          {"id of a duplicate", kMaxIdBytes, [](Bug& bug, size_t size) { bug.duplicates = {{"demo", TextOf(size)}}; }},
          {"custom fields", kMaxFields, [](Bug& bug, size_t size) { bug.custom = FieldsOf(size); }},
          {"custom field name", kMaxNameBytes, [](Bug& bug, size_t size) { bug.custom = {{TextOf(size), ""}}; }},
          {"custom field", kMaxTextBytes, [](Bug& bug, size_t size) { bug.custom = {{"x", TextOf(size)}}; }},
      });
}

inline std::vector<SizedField<RunHeader>> SizedFieldsOfRuns() {
  using namespace limits;
  return SizedTexts<RunHeader>(
      kRunFields,
      {
          {"arguments", kMaxFields, [](RunHeader& run, size_t size) { run.command.assign(size, "a"); }},
          {"argument", kMaxTextBytes, [](RunHeader& run, size_t size) { run.command = {TextOf(size)}; }},
          {"inputs", kMaxFields, [](RunHeader& run, size_t size) { run.inputs.assign(size, {"a", "b"}); }},
          {"input name", kMaxNameBytes, [](RunHeader& run, size_t size) { run.inputs = {{TextOf(size), ""}}; }},
          {"input", kMaxTextBytes, [](RunHeader& run, size_t size) { run.inputs = {{"a", TextOf(size)}}; }},
          {"custom fields", kMaxFields, [](RunHeader& run, size_t size) { run.custom = FieldsOf(size); }},
          {"custom field name", kMaxNameBytes, [](RunHeader& run, size_t size) { run.custom = {{TextOf(size), ""}}; }},
          {"custom field", kMaxTextBytes, [](RunHeader& run, size_t size) { run.custom = {{"x", TextOf(size)}}; }},
          {"directory", kMaxNameBytes, [](RunHeader& run, size_t size) { run.repeat.directory = TextOf(size); }},
          {"revision", kMaxIdBytes, [](RunHeader& run, size_t size) { run.repeat.revision = TextOf(size); }},
          {"runner", kMaxIdBytes, [](RunHeader& run, size_t size) { run.repeat.selection.runner = TextOf(size); }},
          {"framework", kMaxIdBytes,
           [](RunHeader& run, size_t size) { run.repeat.selection.framework = TextOf(size); }},
          {"filter", kMaxNameBytes, [](RunHeader& run, size_t size) { run.repeat.selection.filter = TextOf(size); }},
          {"expected outputs", kMaxFields,
           [](RunHeader& run, size_t size) { run.repeat.expected.output.resize(size); }},
          {"expected output", kMaxNameBytes,
           [](RunHeader& run, size_t size) { run.repeat.expected.output = {TextOf(size)}; }},
          {"forbidden outputs", kMaxFields,
           [](RunHeader& run, size_t size) { run.repeat.expected.forbidden_output.resize(size); }},
          {"forbidden output", kMaxNameBytes,
           [](RunHeader& run, size_t size) { run.repeat.expected.forbidden_output = {TextOf(size)}; }},
          {"built objects", kMaxFields, [](RunHeader& run, size_t size) { run.repeat.builds.resize(size); }},
          {"built object's path", kMaxNameBytes,
           [](RunHeader& run, size_t size) { run.repeat.builds = {{TextOf(size), "", {}}}; }},
          {"build id", kMaxNameBytes,
           [](RunHeader& run, size_t size) { run.repeat.builds = {{"", TextOf(size), {}}}; }},
          {"compilers", kMaxFields,
           [](RunHeader& run, size_t size) { run.repeat.builds = {{"", "", std::vector<std::string>(size)}}; }},
          {"compiler", kMaxNameBytes,
           [](RunHeader& run, size_t size) { run.repeat.builds = {{"", "", {TextOf(size)}}}; }},
          {"things not kept", kMaxFields,
           [](RunHeader& run, size_t size) { run.repeat.not_kept.assign(size, {"input", "a"}); }},
          {"kind of a thing not kept", kMaxIdBytes,
           [](RunHeader& run, size_t size) { run.repeat.not_kept = {{TextOf(size), ""}}; }},
          {"name of a thing not kept", kMaxNameBytes,
           [](RunHeader& run, size_t size) { run.repeat.not_kept = {{"input", TextOf(size)}}; }},
      });
}

inline std::vector<SizedField<TraceHeader>> SizedFieldsOfTraces() {
  using namespace limits;
  return {
      {"thread name", kMaxNameBytes, [](TraceHeader& trace, size_t size) { trace.thread_name = TextOf(size); }},
      {"partial note", kMaxTextBytes, [](TraceHeader& trace, size_t size) { trace.partial_note = TextOf(size); }},
      {"events", kMaxTraceEvents, [](TraceHeader& trace, size_t size) { trace.event_count = size; }},
      {"failure reason", kMaxNameBytes,
       [](TraceHeader& trace, size_t size) { trace.mark = FailureMark{0, TextOf(size)}; }},
  };
}

}  // namespace oscope
