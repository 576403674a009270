// A run as text or JSON, and with --repeat, --restore and --input what is needed to run it again. What is missing for a
// repetition is decided by repeat/repeat_plan.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <filesystem>

#include "base/escape.h"
#include "base/quantity.h"
#include "cli/bugs/attachments.h"
#include "cli/commands/show.h"
#include "cli/output/json_output.h"
#include "cli/output/pager.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "cli/repeat/repeat_plan.h"
#include "cli/repeat/restore_inputs.h"
#include "cli/repeat/shell_quote.h"
#include "tracer/model/run_fields.h"
#include "tracer/symbols/elf_image.h"

namespace oscope::cli {
namespace {

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

  void Register(Options& options) override {
    options.Add("RUN", run_, "The run's id, or the start of it").Value("RUN").Required();
    options.AddFlag("--inputs", inputs_, "Also show the contents of the run's inputs");
    options.Add("--input", input_, "Print only the bytes of this input of the run; - is its standard input")
        .Value("NAME");
    options.AddFlag("--repeat", repeat_,
                    "Print only a script that repeats the run; its comments say what is missing for that");
    options.AddFlag("--restore", restore_, "Write the run's input files below this directory, unless they exist");
    options.AddFlag("--force", force_, "With --restore: also replace files with other contents").Needs("--restore");
    options.Footer(
        "Examples:\n"
        "  oscope show run 3fa9c2\n"
        "  oscope show run 3fa9c2 --inputs --json\n"
        "  oscope show run 3fa9c2 --repeat | sh\n"
        "  oscope show run 3fa9c2 --input bad.txt > bad.txt");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const RunId id, snapshot.ResolveRun(run_));
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<StoredRun> run, snapshot.FindRun(id));
    if (!run) return NotFound("run {}: is not in this store", ToString(id));
    if (restore_ + repeat_ + !input_.empty() > 1) return Invalid("--input, --repeat and --restore exclude each other");
    if (!input_.empty()) return PrintInput(context, run->header);
    if (restore_) return Restore(context, run->header);
    const RepeatPlan plan = Plan(store, run->header);
    if (repeat_ && !context.json()) return PrintScript(context, run->header, plan);
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceHeader> traces, snapshot.Traces(id));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> attachments, snapshot.Attachments({id, {}}));
    if (context.json()) {
      Json json = ToJson(*run, inputs_);
      if (repeat_ || !run->header.repeat.empty()) {
        json["repeat"]["commands"] = plan.commands;
        json["repeat"]["missing"] = plan.missing;
      }
      json["traces"] = Json::array();
      for (const TraceHeader& trace : traces) json["traces"].push_back(ToJson(id, trace));
      for (const StoredAttachment& one : attachments) json["attachments"].push_back(ToJson(one));
      context.PrintJson(json);
      return kExitOk;
    }
    const std::string text = Describe(*run, traces, plan) + AttachmentsText(attachments);
    Pager pager(context.wants_pager());
    pager.Start();
    context.PrintText(text);
    return kExitOk;
  }

 private:
  RepeatPlan Plan(const Store& store, const RunHeader& run) const {
    // Git is asked only where there is something to compare.
    const bool compare = !run.repeat.revision.empty() || !run.repeat.directory.empty();
    std::error_code error;
    const std::string path = std::filesystem::absolute(store.path(), error).string();
    return PlanRepeat(run, error ? store.path() : path, compare ? ReadWorkingTree("", store.cancel()) : std::nullopt,
                      BuildIdAt);
  }

  static std::optional<std::string> BuildIdAt(const std::string& path) {
    const auto image = ElfImage::Open(path, ElfImage::Role::kObject);
    if (image.ok()) return (*image)->build_id();
    if (image.error().code == ErrorCode::kNotFound) return std::nullopt;
    return std::string();
  }

  static Result<int> PrintScript(const Context& context, const RunHeader& run, const RepeatPlan& plan) {
    if (plan.commands.empty()) return Invalid("run {}: {}", ShortId(run.id), fmt::join(plan.missing, "; "));
    const std::string script = ScriptOf(plan);
    context.PrintText(context.stdout_is_terminal() ? EscapeForTerminal(script, LineBreaks::kKeep) : script);
    return kExitOk;
  }

  Result<int> PrintInput(const Context& context, const RunHeader& run) const {
    for (const RunInput& input : run.inputs) {
      if (input.name != input_) continue;
      context.PrintText(context.stdout_is_terminal() ? EscapeForTerminal(input.bytes, LineBreaks::kKeep) : input.bytes);
      return kExitOk;
    }
    return NotFound("run {}: has no input '{}'; `oscope show run {}` lists them", ShortId(run.id), Shown(input_),
                    ShortId(run.id));
  }

  Result<int> Restore(const Context& context, const RunHeader& run) const {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> written, RestoreInputs(run, force_));
    if (context.json()) {
      context.PrintJson({{"restored", written}});
    } else {
      for (const std::string& name : written) context.Note("{} restored", Shown(name));
    }
    return kExitOk;
  }

  static std::string RepeatFacts(const Repeat& repeat) {
    std::string text;
    AddField(text, "Directory", repeat.directory);
    AddField(text, "Revision",
             repeat.revision + (repeat.changes.empty() ? "" : ", with changes that are not committed"));
    const TestSelection& selection = repeat.selection;
    if (!selection.filter.empty())
      AddField(text, "Selected", fmt::format("{} ({})", selection.filter, selection.framework));
    AddField(text, "Expected", ExpectedText(repeat.expected));
    for (const BuiltObject& object : repeat.builds) {
      AddField(text, "Built", object.path + (object.build_id.empty() ? "" : ", build id " + object.build_id));
      for (const std::string& compiler : object.compilers) AddField(text, "Compiler", compiler);
    }
    return text;
  }

  static std::string ExpectedText(const Expectation& expected) {
    std::vector<std::string> parts;
    if (expected.exit_code) parts.push_back(fmt::format("exit code {}", *expected.exit_code));
    if (expected.fails) parts.emplace_back("that it fails");
    if (!expected.output.empty())
      parts.push_back(fmt::format("output that matches {}", fmt::join(expected.output, " or ")));
    if (!expected.forbidden_output.empty())
      parts.push_back(fmt::format("no output that matches {}", fmt::join(expected.forbidden_output, " or ")));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  std::string Describe(const StoredRun& stored, const std::vector<TraceHeader>& traces, const RepeatPlan& plan) const {
    const RunHeader& run = stored.header;
    std::string text;
    for (const RunField* field : kInOrder<kRunFields, &RunField::show>) {
      std::visit([&](const auto& member) { AddValue(text, *field, run, member.read(run)); }, field->member);
      if (field->name == std::string_view("command")) text += RepeatFacts(run.repeat);
      if (field->name == std::string_view("duration_ns")) AddField(text, "Stored", ShownTime(stored.stored_ns));
    }
    // Of runs that tell nothing of how they were made, only when asked: there would be little to say.
    if (!run.repeat.empty()) text += PlanText(plan);
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
    AddField(text, field.label, ShellLine(arguments));
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

  static std::string PlanText(const RepeatPlan& plan) {
    std::string text;
    if (!plan.commands.empty()) text += "\nTo repeat it\n";
    for (const std::string& command : plan.commands) text += "  " + Shown(command) + "\n";
    if (!plan.missing.empty()) text += "\nMissing for that\n";
    for (const std::string& sentence : plan.missing) text += "  " + Shown(sentence) + "\n";
    return text;
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

  std::string run_, input_;
  bool inputs_ = false, repeat_ = false, restore_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeShowRunCommand() { return std::make_unique<ShowRunCommand>(); }

}  // namespace oscope::cli
