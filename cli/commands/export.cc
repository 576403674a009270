// One loop sends the chosen bugs and runs from the store to a sink; the format decides only which sink that is.
// Commands, inputs and attachments may contain secrets and are left out unless they are asked for; a note says so.
// Output goes to a file that appears whole or not at all.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/escape.h"
#include "base/progress.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/output_file.h"
#include "cli/output/text.h"
#include "cli/transfer/export_parquet.h"
#include "cli/transfer/import_sinks.h"
#include "tracer/export/buffered_output.h"
#include "tracer/export/chrome_trace_writer.h"
#include "tracer/export/collapsed_stack_writer.h"
#include "tracer/export/speedscope_writer.h"
#include "tracer/format/osct_writer.h"
#include "tracer/import/json_lines_writer.h"

namespace oscope::cli {
namespace {

using Send = std::function<Status(RunSink&)>;

// What is exported: everything, a project, or certain bugs and runs.
struct Selection {
  std::string project;
  std::set<BugKey> bugs;
  std::set<RunId> runs;
  std::set<BugKey> bugs_of_runs;

  bool HasRun(const RunHeader& run) const {
    if (bugs.empty() && runs.empty()) return project.empty() || run.project == project;
    return runs.contains(run.id) || bugs.contains({run.project, run.bug});
  }
  bool HasBug(const BugKey& bug) const {
    if (bugs.empty() && runs.empty()) return project.empty() || bug.project == project;
    return bugs.contains(bug) || bugs_of_runs.contains(bug);
  }
};

// Lets through the selected bugs, and runs without what may hold secrets unless that was asked for.
class SelectingSink : public ForwardingSink {
 public:
  SelectingSink(RunSink& next, const Selection& selection, bool with_input)
      : ForwardingSink(next), selection_(selection), with_input_(with_input) {}

  Status AddBug(const Bug& bug) override { return selection_.HasBug(bug.key) ? ForwardingSink::AddBug(bug) : Status{}; }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    if (with_input_) return ForwardingSink::BeginRun(run, symbols);
    RunHeader stripped = run;
    stripped_ += DropInputs(stripped) ? 1 : 0;
    return ForwardingSink::BeginRun(stripped, symbols);
  }

  uint64_t stripped() const { return stripped_; }

 private:
  const Selection& selection_;
  const bool with_input_;
  uint64_t stripped_ = 0;
};

Status WriteJsonLines(WritableFile& file, const Send& send) {
  BufferedOutput output(file);
  JsonLinesWriter writer([&](std::string_view line) {
    output.text().append(line);
    return output.FlushIfLarge();
  });
  OSCOPE_RETURN_IF_ERROR(send(writer));
  return output.Flush();
}

template <typename Writer>
Status WriteWith(WritableFile& file, const Send& send) {
  Writer writer(file);
  OSCOPE_RETURN_IF_ERROR(send(writer));
  return writer.Finish();
}

// Text on its way to a terminal: line by line, with nothing in it that could drive one. What JSON must escape anyway it
// has escaped; the others are the names of strangers.
class TerminalOutput : public WritableFile {
 public:
  explicit TerminalOutput(WritableFile& next) : next_(next) {}

  Status Append(std::string_view bytes) override {
    const size_t end = bytes.rfind('\n') + 1;  // 0 where there is none
    if (end == 0) return Keep(bytes);
    rest_ += bytes.substr(0, end);
    OSCOPE_RETURN_IF_ERROR(Show());
    return Keep(bytes.substr(end));
  }
  Status Sync() override { return next_.Sync(); }
  Status Close() override {
    OSCOPE_RETURN_IF_ERROR(Show());
    return next_.Close();
  }

 private:
  // A character may be cut where a piece ends, a line may not.
  Status Keep(std::string_view bytes) {
    rest_ += bytes;
    return {};
  }
  Status Show() { return next_.Append(EscapeForTerminal(std::exchange(rest_, {}), LineBreaks::kKeep)); }

  WritableFile& next_;
  std::string rest_;
};

Status WriteShown(WritableFile& terminal, const Send& send, Status (*write)(WritableFile&, const Send&)) {
  TerminalOutput shown(terminal);
  OSCOPE_RETURN_IF_ERROR(write(shown, send));
  return shown.Close();
}

struct Format {
  std::string_view name;
  std::string_view description;
  Status (*write)(WritableFile&, const Send&);  // null: a directory
  bool binary;
};
constexpr std::array<Format, 6> kFormats = {{
    {"jsonl", "JSON lines: all that the store has, for `oscope import` and scripts", WriteJsonLines, false},
    {"osct", "the same, small and fast, for `oscope import`", WriteWith<OsctWriter>, true},
    {"chrome", "Chrome trace JSON, for chrome://tracing and ui.perfetto.dev", WriteWith<ChromeTraceWriter>, false},
    {"speedscope", "for speedscope.app", WriteWith<SpeedscopeWriter>, false},
    {"collapsed", "collapsed stacks, for flame graphs", WriteWith<CollapsedStackWriter>, false},
    {"parquet", "a directory of tables, for DuckDB, pandas and Spark", nullptr, true},
}};

class ExportCommand : public Command {
 public:
  std::string_view name() const override { return "export"; }
  std::string_view summary() const override { return "Write bugs and runs for other tools"; }

