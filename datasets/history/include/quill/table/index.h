// Finds the rows in which a column has a value.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "quill/table/cell.h"

namespace quill::table {

enum class RowId : uint32_t {};

class Index {
 public:
  virtual ~Index() = default;
  virtual void Insert(const Cell& cell, RowId row) = 0;
  virtual void Remove(const Cell& cell, RowId row) = 0;
  // In the order of the ids.
  virtual std::vector<RowId> Find(const Cell& cell) const = 0;
  // True if the index can answer Range.
  virtual bool ordered() const = 0;
  // The rows with low <= cell < high, in the order of the cells.
  virtual std::vector<RowId> Range(const Cell& low, const Cell& high) const = 0;
};

class HashIndex : public Index {
 public:
  void Insert(const Cell& cell, RowId row) override;
  void Remove(const Cell& cell, RowId row) override;
  std::vector<RowId> Find(const Cell& cell) const override;
  bool ordered() const override { return false; }
  std::vector<RowId> Range(const Cell& low, const Cell& high) const override;

 private:
  std::unordered_map<std::string, std::set<RowId>> rows_;  // by the cell's text
};

class OrderedIndex : public Index {
 public:
  void Insert(const Cell& cell, RowId row) override;
  void Remove(const Cell& cell, RowId row) override;
  std::vector<RowId> Find(const Cell& cell) const override;
  bool ordered() const override { return true; }
  std::vector<RowId> Range(const Cell& low, const Cell& high) const override;

 private:
  std::map<Cell, std::set<RowId>, CellLess> rows_;
};

}  // namespace quill::table
