// `oscope store backup` and `oscope store merge`.
#include "cli/commands/store.h"
#include "cli/context/resolve.h"
#include "cli/context/store_progress.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"
#include "index/store/locate.h"

namespace oscope::cli {
namespace {

class StoreBackupCommand : public Command {
 public:
  std::string_view name() const override { return "backup"; }
  std::string_view summary() const override { return "Copy the newest version into a new directory"; }

  void Register(Options& options) override {
    options.Add("DIR", target_, "A directory that does not exist yet").Value("DIR").Required();
    options.Footer(
        "The copy is a store of its own; writers may go on meanwhile.\n\n"
        "Examples:\n"
        "  oscope store backup /mnt/backup/oscope-2026-01-31\n"
        "  oscope --store /mnt/backup/oscope-2026-01-31 list bugs");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const uint64_t version, [&] {
      const StoreProgress progress(context, store, "copying");
      return store.Backup(target_);
    }());
    if (context.json()) {
      context.PrintJson({{"version", version}, {"backup", target_}});
    } else if (!context.quiet()) {
      context.Print("version {} copied to {}\n", version, Shown(target_));
    }
    return kExitOk;
  }

 private:
  std::string target_;
};

class StoreMergeCommand : public Command {
 public:
  std::string_view name() const override { return "merge"; }
  std::string_view summary() const override { return "Add what another store has"; }

  void Register(Options& options) override {
    options.Add("OTHER", other_, "The other store, or the directory that has it as .oscope/").Value("OTHER").Required();
    options.Footer(
        "Where a bug differs, the fields of this store stay, and the other store's fill those that are empty.\n\n"
        "Examples:\n"
        "  oscope store merge ../other-checkout/.oscope");
  }

  Result<int> Run(Context& context) override {
    FileSystem& fs = PosixFileSystem();
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    const std::string inside = JoinPath(other_, kStoreDirectory);
    OpenOptions read_only;
    read_only.read_only = true;
    read_only.cancel = context.cancel();
    OSCOPE_ASSIGN_OR_RETURN(Store other, Store::Open(fs, Store::IsStore(fs, inside) ? inside : other_, read_only));
    OSCOPE_ASSIGN_OR_RETURN(const MergeResult result, [&] {
      const StoreProgress progress(context, other, "merging");
      return store.Merge(other);
    }());
    Settle(context, store);
    if (context.json()) {
      Json json = ToJson(result.added);
      json["bugs_combined"] = Json::array();
      for (const BugKey& key : result.combined) json["bugs_combined"].push_back(ToString(key));
      context.PrintJson(json);
      return kExitOk;
    }
    if (!context.quiet()) {
      const uint64_t attachments = result.added.attachments_added;
      context.Print("added {} and {}{}; {} known already\n", Counted(result.added.runs_added, "run"),
                    Counted(result.added.bugs_added, "bug"),
                    attachments == 0 ? "" : fmt::format(", {}", Counted(attachments, "attachment")),
                    Counted(result.added.runs_known, "run"));
      for (const BugKey& key : result.combined) context.Print("combined {}\n", Shown(ToString(key)));
    }
    return kExitOk;
  }

 private:
  std::string other_;
};

}  // namespace

std::unique_ptr<Command> MakeStoreBackupCommand() { return std::make_unique<StoreBackupCommand>(); }
std::unique_ptr<Command> MakeStoreMergeCommand() { return std::make_unique<StoreMergeCommand>(); }

}  // namespace oscope::cli
