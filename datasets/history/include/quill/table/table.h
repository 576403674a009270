// Rows in memory, with indexes over columns that are kept up to date.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quill/csv/reader.h"
#include "quill/table/cell.h"
#include "quill/table/index.h"

namespace quill::table {

struct Column {
  std::string name;
  Type type = Type::kText;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);
  // The records of a CSV text with a header; columns that the text lacks are nothing.
  static Table FromCsv(std::vector<Column> columns, std::string_view text);
  std::string ToCsv() const;

  const std::vector<Column>& columns() const { return columns_; }
  size_t size() const { return rows_.size(); }
  // Fails with Error if there is no such column.
  size_t ColumnAt(std::string_view name) const;

  // Fails if the cells do not fit the columns.
  RowId Insert(Row row);
  const Cell& Get(RowId row, std::string_view column) const;
  const Row& RowAt(RowId row) const;
  void Update(RowId row, std::string_view column, Cell cell);
  bool Erase(RowId row);
  // Erases all rows of which `unwanted` says so, and returns how many.
  size_t EraseIf(const std::function<bool(const Row&)>& unwanted);

  void AddIndex(std::string_view column, std::unique_ptr<Index> index);
  // Null if the column has none.
  const Index* FindIndex(std::string_view column) const;

  // In the order in which they were inserted.
  std::vector<RowId> RowIds() const;

 private:
  void CheckCell(const Cell& cell, const Column& column) const;
  void AddToIndexes(RowId id, const Row& row);
  void RemoveFromIndexes(RowId id, const Row& row);

  std::vector<Column> columns_;
  std::map<RowId, Row> rows_;
  std::map<size_t, std::unique_ptr<Index>> indexes_;  // by the column's place
  uint32_t next_id_ = 0;
};

}  // namespace quill::table
