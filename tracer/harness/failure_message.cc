// Finds what a failing test said about itself in whatever it printed. There is no common format, so a list of telling
// lines is tried in order from the surest (a failed assertion, an uncaught exception) to the vaguest (a line with
// "expected"), and the first kind that occurs anywhere decides. Without any, the last line counts that is not a
// framework's own progress.
//
// All searches are RE2 expressions over at most the last 8 MiB, so that a test that prints gigabytes costs no more
// than one that prints a page.
#include "tracer/harness/failure_message.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/utf8.h"

namespace oscope {
namespace {

constexpr size_t kMaxSearchedBytes = size_t{8} << 20;  // of a test's output: its end
constexpr size_t kMaxMessageBytes = 4096;

const re2::RE2& Expression(const char* text) { return *new re2::RE2(text, re2::RE2::Latin1); }

#define SOURCE_FILE \
  R"(([\w./+@~-]+\.(?:c|cc|cpp|cxx|c\+\+|cu|h|hh|hpp|hxx|ipp|inl|tcc|m|mm|py|java|kt|rs|go|js|ts|cs|swift|f|f90|d|y|l|sh|rb|pl|lua)))"

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

// What begins a message, and how many lines more belong to it at most; it ends before a blank line and before a line of
// GoogleTest's progress.
struct Telling {
  const re2::RE2& line;
  size_t more;
};

// The first kind that is there decides: what comes first is the surest.
const std::array<Telling, 9>& TellingLines() {
  static const std::array<Telling, 9> lines = {{
      {Expression(R"(Assertion [`'].*' failed|[Aa]ssertion failed)"), 0},
      {Expression(R"(^terminate called )"), 1},
      {Expression(R"(ERROR: \w+Sanitizer: |: runtime error: )"), 0},
      {Expression(R"(: Failure$|: FAILED:$)"), 12},                         // GoogleTest, Catch2
      {Expression(R"(error: in ".*": )"), 0},                               // Boost.Test
      {Expression(R"(^E   +\S|^[\w.]*(?:Error|Exception)(?:: .*)?$)"), 0},  // pytest, Python
      {Expression(R"(^Exception in thread |^Caused by: |\bpanicked at )"), 1},
      {Expression(R"((?i)\b(?:fatal|error|failure|failed|fail)\b ?[:!])"), 0},
      {Expression(R"((?i)\b(?:mismatch|expected|differs?|not ok)\b)"), 0},
  }};
  return lines;
}

// What a framework prints of its own progress: GoogleTest, Boost.Test, Catch2.
bool IsProgress(std::string_view line) {
  static const re2::RE2& progress = Expression(
      R"(^\[(?:[ =-]{10}| *(?:RUN|OK|FAILED|PASSED|SKIPPED|DISABLED) *)\]|^Running main\(\) from |^Note: (?:Google Test filter = |This is test shard |Randomizing tests))"
      R"(|^Repeating all tests \(iteration |^ *\d+ (?:FAILED|DISABLED) TESTS?$)"
      R"(|^Running \d+ test cases?\.\.\.|^(?:Entering|Leaving) test (?:module|suite|case) |(?:^|: )(?:Entering|Leaving) test (?:module|suite|case) ")"
      R"(|^\*\*\* (?:No errors|\d+ failures? (?:is|are)) detected)"
      R"(|^[~.=-]{20,}$|^Randomness seeded to: |^Filters: |^RNG seed: |^\S+ is a Catch2? v[\d.]+\S* host application|^Run with -\? for options)"
      R"(|^test cases: +\d+ |^assertions: +(?:\d+ |- none -))");
  return re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), progress);
}

std::string Cut(std::string text) {
  if (text.size() > kMaxMessageBytes) text.resize(kMaxMessageBytes);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

bool Matches(std::string_view text, const re2::RE2& expression) {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), expression);
}

std::string WithoutColors(std::string_view output) {
  static const re2::RE2& colors = Expression("\x1b\\[[0-9;]*[A-Za-z]");
  std::string text(output);
  if (text.find('\x1b') != std::string::npos) re2::RE2::GlobalReplace(&text, colors, "");
  return text;
}

std::string From(const std::vector<std::string_view>& lines, size_t begin, size_t more) {
  std::string message(lines[begin]);
  for (size_t at = begin + 1; at < lines.size() && at <= begin + more; ++at) {
    if (IsBlank(lines[at]) || lines[at].starts_with("[  ")) break;
    message.append("\n").append(lines[at]);
  }
  return Cut(std::move(message));
}

