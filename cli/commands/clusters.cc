// `oscope clusters`: the unresolved bugs of a project, grouped by how they failed.
#include "cli/commands/clusters.h"

#include "cli/context/resolve.h"
#include "cli/output/table.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

constexpr uint32_t kMaxSuffix = 65'536;

class ClustersCommand : public Command {
 public:
  ClustersCommand() {
    decisions_.push_back({MakeClustersMergeCommand(options_), nullptr});
    decisions_.push_back({MakeClustersSplitCommand(options_), nullptr});
    decisions_.push_back({MakeClustersForgetCommand(), nullptr});
  }
  std::string_view name() const override { return "clusters"; }
  std::string_view summary() const override { return "Group the unresolved bugs of a project that failed alike"; }

  void Register(Options& options) override {
    options.Add("PROJECT", project_, "The project (default: the current one)").Value("PROJECT");
    options.Add("--suffix", options_.suffix, "Compare the last N events up to the failure (default 50)")
        .Value("N")
        .Between(1u, kMaxSuffix);
    options.Add("--distance", options_.distance, "Bugs are far apart beyond N edits in --suffix events (default 30)")
        .Value("N");
    options.AddFlag("--all", all_, "List the bugs of every cluster, and the bugs that are alone");
    options.Footer(
        "The number of clusters follows from the bugs. A cluster's id is that of its oldest bug. What merge and "
        "split\n"
        "say is kept with the bugs and obeyed from then on. The options hold for merge and split too.\n\n"
        "Examples:\n"
        "  oscope clusters Beanutils\n"
        "  oscope clusters Ini --all --distance 20\n"
        "  oscope clusters merge Ini-2 Ini-5\n"
        "  oscope clusters split Ini-7\n"
        "  oscope clusters forget Ini-7");
    for (Decision& decision : decisions_) Attach(options, decision);
  }

  Result<int> Run(Context& context) override {
    for (const Decision& decision : decisions_) {
      if (!decision.options->chosen()) continue;
      if (!project_.empty())
        return context.FailUsage(fmt::format("'{}': leave out the project, which the bugs name", project_));
      return decision.command->Run(context);
    }
    if (!project_.empty()) context.options.project = project_;
    OSCOPE_ASSIGN_OR_RETURN(context.options.project, context.Project());
    OSCOPE_RETURN_IF_ERROR(CheckProjectIsThere(context));
    OSCOPE_ASSIGN_OR_RETURN(const ClusterSources sources,
                            ReadClusterSources(context, context.options.project, options_));
    OSCOPE_ASSIGN_OR_RETURN(const BugClusters found, sources.Cluster(context));
    context.json() ? PrintAsJson(context, sources, found) : PrintAsText(context, sources, found);
    for (const Contradiction& one : found.contradictions) {
      context.Warn("{} is split from {} and merged with it; the merge wins; `oscope clusters forget {}` drops both",
                   ToString(one.bug), ToString(one.other), ToString(one.bug));
    }
    return kExitOk;
  }

 private:
  // A word after `clusters` is one of these, else a project. So they cannot be children of a group, which is never run
  // itself.
  struct Decision {
    std::unique_ptr<Command> command;
    const Options* options;
  };

  static void Attach(Options& options, Decision& decision) {
    Options& its = options.AddCommand(decision.command->name(), decision.command->summary());
    decision.options = &its;
    its.TakeOptionsOfParent();  // global ones among them
    decision.command->Register(its);
  }

  static Status CheckProjectIsThere(const Context& context) {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    return CheckProject(context, snapshot);
  }

  // Bugs without a recorded trace and without a decision of a person.
  static bool IsUntraced(const ClusterSources& sources, const BugClusters& found, const BugCluster& cluster) {
    return cluster.bugs.size() == 1 && !sources.traced.contains(found.bugs[cluster.bugs.front()].key);
  }

  void PrintAsText(const Context& context, const ClusterSources& sources, const BugClusters& found) const {
    TextTable table({{"CLUSTER"}, {"BUGS", true}, {"NEAREST", true}, {"NEWEST"}, {"TITLE", false, true}});
    size_t shown = 0, alone = 0, untraced = 0;
    for (const BugCluster& cluster : found.clusters) {
      const bool is_untraced = IsUntraced(sources, found, cluster);
      (is_untraced ? untraced : cluster.bugs.size() == 1 ? alone : shown) += 1;
      if (cluster.bugs.size() == 1 && !all_) continue;
      table.AddRow({ToString(cluster.id), std::to_string(cluster.bugs.size()), Nearest(cluster, is_untraced),
                    ToString(found.bugs[cluster.bugs.back()].key), OneLine(found.bugs[cluster.representative].title)});
      for (const uint32_t bug : cluster.bugs) {
        if (all_ && cluster.bugs.size() > 1) AddMember(table, found, cluster, bug);
      }
    }
    if (!table.empty()) context.PrintText(table.Render(TerminalWidth()));
    context.Note("{}: {}: {}, {} alone, {} without a trace", sources.project,
                 Counted(found.bugs.size(), "unresolved bug"), Counted(shown, "cluster"), Counted(alone, "bug"),
                 untraced);
  }

  static std::string Nearest(const BugCluster& cluster, bool is_untraced) {
    if (is_untraced) return "no trace";
    return cluster.nearest ? fmt::format("{}/{}", cluster.nearest->edits, cluster.nearest->events) : "";
  }

  static void AddMember(TextTable& table, const BugClusters& found, const BugCluster& cluster, uint32_t bug) {
    table.AddRow({"  " + ToString(found.bugs[bug].key), "", "", bug == cluster.representative ? "typical" : "",
                  OneLine(found.bugs[bug].title)});
  }

  static void PrintAsJson(const Context& context, const ClusterSources& sources, const BugClusters& found) {
    Json json = {{"project", sources.project},
                 {"suffix", sources.suffix},
                 {"distance", sources.distance},
                 {"partial", sources.damaged}};
    json["clusters"] = Json::array();
    json["without_trace"] = Json::array();
    for (const BugCluster& cluster : found.clusters) {
      if (IsUntraced(sources, found, cluster)) {
        json["without_trace"].push_back(ToString(cluster.id));
      } else {
        json["clusters"].push_back(ClusterJson(found, cluster));
      }
    }
    json["contradictions"] = Json::array();
    for (const Contradiction& one : found.contradictions) {
      json["contradictions"].push_back({ToString(one.bug), ToString(one.other)});
    }
    context.PrintJson(json);
  }

  std::string project_;
  ClusterOptions options_;
  bool all_ = false;
  std::vector<Decision> decisions_;
};

}  // namespace

std::unique_ptr<Command> MakeClustersCommand() { return std::make_unique<ClustersCommand>(); }

}  // namespace oscope::cli
