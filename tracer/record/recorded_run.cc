// From what a recorder wrote to a run that a store can take.
//
// A recording is a directory of memory-mapped events of every process, thread after thread as they ran, and of numbers
// in place of names. It may be much larger than memory, so it is read several times instead of being kept. Read counts
// the events of each thread, finds the failure and remembers what functions returned; Send then reads the recording once
// for each thread and produces its events in chunks. Counting first is necessary because a trace's header, which comes
// before its events, says how many there are. Keeping the events of the first reading would be simpler, but it would
// need memory for all of them.
//
// The failure is decided here, and in this order. Which process failed is answered by failing_process.h. Where it
// failed is answered by that process's own records (tracer/record/failure.h), unless the program was ended from outside
// (a time limit, SIGKILL): then no record can tell, and the mark is put after the last recorded event. The stack of the
// failure becomes a trace of its own; the fingerprint is made from it or, where there is no stack, from the last methods
// before the mark.
//
// The outcome may be changed afterwards, because a test harness knows more than the exit code says (a test may be
// expected to fail). A run that turns out to have passed loses its marks, its stack and its fingerprint.
//
// What is left out: processes that were still running when the program ended, and those beyond the limit. Both are
// mentioned in the notes.
#include "tracer/record/recorded_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <span>

#include "base/file_system.h"
#include "base/limits.h"
#include "tracer/model/event.h"
#include "tracer/model/fingerprint.h"
#include "tracer/model/null_sink.h"
#include "tracer/raw/recording_directory.h"
#include "tracer/record/default_rules.h"
#include "tracer/record/failing_process.h"
#include "tracer/record/failure.h"
#include "tracer/record/site_names.h"
#include "tracer/record/thread_events.h"

namespace oscope {
namespace {

// One process of the run, ready to be sent.
struct ProcessView {
  const raw::RecordedProcess* recorded = nullptr;
  std::unique_ptr<SiteNames> names;
  ProcessSummary summary;
  std::optional<FailurePoint> failure;
  std::optional<int> end_code;  // of FailureFinder
};

ProcessFate FateOf(const ProcessView& process) {
  const OscRawHeader& header = process.recorded->events.header();
  return {.ordinal = process.recorded->ordinal,
          .parent = header.parent,
          .forked = header.origin == OSC_RAW_FORKED,
          .pid = header.pid,
          // Of all ways to end, only SIGKILL leaves no record.
          .code = process.end_code.value_or(kSignalCode + SIGKILL),
          .only_exit = !process.failure || process.failure->kind == FailureKind::kExit};
}

// Whether the program was ended from outside, so that no record of its own shows why.
bool EndedFromOutside(const ProgramEnd& end) { return end.timed_out || end.signal == SIGKILL; }

// Requires at least one process.
ProcessView& FailingView(std::vector<ProcessView>& processes, const ProgramEnd& end) {
  std::vector<ProcessFate> images;
  for (const ProcessView& process : processes) images.push_back(FateOf(process));
  if (EndedFromOutside(end)) return processes[LastImageOfProgram(images)];
  return processes[FailingProcess(images, end.signal != 0 ? kSignalCode + end.signal : end.exit_code)];
}

// The failure is put at the end of what was recorded of the process, since no record says where it was.
FailurePoint FailureAtEnd(const ProcessSummary& summary, FailureKind kind, std::string reason, std::string message) {
  FailurePoint point;
  point.kind = kind;
  point.thread = summary.last_thread;
  const auto events = summary.events.find(point.thread);
  point.events = events == summary.events.end() ? 0 : events->second;
  point.reason = std::move(reason);
  point.message = std::move(message);
  return point;
}

Outcome OutcomeOf(const ProgramEnd& end) {
  if (end.timed_out) return Outcome::kTimeout;
  if (end.signal != 0) return Outcome::kSignal;
  return end.exit_code == 0 ? Outcome::kPassed : Outcome::kFailed;
}

std::string Language(const std::vector<ProcessView>& processes, const SymbolTable& symbols) {
  if (processes.empty()) return {};
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    if (symbols.name(static_cast<SymbolId>(i)).find("::") != std::string::npos) return "c++";
  }
  return symbols.size() > 0 ? "c" : "";
}

// Takes the last few methods before the mark.
class LastEvents : public NullSink {
 public:
  explicit LastEvents(uint64_t until) : until_(until) {}
  Status AddEvents(const EventChunk& chunk) override {
    for (const SymbolId event : chunk.events) {
      if (seen_++ == until_) return Cancelled("enough");
      last_.push_back(event);
      if (last_.size() > kFingerprintFrames) last_.erase(last_.begin());
    }
    return {};
  }
  const std::vector<SymbolId>& last() const { return last_; }

