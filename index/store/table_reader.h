// An open table file, whose columns are found by their names.
//
// A release may add columns to a table, and an older file lacks them. So a reader asks for columns by name, and gets
// each in the type that SchemaOf says: one that the file does not have is null throughout. What would make that
// impossible is found when the file is opened: a column that must be there and is not, or one of another type, is
// kCorrupt and named. Columns that this release does not know are passed over.
// Threads: one at a time.
#pragma once

#include <arrow/api.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/store/manifest.h"

namespace oscope {

// The columns of a table as this release writes them. Those that may be null may be missing in a file.
const arrow::Schema& SchemaOf(Table table);

class TableReader {
 public:
  static Result<std::unique_ptr<TableReader>> Open(Table table, std::unique_ptr<parquet::ParquetFileReader> file);

  int num_row_groups() const { return reader_->num_row_groups(); }
  // The file beneath, for the event codes.
  parquet::ParquetFileReader* parquet_reader() const { return reader_->parquet_reader(); }

  // These columns of a row group, in this order, each in one piece.
  Result<std::shared_ptr<arrow::Table>> Read(int row_group, const std::vector<std::string_view>& columns) const;
  // All columns of SchemaOf, but for some.
  Result<std::shared_ptr<arrow::Table>> ReadAll(int row_group, const std::vector<std::string_view>& without = {}) const;

  // Where the values of a column with one leaf are, among the columns of Parquet; -1: the file does not have it.
  int LeafOf(std::string_view column) const;

 private:
  TableReader(Table table, std::unique_ptr<parquet::arrow::FileReader> reader);
  Status CheckColumns() const;
  Status CheckColumn(const arrow::Field& wanted, const arrow::Schema& found) const;

  Table table_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::map<std::string, std::vector<int>, std::less<>> leaves_;  // by column: its numbers in Parquet
};

inline const arrow::Array& ColumnOf(const arrow::Table& table, const char* name) {
  return *table.GetColumnByName(name)->chunk(0);
}

}  // namespace oscope
