// Two endings side by side. Long stretches of equal events are folded, and a scope that all names begin with is printed
// once below the table, because the differences are what one looks for.
#include "cli/similar/similar_explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/output/table.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

// Of a long stretch of equal events kKeptEvents are shown at either end; up to kFoldedEvents are shown whole.
constexpr size_t kKeptEvents = 3;
constexpr size_t kFoldedEvents = 10;

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

// The most methods that one line names.
constexpr size_t kShownMethods = 8;

std::string Line(const std::string& title, const std::vector<std::string>& methods) {
  if (methods.empty()) return {};
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(methods.size(), kShownMethods); ++i) shown.push_back(Shown(methods[i]));
  const std::string more =
      methods.size() > kShownMethods ? fmt::format(" and {} more", methods.size() - kShownMethods) : "";
  return fmt::format("{}: {}{}\n", title, fmt::join(shown, ", "), more);
}

}  // namespace

std::string InWords(const Alignment& alignment) {
  const size_t equal = alignment.Count(EditKind::kKeep);
  const size_t events = alignment.length();
  if (equal == events) return fmt::format("all {} are equal", Counted(events, "event"));
  std::string words = fmt::format("{} of {} are equal", equal, Counted(events, "event"));
  std::string_view separator = "; ";
  const auto add = [&](EditKind kind, std::string_view what) {
    if (const size_t count = alignment.Count(kind); count > 0)
      words += fmt::format("{}{} {}", std::exchange(separator, ", "), count, what);
  };
  add(EditKind::kReplace, "replaced");
  add(EditKind::kDelete, "only here");
  add(EditKind::kInsert, "only there");
  return words;
}

std::string Render(const Alignment& alignment, const std::string& our_title, const std::string& their_title,
                   size_t width) {
  const std::vector<Edit>& edits = alignment.edits;
  const size_t scope = CommonScope(alignment.ours, alignment.theirs);
  const auto shorten = [&](const std::string& name) { return name.empty() ? name : name.substr(scope); };
  const auto add = [&](TextTable& table, const Edit& edit, const char* sign) {
    table.AddRow({shorten(alignment.Ours(edit)), sign, shorten(alignment.Theirs(edit))});
  };
  TextTable table({{Shown(our_title), false, true}, {""}, {Shown(their_title), false, true}});
  for (size_t i = 0; i < edits.size();) {
    size_t end = i;
    while (end < edits.size() && edits[end].kind == EditKind::kKeep) ++end;
    if (end - i > kFoldedEvents && end - kKeptEvents > i + kKeptEvents) {
      for (size_t kept = i; kept < i + kKeptEvents; ++kept) add(table, edits[kept], "=");
      table.AddRow({fmt::format("… {} more …", end - i - 2 * kKeptEvents), "=", ""});
      i = end - kKeptEvents;
    }
    for (; i < end; ++i) add(table, edits[i], "=");
    if (i < edits.size()) add(table, edits[i++], "");
  }
  std::string text = table.Render(width);
  if (scope > 0) text += fmt::format("\nAll names begin with {}\n", Shown(alignment.ours.front().substr(0, scope)));
  return text;
}

std::string Render(const CommonMethods& methods, const std::string& our_title, const std::string& their_title) {
  return Line("both, the latest first", methods.both) + Line("only " + Shown(our_title), methods.only_ours) +
         Line("only " + Shown(their_title), methods.only_theirs);
}

}  // namespace oscope::cli
