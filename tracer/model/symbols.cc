#include "tracer/model/symbols.h"

#include <atomic>
#include <utility>

namespace oscope {

namespace {
uint64_t NextUid() {
  static std::atomic<uint64_t> next{1};
  return next++;
}
}  // namespace

SymbolTable::SymbolTable() : uid_(NextUid()) {}

SymbolTable::SymbolTable(SymbolTable&& other) noexcept : SymbolTable() { *this = std::move(other); }

SymbolTable& SymbolTable::operator=(SymbolTable&& other) noexcept {
  if (this == &other) return *this;
  uid_ = std::exchange(other.uid_, NextUid());
  entries_ = std::exchange(other.entries_, {});
  ids_ = std::exchange(other.ids_, {});
  return *this;
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
