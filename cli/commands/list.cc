// The lists of bugs, runs and projects. Bugs and projects are read, sorted and cut to the limit. A store may hold
// millions of runs, so while they are read only a few times the limit is kept: whenever the list has grown too long, it
// is sorted and cut. Equal rows are ordered by id, since the order of segments changes with a compaction.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/progress.h"
#include "base/quantity.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "tracer/harness/failure_message.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kDefaultLimit = 50;

// --limit, --sort, --reverse and --count, which every list has.
struct ListOptions {
  uint64_t limit = kDefaultLimit;
  std::string sort;
  bool reverse = false;
  bool count = false;

  void Register(Options& options, const std::vector<std::string>& keys) {
    sort = keys.front();
    options.Add("--limit", limit, fmt::format("List at most N; 0 lists all (default {})", kDefaultLimit)).Value("N");
    options.Add("--sort", sort, fmt::format("By {} (default {})", fmt::join(keys, ", "), keys.front()))
        .Value("KEY")
        .Check([keys](const std::string& key) {
          if (std::find(keys.begin(), keys.end(), key) != keys.end()) return std::string();
          return fmt::format("unknown key '{}'; there are {}", Shown(key), fmt::join(keys, ", "));
        });
    options.AddFlag("--reverse", reverse, "Reverse the order");
    options.AddFlag("--count", count, "Print only how many there are");
  }

  // Cuts the list to the limit and says in a note how much was left out.
  template <typename T>
  void Cut(const Context& context, std::vector<T>& rows, uint64_t total) const {
    if (limit != 0 && rows.size() > limit) rows.resize(limit);
    if (!context.json() && rows.size() < total)
      context.Note("{} more; --limit 0 lists all", FormatCount(total - rows.size()));
  }

  template <typename T, typename Key>
  void Sort(std::vector<T>& rows, const Key& less) const {
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const T& a, const T& b) { return reverse ? less(b, a) : less(a, b); });
  }
};

int PrintCount(const Context& context, uint64_t count) {
  if (context.json()) {
    context.PrintJson({{"count", count}});
  } else {
    context.Print("{}\n", count);
  }
  return kExitOk;
}

void PrintTable(const Context& context, const TextTable& table, std::string_view none) {
  if (table.empty()) {
    context.Note("{}", none);
  } else {
    context.PrintText(table.Render(TerminalWidth()));
  }
}

// How many runs each bug has.
Result<std::map<BugKey, uint64_t>> CountRuns(const Context& context, const Snapshot& snapshot) {
  Progress progress("counting", "runs", snapshot.Stats().runs, context.quiet());
  std::map<BugKey, uint64_t> runs;
  RunFilter filter;
  filter.project = context.options.project;
  OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(filter, false, [&](const StoredRun& run) {
    progress.Add(1);
    if (!run.header.bug.empty()) ++runs[{run.header.project, run.header.bug}];
    return !snapshot.cancel().cancelled();
  }));
  OSCOPE_RETURN_IF_ERROR(snapshot.cancel().Check());
  return runs;
}

class ListBugsCommand : public Command {
 public:
  std::string_view name() const override { return "bugs"; }
  std::string_view summary() const override { return "List bugs"; }

  void Register(Options& options) override {
    options.Add("--status", statuses_, "open, reopened, resolved, closed, or unresolved; may be repeated")
        .Value("STATUS")
        .Repeatable();
    list_.Register(options, {"key", "created", "runs", "status", "title"});
    options.Footer(
        "Examples:\n"
        "  oscope list bugs --project Beanutils --status unresolved\n"
        "  oscope list bugs --sort runs --limit 10\n"
        "  oscope list bugs --json | jq -r '.bugs[].key'");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_RETURN_IF_ERROR(ParseStatuses());
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_RETURN_IF_ERROR(CheckProject(context, snapshot));
    OSCOPE_ASSIGN_OR_RETURN(std::vector<Bug> bugs, snapshot.Bugs(context.options.project));
    std::erase_if(bugs, [&](const Bug& bug) { return !Wanted(bug.status); });
    if (list_.count) return PrintCount(context, bugs.size());
    OSCOPE_ASSIGN_OR_RETURN(auto runs, CountRuns(context, snapshot));
    SortBugs(bugs, runs);
    const uint64_t total = bugs.size();
    list_.Cut(context, bugs, total);
    if (context.json()) {
      Json json = {{"total", total}, {"bugs", Json::array()}};
      for (const Bug& bug : bugs) {
        json["bugs"].push_back(ToJson(bug));
        json["bugs"].back()["run_count"] = runs[bug.key];
      }
      context.PrintJson(json);
      return kExitOk;
    }
    TextTable table(
        {{"BUG"}, {"STATUS"}, {"SEVERITY", false, true}, {"RUNS", true}, {"CREATED"}, {"TITLE", false, true}});
    for (const Bug& bug : bugs) {
      table.AddRow({ToString(bug.key), std::string(BugStatusName(bug.status)), bug.severity, FormatCount(runs[bug.key]),
                    ShownTime(bug.created_ns).substr(0, 10), bug.title});
    }
    PrintTable(context, table, "no bugs");
    return kExitOk;
  }

