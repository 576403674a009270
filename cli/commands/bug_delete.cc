#include "cli/commands/bug.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class BugDeleteCommand : public Command {
 public:
  std::string_view name() const override { return "delete"; }
  std::string_view summary() const override { return "Delete a bug, its history and its runs"; }

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    options.AddFlag("--yes", yes_, "Do not ask; needed where there is no terminal");
    options.Footer(
        "All bytes are deleted: nothing of the bug or its runs is left in the store. To keep the runs, unlink them "
        "first.\n\n"
        "Examples:\n"
        "  oscope bug delete Demo-12 --yes");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    PurgeFilter filter;
    {
      OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
      OSCOPE_ASSIGN_OR_RETURN(const BugKey key, ResolveBug(context, snapshot, bug_));
      filter.bugs = {key};
    }
    OSCOPE_ASSIGN_OR_RETURN(const PurgeResult would, store.Purge(filter, true));
    const std::string name = ToString(filter.bugs.front());
    OSCOPE_RETURN_IF_ERROR(
        context.Confirm(yes_, fmt::format("Delete bug {} and {} for good?", name, Counted(would.runs, "run"))));
    OSCOPE_ASSIGN_OR_RETURN(const PurgeResult result, store.Purge(filter));
    if (context.json()) {
      context.PrintJson({{"deleted", name}, {"runs", result.runs}, {"bytes_freed", result.bytes_freed}});
    } else if (!context.quiet()) {
      context.Print("{}: deleted with {}\n", Shown(name), Counted(result.runs, "run"));
    }
    RemoveRemains(context, store, result.files_pinned);
    return kExitOk;
  }

 private:
  std::string bug_;
  bool yes_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeBugDeleteCommand() { return std::make_unique<BugDeleteCommand>(); }

}  // namespace oscope::cli
