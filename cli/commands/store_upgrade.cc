// `oscope store upgrade`.
#include "base/quantity.h"
#include "cli/commands/store.h"
#include "cli/context/store_progress.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class StoreUpgradeCommand : public Command {
 public:
  std::string_view name() const override { return "upgrade"; }
  std::string_view summary() const override { return "Rewrite what older releases stored"; }
  void Register(Options& options) override {
    options.AddFlag("--dry-run", options_.dry_run, "Say what there is to rewrite, and change nothing");
    options.Footer(
        "An older store can be read and written without an upgrade, which rewrites all of it as this release would.\n"
        "It can be stopped at any time, and continues when it is started again. Releases that only know\n"
        "older formats cannot read the store after its next change, upgraded or not.\n\n"
        "Examples:\n"
        "  oscope store upgrade --dry-run\n"
        "  oscope store upgrade");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(options_.dry_run ? Access::kRead : Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const UpgradeResult result, [&] {
      const StoreProgress progress(context, store, "upgrading");
      return store.Upgrade(options_);
    }());
    if (context.json()) {
      context.PrintJson({{"version", result.version},
                         {"format_before", result.format_before},
                         {"format", options_.dry_run ? result.format_before : kStoreFormat},
                         {"segments", result.segments},
                         {"quarantined", result.quarantined},
                         {"bytes_before", result.bytes_before},
                         {"bytes_after", options_.dry_run ? Json() : Json(result.bytes_after)}});
    } else if (!context.quiet()) {
      Tell(context, result);
    }
    if (result.quarantined != 0)
      context.Note("{} not read, and left as it is", Counted(result.quarantined, "quarantined segment"));
    return kExitOk;
  }

 private:
  void Tell(Context& context, const UpgradeResult& result) const {
    if (result.segments == 0 && result.format_before == kStoreFormat) {
      context.Print("format {}, nothing to do\n", kStoreFormat);
    } else if (options_.dry_run) {
      context.Print("format {} -> {}: {} to rewrite, {}\n", result.format_before, kStoreFormat,
                    Counted(result.segments, "segment"), FormatByteSize(result.bytes_before));
    } else {
      context.Print("format {} -> {}: {} rewritten, {} -> {}\n", result.format_before, kStoreFormat,
                    Counted(result.segments, "segment"), FormatByteSize(result.bytes_before),
                    FormatByteSize(result.bytes_after));
    }
  }

  UpgradeOptions options_;
};

}  // namespace

std::unique_ptr<Command> MakeStoreUpgradeCommand() { return std::make_unique<StoreUpgradeCommand>(); }

}  // namespace oscope::cli
