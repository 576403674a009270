// The distance from a sequence to the nearest word of a regular language: the automaton product, no exponential cases.
//
// A Language is a nondeterministic automaton over event ids: each edge reads one event out of a set. Distances are
// those of the product of sequence positions and states: O(|x| · edges) time, O(states) memory for the distance alone.
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
  std::optional<uint32_t> only;  // a trace has a set for each of its events: a bit per id would be too much
  std::vector<bool> members;
  bool others = false;    // events beyond the end (a name that the table at hand does not have)
  bool some_word = true;  // false: no event at all can be read here except a fresh one (it can be inserted, never kept)
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

// The language of these words alone, and of all concatenations of words of `language` (none of them too).
Language LanguageOfWords(const std::vector<std::vector<uint32_t>>& words);
Language Star(const Language& language);
Language Union(const std::vector<const Language*>& languages);

enum class PatternMetric : uint8_t { kLevenshtein, kHamming, kLcs, kEmbedding };

// The least distance from x to a word of the language, if it is at most `bound`; nothing too when the language is
// empty.
std::optional<uint64_t> PatternDistance(Sequence x, const Language& language, PatternMetric metric, uint64_t bound);

// Whether x itself is a word: the same as distance 0, faster.
bool Accepts(const Language& language, Sequence x);

// One step of the way from x to the nearest word.
struct PatternEdit {
  EditKind kind = EditKind::kKeep;
  uint32_t x_index = 0;  // of kKeep, kReplace, kDelete
  uint32_t set = 0;      // of kKeep, kReplace, kInsert: what the word has there
  bool operator==(const PatternEdit&) const = default;
};
// A shortest script for Levenshtein, front to back; nothing when the language is empty; kLimit when the table of |x| ·
// states is over kMaxAlignCells bytes.
Result<std::optional<std::vector<PatternEdit>>> AlignWithPattern(Sequence x, const Language& language);

}  // namespace oscope
