#include "quill/table/index.h"

namespace quill::table {

void HashIndex::Insert(const Cell& cell, RowId row) { rows_[ToText(cell)].insert(row); }

void HashIndex::Remove(const Cell& cell, RowId row) {
  const auto found = rows_.find(ToText(cell));
  if (found == rows_.end()) return;
  found->second.erase(row);
  if (found->second.empty()) rows_.erase(found);
}

std::vector<RowId> HashIndex::Find(const Cell& cell) const {
  const auto found = rows_.find(ToText(cell));
  if (found == rows_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::vector<RowId> HashIndex::Range(const Cell&, const Cell&) const {
  throw Error("a hash index knows no ranges");
}

void OrderedIndex::Insert(const Cell& cell, RowId row) { rows_[cell].insert(row); }

void OrderedIndex::Remove(const Cell& cell, RowId row) {
  const auto found = rows_.find(cell);
  if (found == rows_.end()) return;
  found->second.erase(row);
  if (found->second.empty()) rows_.erase(found);
}

std::vector<RowId> OrderedIndex::Find(const Cell& cell) const {
  const auto found = rows_.find(cell);
  if (found == rows_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::vector<RowId> OrderedIndex::Range(const Cell& low, const Cell& high) const {
  std::vector<RowId> rows;
  const auto end = rows_.lower_bound(high);
  for (auto at = rows_.lower_bound(low); at != end; ++at) {
    rows.insert(rows.end(), at->second.begin(), at->second.end());
  }
  return rows;
}

}  // namespace quill::table
