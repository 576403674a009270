// From a command to a stored run. Everything that the program may change (its inputs, the working tree, the version) is
// looked at before it runs.
//
// A program may have run for an hour, so storing the run must not fail for reasons that have nothing to do with it: if
// damage in the store prevents the search for its bug, the run is stored without the rule, and a note says so.
#include "cli/tracing/traced_run.h"

#include <csignal>

#include "base/subprocess.h"
#include "cli/bugs/author.h"
#include "cli/output/output_file.h"
#include "cli/repeat/working_tree.h"
#include "cli/tracing/recorded_facts.h"
#include "tracer/format/osct_writer.h"
#include "tracer/model/granularity.h"
#include "tracer/record/inputs.h"
#include "tracer/record/secrets.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kStdinLimit = 1 << 20;

// A program that the recorder itself brought down has not shown what it does.
Status CheckInstructions(const RecordedRun& run) {
  if (run.header().outcome != Outcome::kSignal || run.header().failure.signal != SIGILL) return {};
  for (const std::string& note : run.notes()) {
    if (note.find("may not know this instruction") == std::string::npos) continue;
    return Unsupported("{}; nothing is kept. Build the program without -march=native, or for an older processor", note);
  }
  return {};
}

// "v1.2-3-gabc123-dirty"; empty where there is no repository or no git.
std::string DescribeVersion(const std::string& directory, const CancelToken& cancel) {
  SubprocessOptions options;
  options.argv = {"git", "--no-optional-locks", "describe", "--always", "--dirty", "--tags"};
  options.working_directory = directory;
  options.timeout = std::chrono::seconds(5);
  options.cancel = cancel;
  const Result<SubprocessOutput> output = RunSubprocess(options);
  if (!output.ok() || !output->ok()) return {};
  return output->out.substr(0, output->out.find('\n'));
}

// Where and of what the run is made. A build directory may lie outside of the repository that we were called in.
void TellSource(const std::string& directory, const CancelToken& cancel, Repeat& repeat) {
  std::optional<WorkingTree> tree = ReadWorkingTree(directory, cancel);
  if (!tree && !directory.empty()) tree = ReadWorkingTree("", cancel);
  if (!tree) return;
  repeat.directory = DirectoryIn(tree->root, directory);
  repeat.revision = std::move(tree->revision);
  repeat.changes = std::move(tree->changes);
}

}  // namespace

Result<RecordedRun> TraceCommand(const TracedRunRequest& request, const Recorder& recorder, ProgramEnd* end) {
  RunHeader header;
  header.id = RunId{RandomHash128()};
  header.project = request.project;
  header.bug = request.bug;
  header.test = request.test;
  header.version = request.version.empty() ? DescribeVersion(request.launch.working_directory, request.launch.cancel)
                                           : request.version;
  header.command = MaskSecrets(request.launch.command);
  header.repeat = request.repeat;
  TellSource(request.launch.working_directory, request.launch.cancel, header.repeat);
  LaunchRequest launch = request.launch;
  std::vector<std::string> notes;
  if (request.keep_inputs) {
    std::vector<std::string> too_large;
    header.inputs = TakeInputs(launch.command, launch.working_directory, !launch.no_input, {}, too_large);
    for (const std::string& name : too_large) {
      notes.push_back(fmt::format("{}: too large to be kept with the run", name == "-" ? "standard input" : name));
      header.repeat.not_kept.push_back({std::string(kInputNotKept), name});
    }
    if (!launch.no_input) launch.settings.stdin_limit = kStdinLimit;
  } else {
    header.repeat.not_kept.push_back({std::string(kInputsNotKept), ""});
  }
  OSCOPE_ASSIGN_OR_RETURN(const Recording recording, Launch(launch, recorder));
  if (end != nullptr) *end = recording.end;
  if (const std::string complaint = recorder.Complaint(recording.directory.path()); !complaint.empty())
    return Unsupported("{} could not record the program: {}", recorder.name(), complaint);
  OSCOPE_ASSIGN_OR_RETURN(RecordedRun run, RecordedRun::Read(recording, launch.settings, std::move(header)));
  OSCOPE_RETURN_IF_ERROR(CheckInstructions(run));
  for (std::string& note : notes) run.AddNote(std::move(note));
  if (launch.settings.granularity == Granularity::kStatement && run.events() > 0 && !HasStatements(run)) {
    run.AddNote("no line information: only methods were recorded; compile with -g");
  }
  return run;
}

namespace {

Result<IngestResult> CommitRun(Store& store, const RecordedRun& run, const BugRule& rule) {
  IngestOptions options;
  options.rule = rule;
  options.by = AuthorOr("");
  options.why = fmt::format("run {} names it", ToString(run.header().id));
  OSCOPE_ASSIGN_OR_RETURN(const std::unique_ptr<Ingest> ingest, store.BeginIngest(options));
  OSCOPE_RETURN_IF_ERROR(run.Send(*ingest));
  return ingest->Commit();
}

}  // namespace

Result<RunDecision> StoreRun(Store& store, RecordedRun& run, const BugRule& rule) {
  Result<IngestResult> committed = CommitRun(store, run, rule);
  if (!committed.ok() && committed.error().code == ErrorCode::kCorrupt && rule) {
    // The command has run, for an hour perhaps: what is damaged elsewhere must not cost its run.
    const std::string damage = committed.error().message;
    committed = CommitRun(store, run, {});
    if (committed.ok())
      run.AddNote(fmt::format("its bug cannot be determined, because the store is damaged: {}", damage));
  }
  if (!committed.ok()) return std::move(committed).error();
  const IngestResult& stored = *committed;
  if (stored.runs_added == 0) return Conflict("the run was not stored");
  RunDecision decision{.fate = run.header().bug.empty() ? RunFate::kUnlinked : RunFate::kNamed,
                       .bug = {run.header().project, run.header().bug}};
  if (!stored.decisions.empty()) decision = stored.decisions.front().decision;
  if (decision.fate == RunFate::kNamed && stored.bugs_added > 0) decision.fate = RunFate::kNew;
  if (!decision.bug.id.empty()) run.SetBug(decision.bug.id);
  return decision;
}

Status WriteRun(const std::string& path, const RecordedRun& run) {
  OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(path));
  OsctWriter writer(output.file());
  OSCOPE_RETURN_IF_ERROR(run.Send(writer));
  OSCOPE_RETURN_IF_ERROR(writer.Finish());
  return output.Commit();
}

}  // namespace oscope::cli
