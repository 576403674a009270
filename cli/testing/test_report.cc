// The report of `oscope test`: one paragraph for each failure as text, one object as JSON, or one line as an annotation
// for GitHub Actions.
#include "cli/testing/test_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/escape.h"
#include "cli/output/text.h"
#include "tracer/harness/annotation.h"

namespace oscope::cli {
namespace {

constexpr size_t kMostNamed = 10;  // of failures that are alike

std::string PlaceText(const SourcePlace& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

Json AsJson(const TestResult& result) {
  Json json = {{"test", result.test}, {"verdict", TestVerdictName(result.verdict)}};
  const auto set = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  set("why", result.why);
  if (result.outcome) json["outcome"] = OutcomeName(*result.outcome);
  set("reason", result.reason);
  set("message", result.message);
  if (result.place) json["place"] = {{"file", result.place->file}, {"line", result.place->line}};
  set("fingerprint", result.fingerprint);
  if (result.run) json["run"] = ToString(*result.run);
  if (result.verdict == TestVerdict::kRecorded) json["events"] = result.events;
  set("file", result.file);
  if (result.bug) {
    json["bug"] = ToString(result.bug->bug);
    json["bug_is_new"] = result.bug->fate == RunFate::kNew;
    json["reopened"] = result.bug->fate == RunFate::kReopened;
    if (result.bug->resolved) json["resolved_bug"] = ToString(*result.bug->resolved);
  }
  json["similar"] = result.similar ? ToJson(*result.similar) : Json::array();
  json["notes"] = result.notes;
  if (!result.error.ok()) {
    const Error& error = result.error.error();
    json["error"] = {{"code", ErrorCodeName(error.code)}, {"message", error.message}};
  }
  return json;
}

// As a word of a shell.
std::string Quoted(const std::string& path) {
  const auto is_plain = [](char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
           std::string_view("/._-+,:@%").find(byte) != std::string_view::npos;
  };
  if (std::ranges::all_of(path, is_plain)) return path;
  std::string quoted = "'";
  for (const char byte : path) quoted += byte == '\'' ? "'\\''" : std::string(1, byte);
  return quoted + "'";
}

std::string_view InWords(TestVerdict verdict) {
  switch (verdict) {
    case TestVerdict::kRecorded: return "recorded";
    case TestVerdict::kFlaky: return "flaky";
    case TestVerdict::kNotReproduced: return "not reproduced under the recorder";
    case TestVerdict::kNotRun: return "not run";
  }
  return "";
}

}  // namespace

std::string_view TestVerdictName(TestVerdict verdict) {
  switch (verdict) {
    case TestVerdict::kRecorded: return "recorded";
    case TestVerdict::kFlaky: return "flaky";
    case TestVerdict::kNotReproduced: return "not-reproduced";
    case TestVerdict::kNotRun: return "not-run";
  }
  return "";
}

void TestReport::Add(TestResult result) {
  if (!context_.json()) Print(result);
  results_.push_back(std::move(result));
  std::fflush(stdout);
}

void TestReport::Print(const TestResult& result) const {
  const Palette palette(context_.color());
  if (result.verdict == TestVerdict::kRecorded) {
    PrintRecorded(result);
  } else {
    context_.Print("\n{}{}{}: {}{}{}\n", palette.bold, Shown(result.test), palette.reset, palette.yellow,
                   InWords(result.verdict), palette.reset);
    if (!result.why.empty()) context_.PrintText(ShownBlock(result.why, "  "));
    if (!result.message.empty()) context_.PrintText(ShownBlock(result.message, "  "));
  }
  for (const std::string& note : result.notes) context_.PrintText(ShownBlock(note, "  "));
  if (!annotate_) return;
  const std::string message = result.verdict == TestVerdict::kRecorded
                                  ? result.message
                                  : fmt::format("{}: {}", InWords(result.verdict), result.why);
  const std::string title = result.bug ? fmt::format("{} ({})", result.test, ToString(result.bug->bug)) : result.test;
  // A test that passes when it is run again breaks nothing.
  const AnnotationLevel level =
      result.verdict == TestVerdict::kFlaky ? AnnotationLevel::kWarning : AnnotationLevel::kError;
  context_.Print("{}\n", EscapeForTerminal(GitHubAnnotation(level, title, message, result.place, WorkingDirectory())));
}

void TestReport::PrintRecorded(const TestResult& result) const {
  const Palette palette(context_.color());
  std::string where = result.file;
  if (result.bug) {
    where = ToString(result.bug->bug);
    if (result.bug->fate == RunFate::kNew) where += " (new)";
    if (result.bug->fate == RunFate::kReopened) where += " (reopened)";
  }
  context_.Print("\n{}{}{}: {}{}\n", palette.bold, Shown(result.test), palette.reset,
                 Shown(where.empty() ? "recorded, not kept" : where),
                 fmt::format(", {}", Counted(result.events, "event")));
  const std::string place = result.place ? PlaceText(*result.place) : "";
  if (result.message.find(place) == std::string::npos) context_.Print("  {}\n", Shown(place));
  context_.PrintText(ShownBlock(result.message, "  "));
  if (!result.error.ok()) context_.PrintText(ShownBlock("not kept: " + result.error.error().message, "  "));
  if (result.bug && result.bug->resolved) {
    context_.Print("  {} had this failure and is resolved: is it back? `oscope bug reopen {}`, or --reopen next time\n",
                   Shown(ToString(*result.bug->resolved)), Shown(ToString(*result.bug->resolved)));
  }
  if (result.similar) {
    // Its notes speak of options of `similar`; the line below says more.
    Context quiet = context_;
    quiet.options.quiet = true;
    PrintSimilar(quiet, *result.similar, {.to_stderr = false, .explain = false, .subject = ToString(result.bug->bug)});
  }
  if (result.bug)
    context_.Print("`oscope show bug {0}` and `oscope similar {0} --explain` tell more\n",
                   Shown(ToString(result.bug->bug)));
}

// By their fingerprints, or because one finds the other's bug among those that are no edit away.
std::vector<std::vector<const TestResult*>> TestReport::Alike() const {
  const auto is_alike = [](const TestResult& a, const TestResult& b) {
    if (!a.fingerprint.empty() && a.fingerprint == b.fingerprint) return true;
    if (!a.similar || !b.bug) return false;
    return std::ranges::any_of(
        a.similar->bugs, [&](const SimilarBug& bug) { return bug.distance == 0 && bug.report.key == b.bug->bug; });
  };
  std::vector<std::vector<const TestResult*>> groups;
  for (const TestResult& result : results_) {
    if (result.verdict != TestVerdict::kRecorded) continue;
    std::vector<const TestResult*> joined;
    // It may be what two groups have in common.
    std::erase_if(groups, [&](const std::vector<const TestResult*>& group) {
      const bool joins = std::ranges::any_of(
          group, [&](const TestResult* one) { return is_alike(*one, result) || is_alike(result, *one); });
      if (joins) joined.insert(joined.end(), group.begin(), group.end());
      return joins;
    });
    joined.push_back(&result);
    groups.push_back(std::move(joined));
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

size_t TestReport::not_kept() const {
  return static_cast<size_t>(
      std::ranges::count_if(results_, [](const TestResult& result) { return !result.error.ok(); }));
}

std::string TestReport::HowToImport() const {
  const auto written = std::ranges::find_if(results_, [](const TestResult& result) { return !result.file.empty(); });
  if (written == results_.end()) return "";
  const std::string directory = std::filesystem::path(written->file).parent_path().string();
  return fmt::format("`oscope import {}/*.osct` takes them into a store\n", Shown(Quoted(directory)));
}

Json TestReport::AsJson(int exit_code, size_t left) const {
  Json json = {{"exit_code", exit_code}, {"left_out", left}, {"tests", Json::array()}, {"alike", Json::array()}};
  for (const TestResult& result : results_) json["tests"].push_back(cli::AsJson(result));
  for (const auto& group : Alike()) {
    Json& alike = json["alike"].emplace_back(Json{{"tests", Json::array()}, {"bugs", Json::array()}});
    for (const TestResult* result : group) {
      alike["tests"].push_back(result->test);
      if (result->bug) alike["bugs"].push_back(ToString(result->bug->bug));
    }
  }
  return json;
}

void TestReport::Finish(int exit_code, size_t left) {
  const auto count = [&](TestVerdict verdict) {
    return static_cast<uint64_t>(
        std::count_if(results_.begin(), results_.end(), [&](const TestResult& one) { return one.verdict == verdict; }));
  };
  if (context_.json()) return context_.PrintJson(AsJson(exit_code, left));
  if (results_.empty() && left == 0) return;
  std::string line = fmt::format("\n{} recorded", count(TestVerdict::kRecorded));
  if (not_kept() > 0) line += fmt::format(" ({} of them not kept)", not_kept());
  for (const TestVerdict verdict : {TestVerdict::kFlaky, TestVerdict::kNotReproduced, TestVerdict::kNotRun}) {
    if (count(verdict) > 0) line += fmt::format(", {} {}", count(verdict), InWords(verdict));
  }
  if (left > 0) line += fmt::format(", {} left out (--max-failures)", left);
  line += "\n";
  for (const auto& group : Alike()) {
    std::vector<std::string> names;
    for (const TestResult* result : group)
      names.push_back(Shown(result->bug ? ToString(result->bug->bug) : result->test));
    const bool cut = names.size() > kMostNamed;
    names.resize(std::min(names.size(), kMostNamed));
    line += fmt::format("{} of these fail alike: {}{}\n", group.size(), fmt::join(names, ", "), cut ? ", …" : "");
  }
  context_.PrintText(line + HowToImport());
}

}  // namespace oscope::cli