 private:
  uint64_t until_;
  uint64_t seen_ = 0;
  std::vector<SymbolId> last_;
};

// Takes the calls that are under way at the mark, by the depths of the events.
class OpenCalls : public NullSink {
 public:
  explicit OpenCalls(uint64_t until) : until_(until) {}
  Status AddEvents(const EventChunk& chunk) override {
    for (size_t i = 0; i < chunk.events.size(); ++i) {
      if (seen_++ == until_) return Cancelled("enough");
      calls_.resize(std::min<size_t>(calls_.size(), chunk.depths[i]));
      calls_.push_back(chunk.events[i]);
    }
    return {};
  }
  const std::vector<SymbolId>& calls() const { return calls_; }  // outermost first

 private:
  uint64_t until_;
  uint64_t seen_ = 0;
  std::vector<SymbolId> calls_;
};

}  // namespace

struct RecordedRun::State {
  TraceSettings settings;
  std::vector<KeepRule> rules;
  raw::RecordingDirectory directory;
  ObjectCache objects;
  SymbolTable symbols;
  RunHeader header;
  std::vector<ProcessView> processes;
  std::vector<TraceHeader> traces;
  std::optional<Trace> stack;
  std::vector<std::string> notes;
  uint64_t events = 0;

  void ReadProcesses();
  void ReadStandardInput(const std::string& path);
  void DecideOutcome(const Recording& recording);
  void TellBuilds();
  void MakeFailure(const ProgramEnd& end);
  void MakeStack(ProcessView& process, const FailurePoint& failure);
  void CompleteStack(ProcessView& process, const FailurePoint& failure);
  void MakeTraces(const ProcessView* failing);
  void Describe(const ProcessView& process, TraceHeader& trace);
  std::vector<std::string> LastMethods(ProcessView& process, const FailurePoint& failure);
  void ForgetFailure();
  void NoteLosses();
};

void RecordedRun::State::ReadProcesses() {
  for (const raw::RecordedProcess& recorded : directory.processes) {
    ProcessView view;
    view.recorded = &recorded;
    view.names = std::make_unique<SiteNames>(recorded.sites, settings, rules, objects, symbols);
    FailureFinder finder(*view.names);
    view.summary = Summarise(recorded.events, *view.names, finder);
    view.failure = finder.failure();
    view.end_code = finder.end_code();
    processes.push_back(std::move(view));
  }
}

// Adds what the program read from a pipe or a terminal. A file as standard input is in `header.inputs` already.
void RecordedRun::State::ReadStandardInput(const std::string& path) {
  if (settings.stdin_limit == 0 ||
      std::ranges::any_of(header.inputs, [](const RunInput& input) { return input.name == "-"; }))
    return;
  Result<std::string> bytes = ReadWholeFile(PosixFileSystem(), path + "/0.stdin", limits::kMaxTextBytes);
  if (!bytes.ok() || bytes->empty()) return;
  // The recorder stops at the limit, so what the program read after it is missing.
  const NotKept missing{std::string(kInputNotKept), "-"};
  if (bytes->size() >= settings.stdin_limit && !std::ranges::count(header.repeat.not_kept, missing))
    header.repeat.not_kept.push_back(missing);
  header.inputs.push_back({"-", *std::move(bytes)});
}

