// `oscope store stats`, `compact`, `collect` and `quota`.
#include "base/quantity.h"
#include "cli/commands/store.h"
#include "cli/context/store_progress.h"
#include "cli/output/json_output.h"
#include "cli/output/table.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class StoreStatsCommand : public Command {
 public:
  std::string_view name() const override { return "stats"; }
  std::string_view summary() const override { return "Print what the store holds and how large it is"; }
  void Register(Options& options) override { options.Footer("Examples:\n  oscope store stats --json"); }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    const StoreStats stats = snapshot.Stats();
    if (context.json()) {
      Json json = ToJson(stats);
      json["store"] = store.path();
      context.PrintJson(json);
      return kExitOk;
    }
    context.Print("store     {}\n", Shown(store.path()));
    context.Print("version   {}\n", stats.version);
    context.Print("runs      {}\n", FormatCount(stats.runs));
    context.Print("traces    {}\n", FormatCount(stats.traces));
    context.Print("events    {}\n", FormatCount(stats.events));
    context.Print("segments  {} in {}\n", FormatCount(stats.segments), Counted(stats.ranges, "range"));
    context.Print("size      {}\n", FormatByteSize(stats.bytes));
    if (stats.quarantined != 0) context.Print("damaged   {} quarantined\n", Counted(stats.quarantined, "segment"));
    TextTable table({{"TABLE"}, {"FILES", true}, {"ROWS", true}, {"SIZE", true}});
    for (int i = 0; i < kTables; ++i) {
      const auto& row = stats.tables[i];
      // Few stores have attachments.
      if (static_cast<oscope::Table>(i) == oscope::Table::kAttachments && row.files == 0) continue;
      table.AddRow({std::string(TableName(static_cast<oscope::Table>(i))), FormatCount(row.files),
                    FormatCount(row.rows), FormatByteSize(row.bytes)});
    }
    context.PrintText("\n" + table.Render(TerminalWidth()));
    return kExitOk;
  }
};

class StoreCompactCommand : public Command {
 public:
  std::string_view name() const override { return "compact"; }
  std::string_view summary() const override { return "Merge small segments"; }
  void Register(Options& options) override {
    options.Footer("Imports do this by themselves when there are many.\n\nExamples:\n  oscope store compact");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const CompactResult result, [&] {
      const StoreProgress progress(context, store, "compacting");
      return store.Compact();
    }());
    if (context.json()) {
      context.PrintJson({{"version", result.version},
                         {"segments_before", result.segments_before},
                         {"segments_after", result.segments_after},
                         {"bytes_before", result.bytes_before},
                         {"bytes_after", result.bytes_after},
                         {"ranges_split", result.ranges_split},
                         {"files_removed", result.files_removed}});
    } else if (!context.quiet()) {
      context.Print("segments {} -> {}, {} -> {}\n", result.segments_before, result.segments_after,
                    FormatByteSize(result.bytes_before), FormatByteSize(result.bytes_after));
    }
    return kExitOk;
  }
};

class StoreCollectCommand : public Command {
 public:
  std::string_view name() const override { return "collect"; }
  std::string_view summary() const override { return "Remove files that no version in use names"; }
  void Register(Options& options) override { options.Footer("Examples:\n  oscope store collect"); }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const CollectResult result, store.Collect());
    if (context.json()) {
      context.PrintJson({{"files_removed", result.files_removed},
                         {"bytes_freed", result.bytes_freed},
                         {"manifests_removed", result.manifests_removed},
                         {"files_pinned", result.files_pinned},
                         {"writers_active", result.writers_active}});
      return kExitOk;
    }
    if (!context.quiet())
      context.Print("{} removed, {} freed\n", Counted(result.files_removed, "file"),
                    FormatByteSize(result.bytes_freed));
    if (result.files_pinned != 0) context.Note("{} still held by readers", Counted(result.files_pinned, "file"));
    if (result.writers_active) context.Note("a writer is active: files that no version names were kept");
    return kExitOk;
  }
};

class StoreQuotaCommand : public Command {
 public:
  std::string_view name() const override { return "quota"; }
  std::string_view summary() const override { return "Show or set how large the store may grow"; }

  void Register(Options& options) override {
    const Option bytes =
        options.Add("--max-bytes", max_bytes_, "Refuse commits beyond this size, such as 10G").Value("SIZE");
    const Option runs = options.Add("--max-runs", max_runs_, "Refuse commits beyond this many runs").Value("N");
    options.AddFlag("--none", none_, "No quota").Excludes(bytes).Excludes(runs);
    options.Footer(
        "Examples:\n"
        "  oscope store quota\n"
        "  oscope store quota --max-bytes 10G --max-runs 1000000\n"
        "  oscope store quota --none");
  }

  Result<int> Run(Context& context) override {
    const bool change = none_ || max_bytes_ || max_runs_;
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(change ? Access::kWrite : Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(StoreSettings settings, store.Settings());
    if (change) {
      // The quota alone: the other settings may be changed by somebody else meanwhile.
      OSCOPE_RETURN_IF_ERROR(store.EditSettings([&](StoreSettings& newest) -> Status {
        OSCOPE_RETURN_IF_ERROR(SetQuota(newest));
        settings = newest;
        return {};
      }));
    }
    if (context.json()) {
      Json json = {{"max_bytes", nullptr}, {"max_runs", nullptr}};
      if (settings.max_bytes) json["max_bytes"] = *settings.max_bytes;
      if (settings.max_runs) json["max_runs"] = *settings.max_runs;
      context.PrintJson(json);
      return kExitOk;
    }
    context.Print("bytes  {}\n", settings.max_bytes ? FormatByteSize(*settings.max_bytes) : "no limit");
    context.Print("runs   {}\n", settings.max_runs ? FormatCount(*settings.max_runs) : "no limit");
    return kExitOk;
  }

 private:
  Status SetQuota(StoreSettings& settings) const {
    if (none_) settings.max_bytes = settings.max_runs = std::nullopt;
    if (max_runs_) settings.max_runs = max_runs_;
    if (max_bytes_) {
      OSCOPE_ASSIGN_OR_RETURN(settings.max_bytes, ParseByteSize(*max_bytes_));
    }
    return {};
  }

  std::optional<std::string> max_bytes_;
  std::optional<uint64_t> max_runs_;
  bool none_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeStoreStatsCommand() { return std::make_unique<StoreStatsCommand>(); }
std::unique_ptr<Command> MakeStoreCompactCommand() { return std::make_unique<StoreCompactCommand>(); }
std::unique_ptr<Command> MakeStoreCollectCommand() { return std::make_unique<StoreCollectCommand>(); }
std::unique_ptr<Command> MakeStoreQuotaCommand() { return std::make_unique<StoreQuotaCommand>(); }

}  // namespace oscope::cli
