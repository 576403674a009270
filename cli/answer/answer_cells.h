// The cells of an answer as printers see them.
#pragma once

#include <string>
#include <vector>

#include "query/semantics/answer.h"

namespace oscope::cli {

// Raw text: not escaped. Empty where there is no value.
inline std::string CellText(const Value& value) {
  if (const auto* number = std::get_if<uint64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

// Whether a column has numbers and nothing else.
inline std::vector<bool> NumberColumns(const Answer& answer) {
  std::vector<bool> numbers(answer.columns.size(), !answer.rows.empty());
  for (const AnswerRow& row : answer.rows) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (i < row.cells.size() && std::holds_alternative<std::string>(row.cells[i])) numbers[i] = false;
    }
  }
  return numbers;
}

}  // namespace oscope::cli