// Lists the executables and libraries that the recorded events lie in. Must be called before the stack's frames are
// interned, since those may lie in any library and would be listed too.
void RecordedRun::State::TellBuilds() {
  std::set<std::string> seen = {""};
  for (uint32_t i = 0; i < symbols.size() && header.repeat.builds.size() < limits::kMaxFields; ++i) {
    const SymbolAttributes& attributes = symbols.attributes(static_cast<SymbolId>(i));
    if (!seen.insert(attributes.object).second) continue;
    BuiltObject& built = header.repeat.builds.emplace_back();
    built.path = attributes.object;
    built.build_id = attributes.build_id;
    if (ObjectFile* object = objects.Find(attributes.object)) built.compilers = object->Compilers();
    std::erase_if(built.compilers, [](const std::string& text) { return text.size() > limits::kMaxNameBytes; });
  }
}

void RecordedRun::State::DecideOutcome(const Recording& recording) {
  header.recorder = recording.recorder;
  header.started_ns = recording.started_ns;
  header.duration_ns = recording.duration_ns;
  header.outcome = OutcomeOf(recording.end);
  if (recording.end.signal != 0) {
    header.failure.signal = recording.end.signal;
  } else {
    header.failure.exit_code = recording.end.exit_code;
  }
  if (header.language.empty()) header.language = Language(processes, symbols);
}

// A failing run must fail somewhere: if no record says where, it is at the end.
void RecordedRun::State::MakeFailure(const ProgramEnd& end) {
  if (processes.empty()) return;
  ProcessView* const failing = &FailingView(processes, end);
  if (end.timed_out) {
    failing->failure = FailureAtEnd(failing->summary, FailureKind::kTimeout, "time-out", "time-out");
  } else if (end.signal == SIGKILL || !failing->failure) {
    // The program exited with 128 + SIGKILL, and the failing process has no record of its end: SIGKILL ended that process,
    // and the program only passed this on as its exit code. Where the program itself was killed, `end.signal` says so.
    const bool is_killed = end.signal == 0 && end.exit_code == kSignalCode + SIGKILL && !failing->end_code;
    const int number = is_killed ? SIGKILL : end.signal;
    if (number != 0) {
      failing->failure = FailureAtEnd(failing->summary, FailureKind::kSignal, SignalName(number), SignalName(number));
      failing->failure->signal = number;
    } else {
      failing->failure =
          FailureAtEnd(failing->summary, FailureKind::kExit, "exit", fmt::format("exit code {}", end.exit_code));
    }
  }
  const FailurePoint& failure = *failing->failure;
  Failure& told = header.failure;
  told.kind = failure.kind;
  // A process that the program started may have died by a signal which the program itself only passed on as a code.
  if (!told.signal) told.signal = failure.signal;
  if (told.message.empty()) told.message = failure.message.empty() ? failure.reason : failure.message;
  header.failing_thread = ThreadRef{failing->recorded->ordinal, failure.thread};
  MakeStack(*failing, failure);
  CompleteStack(*failing, failure);
  told.fingerprint =
      stack ? FailureFingerprint(told, *stack, symbols) : FailureFingerprint(told, LastMethods(*failing, failure));
  MakeTraces(failing);
}

// The frames that the rules keep, outermost first: the innermost one is where it happened.
void RecordedRun::State::MakeStack(ProcessView& process, const FailurePoint& failure) {
  if (failure.stack.empty()) return;
  Trace trace;
  trace.header.process = process.recorded->ordinal;
  trace.header.thread = failure.thread;
  trace.header.kind = TraceKind::kStack;
  for (const uint32_t site : failure.stack) {
    for (const NamedFrame& frame : process.names->FramesAt(site)) {
      if (!frame.kept) continue;
      // Symbols have the lines of functions; the line of the failure is kept separately.
      if (trace.events.empty()) {
        header.failure.place.function = frame.method;
        if (frame.attributes.line != 0) {
          header.failure.place.file = frame.attributes.file;
          header.failure.place.line = frame.attributes.line;
        }
      }
      trace.events.push_back(symbols.Intern(MethodEvent(frame.method), frame.attributes));
    }
  }
  if (trace.events.empty()) return;
  std::ranges::reverse(trace.events);
  trace.FinishHeader();
  trace.header.mark = FailureMark{trace.header.event_count, failure.reason};
  stack = std::move(trace);
}

