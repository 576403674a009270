#include "cli/commands/store.h"

namespace oscope::cli {
namespace {

class StoreCommand : public CommandGroup {
 public:
  StoreCommand() {
    AddChild(MakeStoreCheckCommand());
    AddChild(MakeStoreStatsCommand());
    AddChild(MakeStoreCompactCommand());
    AddChild(MakeStoreCollectCommand());
    AddChild(MakeStoreReindexCommand());
    AddChild(MakeStoreUpgradeCommand());
    AddChild(MakeStorePurgeCommand());
    AddChild(MakeStoreBackupCommand());
    AddChild(MakeStoreMergeCommand());
    AddChild(MakeStoreQuotaCommand());
  }
  std::string_view name() const override { return "store"; }
  std::string_view summary() const override { return "Check, compact, purge, back up and merge stores"; }
  void Register(Options& options) override {
    options.Footer(
        "Examples:\n"
        "  oscope store check\n"
        "  oscope store purge --older-than 90d --passing --dry-run\n"
        "  oscope store backup /mnt/backup/oscope-2026-01-31");
  }
};

}  // namespace

std::unique_ptr<Command> MakeStoreCommand() { return std::make_unique<StoreCommand>(); }

}  // namespace oscope::cli
