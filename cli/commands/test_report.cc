#include "cli/commands/test_report.h"

#include "base/escape.h"
#include "cli/text.h"
#include "tracer/harness/annotation.h"

namespace oscope::cli {
namespace {

std::string PlaceText(const SourcePlace& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

Json AsJson(const SimilarAnswer& answer) {
  Json json = Json::array();
  for (const SimilarBug& similar : answer.bugs) {
    Json one = {{"bug", ToString(similar.report.key)}, {"status", BugStatusName(similar.report.status)}, {"title", similar.report.title}};
    if (similar.distance) one["distance"] = *similar.distance;
    if (const std::string fix = FixInWords(similar.report.fix); !fix.empty()) one["fix"] = fix;
    json.push_back(std::move(one));
  }
  return json;
}

Json AsJson(const TestResult& result) {
  Json json = {{"test", result.test}, {"verdict", TestVerdictName(result.verdict)}};
  const auto set = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  set("why", result.why);
  set("message", result.message);
  if (result.place) json["place"] = {{"file", result.place->file}, {"line", result.place->line}};
  set("fingerprint", result.fingerprint);
  if (result.run) json["run"] = ToString(*result.run);
  if (result.verdict == TestVerdict::kRecorded) json["events"] = result.events;
  set("file", result.file);
  if (result.bug) {
    json["bug"] = ToString(result.bug->bug);
    json["bug_is_new"] = result.bug->is_new;
    json["reopened"] = result.bug->reopened;
    if (result.bug->resolved) json["resolved_bug"] = ToString(*result.bug->resolved);
  }
  json["similar"] = result.similar ? AsJson(*result.similar) : Json::array();
  json["notes"] = result.notes;
  return json;
}

std::string_view InWords(TestVerdict verdict) {
  switch (verdict) {
    case TestVerdict::kRecorded: return "recorded";
    case TestVerdict::kFlaky: return "flaky";
    case TestVerdict::kNotReproduced: return "not reproduced under the tracer";
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
    context_.Print("\n{}{}{}: {}{}{}\n", palette.bold, Shown(result.test), palette.reset, palette.yellow, InWords(result.verdict), palette.reset);
    if (!result.why.empty()) context_.PrintText(ShownBlock(result.why, "  "));
  }
  for (const std::string& note : result.notes) context_.PrintText(ShownBlock(note, "  "));
  if (!annotate_) return;
  const std::string message = result.verdict == TestVerdict::kRecorded ? result.message : fmt::format("{}: {}", InWords(result.verdict), result.why);
  const std::string title = result.bug ? fmt::format("{} ({})", result.test, ToString(result.bug->bug)) : result.test;
  context_.Print("{}\n", EscapeForTerminal(GitHubError(title, message, result.place, WorkingDirectory())));
}

void TestReport::PrintRecorded(const TestResult& result) const {
  const Palette palette(context_.color());
  std::string where = result.file;
  if (result.bug) {
    where = ToString(result.bug->bug);
    if (result.bug->is_new) where += " (new)";
    if (result.bug->reopened) where += " (reopened)";
  }
  context_.Print("\n{}{}{}: {}{}\n", palette.bold, Shown(result.test), palette.reset, Shown(where.empty() ? "recorded, not kept" : where),
                 fmt::format(", {}", Counted(result.events, "event")));
  const std::string place = result.place ? PlaceText(*result.place) : "";
  if (result.message.find(place) == std::string::npos) context_.Print("  {}\n", Shown(place));
  context_.PrintText(ShownBlock(result.message, "  "));
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
  if (result.bug) context_.Print("`oscope show bug {0}` and `oscope similar {0} --explain` tell more\n", Shown(ToString(result.bug->bug)));
}

void TestReport::Finish(int exit_code, size_t left) {
  const auto count = [&](TestVerdict verdict) {
    return static_cast<uint64_t>(
        std::count_if(results_.begin(), results_.end(), [&](const TestResult& one) { return one.verdict == verdict; }));
  };
  if (context_.json()) {
    Json json = {{"exit_code", exit_code}, {"left_out", left}, {"tests", Json::array()}};
    for (const TestResult& result : results_) json["tests"].push_back(AsJson(result));
    context_.PrintJson(json);
    return;
  }
  if (results_.empty() && left == 0) return;
  std::string line = fmt::format("\n{} recorded", count(TestVerdict::kRecorded));
  for (const TestVerdict verdict : {TestVerdict::kFlaky, TestVerdict::kNotReproduced, TestVerdict::kNotRun}) {
    if (count(verdict) > 0) line += fmt::format(", {} {}", count(verdict), InWords(verdict));
  }
  if (left > 0) line += fmt::format(", {} left out (--max-failures)", left);
  context_.PrintText(line + "\n");
}

}  // namespace oscope::cli