 private:
  Status ParseStatuses() {
    for (const std::string& name : statuses_) {
      if (name == "unresolved") {
        wanted_.insert(wanted_.end(), {BugStatus::kOpen, BugStatus::kReopened});
        continue;
      }
      OSCOPE_ASSIGN_OR_RETURN(const BugStatus status, ParseBugStatus(name));
      wanted_.push_back(status);
    }
    return {};
  }

  bool Wanted(BugStatus status) const {
    return wanted_.empty() || std::find(wanted_.begin(), wanted_.end(), status) != wanted_.end();
  }

  void SortBugs(std::vector<Bug>& bugs, std::map<BugKey, uint64_t>& runs) const {
    list_.Sort(bugs, [&](const Bug& a, const Bug& b) {
      if (list_.sort == "created") return a.created_ns > b.created_ns;
      if (list_.sort == "runs") return runs[a.key] > runs[b.key];
      if (list_.sort == "status") return a.status < b.status;
      if (list_.sort == "title") return a.title < b.title;
      if (a.key.project != b.key.project) return a.key.project < b.key.project;
      // 9 before 10.
      if (a.key.id.size() != b.key.id.size()) return a.key.id.size() < b.key.id.size();
      return a.key.id < b.key.id;
    });
  }

  ListOptions list_;
  std::vector<std::string> statuses_;
  std::vector<BugStatus> wanted_;
};

class ListRunsCommand : public Command {
 public:
  std::string_view name() const override { return "runs"; }
  std::string_view summary() const override { return "List runs"; }

  void Register(Options& options) override {
    options.Add("--bug", bug_, "Of this bug; '' lists runs without one").Value("BUG");
    options.Add("--test", filter_.test, "Of this test").Value("NAME");
    const Option failing = options.AddFlag("--failing", failing_, "Only runs that failed");
    options.AddFlag("--passing", passing_, "Only runs that passed").Excludes(failing);
    list_.Register(options, {"started", "stored", "events", "id"});
    options.Footer(
        "Examples:\n"
        "  oscope list runs --bug Demo-12\n"
        "  oscope list runs --failing --sort events --limit 5");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_RETURN_IF_ERROR(CheckProject(context, snapshot));
    filter_.project = context.options.project;
    if (bug_ && bug_->empty()) filter_.bug = "";
    if (bug_ && !bug_->empty()) {
      OSCOPE_ASSIGN_OR_RETURN(const BugKey key, ResolveBug(context, snapshot, *bug_));
      filter_.project = key.project;
      filter_.bug = key.id;
    }
    if (failing_ || passing_) filter_.failing = failing_;

    std::vector<StoredRun> runs;
    uint64_t total = 0;
    {
      Progress progress("reading", "runs", snapshot.Stats().runs, context.quiet());
      OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(filter_, false, [&](const StoredRun& run) {
        progress.Add(1);
        ++total;
        if (!list_.count) Keep(runs, run);
        return !snapshot.cancel().cancelled();
      }));
    }
    OSCOPE_RETURN_IF_ERROR(snapshot.cancel().Check());
    if (list_.count) return PrintCount(context, total);
    SortRuns(runs);
    list_.Cut(context, runs, total);
    Show(context, runs, total);
    return kExitOk;
  }

 private:
  void SortRuns(std::vector<StoredRun>& runs) const {
    list_.Sort(runs, [&](const StoredRun& a, const StoredRun& b) {
      // Equal runs stand by id: the order of segments is nothing that a user sees, and changes with a compaction.
      if (list_.sort == "stored" && a.stored_ns != b.stored_ns) return a.stored_ns > b.stored_ns;
      if (list_.sort == "events" && a.event_count != b.event_count) return a.event_count > b.event_count;
      const int64_t a_ns = a.header.started_ns.value_or(a.stored_ns), b_ns = b.header.started_ns.value_or(b.stored_ns);
      if (list_.sort == "started" && a_ns != b_ns) return a_ns > b_ns;
      return a.header.id < b.header.id;
    });
  }

  // A store may hold millions of runs; no more than a few times the limit stay in memory.
  void Keep(std::vector<StoredRun>& runs, const StoredRun& run) const {
    runs.push_back(run);
    if (list_.limit == 0 || runs.size() < 1024 || (runs.size() - 1024) / 4 < list_.limit) return;
    SortRuns(runs);
    runs.resize(list_.limit);
  }

  void Show(const Context& context, const std::vector<StoredRun>& runs, uint64_t total) const {
    if (context.json()) {
      Json json = {{"total", total}, {"runs", Json::array()}};
      for (const StoredRun& run : runs) json["runs"].push_back(ToJson(run));
      context.PrintJson(json);
      return;
    }
    TextTable table({{"RUN"},
                     {"BUG"},
                     {"TEST", false, true},
                     {"OUTCOME"},
                     {"TRACES", true},
                     {"EVENTS", true},
                     {"STARTED"},
                     {"MESSAGE", false, true}});
    for (const StoredRun& run : runs) {
      const RunHeader& header = run.header;
      table.AddRow({ShortId(header.id), header.bug.empty() ? "-" : ToString(BugKey{header.project, header.bug}),
                    header.test, std::string(OutcomeName(header.outcome)), FormatCount(run.trace_count),
                    FormatCount(run.event_count), ShownTime(header.started_ns), MessageLine(header.failure.message)});
    }
    PrintTable(context, table, "no runs");
  }

  ListOptions list_;
  RunFilter filter_;
  std::optional<std::string> bug_;
  bool failing_ = false, passing_ = false;
};

