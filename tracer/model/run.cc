// Names, ids and validation of runs and traces. Validation is done wherever a run enters (importers, files, stores), so
// that everything behind can rely on the limits. An id has exactly one spelling: "01" is refused where "1" is meant.
#include "tracer/model/run.h"

#include <array>

#include "base/limits.h"
#include "tracer/model/bug.h"
#include "tracer/model/run_fields.h"

namespace oscope {
namespace {

constexpr std::array<std::string_view, 2> kKindNames = {"execution", "stack"};
constexpr std::array<std::string_view, EnumText<Outcome>::kCount> kOutcomeNames = {"passed", "failed", "signal",
                                                                                   "timeout"};

Status CheckSize(std::string_view what, uint64_t size, uint64_t limit) {
  if (size > limit) return Limit("{}: {} is over the limit of {}", what, size, limit);
  return {};
}

Status ValidateLists(const RunHeader& run) {
  OSCOPE_RETURN_IF_ERROR(CheckSize("arguments", run.command.size(), limits::kMaxFields));
  for (const std::string& argument : run.command) {
    OSCOPE_RETURN_IF_ERROR(CheckSize("argument", argument.size(), limits::kMaxTextBytes));
  }
  OSCOPE_RETURN_IF_ERROR(CheckSize("inputs", run.inputs.size(), limits::kMaxFields));
  for (const RunInput& input : run.inputs) {
    OSCOPE_RETURN_IF_ERROR(CheckSize("input name", input.name.size(), limits::kMaxNameBytes));
    OSCOPE_RETURN_IF_ERROR(CheckSize("input", input.bytes.size(), limits::kMaxTextBytes));
  }
  OSCOPE_RETURN_IF_ERROR(Validate(run.repeat));
  OSCOPE_RETURN_IF_ERROR(CheckSize("custom fields", run.custom.size(), limits::kMaxFields));
  for (const auto& [name, value] : run.custom) {
    if (name.empty()) return Invalid("a custom field has no name");
    OSCOPE_RETURN_IF_ERROR(CheckSize("custom field name", name.size(), limits::kMaxNameBytes));
    OSCOPE_RETURN_IF_ERROR(CheckSize("custom field", value.size(), limits::kMaxTextBytes));
  }
  return {};
}

Status ValidateFields(const RunHeader& run) {
  OSCOPE_RETURN_IF_ERROR(ValidateId("project", run.project));
  if (!run.bug.empty()) OSCOPE_RETURN_IF_ERROR(ValidateId("bug id", run.bug));
  for (const RunField& field : kRunFields) OSCOPE_RETURN_IF_ERROR(ValidateField(field, run));
  if (!IsFailing(run.outcome) && run.failure.tells_what_went_wrong()) {
    return Invalid("a run that passed cannot have the kind, the place or the fingerprint of a failure");
  }
  return ValidateLists(run);
}

}  // namespace

std::string ToString(RunId id) { return ToHex(id.value); }

Result<RunId> ParseRunId(std::string_view text) {
  OSCOPE_ASSIGN_OR_RETURN(const Hash128 value, Hash128FromHex(text));
  return RunId{value};
}

std::string_view TraceKindName(TraceKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

Result<TraceKind> ParseTraceKind(std::string_view name) {
  for (size_t i = 0; i < kKindNames.size(); ++i) {
    if (kKindNames[i] == name) return static_cast<TraceKind>(i);
  }
  return Invalid("'{}': a trace is an execution or a stack", name);
}

std::string_view OutcomeName(Outcome outcome) { return kOutcomeNames[static_cast<size_t>(outcome)]; }

Result<Outcome> ParseOutcome(std::string_view name) {
  for (size_t i = 0; i < kOutcomeNames.size(); ++i) {
    if (kOutcomeNames[i] == name) return static_cast<Outcome>(i);
  }
  return Invalid("'{}': an outcome is passed, failed, signal or timeout", name);
}

void TakeFailureFromCustom(RunHeader& run) {
  if (IsFailing(run.outcome)) TakeFromCustom(run.custom, run.failure);
}

bool DropInputs(RunHeader& run) {
  const bool any = !run.command.empty() || !run.inputs.empty() || run.repeat.has_inputs();
  run.command.clear();
  run.inputs.clear();
  run.repeat.ForgetInputs();
  return any;
}

void Trace::FinishHeader() {
  header.event_count = events.size();
  header.has_depths = !depths.empty();
  header.has_outcomes = !outcomes.empty();
  header.has_values = !values.empty();
}

std::string ToString(const TraceId& id) {
  return fmt::format("{}/{}.{}/{}", ToString(id.run), id.process, id.thread, TraceKindName(id.kind));
}

RunId ImportedRunId(std::string_view file_bytes, uint64_t ordinal) {
  WideHasher hasher;
  hasher.UpdateString("oscope imported run");
  hasher.UpdateString(file_bytes);
  hasher.UpdateNumber(ordinal);
  return RunId{hasher.Digest()};
}

Status Validate(const RunHeader& run) {
  if (run.id == RunId{}) return Invalid("a run has no id");
  if (Status fields = ValidateFields(run); !fields.ok()) {
    return std::move(fields).error().Within(fmt::format("run {}", ToString(run.id)));
  }
  return {};
}

Status Validate(const TraceHeader& trace) {
  if (static_cast<size_t>(trace.kind) >= kKindNames.size()) {
    return Invalid("trace kind {} is unknown", static_cast<int>(trace.kind));
  }
  OSCOPE_RETURN_IF_ERROR(CheckSize("thread name", trace.thread_name.size(), limits::kMaxNameBytes));
  OSCOPE_RETURN_IF_ERROR(CheckSize("events", trace.event_count, limits::kMaxTraceEvents));
  OSCOPE_RETURN_IF_ERROR(CheckSize("partial note", trace.partial_note.size(), limits::kMaxTextBytes));
  if (!trace.mark) return {};
  if (trace.mark->events > trace.event_count) {
    return Invalid("the failure mark lies at event {} of {}", trace.mark->events, trace.event_count);
  }
  return CheckSize("failure reason", trace.mark->reason.size(), limits::kMaxNameBytes);
}

}  // namespace oscope