// A recorder that cannot follow a stack, for example because it has overflowed, has only the innermost frame. The other
// frames are taken from the recorded calls; without them the fingerprint would differ from the one of a debugger.
void RecordedRun::State::CompleteStack(ProcessView& process, const FailurePoint& failure) {
  if (!stack || stack->events.size() != 1 || settings.granularity != Granularity::kMethod) return;
  OpenCalls open(failure.events);
  // Its error says that it has seen enough.
  (void)SendThread(process.recorded->events, *process.names, failure.thread, process.summary, false, open);
  const std::span<const SymbolId> calls = open.calls();
  if (calls.size() < 2 || symbols.name(calls.back()) != symbols.name(stack->events.back())) return;
  const auto innermost = calls.last(std::min<size_t>(calls.size(), OSC_RAW_MAX_STACK));
  stack->events.assign(innermost.begin(), innermost.end());
  stack->FinishHeader();
  stack->header.mark->events = stack->header.event_count;
}

// What stands in for the frames where there is no stack, the last one first.
std::vector<std::string> RecordedRun::State::LastMethods(ProcessView& process, const FailurePoint& failure) {
  std::vector<std::string> methods;
  LastEvents last(failure.events);
  // Its error says that it has seen enough.
  (void)SendThread(process.recorded->events, *process.names, failure.thread, process.summary, false, last);
  for (size_t i = last.last().size(); i-- > 0;) methods.push_back(symbols.name(last.last()[i]));
  return methods;
}

void RecordedRun::State::Describe(const ProcessView& process, TraceHeader& trace) {
  const raw::ProcessRecording& recording = process.recorded->events;
  const auto partial = [&](std::string note) {
    trace.partial = true;
    trace.partial_note += (trace.partial_note.empty() ? "" : "; ") + std::move(note);
  };
  if (recording.overwritten())
    partial(fmt::format("only the newest events were kept (limit {})", settings.event_limit));
  const bool begins_off =
      std::ranges::any_of(settings.chops, [](const ChopPoint& chop) { return chop.kind == ChopPoint::Kind::kStart; });
  if (process.summary.chopped || begins_off) partial("recorded between chop points");
  if ((recording.header().flags & OSC_RAW_DISK_FULL) != 0)
    partial("the disk was full: only the newest events were kept");
  if (process.summary.broken > 0 || recording.damaged() > 0) partial("records were damaged");
}

void RecordedRun::State::MakeTraces(const ProcessView* failing) {
  traces.clear();
  events = 0;
  for (const ProcessView& process : processes) {
    for (const auto& [thread, count] : process.summary.events) {
      if (count == 0) continue;
      TraceHeader trace;
      trace.process = process.recorded->ordinal;
      trace.thread = thread;
      trace.event_count = count;
      trace.has_depths = true;
      trace.has_values = trace.has_outcomes = !settings.values.empty();
      Describe(process, trace);
      if (failing == &process && process.failure->thread == thread) {
        trace.mark = FailureMark{std::min(process.failure->events, count), process.failure->reason};
      }
      events += count;
      traces.push_back(std::move(trace));
    }
  }
  if (stack && failing != nullptr) traces.push_back(stack->header);
}

void RecordedRun::State::ForgetFailure() {
  for (ProcessView& process : processes) process.failure.reset();
  header.failing_thread.reset();
  header.failure.message.clear();
  header.failure.ForgetWhatWentWrong();
  stack.reset();
  header.custom.erase("title");
  MakeTraces(nullptr);
}

