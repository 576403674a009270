#include "cli/commands/similar_alignment.h"

#include <algorithm>
#include <map>

#include "cli/table.h"
#include "cli/text.h"

namespace oscope::cli {
namespace {

// Of a stretch of equal events so many stay at either end; shorter stretches are whole.
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

std::vector<uint32_t> Number(const std::vector<std::string>& names, std::map<std::string, uint32_t>& ids) {
  std::vector<uint32_t> numbers;
  for (const std::string& name : names) {
    numbers.push_back(ids.try_emplace(name, static_cast<uint32_t>(ids.size())).first->second);
  }
  return numbers;
}

}  // namespace

Result<Alignment> Alignment::Of(std::vector<std::string> ours, std::vector<std::string> theirs) {
  Alignment made;
  made.ours = std::move(ours);
  made.theirs = std::move(theirs);
  std::map<std::string, uint32_t> ids;
  const std::vector<uint32_t> a = Number(made.ours, ids), b = Number(made.theirs, ids);
  OSCOPE_ASSIGN_OR_RETURN(made.edits, Align(a, b));
  return made;
}

size_t Alignment::Count(EditKind kind) const {
  return static_cast<size_t>(
      std::count_if(edits.begin(), edits.end(), [&](const Edit& edit) { return edit.kind == kind; }));
}

std::string Alignment::InWords() const {
  const size_t equal = Count(EditKind::kKeep);
  const size_t events = std::max(ours.size(), theirs.size());
  if (equal == events) return fmt::format("all {} are equal", Counted(events, "event"));
  std::string words = fmt::format("{} of {} are equal", equal, Counted(events, "event"));
  std::string_view separator = "; ";
  const auto add = [&](EditKind kind, std::string_view what) {
    if (const size_t count = Count(kind); count > 0)
      words += fmt::format("{}{} {}", std::exchange(separator, ", "), count, what);
  };
  add(EditKind::kReplace, "replaced");
  add(EditKind::kDelete, "only here");
  add(EditKind::kInsert, "only there");
  return words;
}

std::string Alignment::Render(const std::string& our_title, const std::string& their_title, size_t width) const {
  const size_t scope = CommonScope(ours, theirs);
  const auto shorten = [&](const std::string& name) { return name.empty() ? name : name.substr(scope); };
  TextTable table({{Shown(our_title), false, true}, {""}, {Shown(their_title), false, true}});
  for (size_t i = 0; i < edits.size();) {
    size_t end = i;
    while (end < edits.size() && edits[end].kind == EditKind::kKeep) ++end;
    if (end - i > kFoldedEvents && end - kKeptEvents > i + kKeptEvents) {
      for (size_t kept = i; kept < i + kKeptEvents; ++kept)
        table.AddRow({shorten(Ours(edits[kept])), "=", shorten(Theirs(edits[kept]))});
      table.AddRow({fmt::format("… {} more …", end - i - 2 * kKeptEvents), "=", ""});
      i = end - kKeptEvents;
    }
    for (; i < end; ++i) table.AddRow({shorten(Ours(edits[i])), "=", shorten(Theirs(edits[i]))});
    if (i < edits.size()) {
      table.AddRow({shorten(Ours(edits[i])), "", shorten(Theirs(edits[i]))});
      ++i;
    }
  }
  std::string text = table.Render(width);
  if (scope > 0) text += fmt::format("\nAll names begin with {}\n", Shown(ours.front().substr(0, scope)));
  return text;
}

}  // namespace oscope::cli
