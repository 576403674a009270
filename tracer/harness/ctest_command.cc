// Reads the user's ctest command only as far as it must be known: whether it runs tests, where it writes its report,
// and its time limit. The words are passed on unchanged.
#include "tracer/harness/ctest_command.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace oscope {
namespace {

std::string_view BaseName(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

// Words that make CTest do something else than run tests.
constexpr std::array kOtherModes = {"-S",
                                    "--script",
                                    "-SP",
                                    "--script-new-process",
                                    "-D",
                                    "--dashboard",
                                    "-M",
                                    "--test-model",
                                    "--build-and-test",
                                    "-N",
                                    "--show-only",
                                    "--print-labels",
                                    "--list-presets",
                                    "--help",
                                    "-h",
                                    "-H",
                                    "--version",
                                    "-version",
                                    "/V"};

// Files that a second call would write again.
constexpr std::array kFileOptions = {"--output-junit", "-O", "--output-log"};

bool IsOption(std::string_view word, std::string_view option) {
  return word == option ||
         (word.starts_with(option) && option.starts_with("--") && word.substr(option.size()).starts_with('='));
}

// The value of an option at `at`, given as "--option value" or "--option=value".
std::optional<std::string> ValueAt(const std::vector<std::string>& words, size_t at, std::string_view option) {
  const std::string& word = words[at];
  if (word.size() > option.size() && IsOption(word, option)) return word.substr(option.size() + 1);
  if (word == option && at + 1 < words.size()) return words[at + 1];
  return std::nullopt;
}

std::string_view NextLine(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Result<CTestCommand> CTestCommand::Parse(std::vector<std::string> words) {
  if (words.empty()) return Invalid("no command");
  if (!BaseName(words.front()).starts_with("ctest")) {
    return Invalid(
        "'{}' is not ctest: give the ctest command itself; for another runner give its report with --junit FILE "
        "--rerun "
        "'COMMAND {{name}}', or trace one command with `oscope trace -- COMMAND`",
        words.front());
  }
  CTestCommand command(std::move(words));
  for (size_t at = 1; at < command.words_.size(); ++at) {
    const std::string& word = command.words_[at];
    const auto other =
        std::find_if(kOtherModes.begin(), kOtherModes.end(), [&](const char* mode) { return IsOption(word, mode); });
    if (other != kOtherModes.end())
      return Invalid("ctest {}: this does not run tests; give a ctest command that does", word);
    if (auto report = ValueAt(command.words_, at, "--output-junit")) command.own_report_ = std::move(report);
    if (const auto timeout = ValueAt(command.words_, at, "--timeout")) {
      double seconds = 0;
      const auto [end, error] = std::from_chars(timeout->data(), timeout->data() + timeout->size(), seconds);
      if (error == std::errc()) command.timeout_s_ = seconds;
    }
  }
  return command;
}

std::vector<std::string> CTestCommand::Version() const { return {words_.front(), "--version"}; }

std::vector<std::string> CTestCommand::Reporting(const std::string& file) const {
  std::vector<std::string> words = words_;
  if (!own_report_) words.insert(words.end(), {"--output-junit", file});
  return words;
}

std::vector<std::string> CTestCommand::WithoutFiles() const {
  std::vector<std::string> words = {words_.front()};
  for (size_t at = 1; at < words_.size(); ++at) {
    const std::string& word = words_[at];
    if (word == "-Q" || word == "--quiet") continue;
    const auto option =
        std::find_if(kFileOptions.begin(), kFileOptions.end(), [&](const char* one) { return IsOption(word, one); });
    if (option == kFileOptions.end()) {
      words.push_back(word);
    } else if (word == *option) {
      ++at;  // its value
    }
  }
  return words;
}

std::vector<std::string> CTestCommand::Listing() const {
  std::vector<std::string> words = WithoutFiles();
  words.push_back("--show-only=json-v1");
  return words;
}

std::vector<std::string> CTestCommand::DryRun() const {
  std::vector<std::string> words = WithoutFiles();
  words.push_back("-N");
  return words;
}

bool WritesReports(std::string_view version_text) {
  constexpr std::string_view kWord = "version ";
  const size_t at = version_text.find(kWord);
  if (at == std::string_view::npos) return false;
  const char* begin = version_text.data() + at + kWord.size();
  const char* end = version_text.data() + version_text.size();
  int major = 0, minor = 0;
  const auto after = std::from_chars(begin, end, major);
  if (after.ec != std::errc() || after.ptr == end || *after.ptr != '.') return false;
  std::from_chars(after.ptr + 1, end, minor);
  return major > 3 || (major == 3 && minor >= 21);
}

std::optional<std::string> BuildDirectory(std::string_view dry_run) {
  constexpr std::string_view kWord = "Test project ";
  while (!dry_run.empty()) {
    const std::string_view line = NextLine(dry_run);
    if (line.starts_with(kWord)) return std::string(line.substr(kWord.size()));
  }
  return std::nullopt;
}

std::vector<std::string> ParseLastTestsFailed(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::string_view line = NextLine(text);
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && colon + 1 < line.size()) names.emplace_back(line.substr(colon + 1));
  }
  return names;
}

bool FailedForCTest(const JUnitCase& one) {
  if (one.state == CaseState::kFailed) return true;
  // "Disabled" has no message; the tests that skip themselves name the property that says so.
  return one.state == CaseState::kNotRun && !one.message.empty() && !one.message.starts_with("SKIP_");
}

}  // namespace oscope
