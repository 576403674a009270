// `oscope clusters merge`, `split` and `forget`: what people decide about clusters. A decision is written into fields
// of the bugs that it names, and applied whenever clusters are made (query/clusters).
//
// A decision names bugs, but its meaning depends on the clusters that exist at the moment: "split A" means A and the
// rest of its cluster. So the clusters are computed first, and the decision is stored with the bugs they have now. One
// that contradicts an earlier decision is refused with both names; otherwise the order of two decisions would decide
// silently. A decision is written to every bug that it names, as a whole each time: if the writing is cut off after the
// first bug, the decision is made already.
#include <algorithm>
#include <set>

#include "cli/bugs/bug_change.h"
#include "cli/commands/clusters.h"
#include "cli/context/resolve.h"
#include "cli/output/text.h"
#include "query/clusters/decisions.h"

namespace oscope::cli {
namespace {

std::string Names(const std::vector<BugKey>& bugs) {
  std::string names;
  for (const BugKey& bug : bugs) names += (names.empty() ? "" : " ") + ToString(bug);
  return names;
}

void Append(std::vector<std::string>& ids, const std::vector<BugKey>& bugs) {
  for (const BugKey& bug : bugs) ids.push_back(bug.id);
}

Result<std::vector<BugKey>> ResolveBugs(const Context& context, const std::vector<std::string>& texts) {
  OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
  std::set<BugKey> bugs;
  for (const std::string& text : texts) {
    OSCOPE_ASSIGN_OR_RETURN(BugKey bug, ResolveBug(context, snapshot, text));
    bugs.insert(std::move(bug));
  }
  const auto other =
      std::find_if(bugs.begin(), bugs.end(), [&](const BugKey& bug) { return bug.project != bugs.begin()->project; });
  if (other != bugs.end()) {
    return Invalid("{} and {}: clusters are of one project", ToString(*bugs.begin()), ToString(*other));
  }
  return std::vector<BugKey>(bugs.begin(), bugs.end());
}

// Tries a decision out on the bugs as they were read, then commits it.
class Deciding {
 public:
  Deciding(const Context& context, std::string verb, std::vector<BugKey> bugs)
      : context_(context), verb_(std::move(verb)), bugs_(std::move(bugs)) {}

  Status Read(const ClusterOptions& options) {
    OSCOPE_ASSIGN_OR_RETURN(sources_, ReadClusterSources(context_, bugs_.front().project, options));
    OSCOPE_ASSIGN_OR_RETURN(found_, sources_.Cluster(context_));
    for (const BugKey& bug : bugs_) {
      if (found_.Find(bug) == nullptr)
        return Invalid("{} {}: it is resolved, and resolved bugs are in no cluster", verb_, ToString(bug));
    }
    return {};
  }

  // The other bugs of the clusters that hold these.
  std::vector<BugKey> Rest() const {
    std::set<BugKey> rest;
    for (const BugKey& bug : bugs_) {
      for (const uint32_t place : found_.Find(bug)->bugs) rest.insert(found_.bugs[place].key);
    }
    for (const BugKey& bug : bugs_) rest.erase(bug);
    return {rest.begin(), rest.end()};
  }

  const std::vector<BugKey>& bugs() const { return bugs_; }

  // Adds to what the bugs carry already. A split makes a new cluster, which does not keep the old one's id.
  Status Try(const std::vector<BugKey>& apart) {
    const std::set<Contradiction> known(found_.contradictions.begin(), found_.contradictions.end());
    for (const BugKey& key : bugs_) {
      Bug& bug = *sources_.FindBug(key);
      Decisions decisions = ReadDecisions(bug);
      Append(decisions.with, bugs_);
      Append(decisions.apart, apart);
      if (!apart.empty()) decisions.id.clear();
      WriteDecisions(std::move(decisions), bug);
    }
    OSCOPE_ASSIGN_OR_RETURN(found_, sources_.Cluster(context_));
    for (const Contradiction& one : found_.contradictions) {
      if (!known.contains(one)) return Explain(one, apart);
    }
    return {};
  }

  Result<int> Commit(const std::vector<BugKey>& apart) {
    const BugCluster& cluster = *found_.Find(bugs_.front());
    OSCOPE_ASSIGN_OR_RETURN(Store store, context_.OpenStore(Access::kWrite));
    const auto decide = [&](Bug& bug) -> Status {
      Decisions decisions = ReadDecisions(bug);
      Append(decisions.with, bugs_);
      Append(decisions.apart, apart);
      decisions.id = cluster.id.id;
      WriteDecisions(std::move(decisions), bug);
      return {};
    };
    ChangeNote note;
    note.SetWhy(apart.empty() ? "clusters merge" : "clusters split");
    OSCOPE_RETURN_IF_ERROR(ChangeBugs(context_, store, bugs_, note, decide));
    Print(cluster);
    return kExitOk;
  }

 private:
  Error Explain(const Contradiction& one, const std::vector<BugKey>& apart) const {
    if (apart.empty()) {
      return Conflict("merge {}: an earlier split keeps {} apart from {}; `oscope clusters forget {}` drops it",
                      Names(bugs_), ToString(one.bug), ToString(one.other), ToString(one.bug));
    }
    return Conflict("split {}: an earlier merge holds {} together with {}; `oscope clusters forget {}` drops it",
                    Names(bugs_), ToString(one.bug), ToString(one.other), ToString(one.bug));
  }

