// The answer of the usual search as text or JSON, for `similar`, `trace` and `test`, which must say the same.
#include "cli/similar/similar_answer.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/answer/result_printer.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "cli/similar/similar_explanation.h"

namespace oscope::cli {
namespace {

std::string ShownDistance(const SimilarBug& bug) {
  if (!bug.distance) return {};
  if (bug.distance_of == DistanceOf::kEdits) return Counted(*bug.distance, "edit");
  constexpr uint64_t kThousandths = 1000;
  return fmt::format("{:.1f} % alike", static_cast<double>(kThousandths - std::min(*bug.distance, kThousandths)) / 10);
}

// Of the events, or of the methods.
std::string EqualShare(const SimilarBug& bug) {
  if (bug.methods) return fmt::format("{}/{}", bug.methods->both.size(), bug.methods->all());
  if (!bug.alignment) return {};
  return fmt::format("{}/{}", bug.alignment->Count(EditKind::kKeep), bug.alignment->length());
}

class Printer {
 public:
  Printer(const Context& context, const SimilarAnswer& answer, const SimilarView& view)
      : context_(context), answer_(answer), view_(view) {}

  void Print() const {
    for (const std::string& note : answer_.notes) context_.Note("{}", note);
    if (answer_.empty()) {
      context_.Note("no bug is similar");
      return;
    }
    if (answer_.rows) {
      const auto printer = MakeResultPrinter(OutputMode::kTable, Width());
      (void)printer->PrintAnswer(*answer_.rows, [&](std::string_view text) -> Status {
        Write(text);
        return {};
      });
      return;
    }
    Write(Table());
    for (const SimilarBug& bug : answer_.bugs) {
      if (view_.explain && (bug.alignment || bug.methods)) Write(Explanation(bug));
    }
    const std::string first = ToString(answer_.bugs.front().report.key);
    const bool aligned = std::any_of(answer_.bugs.begin(), answer_.bugs.end(),
                                     [](const SimilarBug& bug) { return bug.alignment || bug.methods; });
    if (view_.explain || !aligned) {
      context_.Note("`oscope show bug {}` tells more", first);
    } else if (view_.to_stderr) {
      context_.Note("`oscope show bug {}` tells more; `oscope similar {} --explain` shows what is alike", first,
                    view_.subject);
    } else {
      context_.Note("`oscope show bug {}` tells more; --explain shows what is alike", first);
    }
  }

 private:
  std::string Table() const {
    TextTable table(
        {{"HOW NEAR", true}, {"EQUAL", true}, {"BUG"}, {"STATUS"}, {"TITLE", false, true}, {"FIX", false, true}});
    for (const SimilarBug& bug : answer_.bugs) {
      table.AddRow({ShownDistance(bug), EqualShare(bug), ToString(bug.report.key),
                    std::string(BugStatusName(bug.report.status)), OneLine(bug.report.title),
                    FixInWords(bug.report.fix)});
    }
    return table.Render(Width());
  }

  std::string Explanation(const SimilarBug& bug) const {
    const std::string name = ToString(bug.report.key);
    if (bug.methods) {
      return fmt::format("\n{}: {}, {}\n{}", Shown(name), BugStatusName(bug.report.status), DistanceInWords(bug),
                         Render(*bug.methods, view_.subject, name));
    }
    return fmt::format("\n{}: {}, {}: {}\n{}", Shown(name), BugStatusName(bug.report.status), DistanceInWords(bug),
                       InWords(*bug.alignment), Render(*bug.alignment, view_.subject, name, Width()));
  }

  size_t Width() const {
    if (!view_.to_stderr) return TerminalWidth();
    winsize size{};
    if (isatty(STDERR_FILENO) != 1) return 0;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ? 80 : size.ws_col;
  }

  void Write(std::string_view text) const {
    if (!view_.to_stderr) return context_.PrintText(text);
    std::fflush(stdout);
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  const Context& context_;
  const SimilarAnswer& answer_;
  const SimilarView& view_;
};

}  // namespace

std::string DistanceInWords(const SimilarBug& bug) {
  if (!bug.distance) return {};
  switch (bug.distance_of) {
    case DistanceOf::kEdits: return *bug.distance == 0 ? "no edit" : Counted(*bug.distance, "edit");
    case DistanceOf::kMethods: return ShownDistance(bug) + " by what ran last";
    case DistanceOf::kWords: return ShownDistance(bug) + " by the words of their stacks";
  }
  return "";
}

std::string FixInWords(const Fix& fix) {
  if (!fix.note.empty()) return OneLine(fix.note);
  if (!fix.commit.empty()) return fix.commit;
  return fix.diff.empty() ? "" : "a diff";
}

Json ToJson(const SimilarAnswer& answer) {
  Json json = Json::array();
  for (const SimilarBug& similar : answer.bugs) {
    Json one = {{"bug", ToString(similar.report.key)},
                {"status", BugStatusName(similar.report.status)},
                {"title", similar.report.title}};
    if (similar.distance) {
      one["distance"] = *similar.distance;
      one["metric"] = MetricOf(similar.distance_of);
    }
    if (const std::string fix = FixInWords(similar.report.fix); !fix.empty()) one["fix"] = fix;
    json.push_back(std::move(one));
  }
  return json;
}

void PrintSimilar(const Context& context, const SimilarAnswer& answer, const SimilarView& view) {
  Printer(context, answer, view).Print();
}

}  // namespace oscope::cli
