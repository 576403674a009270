// `oscope similar`: a bug is answered by the shipped queries, a run, which no query can name, by a plain scan.
#include <algorithm>
#include <charconv>
#include <limits>

#include "cli/command.h"
#include "cli/commands/similar_alignment.h"
#include "cli/commands/similar_query.h"
#include "cli/json_output.h"
#include "cli/resolve.h"
#include "cli/table.h"
#include "cli/text.h"

namespace oscope::cli {
namespace {

constexpr uint32_t kMaxSuffix = 65'536;
constexpr size_t kMaxExplained = 100;  // alignments: two traces are read for each

std::string FixLine(const Fix& fix) {
  if (!fix.note.empty()) return OneLine(fix.note);
  if (!fix.commit.empty()) return fix.commit;
  return fix.diff.empty() ? "" : "a diff";
}

// The report of each, in the same order.
Result<std::vector<Bug>> ReadReports(const Snapshot& snapshot, const std::vector<SimilarBug>& similar) {
  // Many are read faster all at once.
  constexpr size_t kFew = 20;
  std::map<BugKey, Bug> bugs;
  if (similar.size() > kFew) {
    OSCOPE_ASSIGN_OR_RETURN(std::vector<Bug> all, snapshot.Bugs());
    for (Bug& bug : all) bugs.emplace(bug.key, std::move(bug));
  }
  std::vector<Bug> reports;
  for (const SimilarBug& one : similar) {
    Bug& report = reports.emplace_back();
    report.key = one.bug;
    if (const auto known = bugs.find(one.bug); known != bugs.end()) {
      report = known->second;
    } else if (similar.size() <= kFew) {
      OSCOPE_ASSIGN_OR_RETURN(std::optional<Bug> bug, snapshot.FindBug(one.bug));
      if (bug) report = *std::move(bug);
    }
  }
  return reports;
}

// What is shown of each similar bug; parallel to SimilarBugs::bugs.
struct Explained {
  std::vector<Bug> reports;
  std::vector<std::optional<Alignment>> alignments;  // missing where too many or too long
};

class SimilarCommand : public Command {
 public:
  std::string_view name() const override { return "similar"; }
  std::string_view summary() const override { return "Find the bugs whose failing runs ended alike"; }

  void Register(CLI::App& app) override {
    app.add_option("bug", what_, "The bug at hand, or a run")->option_text("BUG|RUN")->required();
    app.add_option("--suffix", suffix_, "Compare the last N events up to the failure (default 50)")
        ->option_text("N")
        ->check(CLI::Range(1u, kMaxSuffix));
    app.add_option("--distance", distance_, "At most N edits; 'any' is all that share an event (default: 10, or more if none is so near)")
        ->option_text("N|any");
    app.add_option("--limit", limit_, "At most so many bugs; 0 is all (default 10)")->option_text("N");
    app.add_flag("--explain", explain_, "Also show how each bug's events align with these");
    app.footer(
        "The distance is the number of events to replace, insert or delete; of bugs that have stacks only, unless --distance\n"
        "is given, how much the words of their names differ. Exits with 1 when no bug is similar.\n\n"
        "Examples:\n"
        "  oscope similar Beanutils-342\n"
        "  oscope similar 342 --distance 10 --explain\n"
        "  oscope similar 1f2e3d4c --suffix 20 --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const SimilarDistance distance, ParseDistance());
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, Search(context, std::move(store), snapshot, distance));
    OSCOPE_ASSIGN_OR_RETURN(const Explained explained, Explain(snapshot, answer));
    if (context.json()) {
      PrintAsJson(context, snapshot, answer, explained);
    } else {
      PrintAsText(context, answer, explained);
    }
    return answer.found.bugs.empty() ? kExitNo : kExitOk;
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

  Result<SimilarAnswer> Search(const Context& context, Store store, const Snapshot& snapshot, const SimilarDistance& distance) const {
    const Result<BugKey> bug = ResolveBug(context, snapshot, what_);
    if (!bug.ok()) {
      const Result<RunId> run = snapshot.ResolveRun(what_);
      return run.ok() ? SearchByRun(snapshot, *run, distance) : bug.error();
    }
    SessionOptions options;
    options.skip_damaged = context.options.partial;
    OSCOPE_ASSIGN_OR_RETURN(Session session, Session::Open(std::move(store), std::move(options)));
    OSCOPE_ASSIGN_OR_RETURN(const TraceKind kind, ComparedKind(session, *bug));
    return QuerySimilar(context, session, *bug, kind, suffix_, distance, limit_);
  }

  Result<SimilarAnswer> SearchByRun(const Snapshot& snapshot, RunId run, const SimilarDistance& distance) const {
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<StoredRun> stored, snapshot.FindRun(run));
    if (!stored) return NotFound("run {}: is not in this store", what_);
    OSCOPE_ASSIGN_OR_RETURN(const SuffixQuery query, SuffixQuery::OfRun(snapshot, stored->header, suffix_));
    SimilarAnswer answer;
    answer.kind = query.kind();
    OSCOPE_ASSIGN_OR_RETURN(answer.found, FindSimilar(snapshot, query, distance.edits, limit_));
    return answer;
  }