// The value of "- name   : value" in Boost.Test's texts.
std::string BoostField(std::string_view text, std::string_view name) {
  for (const std::string_view line : Lines(text)) {
    if (!line.starts_with("- ") || !line.substr(2).starts_with(name)) continue;
    const size_t colon = line.find(':');
    const size_t value = colon == std::string_view::npos ? colon : line.find_first_not_of(' ', colon + 1);
    if (value != std::string_view::npos) return std::string(line.substr(value));
  }
  return {};
}

std::optional<SourcePlace> BoostPlace(std::string_view text) {
  // The place of an exception is unknown; a line further down says where it was last seen.
  const size_t checkpoint = text.find("Last checkpoint:");
  if (checkpoint != std::string_view::npos) text.remove_prefix(checkpoint);
  const std::string file = BoostField(text, "file"), line = BoostField(text, "line");
  SourcePlace place{file, 0};
  std::from_chars(line.data(), line.data() + line.size(), place.line);
  if (file.empty() || place.line == 0) return std::nullopt;
  return place;
}

std::string BoostMessage(std::string_view text) {
  if (text.find("ASSERTION FAILURE:") != std::string_view::npos) return BoostField(text, "message");
  const std::vector<std::string_view> lines = Lines(text);
  for (size_t at = 0; at + 1 < lines.size(); ++at) {
    if (lines[at].starts_with("EXCEPTION STACK TRACE:")) return std::string(lines[at + 1]);
  }
  return {};
}

}  // namespace

std::optional<SourcePlace> FindPlace(std::string_view text) {
  static const re2::RE2& place = Expression(SOURCE_FILE R"((?:[:(]|"?, line )(\d{1,9})\b)");
  re2::StringPiece file;
  uint64_t line = 0;
  if (!re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), place, &file, &line)) return BoostPlace(text);
  return SourcePlace{std::string(file), line};
}

std::string FailureMessage(std::string_view output) {
  if (output.size() > kMaxSearchedBytes) output.remove_prefix(output.size() - kMaxSearchedBytes);
  const std::string text = WithoutColors(output);
  const std::vector<std::string_view> lines = Lines(text);
  for (const Telling& telling : TellingLines()) {
    for (size_t at = 0; at < lines.size(); ++at) {
      if (Matches(lines[at], telling.line)) return From(lines, at, telling.more);
    }
  }
  const auto last = std::find_if_not(lines.rbegin(), lines.rend(),
                                     [](std::string_view line) { return IsBlank(line) || IsProgress(line); });
  return last == lines.rend() ? "" : Cut(std::string(*last));
}

std::string FailureMessage(const JUnitCase& one) {
  if (std::string boost = BoostMessage(one.text); !boost.empty()) return Cut(std::move(boost));
  // Some frameworks give the kind of failure as the message and the rest as text.
  const bool says_something = one.message.find_first_of(" \n") != std::string::npos;
  if (says_something || (!one.message.empty() && IsBlank(one.text))) return Cut(one.message);
  if (!IsBlank(one.text)) return FailureMessage(one.text);
  return one.output.empty() ? one.type : FailureMessage(one.output);
}

std::optional<SourcePlace> FindPlace(const JUnitCase& one) {
  for (const std::string* text : {&one.message, &one.text}) {
    if (auto place = FindPlace(*text)) return place;
  }
  if (one.file.empty()) return std::nullopt;
  return SourcePlace{one.file, one.line};
}

std::string MessageLine(std::string_view message) {
  static const re2::RE2& place =
      Expression(R"(^\s*(?:)" SOURCE_FILE R"([:(]\d+\)?|unknown file):?\s*(?:Failure|FAILED:)?\s*$)");
  const std::vector<std::string_view> lines = Lines(message.substr(0, kMaxMessageBytes));
  if (lines.empty()) return {};
  const std::string_view first = lines.front();
  if (lines.size() == 1 || !Matches(first, place)) return std::string(first);
  const std::string rest = Headline(message.substr(0, kMaxMessageBytes).substr(message.find('\n') + 1));
  if (rest.empty()) return std::string(first);
  return std::string(first) + (first.ends_with(':') ? " " : ": ") + rest;
}

std::string Headline(std::string_view message, size_t width) {
  static const re2::RE2& beginning =
      Expression(R"(^\s*(?:)" SOURCE_FILE R"([:(]\d+\)?:?|unknown file:?)\s*(?:Failure|FAILED:)?\s*)");
  std::string text = WithoutColors(message);
  std::string rest = text;
  if (re2::RE2::Replace(&rest, beginning, "") && !IsBlank(rest)) text = std::move(rest);
  std::string line;
  for (const char byte : text) {
    const bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    if (!blank) {
      line += byte;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  if (line.size() <= width) return line;
  return CutToBytes(std::move(line), width) + "…";
}

}  // namespace oscope
