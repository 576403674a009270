// Asks a table:  Query(people).Where("age", Is::kAtLeast, 18).OrderBy("name").Limit(10).Rows()
//
// Uses an index where a condition has one. A cell that is nothing meets no condition but kNull.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quill/table/table.h"

namespace quill::table {

enum class Is { kEqual, kNotEqual, kLess, kAtLeast, kNull, kLike };

class Query {
 public:
  explicit Query(const Table& table) : table_(table) {}

  // kLike compares texts, with '*' at the end for anything.
  Query& Where(std::string column, Is is, Cell value = {});
  // Orders by this column first, then by those given after it; equal rows keep their order.
  Query& OrderBy(std::string column, bool descending = false);
  Query& Offset(size_t rows);
  Query& Limit(size_t rows);

  std::vector<RowId> Rows() const;
  // One column of the rows.
  std::vector<Cell> Values(const std::string& column) const;
  size_t Count() const { return Rows().size(); }
  // The sum of a column; what is nothing counts as 0.
  double Sum(const std::string& column) const;
  // How many conditions the indexes answer: for tests.
  size_t indexed_conditions() const;

 private:
  struct Condition {
    std::string column;
    Is is;
    Cell value;
  };
  struct Order {
    std::string column;
    bool descending;
  };

  bool Meets(RowId row, const Condition& condition) const;
  std::optional<std::vector<RowId>> FromIndex(const Condition& condition) const;
  std::vector<RowId> Candidates() const;
  void Sort(std::vector<RowId>& rows) const;

  const Table& table_;
  std::vector<Condition> conditions_;
  std::vector<Order> orders_;
  size_t offset_ = 0;
  std::optional<size_t> limit_;
};

}  // namespace quill::table
