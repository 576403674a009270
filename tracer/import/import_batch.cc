// Everything that a text contains is collected here first and checked as a whole (Finish). So a text with a problem on
// its last line imports nothing, and all of its problems are reported together.
//
// Identities, options and failures are filled in here, in one place for all formats: an importer only says what it
// read. The fingerprint of a failure is made of the same frames as for a recording, so that a backtrace and a recording
// of one crash are the same failure.
#include "tracer/import/import_batch.h"

#include <algorithm>
#include <csignal>
#include <set>

#include "base/limits.h"
#include "tracer/import/text_lines.h"
#include "tracer/model/demangle.h"
#include "tracer/model/event.h"
#include "tracer/model/fingerprint.h"
#include "tracer/model/project_frames.h"

namespace oscope {
namespace {

void FillIn(std::string& field, const std::string& value) {
  if (field.empty()) field = value;
}

bool IsUnknown(const StackFrame& frame) { return frame.name.empty() || frame.name == "??"; }

size_t LongestField(const SymbolAttributes& attributes) {
  return std::max(
      {attributes.signature.size(), attributes.file.size(), attributes.object.size(), attributes.build_id.size()});
}

// Longer values could be stored, but not written to a recording again.
Status CheckValues(const Trace& trace) {
  for (const std::string& value : trace.values) {
    if (value.size() > limits::kMaxNameBytes) {
      return Limit("a value of {} bytes; the limit is {}", value.size(), limits::kMaxNameBytes);
    }
  }
  return {};
}

// A trace's identity in its run must be its own, or a store could not tell two apart.
Status CheckTraces(const Run& run) {
  std::set<std::tuple<uint32_t, uint32_t, TraceKind>> seen;
  for (const Trace& trace : run.traces) {
    OSCOPE_RETURN_IF_ERROR(Validate(trace.header));
    OSCOPE_RETURN_IF_ERROR(CheckValues(trace));
    if (!seen.insert({trace.header.process, trace.header.thread, trace.header.kind}).second) {
      return Invalid("two {} traces of thread {}.{}", TraceKindName(trace.header.kind), trace.header.process,
                     trace.header.thread);
    }
  }
  return {};
}

// The trace that shows the failure: a marked stack, else what is marked, else the first; nullptr when there is none.
const Trace* FailingTrace(const Run& run) {
  const auto rank = [](const Trace& trace) {
    return trace.header.mark ? (trace.header.kind == TraceKind::kStack ? 2 : 1) : 0;
  };
  const auto best = std::ranges::max_element(run.traces, {}, rank);
  return best == run.traces.end() || best->events.empty() ? nullptr : &*best;
}

// What went wrong, as the functions on the stack tell it: a debugger knows no more than the signal, and of SIGABRT that
// is not who raised it.
FailureKind KindByFrames(const Trace& trace, const SymbolTable& symbols) {
  FailureKind kind = FailureKind::kAbort;
  for (const SymbolId event : trace.events) {
    const std::string& name = symbols.name(event);
    if (name.starts_with("__assert_fail") || name.starts_with("__GI___assert_fail")) return FailureKind::kAssertion;
    if (name == "std::terminate" || name == "__cxa_throw") kind = FailureKind::kTerminate;
  }
  return kind;
}

void DescribeFailure(const Trace& trace, const SymbolTable& symbols, Failure& failure) {
  if (failure.kind == FailureKind::kSignal && failure.signal == SIGABRT) failure.kind = KindByFrames(trace, symbols);
  const std::vector<SymbolId> innermost = ProjectFrames(trace, symbols, 1);
  if (!innermost.empty()) {
    const SymbolAttributes& attributes = symbols.attributes(innermost.front());
    failure.place = {attributes.file, attributes.line, std::string(ParseEvent(symbols.name(innermost.front())).owner)};
  }
  failure.fingerprint = FailureFingerprint(failure, trace, symbols);
}

}  // namespace

std::string FrameEvent(const StackFrame& frame) {
  if (!IsUnknown(frame)) {
    if (frame.exact) return MethodEvent(frame.name);
    std::string method = NormaliseMethod(Demangled(frame.name));
    return MethodEvent(method.empty() ? frame.name : method);
  }
  if (!frame.attributes.object.empty()) {
    return "[" + std::string(BaseNameOf(frame.attributes.object)) + "]";
  }
  if (!frame.attributes.file.empty()) {
    return "[" + std::string(BaseNameOf(frame.attributes.file)) + "]";
  }
  return "[unknown]";
}

ImportedRun& ImportBatch::AddRun() {
  ImportedRun& imported = runs_.emplace_back();
  imported.run.header.recorder = "import:" + std::string(importer_);
  return imported;
}

Trace& ImportBatch::AddStack(ImportedRun& to, uint32_t thread, std::span<const StackFrame> innermost_first) {
  Trace& trace = to.run.traces.emplace_back();
  trace.header.thread = thread;
  trace.header.kind = TraceKind::kStack;
  // The first definition's attributes stay, and of a recursive function the innermost line is the
  // telling one.
  for (const StackFrame& frame : innermost_first) {
    const bool too_long = frame.name.size() > limits::kMaxNameBytes;
    SymbolAttributes attributes = frame.attributes;
    // All unknown functions of an object are one symbol: no address is theirs.
    if (IsUnknown(frame)) attributes.address = 0;
    trace.events.push_back(Intern(to, frame.line, too_long ? frame.name : FrameEvent(frame), attributes));
  }
  std::reverse(trace.events.begin(), trace.events.end());
  trace.FinishHeader();
  return trace;
}

void ImportBatch::MarkFailure(ImportedRun& run, Trace& trace, FailureKind kind, std::string reason) {
  run.run.header.failure.kind = kind;
  trace.header.mark = FailureMark{trace.header.event_count, std::move(reason)};
  run.run.header.failing_thread = ThreadRef{trace.header.process, trace.header.thread};
}

SymbolId ImportBatch::Intern(ImportedRun& run, uint64_t line, std::string_view event,
                             const SymbolAttributes& attributes) {
  if (std::max(event.size(), LongestField(attributes)) > limits::kMaxNameBytes) {
    AddLimit(line, fmt::format("a name of {} bytes; the limit is {}", std::max(event.size(), LongestField(attributes)),
                               limits::kMaxNameBytes));
    return run.symbols.Intern("[unknown]");
  }
  return run.symbols.Intern(event, attributes);
}

void ImportBatch::AddProblem(uint64_t line, std::string message) {
  if (problems_.size() < kMaxImportProblems) {
    problems_.push_back({line, std::move(message)});
  } else {
    ++more_problems_;
  }
}

void ImportBatch::AddLimit(uint64_t line, std::string message) {
  if (limit_.empty()) limit_ = line == 0 ? message : fmt::format("line {}: {}", line, message);
  AddProblem(line, std::move(message));
}

void ImportBatch::ApplyOptions(ImportedRun& imported) const {
  RunHeader& header = imported.run.header;
  FillIn(header.project, options_.project);
  FillIn(header.bug, options_.bug);
  FillIn(header.test, options_.test);
  FillIn(header.version, options_.version);
  FillIn(header.language, options_.language);
  if (!options_.outcome) return;
  header.outcome = *options_.outcome;
  if (IsFailing(header.outcome)) return;
  header.failure.ForgetWhatWentWrong();
  header.failing_thread.reset();
  for (Trace& trace : imported.run.traces) trace.header.mark.reset();
}

void ImportBatch::FillFailures(Importer::Failures failures) {
  const bool asked = options_.outcome && IsFailing(*options_.outcome);
  for (ImportedRun& imported : runs_) {
    ApplyOptions(imported);
    RunHeader& header = imported.run.header;
    TakeFailureFromCustom(header);
    if (!IsFailing(header.outcome) || failures == Importer::Failures::kCarried) continue;
    const Trace* trace = FailingTrace(imported.run);
    if (trace != nullptr && (asked || (failures == Importer::Failures::kTold && trace->header.mark)))
      DescribeFailure(*trace, imported.symbols, header.failure);
  }
}

Status ImportBatch::Finish(std::string_view expected, std::vector<ImportProblem>& problems) {
  if (!problems_.empty()) {
    const uint64_t count = problems_.size() + more_problems_;
    if (more_problems_ > 0) problems_.push_back({0, fmt::format("and {} more", more_problems_)});
    problems = std::move(problems_);
    if (!limit_.empty()) return Limit("{}", limit_);
    const std::string where = problems[0].line == 0 ? "" : fmt::format("line {}: ", problems[0].line);
    return Invalid("{} problem{}, the first: {}{}", count, count == 1 ? "" : "s", where, problems[0].message);
  }
  if (runs_.empty() && bugs_.empty() && attachments_.empty()) {
    return Invalid("no trace in {} bytes: expected {}", bytes_.size(), expected);
  }
  for (Bug& bug : bugs_) {
    FillIn(bug.key.project, options_.project);
    for (BugKey& duplicate : bug.duplicates) FillIn(duplicate.project, options_.project);
    OSCOPE_RETURN_IF_ERROR(Validate(bug));
  }
  uint64_t ordinal = 0;
  for (ImportedRun& imported : runs_) {
    RunHeader& header = imported.run.header;
    if (header.id == RunId{}) header.id = ImportedRunId(bytes_, ordinal);
    ++ordinal;
    if (header.project.empty()) return Invalid("the text names no project: one must be given");
    OSCOPE_RETURN_IF_ERROR(Validate(header));
    if (Status traces = CheckTraces(imported.run); !traces.ok()) {
      return std::move(traces).error().Within(fmt::format("run {}", ordinal));
    }
  }
  return FinishAttachments();
}

Status ImportBatch::FinishAttachments() {
  for (ImportedAttachment& imported : attachments_) {
    AttachmentOwner& owner = imported.attachment.header.owner;
    if (imported.owner != nullptr) owner.run = imported.owner->run.header.id;
    if (!owner.bug.id.empty()) FillIn(owner.bug.project, options_.project);
    if (Status valid = Validate(imported.attachment); !valid.ok()) {
      const bool too_large = valid.error().code == ErrorCode::kLimit;
      return Error{too_large ? ErrorCode::kLimit : ErrorCode::kInvalid,
                   fmt::format("line {}: {}", imported.line, valid.error().message)};
    }
  }
  return {};
}

Status ImportBatch::Send(RunSink& sink) const {
  for (const Bug& bug : bugs_) OSCOPE_RETURN_IF_ERROR(sink.AddBug(bug));
  for (const ImportedRun& imported : runs_) {
    OSCOPE_RETURN_IF_ERROR(SendRun(imported.run, imported.symbols, sink));
  }
  for (const ImportedAttachment& imported : attachments_)
    OSCOPE_RETURN_IF_ERROR(sink.AddAttachment(imported.attachment));
  return {};
}

}  // namespace oscope