  void Print(const BugCluster& cluster) const {
    if (context_.json()) {
      context_.PrintJson({{"decision", verb_}, {"cluster", ClusterJson(found_, cluster)}});
    } else if (!context_.quiet()) {
      context_.Print("{}: {}\n", Shown(ToString(cluster.id)), Counted(cluster.bugs.size(), "bug"));
    }
  }

  const Context& context_;
  const std::string verb_;
  const std::vector<BugKey> bugs_;
  ClusterSources sources_;
  BugClusters found_;
};

class ClustersMergeCommand : public Command {
 public:
  explicit ClustersMergeCommand(const ClusterOptions& options) : options_(options) {}
  std::string_view name() const override { return "merge"; }
  std::string_view summary() const override { return "Say that bugs belong together: their clusters become one"; }

  void Register(Options& options) override {
    options.Add("BUG", texts_, "Two bugs or more").Value("BUG...").Required();
    options.Footer("Examples:\n  oscope clusters merge Ini-2 Ini-5");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(std::vector<BugKey> bugs, ResolveBugs(context, texts_));
    if (bugs.size() < 2) return Invalid("merge {}: two bugs are needed", ToString(bugs.front()));
    Deciding deciding(context, "merge", std::move(bugs));
    OSCOPE_RETURN_IF_ERROR(deciding.Read(options_));
    OSCOPE_RETURN_IF_ERROR(deciding.Try({}));
    return deciding.Commit({});
  }

 private:
  const ClusterOptions& options_;
  std::vector<std::string> texts_;
};

class ClustersSplitCommand : public Command {
 public:
  explicit ClustersSplitCommand(const ClusterOptions& options) : options_(options) {}
  std::string_view name() const override { return "split"; }
  std::string_view summary() const override {
    return "Say that bugs do not belong to their cluster: they become a cluster of their own";
  }

  void Register(Options& options) override {
    options.Add("BUG", texts_, "The bugs that leave").Value("BUG...").Required();
    options.Footer("Examples:\n  oscope clusters split Ini-7\n  oscope clusters split Ini-7 Ini-9");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(std::vector<BugKey> bugs, ResolveBugs(context, texts_));
    Deciding deciding(context, "split", std::move(bugs));
    OSCOPE_RETURN_IF_ERROR(deciding.Read(options_));
    const std::vector<BugKey> rest = deciding.Rest();
    if (rest.empty()) return Invalid("split {}: there are no other bugs in the cluster", Names(deciding.bugs()));
    OSCOPE_RETURN_IF_ERROR(deciding.Try(rest));
    return deciding.Commit(rest);
  }

 private:
  const ClusterOptions& options_;
  std::vector<std::string> texts_;
};

class ClustersForgetCommand : public Command {
 public:
  std::string_view name() const override { return "forget"; }
  std::string_view summary() const override { return "Drop what merge and split said about bugs"; }

  void Register(Options& options) override {
    options.Add("BUG", texts_, "The bugs").Value("BUG...").Required();
    options.Footer("Examples:\n  oscope clusters forget Ini-7");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugKey> forgotten, ResolveBugs(context, texts_));
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> bugs, snapshot.Bugs(forgotten.front().project));
    std::vector<BugKey> changed;
    for (const Bug& bug : bugs) {
      Bug after = bug;
      Forget(forgotten, after);
      if (after == bug) continue;
      changed.push_back(bug.key);
    }
    ChangeNote note;
    note.SetWhy("clusters forget");
    const auto forget = [&](Bug& bug) -> Status {
      Forget(forgotten, bug);
      return {};
    };
    OSCOPE_RETURN_IF_ERROR(ChangeBugs(context, store, changed, note, forget));
    Print(context, changed);
    return kExitOk;
  }

 private:
  static void Forget(const std::vector<BugKey>& forgotten, Bug& bug) {
    Decisions decisions = ReadDecisions(bug);
    if (std::find(forgotten.begin(), forgotten.end(), bug.key) != forgotten.end()) decisions = {};
    for (const BugKey& key : forgotten) {
      std::erase(decisions.with, key.id);
      std::erase(decisions.apart, key.id);
    }
    if (decisions.empty()) decisions.id.clear();
    WriteDecisions(std::move(decisions), bug);
  }

  static void Print(const Context& context, const std::vector<BugKey>& changed) {
    if (context.json()) {
      Json json = {{"decision", "forget"}, {"changed", Json::array()}};
      for (const BugKey& bug : changed) json["changed"].push_back(ToString(bug));
      context.PrintJson(json);
    } else if (changed.empty()) {
      context.Note("nothing was decided about them");
    } else if (!context.quiet()) {
      context.Print("forgotten: changed {}\n", Shown(Names(changed)));
    }
  }

  std::vector<std::string> texts_;
};

}  // namespace

std::unique_ptr<Command> MakeClustersMergeCommand(const ClusterOptions& options) {
  return std::make_unique<ClustersMergeCommand>(options);
}
std::unique_ptr<Command> MakeClustersSplitCommand(const ClusterOptions& options) {
  return std::make_unique<ClustersSplitCommand>(options);
}
std::unique_ptr<Command> MakeClustersForgetCommand() { return std::make_unique<ClustersForgetCommand>(); }

}  // namespace oscope::cli
