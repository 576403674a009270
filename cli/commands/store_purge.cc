// Turns options into a filter, shows what would be deleted, and asks. A purge without any filter is refused rather than
// understood as "everything".
#include "base/quantity.h"
#include "base/timestamp.h"
#include "cli/commands/store.h"
#include "cli/context/resolve.h"
#include "cli/context/store_progress.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class StorePurgeCommand : public Command {
 public:
  std::string_view name() const override { return "purge"; }
  std::string_view summary() const override { return "Delete runs, or bugs with their runs, for good"; }

  void Register(Options& options) override {
    options.Add("--run", runs_, "Only this run; may be repeated").Value("RUN").Repeatable();
    options.Add("--bug", bugs_, "Only this bug: its runs and its report; may be repeated").Value("BUG").Repeatable();
    options.Add("--older-than", older_than_, "Only what is older than AGE, such as 90d, 2w or 12h").Value("AGE");
    options.Add("--keep-last", keep_last_, "All but the newest N runs of each bug or test").Value("N");
    const Option failing = options.AddFlag("--failing", failing_, "Only runs that failed");
    options.AddFlag("--passing", passing_, "Only runs that passed").Excludes(failing);
    options.AddFlag("--with-bugs", with_bugs_, "With --project: its bug reports as well");
    options.AddFlag("--dry-run", dry_run_, "Only print what would be deleted");
    options.AddFlag("--yes", yes_, "Do not ask; needed where there is no terminal");
    options.Footer(
        "Deletes what matches all options that are given, --project among them: --run A --bug B deletes run A\n"
        "only if it belongs to bug B. Without any of them nothing is deleted.\n\n"
        "The report of a bug is deleted only with --bug or --with-bugs, and never while a run of it stays. With\n"
        "--older-than its creation, its last edit and its runs must all be older. --run, --keep-last, --failing\n"
        "and --passing match a report when they match all its runs, and no report that has none.\n\n"
        "Examples:\n"
        "  oscope store purge --older-than 90d --passing --dry-run\n"
        "  oscope store purge --keep-last 20 --yes\n"
        "  oscope store purge --project Demo --with-bugs --yes");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const PurgeFilter filter, Filter(context, store));
    OSCOPE_ASSIGN_OR_RETURN(PurgeResult result, store.Purge(filter, true));
    if (!dry_run_ && (result.runs != 0 || result.bugs != 0)) {
      OSCOPE_RETURN_IF_ERROR(context.Confirm(
          yes_, fmt::format("Delete {} and {} for good?", Counted(result.runs, "run"), Counted(result.bugs, "bug"))));
      const StoreProgress progress(context, store, "purging");
      OSCOPE_ASSIGN_OR_RETURN(result, store.Purge(filter));
    }
    Show(context, result);
    if (!dry_run_) RemoveRemains(context, store, result.files_pinned);
    return kExitOk;
  }

 private:
  Result<PurgeFilter> Filter(const Context& context, const Store& store) const {
    PurgeFilter filter;
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_RETURN_IF_ERROR(CheckProject(context, snapshot));
    filter.project = context.options.project;
    OSCOPE_ASSIGN_OR_RETURN(filter.runs, ResolveRuns(snapshot, runs_));
    for (const std::string& name : bugs_) {
      OSCOPE_ASSIGN_OR_RETURN(const BugKey key, ResolveBug(context, snapshot, name));
      filter.bugs.push_back(key);
    }
    if (older_than_) {
      Result<int64_t> age = ParseDuration(*older_than_);
      if (!age.ok()) return std::move(age).error().Within("--older-than");
      filter.older_than_ns = NowNs() - *age;
    }
    filter.keep_last = keep_last_;
    if (failing_ || passing_) filter.failing = failing_;
    filter.bugs_too = with_bugs_;
    if (with_bugs_ && filter.project.empty()) return Invalid("--with-bugs: needs --project");
    const bool any = !filter.runs.empty() || !filter.bugs.empty() || !filter.project.empty() || filter.older_than_ns ||
                     filter.keep_last || filter.failing;
    if (!any)
      return Invalid(
          "store purge: say what to delete, with --run, --bug, --project, --older-than, --keep-last, --failing or "
          "--passing");
    return filter;
  }

  void Show(const Context& context, const PurgeResult& result) const {
    if (context.json()) {
      Json json = {{"dry_run", dry_run_},
                   {"version", result.version},
                   {"runs", result.runs},
                   {"bugs", result.bugs},
                   {"segments_dropped", result.segments_dropped},
                   {"segments_rewritten", result.segments_rewritten},
                   {"bytes_freed", dry_run_ ? Json() : Json(result.bytes_freed)},
                   {"files_pinned", result.files_pinned}};
      if (result.attachments != 0) json["attachments"] = result.attachments;
      context.PrintJson(json);
      return;
    }
    const std::string with =
        result.attachments == 0 ? "" : fmt::format(" with {}", Counted(result.attachments, "attachment"));
    const std::string counts =
        fmt::format("{} and {}{}", Counted(result.runs, "run"), Counted(result.bugs, "bug"), with);
    // How much is freed is known only when the segments are written anew.
    if (dry_run_) {
      context.Print("would delete {}, drop {} and rewrite {}\n", counts, Counted(result.segments_dropped, "segment"),
                    result.segments_rewritten);
    } else if (!context.quiet()) {
      context.Print("deleted {}, {}\n", counts, FormatByteSize(result.bytes_freed));
    }
  }

  std::vector<std::string> runs_, bugs_;
  std::optional<std::string> older_than_;
  std::optional<uint64_t> keep_last_;
  bool failing_ = false, passing_ = false, with_bugs_ = false, dry_run_ = false, yes_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeStorePurgeCommand() { return std::make_unique<StorePurgeCommand>(); }

}  // namespace oscope::cli
