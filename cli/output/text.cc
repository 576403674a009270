#include "cli/output/text.h"

#include <chrono>

#include "base/escape.h"
#include "base/quantity.h"
#include "base/suggest.h"
#include "base/timestamp.h"

namespace oscope::cli {

std::string Shown(std::string_view text) { return EscapeForTerminal(text); }

std::string ShownBlock(std::string_view text, std::string_view indent) {
  std::string shown;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) shown.append(indent) += EscapeForTerminal(line, LineBreaks::kKeep);
    shown += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

std::string ShownTime(const std::optional<int64_t>& ns) {
  if (!ns) return {};
  std::string text = FormatTimestamp(*ns).substr(0, 19);
  if (const size_t t = text.find('T'); t != std::string::npos) text[t] = ' ';
  return text;
}

std::string ShownDuration(uint64_t ns) {
  const double seconds = static_cast<double>(ns) / 1e9;
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60);
}

std::string OneLine(std::string_view text) { return std::string(text.substr(0, text.find_first_of("\r\n"))); }

std::string ShortId(RunId id) { return ToString(id).substr(0, 12); }

std::string Counted(uint64_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  if (!plural.empty()) return fmt::format("{} {}", FormatCount(count), plural);
  return fmt::format("{} {}s", FormatCount(count), singular);
}

std::string Nearest(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string hint = DidYouMean(Suggest(name, candidates));
  return hint.empty() ? hint : " (" + hint + ")";
}

void AddField(std::string& text, std::string_view label, std::string_view value) {
  // The label may be a stranger's, too: the name of a custom field.
  if (!value.empty()) text += fmt::format("{:<10} {}\n", Shown(label) + ":", Shown(value));
}

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Palette::Palette(bool on) {
  if (!on) return;
  reset = "\x1b[0m";
  bold = "\x1b[1m";
  dim = "\x1b[2m";
  red = "\x1b[31m";
  green = "\x1b[32m";
  yellow = "\x1b[33m";
  blue = "\x1b[34m";
  magenta = "\x1b[35m";
  cyan = "\x1b[36m";
}

}  // namespace oscope::cli
