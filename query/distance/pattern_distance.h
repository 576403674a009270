// The distance from a sequence to the nearest word of a regular language.
//
// A Language is a nondeterministic automaton over event ids; each edge reads one event of a set. A distance is a
// shortest path in the product of the sequence's positions and the automaton's states, so it takes O(|x| · edges) time
// and O(states) memory; there are no exponential cases.
// Threads: a Language is immutable; the functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/distance/levenshtein.h"

namespace oscope {

// Which events an edge reads: `only` that one, or a bit per event id; beyond the end `others` says.
struct EventSet {
  // The only member, if the set has just one. A language made of a trace has such a set for each event; a bit for each
  // id would take too much memory.
  std::optional<uint32_t> only;
  std::vector<bool> members;
  bool others = false;  // whether events beyond the end are members: names that the table at hand does not have
  // False: no event of a stored trace is a member, only one that is new. Such an event can be inserted but never kept.
  bool some_word = true;
  bool Contains(uint32_t event) const {
    if (only) return event == *only;
    return event < members.size() ? members[event] : others;
  }
};

struct LanguageEdge {
  uint32_t from = 0;
  uint32_t set = 0;  // index in Language::sets
  uint32_t to = 0;
};

struct Language {
  std::vector<EventSet> sets;
  uint32_t states = 0;
  std::vector<uint32_t> start;
  std::vector<bool> accepting;
  std::vector<LanguageEdge> edges;  // by from
};

// Returns the language that has exactly these words.
Language LanguageOfWords(const std::vector<std::vector<uint32_t>>& words);
// Returns the language of all concatenations of words of `language`, the empty one included.
Language Star(const Language& language);
Language Union(const std::vector<const Language*>& languages);

enum class PatternMetric : uint8_t { kLevenshtein, kHamming, kLcs, kEmbedding };

// Returns the least distance from x to a word of the language if it is at most `bound`; otherwise, or when the language
// is empty, nullopt.
std::optional<uint64_t> PatternDistance(Sequence x, const Language& language, PatternMetric metric, uint64_t bound);

// Whether x itself is a word of the language, which is the same as distance 0 and faster.
bool Accepts(const Language& language, Sequence x);

// One step of an edit script from x to the nearest word.
struct PatternEdit {
  EditKind kind = EditKind::kKeep;
  uint32_t x_index = 0;  // of kKeep, kReplace, kDelete
  uint32_t set = 0;      // of kKeep, kReplace, kInsert: what the word has there
  bool operator==(const PatternEdit&) const = default;
};
// Returns a shortest script for Levenshtein, from front to back; nullopt when the language is empty. Fails with kLimit
// when the table of |x| · states needs more than kMaxAlignCells bytes.
Result<std::optional<std::vector<PatternEdit>>> AlignWithPattern(Sequence x, const Language& language);

}  // namespace oscope
