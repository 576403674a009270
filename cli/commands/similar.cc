// `oscope similar`: the bugs similar to a bug or a run.
#include <charconv>

#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/session/query_progress.h"
#include "cli/session/similar_session.h"
#include "cli/similar/similar_answer.h"
#include "query/similar/similar_search.h"

namespace oscope::cli {
namespace {

constexpr uint32_t kMaxSuffix = 65'536;

class SimilarCommand : public Command {
 public:
  std::string_view name() const override { return "similar"; }
  std::string_view summary() const override { return "Find the bugs whose failing runs ended alike"; }

  void Register(Options& options) override {
    options.Add("bug", what_, "The bug, or a run, to compare with").Value("BUG|RUN").Required();
    options.Add("--suffix", options_.suffix, "Compare the last N events up to the failure (default 50)")
        .Value("N")
        .Between(1u, kMaxSuffix);
    options
        .Add("--distance", distance_,
             "At most N edits; 'any' is all that share an event (default: a tenth of --suffix, then by the "
             "methods that ran last)")
        .Value("N|any");
    options.Add("--limit", options_.limit, "Return at most N bugs; 0 is all (default 10)").Value("N");
    options.AddFlag("--explain", explain_, "Also show what is alike: events side by side, or methods");
    options.Footer(
        "The distance is the number of events to replace, insert or delete. Unless --distance is given, bugs\n"
        "farther away follow, ordered by how alike the methods are that ran last, in per cent: the rare ones and\n"
        "the latest count most. Stacks are compared by the words of their names. Exits with 1 when no bug is "
        "similar.\n\n"
        "Examples:\n"
        "  oscope similar Beanutils-342\n"
        "  oscope similar 342 --distance 10 --explain\n"
        "  oscope similar 1f2e3d4c --suffix 20 --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(options_.distance, ParseDistance());
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kRead));
    SessionOpening opening = StartSession(context, store.Share(), Readiness::kOpen);
    OSCOPE_ASSIGN_OR_RETURN(const SimilarAnswer answer, Search(context, store, opening));
    if (context.json()) {
      PrintAsJson(context, answer);
    } else {
      PrintSimilar(context, answer, {.to_stderr = false, .explain = explain_, .subject = what_});
    }
    return answer.empty() ? kExitNo : kExitOk;
  }

 private:
  Result<SimilarDistance> ParseDistance() const {
    SimilarDistance distance;
    if (distance_.empty()) return distance;
    distance.any = distance_ == "any";
    if (distance.any) return distance;
    uint32_t value = 0;
    const char* end = distance_.data() + distance_.size();
    const auto [stop, error] = std::from_chars(distance_.data(), end, value);
    if (error != std::errc() || stop != end) {
      return Invalid("--distance '{}': expected a whole number or 'any'", distance_);
    }
    distance.edits = value;
    return distance;
  }

  // The name is looked up while the session opens.
  Result<SimilarAnswer> Search(const Context& context, const Store& store, SessionOpening& opening) const {
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    const Result<BugKey> bug = ResolveBug(context, snapshot, what_);
    std::optional<RunId> run;
    if (!bug.ok()) {
      const Result<RunId> found = snapshot.ResolveRun(what_);
      if (!found.ok()) return bug.error();
      run = *found;
    }
    OSCOPE_ASSIGN_OR_RETURN(Session* const session, opening.Ready());
    const ShownProgress progress(*session, context.quiet());
    return run ? FindSimilar(*session, *run, options_) : FindSimilar(*session, *bug, options_);
  }

  void PrintAsJson(const Context& context, const SimilarAnswer& answer) const {
    Json json = {{"traces_compared", answer.traces},
                 {"kind", TraceKindName(answer.kind)},
                 {"suffix", options_.suffix},
                 {"notes", answer.notes},
                 {"partial", answer.damaged}};
    json["similar"] = Json::array();
    for (const SimilarBug& one : answer.bugs) {
      // Every row of these searches comes from two traces.
      Json entry = {{"distance", one.distance.value_or(0)},
                    {"metric", MetricOf(one.distance_of)},
                    {"trace", ToString(*one.ours)},
                    {"similar_trace", ToString(*one.theirs)}};
      if (one.alignment) {
        entry["equal"] = one.alignment->Count(EditKind::kKeep);
        entry["events"] = one.alignment->length();
        if (explain_) entry["alignment"] = AsJson(*one.alignment);
      }
      if (one.methods) {
        entry["equal"] = one.methods->both.size();
        entry["methods"] = one.methods->all();
        if (explain_) entry["both"] = one.methods->both;
      }
      entry["bug"] = ToJson(one.report);
      json["similar"].push_back(std::move(entry));
    }
    context.PrintJson(json);
  }

  static Json AsJson(const Alignment& alignment) {
    Json steps = Json::array();
    for (const Edit& edit : alignment.edits) {
      steps.push_back({{"equal", edit.kind == EditKind::kKeep},
                       {"event", alignment.Ours(edit)},
                       {"similar_event", alignment.Theirs(edit)}});
    }
    return steps;
  }

  std::string what_;
  SimilarOptions options_;
  std::string distance_;
  bool explain_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeSimilarCommand() { return std::make_unique<SimilarCommand>(); }

}  // namespace oscope::cli
