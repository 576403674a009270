// Random sequences for the tests of the kernels.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace oscope {

using Events = std::vector<uint32_t>;

inline Events RandomEvents(std::mt19937& random, size_t length, uint32_t alphabet) {
  Events events(length);
  for (uint32_t& event : events) event = static_cast<uint32_t>(random() % alphabet);
  return events;
}

inline Events EditedCopy(std::mt19937& random, Events events, size_t edits, uint32_t alphabet) {
  for (; edits > 0; --edits) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(random() % (events.size() + 1));
    const uint32_t event = static_cast<uint32_t>(random() % alphabet);
    const bool at_end = at == static_cast<ptrdiff_t>(events.size());
    switch (random() % 3) {
      case 0: events.insert(events.begin() + at, event); break;
      case 1:
        if (!at_end) events.erase(events.begin() + at);
        break;
      default:
        if (!at_end) events[static_cast<size_t>(at)] = event;
        break;
    }
  }
  return events;
}

}  // namespace oscope
