// Reads files of any known format into one commit.
//
// A recording (.osct) is streamed; any other text is read whole, because its importer must have seen all of it before
// it sends anything. That decides what happens after an error: a text that fails has sent nothing, so the problems of
// the other files are reported as well; a recording may have sent half of itself, so reading ends there.
//
// Which bug a failing run goes to depends on whether its file also brings bug reports, and a file may bring them last.
// So the rule (transfer/import_rule.h) is fed while files are read and asked when the runs are committed. With --batch
// runs are committed before their file has ended; a recording is therefore read twice, the first time only to look for
// reports.
//
// A dry run goes the same way, into a sink that counts and asks the rule without writing.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/quantity.h"
#include "cli/bugs/author.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "cli/transfer/import_rule.h"
#include "cli/transfer/import_sinks.h"
#include "tracer/format/osct_reader.h"
#include "tracer/harness/failure_message.h"
#include "tracer/import/importer.h"
#include "tracer/import/uftrace.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kMaxTextInput = uint64_t{1} << 30;  // a text is parsed in memory
constexpr size_t kMagicBytes = osct::kMagic.size();
constexpr size_t kShown = 20;

// What was read of one file.
struct Imported {
  std::string file;
  std::string format;
  std::string lost;  // what --recover could not save
};

std::vector<std::string> FormatNames() {
  std::vector<std::string> names = {"osct"};
  for (const Importer* importer : AllImporters()) names.emplace_back(importer->name());
  return names;
}

std::string FormatTable() {
  std::string text = fmt::format("  {:<10} {}\n", "osct", "recordings of oscope itself");
  for (const Importer* importer : AllImporters())
    text += fmt::format("  {:<10} {}\n", importer->name(), importer->description());
  return text;
}

