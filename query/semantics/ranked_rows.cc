// Orders rows, cuts them and makes their cells. Rows are sorted only as far as they are shown (partial_sort), since an
// answer may have a million rows of which ten are shown.
#include "query/semantics/ranked_rows.h"

#include <algorithm>
#include <tuple>

namespace oscope {
namespace {

using bql::OutputColumn;

std::string ColumnName(const bql::Select& select, const OutputColumn& column) {
  switch (column.kind) {
    case OutputColumn::Kind::kBug: return select.variables[column.variable];
    case OutputColumn::Kind::kField: return select.variables[column.variable] + "." + column.field;
    case OutputColumn::Kind::kDistance: return "distance";
    case OutputColumn::Kind::kCount: return "count";
  }
  return "";
}

bool Nearer(const FoundRow& a, const FoundRow& b) {
  const auto rank = [](const FoundRow& row) {
    return std::make_tuple(!row.judgement.distance, row.judgement.distance.value_or(0));
  };
  return rank(a) != rank(b) ? rank(a) < rank(b) : a.bugs < b.bugs;
}

// The value that orders a row: the field's first, nothing last in either direction.
std::optional<std::string> SortValue(const OutputColumn& column, const BugFields& fields, const FoundRow& row) {
  std::vector<std::string> values = fields.ValuesOf(row.bugs[column.variable], column.field);
  if (values.empty()) return std::nullopt;
  return std::move(values.front());
}

// Puts the first `wanted` rows in their order; the others follow in any.
void SortByField(const bql::OrderBy& order, const BugFields& fields, uint64_t wanted, std::vector<FoundRow>& rows) {
  struct Keyed {
    std::optional<std::string> value;
    FoundRow row;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(rows.size());
  for (FoundRow& row : rows) {
    std::optional<std::string> value = SortValue(order.column, fields, row);
    keyed.push_back({std::move(value), std::move(row)});
  }
  const auto middle = keyed.begin() + static_cast<ptrdiff_t>(wanted);
  std::partial_sort(keyed.begin(), middle, keyed.end(), [&](const Keyed& a, const Keyed& b) {
    if (a.value.has_value() != b.value.has_value()) return a.value.has_value();
    if (a.value != b.value) return order.descending ? b.value < a.value : a.value < b.value;
    return Nearer(a.row, b.row);
  });
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = std::move(keyed[i].row);
}

Value Cell(const OutputColumn& column, const BugFields& fields, const FoundRow& row) {
  switch (column.kind) {
    case OutputColumn::Kind::kBug: return ToString(fields.KeyOf(row.bugs[column.variable]));
    case OutputColumn::Kind::kDistance: return row.judgement.distance ? Value(*row.judgement.distance) : Value();
    case OutputColumn::Kind::kCount: return Value();
    case OutputColumn::Kind::kField: break;
  }
  std::string joined;
  for (const std::string& value : fields.ValuesOf(row.bugs[column.variable], column.field)) {
    if (!joined.empty()) joined += ", ";
    joined += value;
  }
  return joined.empty() ? Value() : Value(std::move(joined));
}

}  // namespace

AnswerColumns ColumnsOf(const bql::Select& select) {
  AnswerColumns made;
  made.columns = select.columns;
  made.asked = select.columns.size();
  const bool bugs_only = std::all_of(select.columns.begin(), select.columns.end(), [](const OutputColumn& column) {
    return column.kind == OutputColumn::Kind::kBug;
  });
  if (bugs_only) {
    made.columns.push_back({.kind = OutputColumn::Kind::kDistance, .variable = 0, .field = {}});
    for (const OutputColumn& column : select.columns) {
      for (const char* field : {"status", "title"}) {
        made.columns.push_back({.kind = OutputColumn::Kind::kField, .variable = column.variable, .field = field});
      }
    }
  }
  for (const OutputColumn& column : made.columns) made.names.push_back(ColumnName(select, column));
  return made;
}

bool CountsOnly(const bql::Select& select) {
  return select.columns.size() == 1 && select.columns[0].kind == OutputColumn::Kind::kCount;
}

bool OrdersByField(const bql::Select& select) {
  return select.order && select.order->column.kind == OutputColumn::Kind::kField;
}

void RankRows(const bql::Select& select, const BugFields& fields, std::vector<FoundRow>& rows) {
  const uint64_t begin = std::min<uint64_t>(select.offset, rows.size());
  const uint64_t count = std::min<uint64_t>(select.limit.value_or(UINT64_MAX), rows.size() - begin);
  if (OrdersByField(select)) {
    SortByField(*select.order, fields, begin + count, rows);
  } else if (select.order && select.order->descending) {
    std::sort(rows.begin(), rows.end(), [](const FoundRow& a, const FoundRow& b) {
      const auto rank = [](const FoundRow& row) {
        return std::make_tuple(!row.judgement.distance, ~row.judgement.distance.value_or(0));
      };
      return rank(a) != rank(b) ? rank(a) < rank(b) : a.bugs < b.bugs;
    });
  } else {
    // Only what is shown needs its order.
    const auto middle = rows.begin() + static_cast<ptrdiff_t>(begin + count);
    std::partial_sort(rows.begin(), middle, rows.end(), Nearer);
  }
  rows.erase(rows.begin() + static_cast<ptrdiff_t>(begin + count), rows.end());
  rows.erase(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(begin));
}

Answer MakeAnswer(const bql::Select& select, const BugFields& fields, const std::vector<FoundRow>& rows,
                  uint64_t found) {
  Answer answer;
  const AnswerColumns columns = ColumnsOf(select);
  answer.columns = columns.names;
  answer.asked_columns = columns.asked;
  if (CountsOnly(select)) {
    answer.rows.push_back({.bugs = {}, .distance = {}, .pair = {}, .cells = {Value(found)}});
    return answer;
  }
  answer.rows.reserve(rows.size());
  for (const FoundRow& row : rows) {
    AnswerRow& made = answer.rows.emplace_back();
    for (const uint32_t bug : row.bugs) made.bugs.push_back(fields.KeyOf(bug));
    made.distance = row.judgement.distance;
    made.pair = row.judgement.pair;
    for (const OutputColumn& column : columns.columns) made.cells.push_back(Cell(column, fields, row));
  }
  return answer;
}

}  // namespace oscope
