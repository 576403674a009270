// EventNames: numbers the texts of events, so that queries compare integers. An id has no meaning outside its table.
//
// Threads: one while names are added; afterwards it may be read from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oscope {

class EventNames {
 public:
  EventNames() = default;
  EventNames(EventNames&&) = default;
  EventNames& operator=(EventNames&&) = default;
  EventNames Copy() const;

  uint32_t Intern(std::string_view name);  // returns the name's id, a new one if the name is not in the table
  std::optional<uint32_t> Find(std::string_view name) const;

  const std::string& name(uint32_t id) const { return names_[id]; }
  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  std::vector<std::string_view> views() const { return {names_.begin(), names_.end()}; }

 private:
  std::deque<std::string> names_;  // addresses are stable: the map's keys borrow them
  std::unordered_map<std::string_view, uint32_t> ids_;
};

}  // namespace oscope
