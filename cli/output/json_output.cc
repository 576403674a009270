// The JSON forms of bugs, runs and traces. Bug and run fields come from the tables of the model; a field that a record
// lacks is left out, so that scripts can tell "empty" from "unknown".
#include "cli/output/json_output.h"

#include "base/escape.h"
#include "base/timestamp.h"
#include "tracer/import/base64.h"
#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope::cli {
namespace {

void SetText(Json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

void SetTime(Json& json, const char* name, const std::optional<int64_t>& ns) {
  if (ns) json[name] = FormatTimestamp(*ns);
}

Json Fields(const std::map<std::string, std::string>& fields) {
  Json json = Json::object();
  for (const auto& [name, value] : fields) json[name] = value;
  return json;
}

Json ToJson(const RunInput& input, bool with_bytes) {
  Json json = {{"name", input.name}, {"bytes", input.bytes.size()}};
  if (!with_bytes) return json;
  if (IsValidUtf8(input.bytes)) {
    json["text"] = input.bytes;
  } else {
    json["base64"] = EncodeBase64(input.bytes);
  }
  return json;
}

// A value under its name; one that has nothing to tell is left out, unless it must be there.
void SetValue(Json& json, const char* name, bool always, const std::string& text) {
  if (always || !text.empty()) json[name] = text;
}
void SetValue(Json& json, const char* name, bool, const std::optional<int64_t>& ns) { SetTime(json, name, ns); }
template <typename Enum>
  requires std::is_enum_v<Enum>
void SetValue(Json& json, const char* name, bool always, Enum value) {
  if (always || value != Enum{}) json[name] = EnumText<Enum>::Name(value);
}
void SetValue(Json& json, const char* name, bool, const std::vector<Comment>& comments) {
  Json& list = json[name] = Json::array();
  for (const Comment& comment : comments) {
    Json& added = list.emplace_back(Json::object());
    SetText(added, "author", comment.author);
    SetTime(added, "at", comment.at_ns);
    added["text"] = comment.text;
  }
}
void SetValue(Json& json, const char* name, bool, const std::vector<BugKey>& keys) {
  Json& list = json[name] = Json::array();
  for (const BugKey& key : keys) list.push_back(ToString(key));
}
void SetValue(Json& json, const char* name, bool, const std::map<std::string, std::string>& fields) {
  json[name] = Fields(fields);
}

void SetValue(Json& json, const char* name, bool, RunId id) { json[name] = ToString(id); }
template <typename Number>
  requires std::is_integral_v<Number>
void SetValue(Json& json, const char* name, bool, const std::optional<Number>& number) {
  if (number) json[name] = *number;
}
void SetValue(Json& json, const char* name, bool always, uint32_t number) {
  if (always || number != 0) json[name] = number;
}
void SetValue(Json& json, const char* name, bool always, bool flag) {
  if (always || flag) json[name] = flag;
}
void SetValue(Json& json, const char* name, bool, const std::optional<ThreadRef>& thread) {
  if (thread) json[name] = {{"process", thread->process}, {"thread", thread->thread}};
}
void SetValue(Json& json, const char* name, bool always, const std::vector<std::string>& texts) {
  if (always || !texts.empty()) json[name] = texts;
}
void SetValue(Json& json, const char* name, bool, const std::vector<RunInput>& inputs) {
  Json& list = json[name] = Json::array();
  for (const RunInput& input : inputs) list.push_back(ToJson(input, false));
}

template <typename Row, typename Record>
void SetField(Json& json, const Row& field, const Record& record) {
  std::visit([&](const auto& member) { SetValue(json, field.name, field.always_in_json, member.read(record)); },
             field.member);
}

template <typename Row, typename Record>
Json ToJson(std::span<const Row* const> fields, const Record& record) {
  Json json = Json::object();
  for (const Row* field : fields) SetField(json, *field, record);
  return json;
}

}  // namespace

Json ToJson(const Bug& bug) {
  Json json = {{"key", ToString(bug.key)}};
  ForEachGroup<BugField>(
      kInOrder<kBugFields, &BugField::json>, [&](const BugField& field) { SetField(json, field, bug); },
      [&](const char* group, std::span<const BugField* const> members) {
        if (!bug.fix.empty()) json[group] = ToJson(members, bug);
      });
  return json;
}

Json ToJson(const BugRevision& revision) {
  Json json = {{"revision", revision.revision}, {"edited", FormatTimestamp(revision.edited_ns)}};
  SetText(json, "by", revision.by);
  SetText(json, "why", revision.why);
  json["bug"] = ToJson(revision.bug);
  return json;
}

namespace {

Json ToJson(const Expectation& expected) {
  Json json = Json::object();
  if (expected.exit_code) json["exit_code"] = *expected.exit_code;
  if (expected.fails) json["fails"] = true;
  if (!expected.output.empty()) json["output"] = expected.output;
  if (!expected.forbidden_output.empty()) json["forbidden_output"] = expected.forbidden_output;
  return json;
}

// The names are those of JSON lines.
Json ToJson(const Repeat& repeat) {
  Json json = Json::object();
  SetText(json, "directory", repeat.directory);
  SetText(json, "revision", repeat.revision);
  SetText(json, "changes", repeat.changes);
  if (!repeat.selection.empty()) {
    Json& selection = json["selection"] = Json::object();
    SetText(selection, "runner", repeat.selection.runner);
    SetText(selection, "framework", repeat.selection.framework);
    SetText(selection, "filter", repeat.selection.filter);
  }
  if (!repeat.expected.empty()) json["expected"] = ToJson(repeat.expected);
  if (!repeat.builds.empty()) json["builds"] = Json::array();
  for (const BuiltObject& object : repeat.builds) {
    Json& built = json["builds"].emplace_back(Json{{"path", object.path}});
    SetText(built, "build_id", object.build_id);
    if (!object.compilers.empty()) built["compilers"] = object.compilers;
  }
  if (!repeat.not_kept.empty()) json["not_kept"] = Json::array();
  for (const NotKept& missing : repeat.not_kept) {
    SetText(json["not_kept"].emplace_back(Json{{"kind", missing.kind}}), "name", missing.name);
  }
  return json;
}

}  // namespace

Json ToJson(const RunHeader& run, bool with_inputs) {
  Json json = Json::object();
  ForEachGroup<RunField>(
      kInOrder<kRunFields, &RunField::json>, [&](const RunField& field) { SetField(json, field, run); },
      [&](const char* group, std::span<const RunField* const> members) {
        // Of a run that an earlier release recorded the custom fields tell all that is known.
        if (run.failure.kind != FailureKind::kUnknown || !run.failure.place.function.empty())
          json[group] = ToJson(members, run);
      });
  if (with_inputs) {
    json["inputs"] = Json::array();
    for (const RunInput& input : run.inputs) json["inputs"].push_back(ToJson(input, true));
  }
  // The names under which scripts know the fingerprint and the line.
  json["custom"] = Fields(WithFailureFields(run.custom, run.failure));
  if (!run.repeat.empty()) json["repeat"] = ToJson(run.repeat);
  return json;
}

Json ToJson(const StoredRun& run, bool with_inputs) {
  Json json = ToJson(run.header, with_inputs);
  json["stored"] = FormatTimestamp(run.stored_ns);
  json["trace_count"] = run.trace_count;
  json["event_count"] = run.event_count;
  return json;
}

Json ToJson(RunId run, const TraceHeader& trace) {
  Json json = {{"id", ToString(TraceId{run, trace.process, trace.thread, trace.kind})},
               {"process", trace.process},
               {"thread", trace.thread},
               {"kind", TraceKindName(trace.kind)}};
  SetText(json, "thread_name", trace.thread_name);
  json["event_count"] = trace.event_count;
  if (trace.mark) json["mark"] = {{"events", trace.mark->events}, {"reason", trace.mark->reason}};
  json["partial"] = trace.partial;
  SetText(json, "partial_note", trace.partial_note);
  return json;
}

Json ToJson(const IngestResult& result) {
  Json json = {{"version", result.version},           {"runs_added", result.runs_added},
               {"runs_known", result.runs_known},     {"traces_added", result.traces_added},
               {"events_added", result.events_added}, {"bugs_added", result.bugs_added},
               {"bugs_changed", result.bugs_changed}};
  if (result.attachments_added != 0) json["attachments_added"] = result.attachments_added;
  return json;
}

Json ToJson(const StoreStats& stats) {
  Json json = {{"version", stats.version},
               {"segments", stats.segments},
               {"quarantined", stats.quarantined},
               {"ranges", stats.ranges},
               {"runs", stats.runs},
               {"traces", stats.traces},
               {"events", stats.events},
               {"bug_revisions", stats.bug_revisions},
               {"bytes", stats.bytes},
               {"tables", Json::object()}};
  for (int i = 0; i < kTables; ++i) {
    const auto& table = stats.tables[i];
    if (static_cast<Table>(i) == Table::kAttachments && table.files == 0) continue;  // few stores have any
    json["tables"][std::string(TableName(static_cast<Table>(i)))] = {
        {"files", table.files}, {"rows", table.rows}, {"bytes", table.bytes}};
  }
  return json;
}

}  // namespace oscope::cli
