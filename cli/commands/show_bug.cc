// A report as text or JSON. Most fields, and their order, come from the table in tracer/model/bug_fields.h; the
// history, the runs and the attachments are added here. A revision is shown by the names of the fields that differ from
// the one before.
#include <fmt/format.h>

#include <algorithm>

#include "cli/bugs/attachments.h"
#include "cli/commands/show.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/pager.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "tracer/harness/failure_message.h"
#include "tracer/model/bug_fields.h"

namespace oscope::cli {
namespace {

constexpr size_t kRunsShown = 20;

std::string ColouredDiff(std::string_view diff, const Palette& palette) {
  std::string text;
  while (!diff.empty()) {
    const size_t end = std::min(diff.find('\n'), diff.size());
    const std::string_view line = diff.substr(0, end);
    std::string_view colour;
    if (line.starts_with("+++") || line.starts_with("---") || line.starts_with("diff ")) {
      colour = palette.bold;
    } else if (line.starts_with('+')) {
      colour = palette.green;
    } else if (line.starts_with('-')) {
      colour = palette.red;
    } else if (line.starts_with("@@")) {
      colour = palette.cyan;
    }
    std::string shown = ShownBlock(line, "  ");
    if (!shown.empty() && shown.back() == '\n') shown.pop_back();
    text += fmt::format("{}{}{}\n", colour, shown, colour.empty() ? "" : palette.reset);
    diff.remove_prefix(std::min(end + 1, diff.size()));
  }
  return text;
}

// The names of the fields that differ.
std::vector<std::string> Differences(const Bug& before, const Bug& after) {
  const Json a = ToJson(before), b = ToJson(after);
  std::vector<std::string> names;
  for (const auto& [name, value] : b.items()) {
    if (!a.contains(name) || a[name] != value) names.push_back(name);
  }
  for (const auto& [name, value] : a.items()) {
    if (!b.contains(name)) names.push_back(name);
  }
  return names;
}

class ShowBugCommand : public Command {
 public:
  std::string_view name() const override { return "bug"; }
  std::string_view summary() const override { return "Show a bug: report, fix, comments and runs"; }

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug, as Demo-12, or 12 where that is clear").Value("BUG").Required();
    options.AddFlag("--history", history_, "Also show what each revision changed");
    options.Footer("Examples:\n  oscope show bug Demo-12\n  oscope show bug 12 --history\n  oscope show bug 12 --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const BugKey key, ResolveBug(context, snapshot, bug_));
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<Bug> bug, snapshot.FindBug(key));
    if (!bug) return NotFound("bug {}: is not in this store", ToString(key));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredRun> runs, RunsOf(snapshot, key));
    std::vector<BugRevision> history;
    if (history_) {
      OSCOPE_ASSIGN_OR_RETURN(history, snapshot.History(key));
    }
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> attachments, snapshot.Attachments({{}, key}));
    if (context.json()) {
      PrintAsJson(context, *bug, runs, history, attachments);
      return kExitOk;
    }
    std::string text = Report(*bug, Palette(context.color()));
    text += RunsText(runs);
    text += AttachmentsText(attachments);
    text += HistoryText(history);
    Pager pager(context.wants_pager());
    pager.Start();
    context.PrintText(text);
    return kExitOk;
  }

 private:
  static Result<std::vector<StoredRun>> RunsOf(const Snapshot& snapshot, const BugKey& key) {
    std::vector<StoredRun> runs;
    RunFilter filter;
    filter.project = key.project;
    filter.bug = key.id;
    OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(filter, false, [&](const StoredRun& run) {
      runs.push_back(run);
      return !snapshot.cancel().cancelled();
    }));
    OSCOPE_RETURN_IF_ERROR(snapshot.cancel().Check());
    return runs;
  }

  void PrintAsJson(const Context& context, const Bug& bug, const std::vector<StoredRun>& runs,
                   const std::vector<BugRevision>& history, const std::vector<StoredAttachment>& attachments) const {
    Json json = ToJson(bug);
    json["runs"] = Json::array();
    for (const StoredRun& run : runs) json["runs"].push_back(ToJson(run));
    if (history_) {
      json["history"] = Json::array();
      for (const BugRevision& revision : history) json["history"].push_back(ToJson(revision));
    }
    for (const StoredAttachment& one : attachments) json["attachments"].push_back(ToJson(one));
    context.PrintJson(json);
  }

  static std::string Report(const Bug& bug, const Palette& palette) {
    std::string text =
        fmt::format("{}{}  {}{}\n", palette.bold, Shown(ToString(bug.key)), Shown(bug.title), palette.reset);
    ForEachGroup<BugField>(
        kInOrder<kBugFields, &BugField::show>, [&](const BugField& field) { AddTo(text, field, bug, palette); },
        [&](const char*, std::span<const BugField* const> fix) {
          if (bug.fix.empty()) return;
          text += fmt::format("\n{}Fix{}\n", palette.bold, palette.reset);
          for (const BugField* field : fix) AddTo(text, *field, bug, palette);
        });
    return text;
  }

  static void AddTo(std::string& text, const BugField& field, const Bug& bug, const Palette& palette) {
    std::visit([&](const auto& member) { AddValue(text, field, member.read(bug), palette); }, field.member);
  }

  static void AddValue(std::string& text, const BugField& field, const std::string& value, const Palette& palette) {
    if (field.text == TextKind::kLine) return AddField(text, field.label, value);
    if (value.empty()) return;
    text += "\n";
    if (*field.label != '\0') text += fmt::format("{}{}{}\n", palette.bold, field.label, palette.reset);
    text += field.text == TextKind::kDiff ? ColouredDiff(value, palette) : ShownBlock(value, "  ");
  }
  static void AddValue(std::string& text, const BugField& field, const std::optional<int64_t>& ns, const Palette&) {
    AddField(text, field.label, ShownTime(ns));
  }
  static void AddValue(std::string& text, const BugField& field, BugStatus status, const Palette&) {
    AddField(text, field.label, BugStatusName(status));
  }
  static void AddValue(std::string& text, const BugField& field, const std::vector<BugKey>& keys, const Palette&) {
    for (const BugKey& key : keys) AddField(text, field.label, ToString(key));
  }
  static void AddValue(std::string& text, const BugField&, const std::map<std::string, std::string>& custom,
                       const Palette&) {
    for (const auto& [name, value] : custom) AddField(text, name, value);
  }
  static void AddValue(std::string& text, const BugField&, const std::vector<Comment>& comments,
                       const Palette& palette) {
    for (const Comment& comment : comments) {
      text +=
          fmt::format("\n{}Comment{}{}{}\n", palette.bold, comment.author.empty() ? "" : " by " + Shown(comment.author),
                      comment.at_ns ? ", " + ShownTime(comment.at_ns) : "", palette.reset);
      text += ShownBlock(comment.text, "  ");
    }
  }

  static std::string RunsText(const std::vector<StoredRun>& runs) {
    if (runs.empty()) return "\nNo runs.\n";
    std::string text = fmt::format("\n{}\n", Counted(runs.size(), "run"));
    TextTable table({{"RUN"},
                     {"TEST", false, true},
                     {"OUTCOME"},
                     {"VERSION", false, true},
                     {"EVENTS", true},
                     {"MESSAGE", false, true}});
    for (const StoredRun& run : runs) {
      if (table.size() == kRunsShown) break;
      table.AddRow({ShortId(run.header.id), run.header.test, std::string(OutcomeName(run.header.outcome)),
                    run.header.version, std::to_string(run.event_count), MessageLine(run.header.failure.message)});
    }
    text += table.Render(TerminalWidth(), "  ");
    if (runs.size() > kRunsShown)
      text += fmt::format("  … and {} more: `oscope list runs --bug …`\n", runs.size() - kRunsShown);
    return text;
  }

  static std::string HistoryText(const std::vector<BugRevision>& history) {
    if (history.empty()) return {};
    std::string text = "\nHistory\n";
    for (size_t i = 0; i < history.size(); ++i) {
      const std::string what =
          i == 0 ? "reported" : fmt::format("{}", fmt::join(Differences(history[i - 1].bug, history[i].bug), ", "));
      const BugRevision& revision = history[i];
      text += fmt::format("  {:>3}  {}  {}{}{}\n", revision.revision, ShownTime(revision.edited_ns), Shown(what),
                          revision.by.empty() ? "" : ", by " + Shown(OneLine(revision.by)),
                          revision.why.empty() ? "" : ": " + Shown(OneLine(revision.why)));
    }
    return text;
  }

  std::string bug_;
  bool history_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeShowBugCommand() { return std::make_unique<ShowBugCommand>(); }

}  // namespace oscope::cli
