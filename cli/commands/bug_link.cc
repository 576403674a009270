#include "cli/commands/bug.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

int PrintLinked(const Context& context, const BugKey& bug, const std::vector<RunId>& runs, std::string_view what) {
  if (context.json()) {
    Json json = {{"bug", ToString(bug)}, {"runs", Json::array()}};
    for (const RunId run : runs) json["runs"].push_back(ToString(run));
    context.PrintJson(json);
  } else if (!context.quiet()) {
    context.Print("{}: {} {}\n", Shown(ToString(bug)), what, Counted(runs.size(), "run"));
  }
  return kExitOk;
}

// `link` and `unlink` take the same arguments.
class LinkingCommand : public Command {
 protected:
  void AddArguments(Options& options) {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    options.Add("RUN", runs_, "Runs, by id or the start of one").Value("RUN...").Required();
  }

  struct Linking {
    BugKey bug;
    std::vector<RunId> runs;
    std::vector<StoredRun> stored;
  };
  // The snapshot ends here: one that was still held would keep the files that the link replaces.
  Result<Linking> Resolve(const Context& context, const Store& store) const {
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    Linking linking;
    OSCOPE_ASSIGN_OR_RETURN(linking.bug, ResolveBug(context, snapshot, bug_));
    OSCOPE_ASSIGN_OR_RETURN(linking.runs, ResolveRuns(snapshot, runs_));
    for (const RunId run : linking.runs) {
      OSCOPE_ASSIGN_OR_RETURN(std::optional<StoredRun> stored, snapshot.FindRun(run));
      if (stored) linking.stored.push_back(*std::move(stored));
    }
    return linking;
  }

  std::string bug_;
  std::vector<std::string> runs_;
};

class BugLinkCommand : public LinkingCommand {
 public:
  std::string_view name() const override { return "link"; }
  std::string_view summary() const override { return "Attach runs to a bug"; }

  void Register(Options& options) override {
    AddArguments(options);
    options.Footer(
        "A run belongs to one bug at most: linking it moves it.\n\n"
        "Examples:\n"
        "  oscope bug link Demo-12 3fa9c2 77b01e");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const Linking linking, Resolve(context, store));
    OSCOPE_RETURN_IF_ERROR(store.LinkRuns(linking.runs, linking.bug));
    Settle(context, store);
    return PrintLinked(context, linking.bug, linking.runs, "linked");
  }
};

class BugUnlinkCommand : public LinkingCommand {
 public:
  std::string_view name() const override { return "unlink"; }
  std::string_view summary() const override { return "Detach runs from a bug"; }

  void Register(Options& options) override {
    AddArguments(options);
    options.Footer(
        "The runs stay in the store, without a bug.\n\n"
        "Examples:\n"
        "  oscope bug unlink Demo-12 3fa9c2");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const Linking linking, Resolve(context, store));
    for (const StoredRun& run : linking.stored) {
      if (run.header.project != linking.bug.project || run.header.bug != linking.bug.id)
        return Invalid("run {}: is not linked to {}", ShortId(run.header.id), ToString(linking.bug));
    }
    OSCOPE_RETURN_IF_ERROR(store.LinkRuns(linking.runs, {linking.bug.project, ""}));
    Settle(context, store);
    return PrintLinked(context, linking.bug, linking.runs, "unlinked");
  }
};

}  // namespace

std::unique_ptr<Command> MakeBugLinkCommand() { return std::make_unique<BugLinkCommand>(); }
std::unique_ptr<Command> MakeBugUnlinkCommand() { return std::make_unique<BugUnlinkCommand>(); }

}  // namespace oscope::cli
