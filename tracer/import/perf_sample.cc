// Lines of `perf script`. Which fields a line has depends on the options it was printed with, and a command's name may
// contain blanks and numbers. So a header is recognised by trying each number as the thread's id and looking whether
// the rest makes sense, a bounded number of times.
#include "tracer/import/perf_sample.h"

#include <algorithm>
#include <array>

#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "[001]"
bool IsCpu(std::string_view word) {
  return word.size() > 2 && word.front() == '[' && word.back() == ']' && IsDigits(word.substr(1, word.size() - 2));
}

// "2780.835523:"
bool IsTime(std::string_view word) {
  if (!word.ends_with(':')) return false;
  word.remove_suffix(1);
  const size_t dot = word.find('.');
  return dot != std::string_view::npos && IsDigits(word.substr(0, dot)) && IsDigits(word.substr(dot + 1));
}

// "32685" or "32685/32687"
bool ParseThread(std::string_view word, PerfHeader& header) {
  const size_t slash = word.find('/');
  if (slash != std::string_view::npos) {
    const auto pid = ParseNumber(word.substr(0, slash));
    if (!pid) return false;
    header.pid = *pid;
    word.remove_prefix(slash + 1);
  }
  const auto tid = ParseNumber(word);
  if (tid) header.tid = *tid;
  return tid.has_value();
}

std::string_view FirstWord(std::string_view text) { return text.substr(0, text.find(' ')); }

// An event's name may hold colons, a command's name numbers; not this many.
constexpr int kMaxGuesses = 8;

// What follows the event's name, if it is a place: "5025125 cpu-clock:u:   559490c6617a leaf+0x11 (…)".
std::string_view PlaceIn(std::string_view rest) {
  size_t colon = rest.find(": ");
  for (int guesses = 0; colon != std::string_view::npos && guesses < kMaxGuesses; ++guesses) {
    const std::string_view place = Trim(rest.substr(colon + 1));
    if (ParsePerfFrame(place)) return place;
    colon = rest.find(": ", colon + 1);
  }
  // Without an event; "5025125 cpu-clock:" is a number of events and their name.
  return ParsePerfFrame(rest) && !rest.ends_with(':') ? rest : std::string_view();
}

// Modules stand in brackets like the kernel; so do some parts of a process.
bool IsKernel(std::string_view object) {
  if (object.ends_with(".ko") || Contains(object, ".ko.")) return true;
  if (!object.starts_with('[')) return false;
  constexpr std::array<std::string_view, 7> kOfProcesses = {"[vdso]",  "[vsyscall]", "[unknown]", "[heap]",
                                                            "[stack]", "[anon]",     "[uprobes]"};
  return std::ranges::find(kOfProcesses, object) == kOfProcesses.end() && !object.starts_with("[JIT]") &&
         !object.starts_with("[stack:");
}

}  // namespace

std::optional<PerfHeader> ParsePerfHeader(std::string_view line) {
  if (line.starts_with('\t') || line.starts_with('#')) return std::nullopt;
  line = Trim(line);
  // A command's name may hold numbers: the one before the time is the thread's. Without a time, the first that fits.
  std::optional<PerfHeader> without_time;
  int guesses = 0;
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find(' ', at), line.size());
    PerfHeader header;
    if (ParseThread(line.substr(at, end - at), header)) {
      std::string_view rest = Trim(line.substr(end));
      const bool has_cpu = IsCpu(FirstWord(rest));
      if (has_cpu) rest = Trim(rest.substr(FirstWord(rest).size()));
      header.has_time = IsTime(FirstWord(rest));
      if (header.has_time) rest = Trim(rest.substr(FirstWord(rest).size()));
      header.command = Trim(line.substr(0, at));
      if (header.has_time || (!without_time && guesses++ < kMaxGuesses)) header.place = PlaceIn(rest);
      if (header.has_time) return header;
      if (!without_time && (has_cpu || rest.empty() || !header.place.empty())) without_time = header;
    }
    at = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return without_time;
}

std::optional<PerfFrame> ParsePerfFrame(std::string_view line) {
  line = Trim(line);
  if (!ConsumeHexDigits(line) || !line.starts_with(' ')) return std::nullopt;
  line = Trim(line);
  if (line.empty()) return std::nullopt;
  PerfFrame frame;
  // A symbol may end in brackets of its own; an object is a path or stands in square ones.
  const size_t path = line.rfind(" (/");
  const size_t bracket = line.rfind(" ([");
  const size_t object = path == std::string_view::npos      ? bracket
                        : bracket == std::string_view::npos ? path
                                                            : std::max(path, bracket);
  frame.symbol = line;
  if (object != std::string_view::npos && line.ends_with(')')) {
    frame.symbol = line.substr(0, object);
    frame.object = line.substr(object + 2, line.size() - object - 3);
  } else if (line.ends_with(" (inlined)")) {
    frame.symbol = line.substr(0, line.size() - 10);
  }
  frame.in_kernel = IsKernel(frame.object);
  if (frame.object == "[unknown]") frame.object = {};
  // "*ABS*+0xa2bd0@plt" and "@plt" are stubs that perf could not name.
  if (frame.symbol == "[unknown]" || frame.symbol.starts_with("*ABS*") || frame.symbol == "@plt") frame.symbol = {};
  return frame;
}

}  // namespace oscope
