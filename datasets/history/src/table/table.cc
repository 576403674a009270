#include "quill/table/table.h"

#include "quill/csv/writer.h"

namespace quill::table {

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

Table Table::FromCsv(std::vector<Column> columns, std::string_view text) {
  Table table(std::move(columns));
  csv::Reader reader(text);
  while (const std::optional<csv::Record> record = reader.Next()) {
    Row row;
    for (const Column& column : table.columns_) {
      row.push_back(FromText(record->Get(column.name), column.type));
    }
    table.Insert(std::move(row));
  }
  return table;
}

std::string Table::ToCsv() const {
  csv::Writer writer;
  std::vector<std::string> fields;
  for (const Column& column : columns_) fields.push_back(column.name);
  writer.AddRecord(fields);
  for (const auto& [id, row] : rows_) {
    fields.clear();
    for (const Cell& cell : row) fields.push_back(ToText(cell));
    writer.AddRecord(fields);
  }
  return writer.text();
}

size_t Table::ColumnAt(std::string_view name) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return i;
  }
  throw Error("no column '" + std::string(name) + "'");
}

RowId Table::Insert(Row row) {
  if (row.size() != columns_.size()) throw Error("a row has a cell for each column");
  for (size_t i = 0; i < row.size(); ++i) CheckCell(row[i], columns_[i]);
  const auto id = static_cast<RowId>(next_id_++);
  AddToIndexes(id, row);
  rows_.emplace(id, std::move(row));
  return id;
}

const Cell& Table::Get(RowId row, std::string_view column) const {
  return RowAt(row)[ColumnAt(column)];
}

const Row& Table::RowAt(RowId row) const {
  const auto found = rows_.find(row);
  if (found == rows_.end()) {
    throw Error("no row " + std::to_string(static_cast<uint32_t>(row)));
  }
  return found->second;
}

void Table::Update(RowId row, std::string_view column, Cell cell) {
  const size_t place = ColumnAt(column);
  CheckCell(cell, columns_[place]);
  Row changed = RowAt(row);
  RemoveFromIndexes(row, changed);
  changed[place] = std::move(cell);
  AddToIndexes(row, changed);
  rows_.at(row) = std::move(changed);
}

bool Table::Erase(RowId row) {
  const auto found = rows_.find(row);
  if (found == rows_.end()) return false;
  RemoveFromIndexes(row, found->second);
  rows_.erase(found);
  return true;
}

size_t Table::EraseIf(const std::function<bool(const Row&)>& unwanted) {
  const size_t before = rows_.size();
  for (auto at = rows_.begin(); at != rows_.end();) {
    if (!unwanted(at->second)) {
      ++at;
      continue;
    }
    RemoveFromIndexes(at->first, at->second);
    at = rows_.erase(at);
  }
  return before - rows_.size();
}

void Table::AddIndex(std::string_view column, std::unique_ptr<Index> index) {
  const size_t place = ColumnAt(column);
  for (const auto& [id, row] : rows_) index->Insert(row[place], id);
  indexes_[place] = std::move(index);
}

const Index* Table::FindIndex(std::string_view column) const {
  const auto found = indexes_.find(ColumnAt(column));
  return found == indexes_.end() ? nullptr : found->second.get();
}

std::vector<RowId> Table::RowIds() const {
  std::vector<RowId> ids;
  for (const auto& [id, row] : rows_) ids.push_back(id);
  return ids;
}

void Table::CheckCell(const Cell& cell, const Column& column) const {
  if (IsNull(cell)) return;
  const bool text = std::holds_alternative<std::string>(cell);
  if (text != (column.type == Type::kText)) {
    throw Error("'" + ToText(cell) + "' does not fit column '" + column.name + "'");
  }
}

void Table::AddToIndexes(RowId id, const Row& row) {
  for (const auto& [place, index] : indexes_) index->Insert(row[place], id);
}

void Table::RemoveFromIndexes(RowId id, const Row& row) {
  for (const auto& [place, index] : indexes_) index->Remove(row[place], id);
}

}  // namespace quill::table
