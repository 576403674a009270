#include "tests/bql/answer_text.h"

#include <fmt/core.h>

#include <sstream>

namespace oscope {
namespace {

using Lines = std::vector<std::string>;

void AddLines(std::string_view text, Lines& lines) {
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
}

std::string Join(const Lines& parts) {
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : " | ") + part;
  return joined;
}

std::string CellText(const Value& value) {
  if (const auto* number = std::get_if<uint64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "NULL";
}

std::string PairText(const std::optional<TracePair>& pair) {
  if (!pair) return "no pair";
  return fmt::format("{} ~ {}", ToString(pair->ours), pair->theirs ? ToString(*pair->theirs) : "pattern");
}

std::string RowText(const AnswerRow& row, size_t columns, bool pair) {
  Lines parts;
  for (size_t i = 0; i < columns && i < row.cells.size(); ++i) parts.push_back(CellText(row.cells[i]));
  if (pair) parts.push_back(PairText(row.pair));
  return Join(parts);
}

void AddQueries(const std::vector<ListedQuery>& queries, Lines& lines) {
  for (const ListedQuery& query : queries) {
    std::string parameters;
    for (const std::string& parameter : query.parameters) parameters += (parameters.empty() ? "" : ", ") + parameter;
    AddLines(fmt::format("{}({}){}", query.name, parameters, query.shipped ? " shipped" : ": " + query.text), lines);
  }
}

// Diagnostics say where; an error without any says what.
void AddProblems(std::string_view statement, const StatementResult& result, Lines& lines) {
  AddLines(bql::RenderShort(statement, result.diagnostics), lines);
  if (result.error && !bql::HasErrors(result.diagnostics)) {
    AddLines(fmt::format("{}: {}", ErrorCodeName(result.error->code), result.error->message), lines);
  }
}

void AddNotes(const Answer& answer, Lines& lines) {
  for (const std::string& note : answer.notes) AddLines("note: " + note, lines);
  for (const std::string& damaged : answer.damaged) AddLines("damaged: " + damaged, lines);
}

}  // namespace

Lines AnswerText(std::string_view statement, const StatementResult& result, const AnswerTextOptions& options) {
  Lines lines;
  AddProblems(statement, result, lines);
  if (result.text) AddLines(*result.text, lines);
  if (result.queries) AddQueries(*result.queries, lines);
  if (!result.answer) return lines;
  const Answer& answer = *result.answer;
  AddNotes(answer, lines);
  if (options.all_columns) lines.push_back(Join(answer.columns));
  const size_t columns = options.all_columns ? answer.columns.size() : answer.asked_columns;
  for (const AnswerRow& row : answer.rows) lines.push_back(RowText(row, columns, options.pairs));
  return lines;
}

Lines FullAnswerText(std::string_view statement, const StatementResult& result) {
  Lines lines = AnswerText(statement, result, {.all_columns = true, .pairs = true});
  if (!result.answer) return lines;
  for (const AnswerRow& row : result.answer->rows) {
    Lines parts;
    for (const BugKey& bug : row.bugs) parts.push_back(ToString(bug));
    parts.push_back(row.distance ? std::to_string(*row.distance) : "no distance");
    lines.push_back(Join(parts));
  }
  return lines;
}

}  // namespace oscope
