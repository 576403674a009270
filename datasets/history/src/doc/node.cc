#include "quill/doc/node.h"

namespace quill::doc {

ListItem& List::Add(std::string text) {
  items_.push_back({std::move(text), nullptr});
  return items_.back();
}

void Grid::AddRow(std::vector<std::string> row) {
  row.resize(head_.size());
  rows_.push_back(std::move(row));
}

void Grid::Align(size_t column, layout::Side side) {
  if (column >= sides_.size()) sides_.resize(column + 1, layout::Side::kLeft);
  sides_[column] = side;
}

layout::Side Grid::SideOf(size_t column) const {
  return column < sides_.size() ? sides_[column] : layout::Side::kLeft;
}

void Document::Walk(Visitor& visitor) const {
  for (const auto& block : blocks_) block->Accept(visitor);
}

}  // namespace quill::doc
