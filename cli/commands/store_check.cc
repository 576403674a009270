// Prints what Store::Check found, and with --quarantine takes the damaged segments out of use. A file that only could
// not be read at this moment is never a reason for quarantine.
#include <algorithm>

#include "base/quantity.h"
#include "cli/commands/store.h"
#include "cli/context/store_progress.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class StoreCheckCommand : public Command {
 public:
  std::string_view name() const override { return "check"; }
  std::string_view summary() const override { return "Check that every stored byte is what was written"; }

  void Register(Options& options) override {
    options.AddFlag("--shallow", shallow_, "Only that files are there with the right size and footer");
    options.AddFlag("--quarantine", quarantine_, "Take damaged segments out of use, so that the rest can be read");
    options.Footer(
        "Exits with 1 when a problem was found. What a quarantined segment held is missing from every later answer,\n"
        "and each answer says so.\n\n"
        "Examples:\n"
        "  oscope store check\n"
        "  oscope store check --shallow --json\n"
        "  oscope store check --quarantine");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(quarantine_ ? Access::kWrite : Access::kRead));
    CheckOptions options;
    options.deep = !shallow_;
    OSCOPE_ASSIGN_OR_RETURN(const CheckResult result, Check(context, store, options));
    const std::vector<std::string> damaged = DamagedSegments(result);
    if (quarantine_ && !damaged.empty()) OSCOPE_RETURN_IF_ERROR(store.Quarantine(damaged, Reason(result)));
    if (context.json()) {
      PrintAsJson(context, result, damaged);
    } else {
      PrintAsText(context, result, damaged);
    }
    return result.healthy() ? kExitOk : kExitNo;
  }

 private:
  static Result<CheckResult> Check(const Context& context, Store& store, const CheckOptions& options) {
    const StoreProgress progress(context, store, "checking");
    return store.Check(options);
  }

  // What could not be read this time may be whole: it is no reason to take a segment out of use.
  static bool IsDamage(const CheckProblem& problem) {
    return problem.fatal && !problem.unreadable && !problem.segment.empty();
  }

  static std::vector<std::string> DamagedSegments(const CheckResult& result) {
    std::vector<std::string> segments;
    for (const CheckProblem& problem : result.problems) {
      if (!IsDamage(problem)) continue;
      if (std::find(segments.begin(), segments.end(), problem.segment) == segments.end())
        segments.push_back(problem.segment);
    }
    return segments;
  }

  static std::string Reason(const CheckResult& result) {
    const auto first = std::find_if(result.problems.begin(), result.problems.end(),
                                    [](const CheckProblem& problem) { return IsDamage(problem); });
    return "store check: " + first->what;
  }

  void PrintAsJson(const Context& context, const CheckResult& result, const std::vector<std::string>& damaged) const {
    Json json = {{"healthy", result.healthy()},
                 {"version", result.version},
                 {"files_checked", result.files_checked},
                 {"bytes_checked", result.bytes_checked},
                 {"problems", Json::array()},
                 {"quarantined", quarantine_ ? damaged : std::vector<std::string>()}};
    for (const CheckProblem& problem : result.problems) {
      json["problems"].push_back({{"segment", problem.segment},
                                  {"what", problem.what},
                                  {"advice", problem.advice},
                                  {"fatal", problem.fatal},
                                  {"unreadable", problem.unreadable}});
    }
    context.PrintJson(json);
  }

  void PrintAsText(const Context& context, const CheckResult& result, const std::vector<std::string>& damaged) const {
    for (const CheckProblem& problem : result.problems) {
      context.Print("{}: {}\n",
                    problem.unreadable ? "unreadable"
                    : problem.fatal    ? "damage"
                                       : "note",
                    Shown(problem.what));
      if (!problem.advice.empty()) context.Print("  {}\n", Shown(problem.advice));
    }
    if (quarantine_ && !damaged.empty()) context.Print("{} quarantined\n", Counted(damaged.size(), "segment"));
    if (result.healthy() && context.quiet()) return;
    context.Print("{}: version {}, {} and {} checked\n", result.healthy() ? "healthy" : "damaged", result.version,
                  Counted(result.files_checked, "file"), FormatByteSize(result.bytes_checked));
  }

  bool shallow_ = false, quarantine_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeStoreCheckCommand() { return std::make_unique<StoreCheckCommand>(); }

}  // namespace oscope::cli
