#include <cstring>

#include "base/cancel.h"
#include "base/quantity.h"
#include "cli/commands/show.h"
#include "cli/json_output.h"
#include "cli/pager.h"
#include "cli/table.h"
#include "cli/text.h"

namespace oscope::cli {
namespace {

// An argument as a shell would have to read it, so that the line can be pasted.
std::string Quoted(const std::string& argument) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string OutcomeText(const RunHeader& run) {
  std::string text(OutcomeName(run.outcome));
  if (run.failure.exit_code) text += fmt::format(", exit code {}", *run.failure.exit_code);
  if (run.failure.signal) text += fmt::format(", signal {} ({})", *run.failure.signal, strsignal(*run.failure.signal));
  if (run.incomplete) text += ", recording incomplete";
  return text;
}

class ShowRunCommand : public Command {
 public:
  std::string_view name() const override { return "run"; }
  std::string_view summary() const override { return "Show a run and its traces"; }

  void Register(CLI::App& app) override {
    app.add_option("RUN", run_, "The run's id, or the start of it")->option_text("RUN")->required();
    app.add_flag("--inputs", inputs_, "Also the contents of the run's inputs");
    app.footer("Examples:\n  oscope show run 3fa9c2\n  oscope show run 3fa9c2 --inputs --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const RunId id, snapshot.ResolveRun(run_));
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<StoredRun> run, snapshot.FindRun(id));
    if (!run) return NotFound("run {}: is not in this store", ToString(id));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceHeader> traces, snapshot.Traces(id));
    if (context.json()) {
      Json json = ToJson(*run, inputs_);
      json["traces"] = Json::array();
      for (const TraceHeader& trace : traces) json["traces"].push_back(ToJson(id, trace));
      context.PrintJson(json);
      return kExitOk;
    }
    const std::string text = Describe(*run, traces);
    Pager pager(context);
    pager.Start();
    context.PrintText(text);
    return kExitOk;
  }

 private:
  std::string Describe(const StoredRun& stored, const std::vector<TraceHeader>& traces) const {
    const RunHeader& run = stored.header;
    std::string text;
    AddField(text, "Run", ToString(run.id));
    AddField(text, "Project", run.project);
    if (!run.bug.empty()) AddField(text, "Bug", ToString(BugKey{run.project, run.bug}));
    AddField(text, "Test", run.test);
    AddField(text, "Outcome", OutcomeText(run));
    AddField(text, "Version", run.version);
    AddField(text, "Language", run.language);
    AddField(text, "Recorder", run.recorder);
    std::string command;
    for (const std::string& argument : run.command) command += (command.empty() ? "" : " ") + Quoted(argument);
    AddField(text, "Command", command);
    AddField(text, "Started", ShownTime(run.started_ns));
    if (run.duration_ns) AddField(text, "Took", ShownDuration(*run.duration_ns));
    AddField(text, "Stored", ShownTime(stored.stored_ns));
    if (run.failing_thread)
      AddField(text, "Failed in", fmt::format("thread {}.{}", run.failing_thread->process, run.failing_thread->thread));
    for (const auto& [name, value] : WithFailureFields(run.custom, run.failure)) AddField(text, name, value);
    if (!run.failure.message.empty()) text += "\n" + ShownBlock(run.failure.message, "  ");
    if (!run.inputs.empty()) text += "\nInputs\n";
    for (const RunInput& input : run.inputs) {
      text += fmt::format("  {}  {}\n", Shown(input.name), FormatByteSize(input.bytes.size()));
      if (inputs_) text += ShownBlock(input.bytes, "    ");
    }
    return text + TracesText(traces);
  }

  static std::string TracesText(const std::vector<TraceHeader>& traces) {
    if (traces.empty()) return "\nNo traces.\n";
    TextTable table({{"TRACE"},
                     {"KIND"},
                     {"THREAD", false, true},
                     {"EVENTS", true},
                     {"FAILURE", false, true},
                     {"NOTE", false, true}});
    for (const TraceHeader& trace : traces) {
      table.AddRow({fmt::format("{}.{}", trace.process, trace.thread), std::string(TraceKindName(trace.kind)),
                    trace.thread_name, FormatCount(trace.event_count),
                    trace.mark ? fmt::format("{} at {}", trace.mark->reason, trace.mark->events) : "",
                    trace.partial ? "partial" + (trace.partial_note.empty() ? "" : ": " + trace.partial_note) : ""});
    }
    return "\n" + Counted(traces.size(), "trace") + "\n" + table.Render(TerminalWidth(), "  ");
  }

  std::string run_;
  bool inputs_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeShowRunCommand() { return std::make_unique<ShowRunCommand>(); }

}  // namespace oscope::cli
