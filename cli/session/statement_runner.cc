// Runs statements and shows their answers or errors. A statement may stand in the middle of a script, and its
// diagnostics name places in the statement; Shifted moves them to places in the script, so that messages point at the
// right line of a file.
#include "cli/session/statement_runner.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "base/quantity.h"
#include "bql/diagnostic.h"
#include "cli/answer/answer_json.h"
#include "cli/context/exit_codes.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "cli/session/query_progress.h"

namespace oscope::cli {
namespace {

using bql::Diagnostic;

// Spans of a statement as spans of its script.
std::vector<Diagnostic> Shifted(std::vector<Diagnostic> diagnostics, uint32_t offset) {
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.span.begin += offset;
    diagnostic.span.end += offset;
  }
  return diagnostics;
}

// As compilers write it: "file:line:column: …". RenderDiagnostics orders them; one by one each gets the file's name.
std::string Rendered(const Script& script, const std::vector<Diagnostic>& diagnostics) {
  if (script.name.empty()) return bql::RenderDiagnostics(script.text, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    text += Shown(script.name) + ":" + bql::RenderDiagnostics(script.text, {diagnostic});
  }
  return text;
}

Json AsJson(const Script& script, const Diagnostic& diagnostic) {
  const bql::LineColumn place = bql::Locate(script.text, diagnostic.span.begin);
  Json json = Json::object();
  if (!script.name.empty()) json["file"] = script.name;
  json["severity"] = diagnostic.severity == bql::Severity::kError ? "error" : "warning";
  json["line"] = place.line;
  json["column"] = place.column;
  json["begin"] = diagnostic.span.begin;
  json["end"] = diagnostic.span.end;
  json["message"] = diagnostic.message;
  return json;
}

Json AsJson(const Script& script, const std::vector<Diagnostic>& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) list.push_back(AsJson(script, diagnostic));
  return list;
}

Answer AsAnswer(const std::vector<ListedQuery>& queries) {
  Answer answer;
  answer.columns = {"name", "parameters", "origin", "query"};
  answer.asked_columns = 1;
  for (const ListedQuery& query : queries) {
    AnswerRow& row = answer.rows.emplace_back();
    row.cells = {query.name, fmt::format("{}", fmt::join(query.parameters, ", ")),
                 std::string(query.shipped ? "shipped" : "saved"), query.text};
  }
  return answer;
}

}  // namespace

int StatementExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
    case ErrorCode::kConflict:
    case ErrorCode::kLimit:
    case ErrorCode::kUnsupported: return kExitQuery;
    case ErrorCode::kCancelled: return kExitCancelled;
    case ErrorCode::kCorrupt:
    case ErrorCode::kIo:
    case ErrorCode::kBusy: return kExitOwnError;
  }
  return kExitOwnError;
}

StatementRunner::StatementRunner(const Context& context, Session& session, Presentation presentation)
    : context_(context), session_(session), presentation_(std::move(presentation)) {}

StatementRunner::~StatementRunner() { session_.options().on_progress = nullptr; }

int StatementRunner::Run(const Script& script, const bql::StatementText& statement) {
  const auto start = std::chrono::steady_clock::now();
  StatementResult result;
  {
    QueryProgressBar bar(context_.quiet());
    session_.options().on_progress = [&bar](const QueryProgress& progress) { bar.Show(progress); };
    result = session_.Execute(statement.text);
    session_.options().on_progress = nullptr;
  }
  const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start);
  if (!result.ok()) return ShowError(script, statement.offset, result);
  if (!result.diagnostics.empty() && !context_.quiet()) {
    const std::vector<Diagnostic> warnings = Shifted(result.diagnostics, statement.offset);
    std::fputs(context_.json() ? Dumped({{"warnings", AsJson(script, warnings)}}, -1).c_str()
                               : Rendered(script, warnings).c_str(),
               stderr);
  }
  if (const Status status = ShowResult(std::move(result), took.count()); !status.ok()) {
    context_.Fail(status.error());
    return kExitOwnError;
  }
  return kExitOk;
}

int StatementRunner::RunAll(const Script& script) {
  for (const bql::StatementText& statement : bql::SplitStatements(script.text)) {
    if (const int code = Run(script, statement); code != kExitOk) return code;
  }
  return kExitOk;
}

int StatementRunner::ShowError(const Script& script, uint32_t offset, const StatementResult& result) const {
  std::fflush(stdout);
  const int code = StatementExitCode(result.error->code);
  const std::vector<Diagnostic> diagnostics = Shifted(result.diagnostics, offset);
  if (context_.json()) {
    const Json error = {{"code", ErrorCodeName(result.error->code)},
                        {"message", result.error->message},
                        {"exit_code", code},
                        {"diagnostics", AsJson(script, diagnostics)}};
    std::fputs(Dumped({{"error", error}}, -1).c_str(), stderr);
    return code;
  }
  std::fputs(Rendered(script, diagnostics).c_str(), stderr);
  // Where an error has a place, the error as a whole only repeats it.
  if (!bql::HasErrors(diagnostics)) PrintToStderr("oscope: {}\n", Shown(result.error->message));
  return code;
}

Status StatementRunner::ShowResult(StatementResult result, int64_t took_ns) {
  if (result.text) return MakeResultPrinter(presentation_.mode, 0)->PrintText(*result.text, presentation_.write);
  last_ = result.queries ? AsAnswer(*result.queries) : *std::move(result.answer);
  OSCOPE_RETURN_IF_ERROR(ShowAnswer(*last_));
  if (presentation_.mode != OutputMode::kJson) {
    for (const std::string& note : last_->notes) context_.Note("{}", note);
  }
  if (last_->rows.empty()) context_.Note("no bug matches");
  if (presentation_.timer) {
    ShowTimes(last_->stats, took_ns);
  } else if (presentation_.to_terminal && !context_.quiet()) {
    PrintToStderr("({}, {})\n", Counted(last_->rows.size(), "row"), ShownDuration(static_cast<uint64_t>(took_ns)));
  }
  return {};
}

Status StatementRunner::ShowAnswer(const Answer& answer) const {
  const size_t width = presentation_.to_terminal ? TerminalWidth() : 0;
  OSCOPE_RETURN_IF_ERROR(MakeResultPrinter(presentation_.mode, width)->PrintAnswer(answer, presentation_.write));
  // In order with what follows on stderr.
  std::fflush(stdout);
  return {};
}

Status StatementRunner::ShowLast() {
  if (!last_) return NotFound("there is no answer yet");
  return ShowAnswer(*last_);
}

void StatementRunner::ShowTimes(const QueryStats& stats, int64_t took_ns) const {
  PrintToStderr("time: {} (parse and check {}, plan {}, run {}); {}\n", ShownDuration(static_cast<uint64_t>(took_ns)),
                ShownDuration(stats.check_ns), ShownDuration(stats.plan_ns), ShownDuration(stats.run_ns),
                Counted(last_->rows.size(), "row"));
  PrintToStderr("work: {}; removed by length {}, sketch {}, postings {}; compared {}\n", Counted(stats.traces, "trace"),
                FormatCount(stats.by_length), FormatCount(stats.by_sketch), FormatCount(stats.by_postings),
                FormatCount(stats.verified));
}

}  // namespace oscope::cli
