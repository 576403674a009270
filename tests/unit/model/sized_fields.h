// The texts and lists of bugs, runs and traces that have a limit, so that each can be tried at it and beyond.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

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

inline std::vector<SizedField<Bug>> SizedFieldsOfBugs() {
  using namespace limits;
  return {
      {"project", kMaxIdBytes, [](Bug& bug, size_t size) { bug.key.project = TextOf(size); }},
      {"bug id", kMaxIdBytes, [](Bug& bug, size_t size) { bug.key.id = TextOf(size); }},
      {"title", kMaxNameBytes, [](Bug& bug, size_t size) { bug.title = TextOf(size); }},
      {"severity", kMaxNameBytes, [](Bug& bug, size_t size) { bug.severity = TextOf(size); }},
      {"reporter", kMaxNameBytes, [](Bug& bug, size_t size) { bug.reporter = TextOf(size); }},
      {"url", kMaxNameBytes, [](Bug& bug, size_t size) { bug.url = TextOf(size); }},
      {"version", kMaxNameBytes, [](Bug& bug, size_t size) { bug.version = TextOf(size); }},
      {"text", kMaxTextBytes, [](Bug& bug, size_t size) { bug.text = TextOf(size); }},
      {"comments", kMaxFields, [](Bug& bug, size_t size) { bug.comments.resize(size); }},
      {"comment author", kMaxNameBytes,
       [](Bug& bug, size_t size) { bug.comments = {{TextOf(size), std::nullopt, ""}}; }},
      {"comment", kMaxTextBytes, [](Bug& bug, size_t size) { bug.comments = {{"", std::nullopt, TextOf(size)}}; }},
      {"fix commit", kMaxNameBytes, [](Bug& bug, size_t size) { bug.fix.commit = TextOf(size); }},
      {"fix diff", kMaxTextBytes, [](Bug& bug, size_t size) { bug.fix.diff = TextOf(size); }},
      {"fix author", kMaxNameBytes, [](Bug& bug, size_t size) { bug.fix.author = TextOf(size); }},
      {"fix note", kMaxTextBytes, [](Bug& bug, size_t size) { bug.fix.note = TextOf(size); }},
      {"duplicates", kMaxFields, [](Bug& bug, size_t size) { bug.duplicates.assign(size, {"demo", "2"}); }},
      {"project of a duplicate", kMaxIdBytes, [](Bug& bug, size_t size) { bug.duplicates = {{TextOf(size), "2"}}; }},
      {"id of a duplicate", kMaxIdBytes, [](Bug& bug, size_t size) { bug.duplicates = {{"demo", TextOf(size)}}; }},
      {"custom fields", kMaxFields, [](Bug& bug, size_t size) { bug.custom = FieldsOf(size); }},
      {"custom field name", kMaxNameBytes, [](Bug& bug, size_t size) { bug.custom = {{TextOf(size), ""}}; }},
      {"custom field", kMaxTextBytes, [](Bug& bug, size_t size) { bug.custom = {{"x", TextOf(size)}}; }},
  };
}

inline std::vector<SizedField<RunHeader>> SizedFieldsOfRuns() {
  using namespace limits;
  return {
      {"project", kMaxIdBytes, [](RunHeader& run, size_t size) { run.project = TextOf(size); }},
      {"bug id", kMaxIdBytes, [](RunHeader& run, size_t size) { run.bug = TextOf(size); }},
      {"test", kMaxNameBytes, [](RunHeader& run, size_t size) { run.test = TextOf(size); }},
      {"version", kMaxNameBytes, [](RunHeader& run, size_t size) { run.version = TextOf(size); }},
      {"language", kMaxNameBytes, [](RunHeader& run, size_t size) { run.language = TextOf(size); }},
      {"recorder", kMaxNameBytes, [](RunHeader& run, size_t size) { run.recorder = TextOf(size); }},
      {"message", kMaxTextBytes, [](RunHeader& run, size_t size) { run.failure.message = TextOf(size); }},
      {"failure's file", kMaxNameBytes, [](RunHeader& run, size_t size) { run.failure.place.file = TextOf(size); }},
      {"failure's function", kMaxNameBytes,
       [](RunHeader& run, size_t size) { run.failure.place.function = TextOf(size); }},
      {"fingerprint", kMaxNameBytes, [](RunHeader& run, size_t size) { run.failure.fingerprint = TextOf(size); }},
      {"arguments", kMaxFields, [](RunHeader& run, size_t size) { run.command.assign(size, "a"); }},
      {"argument", kMaxTextBytes, [](RunHeader& run, size_t size) { run.command = {TextOf(size)}; }},
      {"inputs", kMaxFields, [](RunHeader& run, size_t size) { run.inputs.assign(size, {"a", "b"}); }},
      {"input name", kMaxNameBytes, [](RunHeader& run, size_t size) { run.inputs = {{TextOf(size), ""}}; }},
      {"input", kMaxTextBytes, [](RunHeader& run, size_t size) { run.inputs = {{"a", TextOf(size)}}; }},
      {"custom fields", kMaxFields, [](RunHeader& run, size_t size) { run.custom = FieldsOf(size); }},
      {"custom field name", kMaxNameBytes, [](RunHeader& run, size_t size) { run.custom = {{TextOf(size), ""}}; }},
      {"custom field", kMaxTextBytes, [](RunHeader& run, size_t size) { run.custom = {{"x", TextOf(size)}}; }},
  };
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