void RecordedRun::State::NoteLosses() {
  if (directory.started > directory.limit) {
    notes.push_back(fmt::format("{} of {} processes were recorded (--processes)", directory.limit, directory.started));
  }
  if (directory.running > 0) {
    const bool one = directory.running == 1;
    notes.push_back(fmt::format("{} still running {} left out",
                                one ? "1 process" : fmt::format("{} processes", directory.running),
                                one ? "was" : "were"));
  }
  uint64_t lost = 0;
  for (const ProcessView& process : processes) {
    const uint32_t flags = process.recorded->events.header().flags;
    header.incomplete |= (flags & (OSC_RAW_DISK_FULL | OSC_RAW_SITES_LOST)) != 0 || process.summary.broken > 0;
    if ((flags & OSC_RAW_DISK_FULL) != 0) notes.emplace_back("the disk was full: the run is marked incomplete");
    lost += process.summary.results_dropped;
    for (const std::string& note : process.recorded->sites.notes) notes.push_back(note);
    if (process.recorded->events.overwritten()) {
      notes.push_back(
          fmt::format("process {}: only the newest events were kept; --limit keeps more", process.recorded->ordinal));
    }
  }
  // `statement within` while statements are recorded anyway leaves no record.
  const bool may_show = std::ranges::any_of(settings.chops, [&](const ChopPoint& one) {
    return one.kind != ChopPoint::Kind::kWithin || one.granularity != settings.granularity;
  });
  if (may_show && std::ranges::none_of(processes, [](const ProcessView& one) { return one.summary.chopped; })) {
    notes.emplace_back("no chop point was reached: check its name, or its file and line");
  }
  if (lost > 0) notes.push_back(fmt::format("{} results of functions were left out: too many", lost));
}

RecordedRun::RecordedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordedRun::RecordedRun(RecordedRun&&) noexcept = default;
RecordedRun& RecordedRun::operator=(RecordedRun&&) noexcept = default;
RecordedRun::~RecordedRun() = default;

Result<RecordedRun> RecordedRun::Read(const Recording& recording, const TraceSettings& settings, RunHeader header) {
  auto state = std::make_unique<State>();
  state->settings = settings;
  state->rules = EffectiveRules(settings);
  state->header = std::move(header);
  OSCOPE_ASSIGN_OR_RETURN(state->directory, raw::RecordingDirectory::Read(recording.directory.path()));
  state->ReadProcesses();
  state->TellBuilds();
  state->ReadStandardInput(recording.directory.path());
  state->DecideOutcome(recording);
  if (IsFailing(state->header.outcome)) {
    state->MakeFailure(recording.end);
  } else {
    state->ForgetFailure();
  }
  state->NoteLosses();
  return RecordedRun(std::move(state));
}

const RunHeader& RecordedRun::header() const { return state_->header; }
void RecordedRun::SetBug(const std::string& id) { state_->header.bug = id; }
void RecordedRun::SetMessage(const std::string& text) { state_->header.failure.message = text; }
const std::vector<TraceHeader>& RecordedRun::traces() const { return state_->traces; }
uint64_t RecordedRun::events() const { return state_->events; }
const std::vector<std::string>& RecordedRun::notes() const { return state_->notes; }
void RecordedRun::AddNote(std::string note) { state_->notes.push_back(std::move(note)); }
void RecordedRun::SetTitle(const std::string& text) {
  if (IsFailing(state_->header.outcome)) state_->header.custom["title"] = text;
}
const std::string& RecordedRun::fingerprint() const { return state_->header.failure.fingerprint; }

void RecordedRun::SetOutcome(Outcome outcome) {
  const bool failing = IsFailing(outcome);
  if (failing && !IsFailing(state_->header.outcome)) state_->MakeFailure({});
  if (!failing) state_->ForgetFailure();
  state_->header.outcome = outcome;
}

Status RecordedRun::Send(RunSink& sink) const {
  OSCOPE_RETURN_IF_ERROR(sink.BeginRun(state_->header, state_->symbols));
  for (const TraceHeader& trace : state_->traces) {
    OSCOPE_RETURN_IF_ERROR(sink.BeginTrace(trace));
    if (trace.kind == TraceKind::kStack) {
      OSCOPE_RETURN_IF_ERROR(
          sink.AddEvents({.events = state_->stack->events, .depths = {}, .outcomes = {}, .values = {}}));
    } else {
      const auto process = std::ranges::find_if(
          state_->processes, [&](const ProcessView& view) { return view.recorded->ordinal == trace.process; });
      OSCOPE_RETURN_IF_ERROR(SendThread(process->recorded->events, *process->names, trace.thread, process->summary,
                                        trace.has_values, sink));
    }
    OSCOPE_RETURN_IF_ERROR(sink.EndTrace());
  }
  return sink.EndRun();
}

}  // namespace oscope
