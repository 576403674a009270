#include "tracer/model/symbols.h"

#include <atomic>

namespace oscope {

SymbolTable::SymbolTable() {
  static std::atomic<uint64_t> next{1};
  uid_ = next++;
}

SymbolId SymbolTable::Intern(std::string_view event, const SymbolAttributes& attributes) {
  if (auto found = ids_.find(event); found != ids_.end()) return found->second;
  return Append(event, attributes);
}

SymbolId SymbolTable::Append(std::string_view event, SymbolAttributes attributes) {
  const auto id = static_cast<SymbolId>(entries_.size());
  entries_.push_back({std::string(event), std::move(attributes)});
  ids_.emplace(entries_.back().name, id);
  return id;
}

}  // namespace oscope
