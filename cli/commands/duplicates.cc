// Asks the saved query `duplicates` for near pairs of bugs and joins the pairs to groups with a union-find structure.
// The pairs come ranked, so the group of the nearest pair is printed first.
#include <algorithm>
#include <map>
#include <numeric>

#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "cli/session/own_statement.h"

namespace oscope::cli {
namespace {

constexpr uint32_t kShippedDistance = 10;  // of the saved query `duplicates`

struct Pair {
  BugKey a, b;
  uint64_t distance = 0;
};

// Bugs that pairs connect, directly or through others. Nearest pair first, in a group and among groups.
struct Group {
  std::vector<BugKey> bugs;  // sorted
  std::vector<Pair> pairs;
};

class Groups {
 public:
  void Add(const Pair& pair) {
    const size_t a = Root(Number(pair.a)), b = Root(Number(pair.b));
    parents_[std::max(a, b)] = std::min(a, b);
    pairs_.push_back(pair);
  }

  std::vector<Group> Finish() {
    std::map<size_t, size_t> places;
    std::vector<Group> groups;
    // The pairs come ranked, so the group of the nearest pair is the first.
    for (const Pair& pair : pairs_) {
      const auto [place, is_new] = places.try_emplace(Root(Number(pair.a)), groups.size());
      if (is_new) groups.emplace_back();
      groups[place->second].pairs.push_back(pair);
    }
    for (const auto& [bug, number] : numbers_) groups[places.at(Root(number))].bugs.push_back(bug);
    return groups;
  }

 private:
  size_t Number(const BugKey& bug) {
    const auto [place, is_new] = numbers_.try_emplace(bug, parents_.size());
    if (is_new) parents_.push_back(place->second);
    return place->second;
  }
  size_t Root(size_t number) {
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }

  std::map<BugKey, size_t> numbers_;
  std::vector<size_t> parents_;
  std::vector<Pair> pairs_;
};

class DuplicatesCommand : public Command {
 public:
  std::string_view name() const override { return "duplicates"; }
  std::string_view summary() const override { return "Find the bugs of a project that may be the same"; }

  void Register(Options& options) override {
    options.Add("PROJECT", project_, "The project").Value("PROJECT").Required();
    options.Add("--distance", distance_, "At most N edits between the last 50 events up to the failure (default 10)")
        .Value("N");
    options.Footer(
        "Compares the failing threads of every two bugs, as the saved query 'duplicates' does. Exits with 0 also when\n"
        "there are none.\n\n"
        "Examples:\n"
        "  oscope duplicates Beanutils\n"
        "  oscope duplicates Ini --distance 3 --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_RETURN_IF_ERROR(CheckProjectIsThere(snapshot));
    SessionOptions options;
    options.skip_damaged = context.options.partial;
    OSCOPE_ASSIGN_OR_RETURN(Session session, Session::Open(std::move(store), std::move(options)));
    session.SetParameter("project", project_);
    OSCOPE_ASSIGN_OR_RETURN(const Answer answer, RunOwnStatement(context, session, Statement()));
    Groups groups;
    for (const AnswerRow& row : answer.rows) groups.Add({row.bugs[0], row.bugs[1], row.distance.value_or(0)});
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> reports, snapshot.Bugs(project_));
    std::map<BugKey, Bug> bugs;
    for (const Bug& bug : reports) bugs.emplace(bug.key, bug);
    Print(context, groups.Finish(), bugs, answer);
    return kExitOk;
  }

 private:
  std::string Statement() const {
    if (!distance_) return "CALL duplicates(:project)";
    return fmt::format("SELECT b1, b2 FROM :project WHERE INTERSECT?(b1.failing[50], b2.failing[50], {})", *distance_);
  }

  Status CheckProjectIsThere(const Snapshot& snapshot) const {
    OSCOPE_RETURN_IF_ERROR(CheckId("project", project_));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> projects, snapshot.Projects());
    if (std::find(projects.begin(), projects.end(), project_) != projects.end()) return {};
    return NotFound("project {}: not in this store{}", project_, Nearest(project_, projects));
  }

  // Whether one report already names the other.
  static bool IsKnown(const std::map<BugKey, Bug>& bugs, const Pair& pair) {
    const auto names = [&](const BugKey& from, const BugKey& to) {
      const auto bug = bugs.find(from);
      if (bug == bugs.end()) return false;
      const std::vector<BugKey>& known = bug->second.duplicates;
      return std::find(known.begin(), known.end(), to) != known.end();
    };
    return names(pair.a, pair.b) || names(pair.b, pair.a);
  }

  void Print(const Context& context, const std::vector<Group>& groups, const std::map<BugKey, Bug>& bugs,
             const Answer& answer) const {
    if (context.json()) return PrintAsJson(context, groups, bugs, answer);
    for (size_t i = 0; i < groups.size(); ++i) {
      context.Print("{}{}\n", i == 0 ? "" : "\n", Counted(groups[i].bugs.size(), "bug"));
      PrintGroup(context, groups[i], bugs);
    }
    if (groups.empty()) {
      context.Note("no two bugs of {} are within {}", project_, Counted(distance_.value_or(kShippedDistance), "edit"));
    } else {
      context.Note("{} in {}; `oscope bug duplicate A B` tells the store that two are the same",
                   Counted(answer.rows.size(), "pair"), Counted(groups.size(), "group"));
    }
  }

  static void PrintGroup(const Context& context, const Group& group, const std::map<BugKey, Bug>& bugs) {
    TextTable list({{"BUG"}, {"STATUS"}, {"TITLE", false, true}});
    for (const BugKey& key : group.bugs) {
      const auto bug = bugs.find(key);
      if (bug == bugs.end()) continue;
      list.AddRow({ToString(key), std::string(BugStatusName(bug->second.status)), OneLine(bug->second.title)});
    }
    TextTable pairs({{"DISTANCE", true}, {"BUG"}, {"BUG"}, {""}});
    for (const Pair& pair : group.pairs) {
      pairs.AddRow(
          {std::to_string(pair.distance), ToString(pair.a), ToString(pair.b), IsKnown(bugs, pair) ? "known" : ""});
    }
    context.PrintText(list.Render(TerminalWidth(), "  "));
    context.PrintText(pairs.Render(TerminalWidth(), "  "));
  }

  void PrintAsJson(const Context& context, const std::vector<Group>& groups, const std::map<BugKey, Bug>& bugs,
                   const Answer& answer) const {
    Json json = {{"project", project_},
                 {"distance", distance_.value_or(kShippedDistance)},
                 {"traces_compared", answer.stats.traces},
                 {"partial", answer.damaged}};
    json["groups"] = Json::array();
    for (const Group& group : groups) {
      Json one = {{"bugs", Json::array()}, {"pairs", Json::array()}};
      for (const BugKey& key : group.bugs) {
        if (const auto bug = bugs.find(key); bug != bugs.end()) one["bugs"].push_back(ToJson(bug->second));
      }
      for (const Pair& pair : group.pairs) {
        one["pairs"].push_back({{"bugs", {ToString(pair.a), ToString(pair.b)}},
                                {"distance", pair.distance},
                                {"known", IsKnown(bugs, pair)}});
      }
      json["groups"].push_back(std::move(one));
    }
    context.PrintJson(json);
  }

  std::string project_;
  std::optional<uint32_t> distance_;
};

}  // namespace

std::unique_ptr<Command> MakeDuplicatesCommand() { return std::make_unique<DuplicatesCommand>(); }

}  // namespace oscope::cli
