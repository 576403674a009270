#include <algorithm>
#include <charconv>

#include "cli/command.h"
#include "cli/commands/similar_scan.h"
#include "cli/json_output.h"
#include "cli/resolve.h"
#include "cli/table.h"
#include "cli/text.h"
#include "query/distance/levenshtein.h"

namespace oscope::cli {
namespace {

constexpr uint32_t kMaxSuffix = 65'536;

std::string FixLine(const Fix& fix) {
  if (!fix.note.empty()) return OneLine(fix.note);
  if (!fix.commit.empty()) return fix.commit;
  return fix.diff.empty() ? "" : "a diff";
}

// The scope that all names begin with, so that a column need not repeat it: "org.apache.commons.beanutils."
size_t CommonScope(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty()) return 0;
  size_t common = a.front().size();
  for (const std::vector<std::string>* names : {&a, &b}) {
    for (const std::string& name : *names) {
      const auto end = std::mismatch(name.begin(), name.end(), a.front().begin(), a.front().end());
      common = std::min(common, static_cast<size_t>(end.first - name.begin()));
    }
  }
  const size_t separator = a.front().substr(0, common).find_last_of(".:/");
  return separator == std::string::npos ? 0 : separator + 1;
}

std::vector<uint32_t> Number(const std::vector<std::string>& names, std::map<std::string, uint32_t>& ids) {
  std::vector<uint32_t> numbers;
  for (const std::string& name : names) {
    numbers.push_back(ids.try_emplace(name, static_cast<uint32_t>(ids.size())).first->second);
  }
  return numbers;
}

// Two tails, step by step.
struct Alignment {
  std::vector<std::string> ours, theirs;
  std::vector<Edit> edits;

  static Result<Alignment> Of(const Snapshot& snapshot, const SimilarBug& best, uint32_t length) {
    Alignment made;
    OSCOPE_ASSIGN_OR_RETURN(made.ours, ReadSuffix(snapshot, best.ours, length));
    OSCOPE_ASSIGN_OR_RETURN(made.theirs, ReadSuffix(snapshot, best.theirs, length));
    std::map<std::string, uint32_t> ids;
    const std::vector<uint32_t> a = Number(made.ours, ids), b = Number(made.theirs, ids);
    OSCOPE_ASSIGN_OR_RETURN(made.edits, Align(a, b));
    return made;
  }

  // What stands on either side of a step; empty where there is nothing.
  std::string Ours(const Edit& edit) const { return edit.kind == EditKind::kInsert ? "" : ours[edit.a_index]; }
  std::string Theirs(const Edit& edit) const { return edit.kind == EditKind::kDelete ? "" : theirs[edit.b_index]; }
};

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

class SimilarCommand : public Command {
 public:
  std::string_view name() const override { return "similar"; }
  std::string_view summary() const override { return "Find the bugs whose failing runs ended alike"; }

  void Register(CLI::App& app) override {
    app.add_option("bug", what_, "The bug at hand, or a run")->option_text("BUG|RUN")->required();
    app.add_option("--suffix", suffix_, "Compare the last N events up to the failure (default 50)")
        ->option_text("N")
        ->check(CLI::Range(1u, kMaxSuffix));
    app.add_option("--distance", distance_, "At most N edits; 'any' is all that share an event (default)")
        ->option_text("N|any");
    app.add_option("--limit", limit_, "At most so many bugs; 0 is all (default 10)")->option_text("N");
    app.add_flag("--explain", explain_, "Also show how the nearest bug's events align with these");
    app.footer(
        "The distance is the number of events to replace, insert or delete. Exits with 1 when no bug is similar.\n\n"
        "Examples:\n"
        "  oscope similar Beanutils-342\n"
        "  oscope similar 342 --distance 10 --explain\n"
        "  oscope similar 1f2e3d4c --suffix 20 --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<uint32_t> max_distance, ParseDistance());
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const SuffixQuery query, MakeQuery(context, snapshot));
    OSCOPE_ASSIGN_OR_RETURN(const SimilarBugs found, FindSimilar(snapshot, query, max_distance, limit_));

    OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> reports, ReadReports(snapshot, found.bugs));
    std::optional<Alignment> alignment;
    if (explain_ && !found.bugs.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(alignment, Alignment::Of(snapshot, found.bugs.front(), suffix_));
    }
    if (context.json()) {
      PrintAsJson(context, snapshot, found, reports, alignment);
    } else {
      PrintAsText(context, query, found, reports, alignment);
    }
    return found.bugs.empty() ? kExitNo : kExitOk;
  }

