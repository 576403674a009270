// Small readers that all importers of text share. Consume... functions take something from the front and say whether
// it was there.
#include "tracer/import/text_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "tracer/import/import_batch.h"

namespace oscope {
namespace {

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::optional<uint64_t> ConsumeDigits(std::string_view& text, int base) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

std::string LanguageOfFile(std::string_view file) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kExtensions = {{{".cc", "c++"},
                                                                                         {".cpp", "c++"},
                                                                                         {".cxx", "c++"},
                                                                                         {".hpp", "c++"},
                                                                                         {".C", "c++"},
                                                                                         {".rs", "rust"},
                                                                                         {".go", "go"},
                                                                                         {".f90", "fortran"},
                                                                                         {".c", "c"}}};
  for (const auto& [extension, language] : kExtensions) {
    if (file.ends_with(extension)) return std::string(language);
  }
  return {};
}

}  // namespace

std::vector<std::string_view> SplitLines(std::string_view bytes) {
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

std::string_view WithoutColour(std::string_view line, std::string& storage) {
  if (!Contains(line, "\x1b[")) return line;
  storage.clear();
  for (size_t i = 0; i < line.size();) {
    if (line.substr(i, 2) == "\x1b[") {
      const size_t end = line.find_first_not_of("0123456789;", i + 2);
      if (end != std::string_view::npos && line[end] == 'm') {
        i = end + 1;
        continue;
      }
    }
    storage += line[i++];
  }
  return storage;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

size_t IndentOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

bool IsBlank(std::string_view line) { return Trim(line).empty(); }

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool Consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<uint64_t> ConsumeNumber(std::string_view& text) { return ConsumeDigits(text, 10); }

std::optional<uint64_t> ConsumeHex(std::string_view& text) {
  std::string_view rest = text;
  if (!Consume(rest, "0x")) return std::nullopt;
  const auto value = ConsumeDigits(rest, 16);
  if (value) text = rest;
  return value;
}

std::optional<uint64_t> ConsumeHexDigits(std::string_view& text) { return ConsumeDigits(text, 16); }

std::optional<uint64_t> ParseNumber(std::string_view text) {
  const auto value = ConsumeNumber(text);
  return text.empty() ? value : std::nullopt;
}

std::string_view BaseNameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

void ParseLocation(std::string_view location, SymbolAttributes& attributes) {
  std::optional<uint64_t> line;
  for (int numbers = 0; numbers < 2; ++numbers) {
    const size_t colon = location.rfind(':');
    if (colon == std::string_view::npos) break;
    const auto number = ParseNumber(location.substr(colon + 1));
    if (!number || *number > UINT32_MAX) break;
    line = number;
    location = location.substr(0, colon);
  }
  attributes.file = location;
  attributes.line = static_cast<uint32_t>(line.value_or(0));
}

std::optional<int32_t> SignalNumber(std::string_view name) {
  constexpr std::array<std::string_view, 32> kSignals = {
      "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
      "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
      "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
      "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};
  for (size_t i = 1; i < kSignals.size(); ++i) {
    if (kSignals[i] == name) return static_cast<int32_t>(i);
  }
  return std::nullopt;
}

void SetSignal(RunHeader& run, int32_t signal) {
  run.outcome = Outcome::kSignal;
  run.failure.signal = signal;
}

std::string NativeLanguageOf(const std::vector<StackFrame>& frames) {
  std::string language;
  for (const StackFrame& frame : frames) {
    const std::string& file = frame.attributes.file;
    if (Contains(file, "libsanitizer/") || Contains(file, "compiler-rt/")) continue;
    std::string of_file = LanguageOfFile(file);
    if (of_file.empty() && Contains(frame.name, "::")) of_file = "c++";
    // The C library's own files are in every C++ program's stack: "c" holds only while nothing else
    // shows.
    if (!of_file.empty() && of_file != "c") return of_file;
    if (language.empty()) language = std::move(of_file);
  }
  return language;
}

}  // namespace oscope
