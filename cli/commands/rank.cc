// Compares every failure of a file with every other one and writes, for each, the others by their distance. The result
// feeds a scorer that measures a metric, so it contains ids and distances and nothing for people.
#include <algorithm>
#include <chrono>

#include "base/progress.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/output_file.h"
#include "cli/output/text.h"
#include "cli/ranking/rank_data.h"
#include "cli/ranking/rank_metrics.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kMaxInput = uint64_t{1} << 30;

class RankCommand : public Command {
 public:
  std::string_view name() const override { return "rank"; }
  std::string_view summary() const override { return "Rank failures by likeness, to measure a metric"; }

  void Register(Options& options) override {
    options.Add("FILE", file_, "Failures as JSON lines; - is standard input").Value("FILE").Required();
    options.Add("--metric", metric_, "How to measure the distance of two failures; see below (default stack)")
        .Value("NAME")
        .OneOf(RankMetricNames());
    options.AddFlag("--frames-only", options_.frames_only, "Leave out the exception and the test's name");
    options.Add("--suffix", options_.suffix, "Compare the last N events (default 50); the metric stack ignores this")
        .Value("N")
        .Between(1u, 65'536u);
    options.Add("--limit", limit_, "Only the N nearest of each; 0 is all (default)").Value("N");
    options.Add("--output", output_, "Write to a file instead of standard output").Value("FILE");
    options.Footer(
        "Metrics:\n" + RankMetricTable() +
        "\nA line of the input is {\"id\": 7, \"frames\": [innermost, …], \"test\": …, \"exception\": …}, a line of "
        "the\n"
        "output {\"id\": 7, \"ranked\": [[12, 5], [3, 9], …]}: the other ids with their distances, nearest first.\n\n"
        "Examples:\n"
        "  oscope rank failures.jsonl --output ranking.jsonl\n"
        "  oscope rank failures.jsonl --metric levenshtein --frames-only --limit 10");
  }

  Result<int> Run(Context& context) override {
    const auto start = std::chrono::steady_clock::now();
    OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadInput(file_, kMaxInput, context.cancel()));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<RankTrace> traces, ParseRankData(text, file_, context.cancel()));
    const std::unique_ptr<TraceDistance> distance = MakeTraceDistance(metric_, traces, options_);
    OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(output_));
    Progress progress("ranking", "failures", traces.size(), context.quiet());
    for (size_t query = 0; query < traces.size(); ++query) {
      OSCOPE_RETURN_IF_ERROR(context.cancel().Check());
      OSCOPE_ASSIGN_OR_RETURN(const std::string line, RankingOf(traces, *distance, query));
      OSCOPE_RETURN_IF_ERROR(output.file().Append(line));
      progress.Add(1);
    }
    OSCOPE_RETURN_IF_ERROR(output.Commit());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    context.Note("{} ranked by {} in {:.1f} s", Counted(traces.size(), "failure"), metric_, took.count());
    return kExitOk;
  }

 private:
  // Of equal distances in the order of the input.
  Result<std::string> RankingOf(const std::vector<RankTrace>& traces, const TraceDistance& distance,
                                size_t query) const {
    std::vector<std::pair<uint64_t, size_t>> ranked;
    for (size_t other = 0; other < traces.size(); ++other) {
      if (other == query) continue;
      OSCOPE_ASSIGN_OR_RETURN(const std::optional<uint64_t> found, distance.Between(query, other));
      if (found) ranked.emplace_back(*found, other);
    }
    const size_t kept = limit_ == 0 ? ranked.size() : std::min<size_t>(limit_, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<ptrdiff_t>(kept), ranked.end());
    std::string line = fmt::format("{{\"id\": {}, \"ranked\": [", traces[query].id);
    for (size_t i = 0; i < kept; ++i) {
      line += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", traces[ranked[i].second].id, ranked[i].first);
    }
    return line + "]}\n";
  }

  std::string file_;
  std::string metric_ = kDefaultRankMetric;
  RankOptions options_;
  uint64_t limit_ = 0;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> MakeRankCommand() { return std::make_unique<RankCommand>(); }

}  // namespace oscope::cli
