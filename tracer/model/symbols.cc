// The table's keys point into its own entries, which therefore must not move: entries_ is a container with stable
// addresses. A table that was moved from gets a new uid, because caches elsewhere recognise a table by its uid.
#include "tracer/model/symbols.h"

#include <atomic>
#include <functional>
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

size_t SymbolTable::KeyHash::operator()(const Key& key) const {
  size_t hash = std::hash<std::string_view>()(key.name);
  if (key.attributes->empty()) return hash;
  const auto mix = [&](size_t more) { hash = (hash ^ more) * 0x9e3779b97f4a7c15ull; };
  mix(std::hash<std::string_view>()(key.attributes->file));
  mix(std::hash<std::string_view>()(key.attributes->build_id));
  mix(key.attributes->line);
  mix(key.attributes->address);
  return hash;
}

SymbolId SymbolTable::Intern(std::string_view event, const SymbolAttributes& attributes) {
  if (auto found = ids_.find({event, &attributes}); found != ids_.end()) return found->second;
  return Append(event, attributes);
}

SymbolId SymbolTable::Append(std::string_view event, SymbolAttributes attributes) {
  const auto id = static_cast<SymbolId>(entries_.size());
  entries_.push_back({std::string(event), std::move(attributes)});
  ids_.emplace(Key{entries_.back().name, &entries_.back().attributes}, id);
  return id;
}

}  // namespace oscope