 private:
  Result<std::optional<uint32_t>> ParseDistance() const {
    if (distance_ == "any") return std::optional<uint32_t>();
    uint32_t value = 0;
    const char* end = distance_.data() + distance_.size();
    const auto [stop, error] = std::from_chars(distance_.data(), end, value);
    if (error != std::errc() || stop != end) {
      return Invalid("--distance '{}': expected a whole number or 'any'", distance_);
    }
    return std::optional<uint32_t>(value);
  }

  Result<SuffixQuery> MakeQuery(const Context& context, const Snapshot& snapshot) const {
    const Result<BugKey> bug = ResolveBug(context, snapshot, what_);
    if (bug.ok()) return SuffixQuery::OfBug(snapshot, *bug, suffix_);
    const Result<RunId> run = snapshot.ResolveRun(what_);
    if (!run.ok()) return bug.error();
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<StoredRun> stored, snapshot.FindRun(*run));
    if (!stored) return NotFound("run {}: is not in this store", what_);
    return SuffixQuery::OfRun(snapshot, stored->header, suffix_);
  }

  void PrintAsText(const Context& context, const SuffixQuery& query, const SimilarBugs& found,
                   const std::vector<Bug>& reports, const std::optional<Alignment>& alignment) const {
    context.Note("{}: the last {} events of {} against {}", what_, suffix_,
                 Counted(query.suffixes().size(), "failing trace"), Counted(found.traces, "other"));
    if (found.bugs.empty()) {
      context.Note("no bug is similar");
      return;
    }
    TextTable table({{"DISTANCE", true}, {"BUG"}, {"STATUS"}, {"TITLE", false, true}, {"FIX", false, true}});
    for (size_t i = 0; i < reports.size(); ++i) {
      const Bug& bug = reports[i];
      table.AddRow({std::to_string(found.bugs[i].distance), ToString(bug.key), std::string(BugStatusName(bug.status)),
                    OneLine(bug.title), FixLine(bug.fix)});
    }
    context.PrintText(table.Render(TerminalWidth()));
    if (alignment) PrintAlignment(context, found.bugs.front(), *alignment);
  }

  void PrintAlignment(const Context& context, const SimilarBug& best, const Alignment& alignment) const {
    const size_t scope = CommonScope(alignment.ours, alignment.theirs);
    const auto shorten = [&](const std::string& name) { return name.empty() ? name : name.substr(scope); };
    TextTable table({{Shown(what_), false, true}, {""}, {Shown(ToString(best.bug)), false, true}});
    for (const Edit& edit : alignment.edits) {
      table.AddRow({shorten(alignment.Ours(edit)), edit.kind == EditKind::kKeep ? "=" : "",
                    shorten(alignment.Theirs(edit))});
    }
    context.Print("\n{}", table.Render(TerminalWidth()));
    if (scope > 0) context.Print("\nAll names begin with {}\n", Shown(alignment.ours.front().substr(0, scope)));
  }

  void PrintAsJson(const Context& context, const Snapshot& snapshot, const SimilarBugs& found,
                   const std::vector<Bug>& reports, const std::optional<Alignment>& alignment) const {
    Json json = {{"traces_compared", found.traces}, {"suffix", suffix_}, {"partial", snapshot.damaged()}};
    json["similar"] = Json::array();
    for (size_t i = 0; i < reports.size(); ++i) {
      json["similar"].push_back({{"distance", found.bugs[i].distance},
                                 {"trace", ToString(found.bugs[i].ours)},
                                 {"similar_trace", ToString(found.bugs[i].theirs)},
                                 {"bug", ToJson(reports[i])}});
    }
    if (alignment) {
      json["alignment"] = Json::array();
      for (const Edit& edit : alignment->edits) {
        json["alignment"].push_back({{"equal", edit.kind == EditKind::kKeep},
                                     {"event", alignment->Ours(edit)},
                                     {"similar_event", alignment->Theirs(edit)}});
      }
    }
    context.PrintJson(json);
  }

  std::string what_;
  uint32_t suffix_ = 50;
  std::string distance_ = "any";
  uint64_t limit_ = 10;
  bool explain_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeSimilarCommand() { return std::make_unique<SimilarCommand>(); }

}  // namespace oscope::cli
