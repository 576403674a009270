#include "quill/pool/string_pool.h"

namespace quill::pool {

Symbol StringPool::Intern(std::string_view text) {
  if (const std::optional<Symbol> known = Find(text)) return *known;
  const auto symbol = static_cast<Symbol>(names_.size());
  const std::string_view copy = arena_.Copy(text);
  names_.push_back(copy);
  symbols_.emplace(copy, symbol);
  return symbol;
}

std::optional<Symbol> StringPool::Find(std::string_view text) const {
  const auto found = symbols_.find(text);
  if (found == symbols_.end()) return std::nullopt;
  return found->second;
}

std::string_view StringPool::Name(Symbol symbol) const {
  return names_.at(static_cast<size_t>(symbol));
}

void StringPool::Clear() {
  symbols_.clear();
  names_.clear();
  arena_.Reset();
}

}  // namespace quill::pool
