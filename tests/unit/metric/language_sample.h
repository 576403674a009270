// Random automata, and all the short words of one: what distances to a language are checked against.
#pragma once

#include <functional>
#include <random>
#include <set>
#include <vector>

#include "query/distance/pattern_distance.h"

namespace oscope {

using Events = std::vector<uint32_t>;

inline Events RandomEvents(std::mt19937& random, size_t max_length, uint32_t alphabet) {
  Events events(random() % (max_length + 1));
  for (uint32_t& event : events) event = static_cast<uint32_t>(random() % alphabet);
  return events;
}

// Over events 0 .. alphabet - 1; some sets hold nothing at hand.
inline Language RandomLanguage(std::mt19937& random, uint32_t alphabet) {
  Language language;
  language.states = 1 + static_cast<uint32_t>(random() % 5);
  for (int i = 0; i < 4; ++i) {
    EventSet set;
    set.members.resize(alphabet);
    for (uint32_t event = 0; event < alphabet; ++event) set.members[event] = random() % 3 == 0;
    set.others = random() % 2 != 0;
    language.sets.push_back(set);
  }
  for (uint32_t state = 0; state < language.states; ++state) {
    language.accepting.push_back(random() % 3 == 0);
    if (state == 0 || random() % 4 == 0) language.start.push_back(state);
    for (auto edges = random() % 4; edges > 0; --edges) {
      language.edges.push_back(
          {state, static_cast<uint32_t>(random() % 4), static_cast<uint32_t>(random() % language.states)});
    }
  }
  return language;
}

// Every word of at most `max_length` events; `fresh` stands for an event that x does not have, which any set may read.
inline std::set<Events> WordsOf(const Language& language, size_t max_length, uint32_t alphabet, uint32_t fresh) {
  std::set<Events> words;
  std::set<std::pair<uint32_t, Events>> level, next;
  for (const uint32_t state : language.start) level.insert({state, {}});
  for (size_t length = 0; length <= max_length; ++length) {
    next.clear();
    for (const auto& [state, word] : level) {
      if (language.accepting[state]) words.insert(word);
      for (const LanguageEdge& edge : language.edges) {
        if (edge.from != state) continue;
        for (uint32_t event = 0; event <= alphabet; ++event) {
          if (event < alphabet && !language.sets[edge.set].Contains(event)) continue;
          Events longer = word;
          longer.push_back(event == alphabet ? fresh : event);
          next.insert({edge.to, std::move(longer)});
        }
      }
    }
    std::swap(level, next);
  }
  return words;
}

}  // namespace oscope