  // Also drops what has nothing in common with the bug at hand, which `any` lets through.
  Result<Explained> Explain(const Snapshot& snapshot, SimilarAnswer& answer) const {
    Explained explained;
    std::vector<SimilarBug> kept;
    // Stacks are compared whole.
    const uint32_t length = answer.kind == TraceKind::kStack ? std::numeric_limits<uint32_t>::max() : suffix_;
    for (const SimilarBug& bug : answer.found.bugs) {
      std::optional<Alignment> alignment;
      if (kept.size() < kMaxExplained) {
        Result<Alignment> made = Alignment::Of(snapshot, bug, length);
        if (!made.ok() && made.error().code != ErrorCode::kLimit) return std::move(made).error();
        if (made.ok()) alignment = *std::move(made);
      }
      if (alignment && alignment->Count(EditKind::kKeep) == 0) continue;
      kept.push_back(bug);
      explained.alignments.push_back(std::move(alignment));
    }
    answer.found.bugs = std::move(kept);
    OSCOPE_ASSIGN_OR_RETURN(explained.reports, ReadReports(snapshot, answer.found.bugs));
    return explained;
  }

  void PrintAsText(const Context& context, const SimilarAnswer& answer, const Explained& explained) const {
    const std::vector<SimilarBug>& bugs = answer.found.bugs;
    for (const std::string& note : answer.notes) context.Note("{}", note);
    if (bugs.empty()) {
      context.Note("no bug is similar");
      return;
    }
    TextTable table({{"DISTANCE", true}, {"EQUAL", true}, {"BUG"}, {"STATUS"}, {"TITLE", false, true}, {"FIX", false, true}});
    for (size_t i = 0; i < bugs.size(); ++i) {
      const Bug& bug = explained.reports[i];
      table.AddRow({ShownDistance(answer, bugs[i].distance), EqualShare(explained.alignments[i]), ToString(bug.key),
                    std::string(BugStatusName(bug.status)), OneLine(bug.title), FixLine(bug.fix)});
    }
    context.PrintText(table.Render(TerminalWidth()));
    for (size_t i = 0; explain_ && i < bugs.size(); ++i) {
      if (explained.alignments[i]) PrintExplanation(context, answer, bugs[i], explained.reports[i], *explained.alignments[i]);
    }
    context.Note("`oscope show bug {}` tells more{}", ToString(bugs.front().bug),
                 explain_ ? "" : "; --explain shows how the events align");
  }

  static std::string ShownDistance(const SimilarAnswer& answer, uint32_t distance) {
    return answer.by_words ? fmt::format("{:.1f} %", distance / 10.0) : std::to_string(distance);
  }

  static std::string EqualShare(const std::optional<Alignment>& alignment) {
    if (!alignment) return {};
    return fmt::format("{}/{}", alignment->Count(EditKind::kKeep), std::max(alignment->ours.size(), alignment->theirs.size()));
  }

  void PrintExplanation(const Context& context, const SimilarAnswer& answer, const SimilarBug& similar, const Bug& report, const Alignment& alignment) const {
    context.Print("\n{}: {}, {}: {}\n", Shown(ToString(similar.bug)), BugStatusName(report.status),
                  answer.by_words ? ShownDistance(answer, similar.distance) + " of the words differ"
                                  : similar.distance == 0 ? "no edit" : Counted(similar.distance, "edit"),
                  alignment.InWords());
    context.Print("{}", alignment.Render(what_, ToString(similar.bug), TerminalWidth()));
  }

  void PrintAsJson(const Context& context, const Snapshot& snapshot, const SimilarAnswer& answer, const Explained& explained) const {
    Json json = {{"traces_compared", answer.found.traces},
                 {"kind", TraceKindName(answer.kind)},
                 {"metric", answer.by_words ? "words" : "levenshtein"},
                 {"suffix", suffix_},
                 {"notes", answer.notes},
                 {"partial", snapshot.damaged()}};
    json["similar"] = Json::array();
    for (size_t i = 0; i < answer.found.bugs.size(); ++i) {
      const SimilarBug& one = answer.found.bugs[i];
      Json entry = {{"distance", one.distance}, {"trace", ToString(one.ours)}, {"similar_trace", ToString(one.theirs)}};
      if (const auto& alignment = explained.alignments[i]) {
        entry["equal"] = alignment->Count(EditKind::kKeep);
        entry["events"] = std::max(alignment->ours.size(), alignment->theirs.size());
        if (explain_) entry["alignment"] = AsJson(*alignment);
      }
      entry["bug"] = ToJson(explained.reports[i]);
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
  uint32_t suffix_ = 50;
  std::string distance_;
  uint64_t limit_ = 10;
  bool explain_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeSimilarCommand() { return std::make_unique<SimilarCommand>(); }

}  // namespace oscope::cli
