#include <cstring>

#include "base/cancel.h"
#include "base/quantity.h"
#include "cli/commands/show.h"
#include "cli/json_output.h"
#include "cli/pager.h"
#include "cli/table.h"
#include "cli/text.h"
#include "tracer/model/run_fields.h"

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
    std::string text;
    for (const RunField* field : kInOrder<kRunFields, &RunField::show>) {
      std::visit([&](const auto& member) { AddValue(text, *field, stored.header, member.read(stored.header)); },
                 field->member);
      if (field->name == std::string_view("duration_ns")) AddField(text, "Stored", ShownTime(stored.stored_ns));
    }
    return text + TracesText(traces);
  }

  static void AddValue(std::string& text, const RunField& field, const RunHeader&, RunId id) {
    AddField(text, field.label, ToString(id));
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader& run, const std::string& value) {
    if (value.empty()) return;
    // A bug is named with its project.
    if (&value == &run.bug) return AddField(text, field.label, ToString(BugKey{run.project, run.bug}));
    if (field.text != TextKind::kBlock) return AddField(text, field.label, value);
    text += "\n";
    if (*field.label != '\0') text += fmt::format("{}\n", field.label);
    text += ShownBlock(value, "  ");
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&, const std::optional<int64_t>& ns) {
    AddField(text, field.label, ShownTime(ns));
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&, const std::optional<uint64_t>& ns) {
    if (ns) AddField(text, field.label, ShownDuration(*ns));
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader& run, Outcome) {
    AddField(text, field.label, OutcomeText(run));
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&,
                       const std::optional<ThreadRef>& thread) {
    if (thread) AddField(text, field.label, fmt::format("thread {}.{}", thread->process, thread->thread));
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&,
                       const std::vector<std::string>& arguments) {
    std::string command;
    for (const std::string& argument : arguments) command += (command.empty() ? "" : " ") + Quoted(argument);
    AddField(text, field.label, command);
  }
  static void AddValue(std::string& text, const RunField&, const RunHeader& run, const CustomFields& custom) {
    for (const auto& [name, value] : WithFailureFields(custom, run.failure)) AddField(text, name, value);
  }
  void AddValue(std::string& text, const RunField&, const RunHeader&, const std::vector<RunInput>& inputs) const {
    if (!inputs.empty()) text += "\nInputs\n";
    for (const RunInput& input : inputs) {
      text += fmt::format("  {}  {}\n", Shown(input.name), FormatByteSize(input.bytes.size()));
      if (inputs_) text += ShownBlock(input.bytes, "    ");
    }
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&,
                       const std::optional<int32_t>& number) {
    if (number) AddField(text, field.label, std::to_string(*number));
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&, uint32_t number) {
    if (number != 0) AddField(text, field.label, std::to_string(number));
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&, bool flag) {
    if (flag) AddField(text, field.label, "yes");
  }
  static void AddValue(std::string& text, const RunField& field, const RunHeader&, FailureKind kind) {
    if (kind != FailureKind::kUnknown) AddField(text, field.label, FailureKindName(kind));
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