class ListProjectsCommand : public Command {
 public:
  std::string_view name() const override { return "projects"; }
  std::string_view summary() const override { return "List projects, with counts of bugs and runs"; }

  void Register(Options& options) override {
    list_.Register(options, {"name", "bugs", "runs"});
    options.Footer("Examples:\n  oscope list projects\n  oscope list projects --sort runs --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(std::vector<Project> projects, Count(context, snapshot));
    if (list_.count) return PrintCount(context, projects.size());
    list_.Sort(projects, [&](const Project& a, const Project& b) {
      if (list_.sort == "bugs") return a.bugs > b.bugs;
      if (list_.sort == "runs") return a.runs > b.runs;
      return a.name < b.name;
    });
    const uint64_t total = projects.size();
    list_.Cut(context, projects, total);
    if (context.json()) {
      Json json = {{"total", total}, {"projects", Json::array()}};
      for (const Project& project : projects) {
        json["projects"].push_back({{"name", project.name},
                                    {"bugs", project.bugs},
                                    {"unresolved", project.unresolved},
                                    {"runs", project.runs},
                                    {"failing", project.failing}});
      }
      context.PrintJson(json);
      return kExitOk;
    }
    TextTable table(
        {{"PROJECT", false, true}, {"BUGS", true}, {"UNRESOLVED", true}, {"RUNS", true}, {"FAILING", true}});
    for (const Project& project : projects) {
      table.AddRow({project.name, FormatCount(project.bugs), FormatCount(project.unresolved), FormatCount(project.runs),
                    FormatCount(project.failing)});
    }
    PrintTable(context, table, "no projects");
    return kExitOk;
  }

 private:
  struct Project {
    std::string name;
    uint64_t bugs = 0, unresolved = 0, runs = 0, failing = 0;
  };

  static Result<std::vector<Project>> Count(const Context& context, const Snapshot& snapshot) {
    OSCOPE_RETURN_IF_ERROR(CheckProject(context, snapshot));
    const std::string& only = context.options.project;
    std::map<std::string, Project> counts;
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> bugs, snapshot.Bugs(only));
    for (const Bug& bug : bugs) {
      Project& project = counts[bug.key.project];
      ++project.bugs;
      project.unresolved += !IsResolved(bug.status);
    }
    RunFilter filter;
    filter.project = only;
    OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(filter, false, [&](const StoredRun& run) {
      Project& project = counts[run.header.project];
      ++project.runs;
      project.failing += IsFailing(run.header.outcome);
      return !snapshot.cancel().cancelled();
    }));
    OSCOPE_RETURN_IF_ERROR(snapshot.cancel().Check());
    std::vector<Project> projects;
    for (auto& [name, project] : counts) {
      project.name = name;
      projects.push_back(project);
    }
    return projects;
  }

  ListOptions list_;
};

class ListCommand : public CommandGroup {
 public:
  ListCommand() {
    AddChild(std::make_unique<ListBugsCommand>());
    AddChild(std::make_unique<ListRunsCommand>());
    AddChild(std::make_unique<ListProjectsCommand>());
  }
  std::string_view name() const override { return "list"; }
  std::string_view summary() const override { return "List bugs, runs or projects"; }
  void Register(Options& options) override {
    options.Footer(
        "Examples:\n"
        "  oscope list bugs --status unresolved\n"
        "  oscope list runs --failing\n"
        "  oscope list projects");
  }
};

}  // namespace

std::unique_ptr<Command> MakeListCommand() { return std::make_unique<ListCommand>(); }

}  // namespace oscope::cli
