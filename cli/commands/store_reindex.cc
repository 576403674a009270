// `oscope store reindex`.
#include "cli/commands/store.h"
#include "cli/context/store_progress.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

// "1 missing, 2 of another release"
std::string Changes(const ReindexResult& result) {
  std::string text;
  const auto add = [&](uint64_t count, std::string_view what) {
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(result.missing, "missing");
  add(result.older, "of another release");
  add(result.damaged, "damaged");
  add(result.wrong, "different from the tables");
  return text;
}

class StoreReindexCommand : public Command {
 public:
  std::string_view name() const override { return "reindex"; }
  std::string_view summary() const override { return "Make the index files anew from the tables"; }
  void Register(Options& options) override {
    options.AddFlag("--verify", options_.verify,
                    "Write nothing; exit status 1 when an index file is not what it should be");
    options.Footer(
        "Answers are right without an index; they take longer.\n\n"
        "Examples:\n"
        "  oscope store reindex\n"
        "  oscope store reindex --verify");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(options_.verify ? Access::kRead : Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const ReindexResult result, [&] {
      const StoreProgress progress(context, store, "indexing");
      return store.Reindex(options_);
    }());
    if (context.json()) {
      context.PrintJson({{"segments", result.segments},
                         {"missing", result.missing},
                         {"older", result.older},
                         {"damaged", result.damaged},
                         {"wrong", result.wrong},
                         {"written", result.written}});
    } else if (!context.quiet()) {
      const std::string files = Counted(result.segments, "index file");
      if (result.changed() == 0) {
        context.Print("{}, nothing to do\n", files);
      } else {
        context.Print("{} of {} {}: {}\n", result.changed(), files, options_.verify ? "to write" : "written",
                      Changes(result));
      }
    }
    return options_.verify && result.changed() != 0 ? kExitNo : kExitOk;
  }

 private:
  ReindexOptions options_;
};

}  // namespace

std::unique_ptr<Command> MakeStoreReindexCommand() { return std::make_unique<StoreReindexCommand>(); }

}  // namespace oscope::cli
