// Builds automata from words: a tree of their beginnings, the star of a language, and the union of several. They stay
// nondeterministic. To make them deterministic could take exponential space, and the product with a sequence
// (language_product.h) does not need it.
#include <algorithm>
#include <map>

#include "query/distance/pattern_distance.h"

namespace oscope {
namespace {

EventSet Only(uint32_t event) {
  EventSet set;
  set.only = event;
  return set;
}

void SortEdges(Language& language) {
  const auto order = [](const LanguageEdge& a, const LanguageEdge& b) {
    return std::tie(a.from, a.set, a.to) < std::tie(b.from, b.set, b.to);
  };
  std::sort(language.edges.begin(), language.edges.end(), order);
}

}  // namespace

// A tree of the words' beginnings, so that words with a common beginning share its states.
Language LanguageOfWords(const std::vector<std::vector<uint32_t>>& words) {
  Language language;
  if (words.empty()) return language;
  std::map<uint32_t, uint32_t> set_of;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> child;  // (state, event)
  language.states = 1;
  language.start = {0};
  language.accepting = {false};
  for (const std::vector<uint32_t>& word : words) {
    uint32_t at = 0;
    for (const uint32_t event : word) {
      const auto [next, added] = child.emplace(std::pair(at, event), language.states);
      if (added) {
        const auto [set, fresh] = set_of.emplace(event, static_cast<uint32_t>(language.sets.size()));
        if (fresh) language.sets.push_back(Only(event));
        language.edges.push_back({at, set->second, language.states++});
        language.accepting.push_back(false);
      }
      at = next->second;
    }
    language.accepting[at] = true;
  }
  SortEdges(language);
  return language;
}

// A new start that accepts; from it and from every accepting state the words begin anew.
Language Star(const Language& language) {
  Language star = language;
  const uint32_t begin = star.states++;
  star.accepting.push_back(true);
  star.start = {begin};
  std::vector<uint32_t> restart = {begin};
  for (uint32_t state = 0; state < language.states; ++state) {
    if (language.accepting[state]) restart.push_back(state);
  }
  std::vector<bool> starts(language.states);
  for (const uint32_t state : language.start) starts[state] = true;
  for (const LanguageEdge& edge : language.edges) {
    if (!starts[edge.from]) continue;
    for (const uint32_t state : restart) star.edges.push_back({state, edge.set, edge.to});
  }
  SortEdges(star);
  const auto same = [](const LanguageEdge& a, const LanguageEdge& b) {
    return a.from == b.from && a.set == b.set && a.to == b.to;
  };
  star.edges.erase(std::unique(star.edges.begin(), star.edges.end(), same), star.edges.end());
  return star;
}

Language Union(const std::vector<const Language*>& languages) {
  Language all;
  for (const Language* language : languages) {
    const uint32_t states = all.states;
    const auto sets = static_cast<uint32_t>(all.sets.size());
    all.sets.insert(all.sets.end(), language->sets.begin(), language->sets.end());
    all.accepting.insert(all.accepting.end(), language->accepting.begin(), language->accepting.end());
    for (const uint32_t state : language->start) all.start.push_back(states + state);
    for (const LanguageEdge& edge : language->edges)
      all.edges.push_back({states + edge.from, sets + edge.set, states + edge.to});
    all.states += language->states;
  }
  return all;
}

}  // namespace oscope