  void Register(Options& options) override {
    options.Add("--format", format_, "The format; see below (default jsonl)").Value("NAME");
    options.Add("--bug", bugs_, "Only this bug and its runs; may be repeated").Value("BUG").Repeatable();
    options.Add("--run", runs_, "Only this run; may be repeated").Value("RUN").Repeatable();
    options.Add("-o,--output", output_, "The file, or for parquet the directory (default: standard output)")
        .Value("PATH");
    options.AddFlag("--with-input", with_input_,
                    "Also commands, inputs, attachments and how runs were made, which may hold secrets");
    std::string formats;
    for (const Format& format : kFormats) formats += fmt::format("  {:<10} {}\n", format.name, format.description);
    options.Footer("Formats:\n" + formats +
                   "\nExamples:\n"
                   "  oscope export --bug Demo-12 > demo-12.jsonl\n"
                   "  oscope export --format osct --project Demo -o demo.osct\n"
                   "  oscope export --format chrome --run 1f2e3d4c -o run.json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Format format, FindFormat());
    const bool to_stdout = output_.empty() || output_ == "-";
    if (format.write == nullptr && to_stdout) return Invalid("--format parquet: give a directory with -o");
    if (format.binary && to_stdout && context.stdout_is_terminal()) {
      return Invalid("--format {}: not on a terminal; give a file with -o", format.name);
    }
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const Selection selection, Select(context, snapshot));

    uint64_t runs = 0, stripped = 0, detached = 0;
    const auto keep_attachment = [&](const AttachmentHeader& attachment) {
      const bool selected = attachment.owner.is_run() || selection.HasBug(attachment.owner.bug);
      if (selected && !with_input_) ++detached;
      return selected && with_input_;
    };
    const Send send = [&](RunSink& writer) -> Status {
      Progress progress("exporting", "events", 0, context.quiet());
      WatchedSink watched(writer, context.cancel(), progress);
      SelectingSink sink(watched, selection, with_input_);
      OSCOPE_RETURN_IF_ERROR(snapshot.Send(
          [&](const StoredRun& run) {
            const bool selected = selection.HasRun(run.header);
            runs += selected;
            return selected;
          },
          sink, keep_attachment));
      stripped = sink.stripped();
      return {};
    };
    if (format.write == nullptr) {
      OSCOPE_RETURN_IF_ERROR(ExportParquet(output_, context.cancel(), send));
    } else {
      OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(output_));
      const bool shown = output.to_terminal() && !format.binary;
      OSCOPE_RETURN_IF_ERROR(shown ? WriteShown(output.file(), send, format.write) : format.write(output.file(), send));
      OSCOPE_RETURN_IF_ERROR(output.Commit());
    }
    context.Note("exported {}{}", Counted(runs, "run"), LeftOut(stripped != 0, detached));
    return kExitOk;
  }

 private:
  static std::string LeftOut(bool inputs, uint64_t attachments) {
    if (!inputs && attachments == 0) return {};
    const std::string attached = Counted(attachments, "attachment");
    return fmt::format("; {} left out (--with-input includes them)",
                       attachments == 0 ? "commands and inputs were"
                       : inputs         ? fmt::format("commands, inputs and {} were", attached)
                                        : fmt::format("{} {}", attached, attachments == 1 ? "was" : "were"));
  }

  Result<Format> FindFormat() const {
    std::vector<std::string> names;
    for (const Format& format : kFormats) {
      if (format.name == format_) return format;
      names.emplace_back(format.name);
    }
    return Invalid("--format {}: unknown{}; there are {}", format_, Nearest(format_, names), fmt::join(names, ", "));
  }

  Result<Selection> Select(const Context& context, const Snapshot& snapshot) const {
    Selection selection;
    OSCOPE_RETURN_IF_ERROR(CheckProject(context, snapshot));
    selection.project = context.options.project;
    for (const std::string& text : bugs_) {
      OSCOPE_ASSIGN_OR_RETURN(const BugKey key, ResolveBug(context, snapshot, text));
      selection.bugs.insert(key);
    }
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<RunId> runs, ResolveRuns(snapshot, runs_));
    for (const RunId run : runs) {
      OSCOPE_ASSIGN_OR_RETURN(const std::optional<StoredRun> stored, snapshot.FindRun(run));
      selection.runs.insert(run);
      if (stored && !stored->header.bug.empty()) {
        selection.bugs_of_runs.insert({stored->header.project, stored->header.bug});
      }
    }
    return selection;
  }

  std::string format_ = "jsonl";
  std::vector<std::string> bugs_, runs_;
  std::string output_;
  bool with_input_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeExportCommand() { return std::make_unique<ExportCommand>(); }

}  // namespace oscope::cli
