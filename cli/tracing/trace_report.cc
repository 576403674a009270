#include "cli/tracing/trace_report.h"

#include <set>

#include "cli/tracing/recorded_facts.h"
#include "tracer/model/test_identity.h"

namespace oscope::cli {
namespace {

void DescribeTraces(const RecordedRun& run, Json& json) {
  std::set<uint32_t> processes;
  uint64_t threads = 0;
  bool partial = run.header().incomplete;
  for (const TraceHeader& trace : run.traces()) {
    if (trace.kind != TraceKind::kExecution) continue;
    processes.insert(trace.process);
    ++threads;
    partial |= trace.partial;
  }
  json["events"] = run.events();
  json["processes"] = processes.size();
  json["threads"] = threads;
  json["partial"] = partial;
  json["incomplete"] = run.header().incomplete;
}

void DescribeFailure(const RecordedRun& run, Json& json) {
  if (const std::string reason = FailureReason(run); !reason.empty()) json["reason"] = reason;
  if (!run.header().failure.message.empty()) json["message"] = run.header().failure.message;
  if (const auto place = PlaceOf(run.header().failure)) json["place"] = {{"file", place->file}, {"line", place->line}};
  if (!run.fingerprint().empty()) json["fingerprint"] = run.fingerprint();
}

}  // namespace

Json AsJson(const RecordedRun& run, const TraceResult& result) {
  const RunHeader& header = run.header();
  Json json = Json::object();
  if (result.stored || !result.file.empty()) json["run"] = ToString(header.id);
  if (!result.file.empty()) json["file"] = result.file;
  json["project"] = header.project;
  json["test"] = TestOf(header);
  if (!header.version.empty()) json["version"] = header.version;
  json["recorder"] = header.recorder;
  json["outcome"] = OutcomeName(header.outcome);
  if (header.failure.exit_code) json["exit_code"] = *header.failure.exit_code;
  if (header.failure.signal) json["signal"] = *header.failure.signal;
  DescribeTraces(run, json);
  DescribeFailure(run, json);
  if (!header.bug.empty()) {
    json["bug"] = ToString(BugKey{header.project, header.bug});
    json["bug_is_new"] = result.bug.fate == RunFate::kNew;
    json["reopened"] = result.bug.fate == RunFate::kReopened;
  }
  if (result.bug.resolved) json["resolved_bug"] = ToString(*result.bug.resolved);
  json["similar"] = result.similar ? ToJson(*result.similar) : Json::array();
  json["notes"] = run.notes();
  if (!result.error.ok()) {
    const Error& error = result.error.error();
    json["error"] = {{"code", ErrorCodeName(error.code)}, {"message", error.message}};
  }
  return json;
}

}  // namespace oscope::cli
