#include "quill/table/query.h"

#include <algorithm>

#include "quill/text/strings.h"

namespace quill::table {
namespace {

bool IsLike(const std::string& text, const std::string& pattern) {
  if (pattern.empty() || pattern.back() != '*') return text == pattern;
  return text::StartsWith(text, std::string_view(pattern).substr(0, pattern.size() - 1));
}

}  // namespace

Query& Query::Where(std::string column, Is is, Cell value) {
  conditions_.push_back({std::move(column), is, std::move(value)});
  return *this;
}

Query& Query::OrderBy(std::string column, bool descending) {
  orders_.push_back({std::move(column), descending});
  return *this;
}

Query& Query::Offset(size_t rows) {
  offset_ = rows;
  return *this;
}

Query& Query::Limit(size_t rows) {
  limit_ = rows;
  return *this;
}

std::vector<RowId> Query::Rows() const {
  std::vector<RowId> rows;
  for (const RowId row : Candidates()) {
    const bool met = std::all_of(conditions_.begin(), conditions_.end(),
                                 [&](const Condition& condition) { return Meets(row, condition); });
    if (met) rows.push_back(row);
  }
  Sort(rows);
  const size_t begin = std::min(offset_, rows.size());
  const size_t end = limit_ ? std::min(begin + *limit_, rows.size()) : rows.size();
  return {rows.begin() + static_cast<std::ptrdiff_t>(begin),
          rows.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::vector<Cell> Query::Values(const std::string& column) const {
  std::vector<Cell> values;
  for (const RowId row : Rows()) values.push_back(table_.Get(row, column));
  return values;
}

double Query::Sum(const std::string& column) const {
  double sum = 0;
  for (const Cell& cell : Values(column)) {
    if (IsNull(cell)) continue;
    const int64_t* const integer = std::get_if<int64_t>(&cell);
    sum += integer != nullptr ? static_cast<double>(*integer) : std::get<double>(cell);
  }
  return sum;
}

size_t Query::indexed_conditions() const {
  return static_cast<size_t>(std::count_if(
      conditions_.begin(), conditions_.end(),
      [this](const Condition& condition) { return FromIndex(condition).has_value(); }));
}

bool Query::Meets(RowId row, const Condition& condition) const {
  const Cell& cell = table_.Get(row, condition.column);
  if (IsNull(cell)) return condition.is == Is::kNull;
  switch (condition.is) {
    case Is::kEqual:
      return Compare(cell, condition.value) == 0;
    case Is::kNotEqual:
      return Compare(cell, condition.value) != 0;
    case Is::kLess:
      return Compare(cell, condition.value) < 0;
    case Is::kAtLeast:
      return Compare(cell, condition.value) >= 0;
    case Is::kLike:
      return IsLike(std::get<std::string>(cell), std::get<std::string>(condition.value));
    default:
      return false;
  }
}

// Nothing if no index can answer.
std::optional<std::vector<RowId>> Query::FromIndex(const Condition& condition) const {
  const Index* const index = table_.FindIndex(condition.column);
  if (index == nullptr) return std::nullopt;
  if (condition.is == Is::kEqual) return index->Find(condition.value);
  if (condition.is == Is::kLess && index->ordered()) return index->Range(Cell(), condition.value);
  return std::nullopt;
}

std::vector<RowId> Query::Candidates() const {
  for (const Condition& condition : conditions_) {
    if (std::optional<std::vector<RowId>> rows = FromIndex(condition)) {
      std::sort(rows->begin(), rows->end());
      return *std::move(rows);
    }
  }
  return table_.RowIds();
}

void Query::Sort(std::vector<RowId>& rows) const {
  // The last order first: a stable sort keeps it among what later sorts find equal.
  for (auto order = orders_.rbegin(); order != orders_.rend(); ++order) {
    const size_t column = table_.ColumnAt(order->column);
    std::stable_sort(rows.begin(), rows.end(), [&](RowId left, RowId right) {
      const int compared = Compare(table_.RowAt(left)[column], table_.RowAt(right)[column]);
      return order->descending ? compared > 0 : compared < 0;
    });
  }
}

}  // namespace quill::table
