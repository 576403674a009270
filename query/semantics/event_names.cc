// Interns names in a deque, whose elements never move, so that the map's keys can borrow them. Copies are made
// explicitly (Copy): an accidental one would copy every name of a store.
#include "query/semantics/event_names.h"

namespace oscope {

uint32_t EventNames::Intern(std::string_view name) {
  if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
  const uint32_t id = size();
  ids_.emplace(names_.emplace_back(name), id);
  return id;
}

EventNames EventNames::Copy() const {
  EventNames copy;
  copy.ids_.reserve(names_.size());
  for (const std::string& name : names_) copy.Intern(name);
  return copy;
}

std::optional<uint32_t> EventNames::Find(std::string_view name) const {
  const auto known = ids_.find(name);
  if (known == ids_.end()) return std::nullopt;
  return known->second;
}

}  // namespace oscope