// Standard input, pipes and devices are read once, into memory.
bool IsRegularFile(const std::string& file) {
  struct stat facts{};
  return file != "-" && stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

bool IsDirectory(const std::string& file) {
  struct stat facts{};
  return stat(file.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

class ImportCommand : public Command {
 public:
  std::string_view name() const override { return "import"; }
  std::string_view summary() const override { return "Add runs and bugs from files"; }

  void Register(Options& options) override {
    options.Add("FILE", files_, "Files, or data directories of uftrace; - is standard input")
        .Value("FILE...")
        .Required();
    options.Add("--format", format_, "The files' format, see below (default: detected)").Value("NAME");
    const Option bug =
        options.Add("--bug", fill_.bug, "The bug of runs whose file names none; made if it does not exist")
            .Value("BUG");
    options.AddFlag("--no-bug", no_bug_, "Runs whose file does not name a bug stay without one").Excludes(bug);
    options.AddFlag("--reopen", reopen_, "A resolved bug that had the same failure is reopened");
    options.Add("--test", fill_.test, "The test of runs whose file names none").Value("NAME");
    options.Add("--version", fill_.version, "The program's version, for runs whose file names none").Value("VERSION");
    options.Add("--outcome", outcome_, "passed, failed, signal or timeout, whatever the file says").Value("OUTCOME");
    options.Add("--batch", batch_, "Commit every N runs instead of all at once: for huge inputs").Value("N");
    options.Add("--max-size", max_size_, "The largest text that is read (default 1G)").Value("SIZE");
    options.AddFlag("--recover", recover_,
                    "Take the whole part of a recording that was cut off, and mark it incomplete");
    options.AddFlag("--dry-run", dry_run_, "Only print what would be added");
    options.Footer(
        "Without --batch all files are added in one atomic commit, and after an error none of them is in the store.\n"
        "With --batch the batches that were committed before the error stay. Importing a file again adds nothing.\n\n"
        "A failing run that `oscope trace` or `oscope test` recorded goes to the open bug with the same test and "
        "failure, else to\n"
        "a new one, as if it had been recorded here. The same holds for crashes and exceptions in texts. Recordings of "
        "other\n"
        "tools (uftrace, perf), profiles and thread dumps get a bug only with --outcome failed. In files with bug "
        "reports runs stay with the bugs "
        "that they name.\n\n"
        "Formats:\n" +
        FormatTable() +
        "\nExamples:\n"
        "  oscope import crash.log --bug Demo-12\n"
        "  gdb -batch -ex bt ./prog core | oscope import - --format gdb\n"
        "  uftrace record -d run.data ./prog && oscope import run.data\n"
        "  oscope import traces/*.osct                       what a build machine recorded\n"
        "  oscope import runs/*.osct --batch 10000");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_RETURN_IF_ERROR(Prepare(context));
    return dry_run_ ? DryRun(context) : Import(context);
  }

 private:
  Status Prepare(const Context& context) {
    const std::vector<std::string> names = FormatNames();
    if (!format_.empty() && std::find(names.begin(), names.end(), format_) == names.end())
      return Invalid("--format {}: unknown{}; there are {}", format_, Nearest(format_, names), fmt::join(names, ", "));
    if (std::count(files_.begin(), files_.end(), "-") > 1) return Invalid("standard input (-) can be read only once");
    OSCOPE_ASSIGN_OR_RETURN(fill_.project, context.Project());
    if (outcome_) {
      OSCOPE_ASSIGN_OR_RETURN(fill_.outcome, ParseOutcome(*outcome_));
    }
    if (max_size_) {
      OSCOPE_ASSIGN_OR_RETURN(max_bytes_, ParseByteSize(*max_size_));
    }
    return {};
  }

  // --bug may be an id or a full name; it need not exist yet.
  Status ResolveBugOption(const Snapshot* snapshot) {
    if (fill_.bug.empty()) return {};
    OSCOPE_ASSIGN_OR_RETURN(const BugKey key, NamedBug(snapshot, fill_.project, fill_.bug));
    fill_.bug = key.id;
    fill_.project = key.project;
    return {};
  }

  Result<int> Import(const Context& context) {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    {
      OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
      OSCOPE_RETURN_IF_ERROR(ResolveBugOption(&snapshot));
    }
    OSCOPE_ASSIGN_OR_RETURN(const IngestResult result, ReadInto(context, store));
    Show(context, result, nullptr);
    Settle(context, store);
    return kExitOk;
  }

  Result<IngestResult> ReadInto(const Context& context, Store& store) {
    ImportRule rule(reopen_);
    IngestOptions options = rule.Options(AuthorOr(""), "imported");
    if (no_bug_) options.rule = {};
    OSCOPE_ASSIGN_OR_RETURN(const auto batches, BatchingSink::Open(store, batch_, UINT64_MAX, options));
    BatchingSink& sink = *batches;
    rule.Follow([&sink]() -> const IngestResult& { return sink.so_far(); });
    start_file_ = [&](size_t file) { rule.StartFile(file); };
    see_report_ = [&] { rule.SeeReport(); };
    const auto read = [&]() -> Status {
      Progress progress("importing", "events", 0, context.quiet());
      WatchedSink watched(sink, context.cancel(), progress);
      RuleFeedingSink feeding(watched, rule);
      return ReadAll(context, feeding);
    };
    Status status = read();
    Result<IngestResult> result = status.ok() ? sink.Finish() : Result<IngestResult>(std::move(status).error());
    if (result.ok()) return result;
    const uint64_t added = sink.Committed().runs_added;
    if (added != 0) context.Note("{} had been added before", Counted(added, "run"));
    return result;
  }

  Result<int> DryRun(const Context& context) {
    std::optional<Snapshot> snapshot;
    if (context.StorePath().ok()) {
      OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
      OSCOPE_ASSIGN_OR_RETURN(snapshot, store.Read());
    }
    const Snapshot* known = snapshot ? &*snapshot : nullptr;
    OSCOPE_RETURN_IF_ERROR(ResolveBugOption(known));
    CountingSink sink(known);
    ImportRule rule(reopen_);
    RuleFeedingSink feeding(sink, rule);
    start_file_ = [&](size_t file) { rule.StartFile(file); };
    OSCOPE_RETURN_IF_ERROR(ReadAll(context, feeding));
    OSCOPE_RETURN_IF_ERROR(sink.Finish(no_bug_ ? BugRule() : rule.rule()));
    Show(context, sink.result, &sink);
    return kExitOk;
  }

  Status ReadAll(const Context& context, RunSink& sink) {
    std::optional<Error> first;
    size_t failed = 0;
    for (size_t i = 0; i < files_.size(); ++i) {
      OSCOPE_RETURN_IF_ERROR(context.cancel().Check());
      const std::string& file = files_[i];
      start_file_(i);
      bool sink_touched = false;
      Result<Imported> imported = ReadFile(context, file, sink, sink_touched);
      if (imported.ok()) {
        if (!imported->lost.empty()) context.Warn("{}: {}", imported->file, imported->lost);
        imported_.push_back(*std::move(imported));
        continue;
      }
      if (files_.size() == 1 || batch_ != 0 || imported.error().code == ErrorCode::kCancelled)
        return std::move(imported).error();
      context.Fail(imported.error());
      ++failed;
      if (!first) first = imported.error();
      // A text that fails sends nothing, so the problems of the other files can be reported as well.
      if (sink_touched) break;
    }
    if (!first) return {};
    return Error{first->code, fmt::format("nothing was imported: {} of {} files failed", failed, files_.size())};
  }

  Result<Imported> ReadFile(const Context& context, const std::string& file, RunSink& sink, bool& sink_touched) {
    const std::string shown = file == "-" ? "standard input" : file;
    if (file != "-" && IsDirectory(file)) return ReadDirectory(context, file, sink);
    std::unique_ptr<ReadableFile> opened;
    std::string bytes;
    std::string head;
    const bool regular = IsRegularFile(file);
    if (regular) {
      OSCOPE_ASSIGN_OR_RETURN(opened, PosixFileSystem().Open(file));
      head.resize(std::min<uint64_t>(kMagicBytes, opened->size()));
      OSCOPE_RETURN_IF_ERROR(opened->ReadAt(0, head.size(), head.data()));
    } else {
      OSCOPE_ASSIGN_OR_RETURN(bytes, ReadInput(file, max_bytes_, context.cancel()));
      head = bytes.substr(0, kMagicBytes);
    }
    if (head.empty()) return Invalid("{}: empty", shown);
    if (format_ == "osct" || (format_.empty() && head == osct::kMagic)) {
      sink_touched = true;
      const std::unique_ptr<ByteSource> source = opened ? FileSource(*opened) : MemorySource(bytes);
      return ReadRecording(context, *source, shown, sink);
    }
    if (regular) {
      OSCOPE_ASSIGN_OR_RETURN(bytes, ReadInput(file, max_bytes_, context.cancel()));
    }
    return ReadText(context, bytes, shown, file, sink);
  }

  Result<Imported> ReadDirectory(const Context& context, const std::string& directory, RunSink& sink) const {
    if (!IsUftraceDirectory(directory))
      return Invalid("{}: is a directory, but not a data directory of uftrace", directory);
    OSCOPE_ASSIGN_OR_RETURN(const std::string bytes, PackUftraceDirectory(directory, max_bytes_));
    return ReadText(context, bytes, directory, directory, sink);
  }

  Result<Imported> ReadRecording(const Context& context, ByteSource& source, const std::string& shown,
                                 RunSink& sink) const {
    OsctReadOptions options;
    options.recover = recover_;
    if (batch_ != 0 && !recover_) {
      // Whether it brings reports must be known before the first batch of its runs is committed.
      LookingSink nothing(context.cancel(), see_report_);
      if (Result<OsctReadReport> whole = ReadOsct(source, nothing, options); !whole.ok())
        return std::move(whole).error().Within(shown);
      OSCOPE_RETURN_IF_ERROR(source.Rewind());
    }
    FillingSink filling(sink, fill_);
    Result<OsctReadReport> report = ReadOsct(source, filling, options);
    if (report.ok()) return Imported{shown, "osct", report->lost};
    Error error = std::move(report).error();
    // If the file was cut off, the reader's own message already names --recover.
    const bool said = error.message.find("--recover") != std::string::npos;
    if (error.code == ErrorCode::kCorrupt && !recover_ && !said)
      error.message += "; --recover reads the records that are whole";
    return error.code == ErrorCode::kCancelled ? error : std::move(error).Within(shown);
  }

  Result<Imported> ReadText(const Context& context, const std::string& bytes, const std::string& shown,
                            const std::string& file, RunSink& sink) const {
    const Importer* importer = format_.empty() ? DetectImporter(bytes, file) : FindImporter(format_);
    if (importer == nullptr) {
      return Invalid("{}: its format is not recognised; name it with --format: {}", shown,
                     fmt::join(FormatNames(), ", "));
    }
    std::vector<ImportProblem> problems;
    Status status = importer->Import(bytes, fill_, sink, problems);
    if (status.ok()) return Imported{shown, std::string(importer->name()), {}};
    for (const ImportProblem& problem : problems) context.Located(shown, problem.line, problem.message);
    Error error = std::move(status).error();
    if (error.code == ErrorCode::kCancelled) return error;
    return std::move(error).Within(fmt::format("{} (as {})", shown, importer->name()));
  }

  void Show(const Context& context, const IngestResult& result, const CountingSink* dry) const {
    if (context.json()) {
      Json json = ToJson(result);
      json["dry_run"] = dry != nullptr;
      json["files"] = Json::array();
      for (const Imported& imported : imported_)
        json["files"].push_back({{"file", imported.file}, {"format", imported.format}});
      if (dry != nullptr) {
        json["runs"] = Json::array();
        for (const CountingSink::Seen& seen : dry->runs) {
          json["runs"].push_back(ToJson(seen.run));
          json["runs"].back()["known"] = seen.known;
          if (seen.decision.fate == RunFate::kJoined || seen.decision.fate == RunFate::kReopened)
            json["runs"].back()["would_join"] = ToString(seen.decision.bug);
          if (seen.decision.fate == RunFate::kNew) json["runs"].back()["new_bug"] = true;
          if (seen.decision.resolved) json["runs"].back()["resolved_bug"] = ToString(*seen.decision.resolved);
        }
      }
      if (dry == nullptr) json["linked"] = LinksAsJson(result);
      context.PrintJson(json);
      return;
    }
    if (context.quiet() && dry == nullptr) return;
    if (dry != nullptr) ShowDryRuns(context, *dry);
    ShowLinks(context, result);
    context.Print("{} {} ({}, {}) and {}", dry != nullptr ? "would add" : "added", Counted(result.runs_added, "run"),
                  Counted(result.traces_added, "trace"), Counted(result.events_added, "event"),
                  Counted(result.bugs_added, "bug"));
    if (result.bugs_changed != 0) context.Print("; {} changed", Counted(result.bugs_changed, "bug"));
    if (result.attachments_added != 0) context.Print("; {}", Counted(result.attachments_added, "attachment"));
    if (result.runs_known != 0) context.Print("; {} known already", Counted(result.runs_known, "run"));
    context.Print("\n");
  }

  static Json LinksAsJson(const IngestResult& result) {
    Json json = Json::array();
    for (const LinkedRun& link : result.decisions) {
      json.push_back({{"run", ToString(link.run)},
                      {"bug", ToString(link.decision.bug)},
                      {"bug_is_new", link.decision.fate == RunFate::kNew},
                      {"reopened", link.decision.fate == RunFate::kReopened}});
      if (link.decision.resolved) json.back()["resolved_bug"] = ToString(*link.decision.resolved);
    }
    return json;
  }

  static void ShowLinks(const Context& context, const IngestResult& result) {
    size_t shown = 0;
    for (const LinkedRun& link : result.decisions) {
      if (shown++ == kShown) break;
      const RunDecision& decision = link.decision;
      const std::string name = Shown(ToString(decision.bug));
      context.Print("run {}: {}{}\n", ShortId(link.run), decision.fate == RunFate::kNew ? "new bug " : "joined ",
                    name + (decision.fate == RunFate::kReopened ? " (reopened)" : ""));
      if (decision.resolved) {
        context.Print(
            "  {0} had this failure and is resolved: is it back? `oscope bug reopen {0}`, or --reopen next time\n",
            Shown(ToString(*decision.resolved)));
      }
    }
    if (result.decisions.size() > kShown) context.Print("… and {} more\n", result.decisions.size() - kShown);
  }

  static void ShowDryRuns(const Context& context, const CountingSink& dry) {
    TextTable table({{"RUN"}, {"BUG"}, {"TEST", false, true}, {"OUTCOME"}, {"NEW"}, {"MESSAGE", false, true}});
    for (const CountingSink::Seen& seen : dry.runs) {
      if (table.size() == kShown) break;
      const RunHeader& run = seen.run;
      const RunDecision& decision = seen.decision;
      const std::string bug = !run.bug.empty()                 ? ToString(BugKey{run.project, run.bug})
                              : decision.bug.id.empty()        ? "-"
                              : decision.fate == RunFate::kNew ? "new"
                                                               : ToString(decision.bug);
      table.AddRow({ShortId(run.id), bug, run.test, std::string(OutcomeName(run.outcome)), seen.known ? "no" : "yes",
                    MessageLine(run.failure.message)});
    }
    if (!table.empty()) context.PrintText(table.Render(TerminalWidth()));
    if (dry.runs.size() > kShown) context.Print("… and {} more\n", dry.runs.size() - kShown);
  }

  std::vector<std::string> files_;
  std::string format_;
  ImportOptions fill_;
  std::optional<std::string> outcome_, max_size_;
  uint64_t batch_ = 0;
  uint64_t max_bytes_ = kMaxTextInput;
  bool recover_ = false, dry_run_ = false, no_bug_ = false, reopen_ = false;
  std::vector<Imported> imported_;
  std::function<void(size_t)> start_file_ = [](size_t) {};
  std::function<void()> see_report_ = [] {};
};

}  // namespace

std::unique_ptr<Command> MakeImportCommand() { return std::make_unique<ImportCommand>(); }

}  // namespace oscope::cli
