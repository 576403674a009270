// The kernel's inner loop over vectors of rows. Included by short_kernel_portable.cc, _avx2.cc and _avx512.cc only,
// each with flags of its own; so everything here has internal linkage and uses no inline function of a library.
//
// Myers' recurrence as Hyyrö gives it for a band (A bit-vector algorithm for computing Levenshtein and Damerau edit
// distances, 2003): the word holds the vertical differences of a stretch of a column, and moves down one row with every
// column. Rows above the first are taken as falling by one, which makes row 0 of column j come out as j. Along a
// diagonal values never fall, so the one that ends in the last pair is both the result and a lower bound of it on the
// way.
#pragma once

#include <cstdint>

#include "query/distance/short_kernel_level.h"
#include "query/distance/short_kernel_sift.h"

namespace oscope {
namespace {

template <typename Lane, int kBytes>
using Vector __attribute__((vector_size(kBytes))) = Lane;

constexpr uint32_t kChunk = 8;  // columns between two looks at the bound; codes in a word

// How many bytes of a word are zero.
__attribute__((always_inline)) inline uint32_t ZeroBytes(uint64_t word) {
  const uint64_t present = (((word & 0x7f7f7f7f7f7f7f7f) + 0x7f7f7f7f7f7f7f7f) | word) & 0x8080808080808080;
  return 8 - static_cast<uint32_t>(((present >> 7) * 0x0101010101010101) >> 56);
}

// Codes the events from `begin` (a multiple of kChunk) to `end`. The codes are put together in a register: to read back
// a word that was stored by the byte stalls.
template <typename Id>
__attribute__((always_inline)) inline uint32_t CodeEvents(const RowCoding<Id>& row, uint32_t begin, uint32_t end) {
  const uint8_t* const codes_by_id = row.codes_by_id;
  const Id* const ids = row.ids;
  uint8_t* const codes = row.codes;
  uint32_t absent = 0, next = begin;
  for (; next + kChunk <= end; next += kChunk) {
    uint64_t low = 0, high = 0;
#pragma GCC unroll 4
    for (uint32_t c = 0; c < kChunk / 2; ++c) {
      low |= uint64_t{codes_by_id[ids[next + c]]} << (8 * c);
      high |= uint64_t{codes_by_id[ids[next + 4 + c]]} << (8 * c);
    }
    const uint64_t word = low | (high << 32);
    __builtin_memcpy(codes + next, &word, sizeof(word));
    absent += ZeroBytes(word);
  }
  for (; next < end; ++next) {
    const uint8_t code = codes_by_id[ids[next]];
    codes[next] = code;
    absent += code == 0;
  }
  return absent;
}

// Looks at the bound once on the way, where nearly all rows that are going to be over it are: a look after every word
// costs more, since the processor cannot predict at which one a row ends.
template <typename Id>
uint32_t CodeRow(const RowCoding<Id>& row) {
  const uint32_t look = (row.bound + row.bound / 2 + 2 * kChunk - 1) / kChunk * kChunk;
  if (look >= row.length) return CodeEvents(row, 0, row.length);
  const uint32_t absent = CodeEvents(row, 0, look);
  if (absent > row.bound) return absent;
  return absent + CodeEvents(row, look, row.length);
}

template <typename Lane, int kWords, int kVectors, int kBytes>
struct ShortLoop {
  using V = Vector<Lane, kBytes>;
  static constexpr uint32_t kLanesEach = kBytes / sizeof(Lane);
  static constexpr uint32_t kLanes = kVectors * kLanesEach;
  static constexpr uint32_t kBits = sizeof(Lane) * 8;
  static_assert(kLanes <= kMostLanes);

  struct State {
    V positive[kWords], negative[kWords];  // vertical differences
    V score;
  };
  using Masks = Lane[kChunk][kWords][kLanes];

  __attribute__((always_inline)) static Lane LowBits(uint32_t count) {
    return count >= kBits ? static_cast<Lane>(~Lane{0}) : static_cast<Lane>((Lane{1} << count) - 1);
  }

  // Bits below `low` are rows up to 0, which fall; the others rise.
  __attribute__((always_inline)) static void Start(const ShortGroup& group, State& state) {
    for (int w = 0; w < kWords; ++w) {
      const uint32_t before = static_cast<uint32_t>(w) * kBits;
      const Lane falling = group.low > before ? LowBits(group.low - before) : Lane{0};
      state.negative[w] = V{} + falling;
      state.positive[w] = ~state.negative[w];
    }
    state.score = V{} + static_cast<Lane>(group.start_score);
  }

  // Which rows of the band equal the event of each lane, for some columns.
  __attribute__((always_inline)) static void Match(const ShortGroup& group, uint32_t column, uint32_t count,
                                                   Masks& masks) {
    const void* const* windows = group.windows + column * kWords;
    const uint8_t* codes = group.codes + column;
    if (count == kChunk) {
      const Lane* window[kChunk * kWords];
      for (uint32_t c = 0; c < kChunk * kWords; ++c) window[c] = static_cast<const Lane*>(windows[c]);
      for (uint32_t lane = 0; lane < kLanes; ++lane, codes += group.stride) {
#pragma GCC unroll 8
        for (uint32_t c = 0; c < kChunk; ++c) {
          for (uint32_t w = 0; w < kWords; ++w) masks[c][w][lane] = window[c * kWords + w][codes[c]];
        }
      }
      return;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane, codes += group.stride) {
      for (uint32_t c = 0; c < count; ++c) {
        for (uint32_t w = 0; w < kWords; ++w)
          masks[c][w][lane] = static_cast<const Lane*>(windows[c * kWords + w])[codes[c]];
      }
    }
  }

  // The next column.
  __attribute__((always_inline)) static void Step(const V (&match)[kWords], int final_word, V final_mask,
                                                  State& state) {
    V same[kWords];  // where a pair's value is that of the pair before both
    V carry{};
    for (int w = 0; w < kWords; ++w) {
      const V p = state.positive[w], both = match[w] & p;
      const V sum = both + p + carry;
      if constexpr (kWords > 1) carry = (both | (p & ~sum)) >> (kBits - 1);
      same[w] = (sum ^ p) | match[w] | state.negative[w];
    }
    if constexpr (kWords == 1) final_word = 0;
    // A comparison gives -1 where it holds.
    state.score -= reinterpret_cast<V>((same[final_word] & final_mask) == V{});
    for (int w = 0; w < kWords; ++w) {
      const V rises = state.negative[w] | ~(same[w] | state.positive[w]);  // along the row
      const V falls = same[w] & state.positive[w];
      V below = same[w] >> 1;
      if (w + 1 < kWords) below |= same[w + 1] << (kBits - 1);
      state.positive[w] = falls | ~(below | rises);
      state.negative[w] = below & rises;
    }
  }

  __attribute__((always_inline)) static bool AnyWithin(const State (&states)[kVectors], Lane bound) {
    V within{};
    for (const State& state : states) within |= reinterpret_cast<V>(state.score <= V{} + bound);
    const auto words = reinterpret_cast<Vector<uint64_t, kBytes>>(within);
    uint64_t any = 0;
    for (uint32_t i = 0; i < kBytes / 8; ++i) any |= words[i];
    return any != 0;
  }

  static void Run(const ShortGroup& group) {
    RunWith(group, [](const ShortGroup& g, uint32_t column, uint32_t count, Masks& masks)
                       __attribute__((always_inline)) { Match(g, column, count, masks); });
  }

  template <typename Matcher>
  __attribute__((always_inline)) static void RunWith(const ShortGroup& group, const Matcher& match_columns) {
    alignas(64) Masks masks;
    State states[kVectors];
    for (State& state : states) Start(group, state);
    const int final_word = static_cast<int>(group.final_bit / kBits);
    const auto final_bit = static_cast<Lane>(
        Lane{1} << (group.final_bit % kBits));  // by itself: a checked shift is an int to the compiler
    const V final_mask = V{} + final_bit;
    for (uint32_t column = 0; column < group.columns; column += kChunk) {
      const uint32_t count = group.columns - column < kChunk ? group.columns - column : kChunk;
      match_columns(group, column, count, masks);
      // The vectors take turns, so that each has time to finish a step.
      for (uint32_t c = 0; c < count; ++c) {
        for (int v = 0; v < kVectors; ++v) {
          V match[kWords];
          for (int w = 0; w < kWords; ++w)
            __builtin_memcpy(&match[w], &masks[c][w][static_cast<uint32_t>(v) * kLanesEach], kBytes);
          Step(match, final_word, final_mask, states[v]);
        }
      }
      if (!AnyWithin(states, static_cast<Lane>(group.bound))) break;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      group.scores[lane] = static_cast<uint16_t>(states[lane / kLanesEach].score[lane % kLanesEach]);
    }
  }
};

// Matches by comparison, two vectors of ids at a time.
template <typename Lane, int kVectors, int kBytes>
struct CompareLoop {
  using Loop = ShortLoop<Lane, 1, kVectors, kBytes>;
  using Ids = Vector<uint16_t, kBytes>;
  using Eight = Vector<uint16_t, 16>;
  static constexpr uint32_t kLanes = Loop::kLanes;
  static constexpr uint32_t kLanesEach = kBytes / 2;
  static_assert(kLanes == 2 * kLanesEach);

  // Eight rows of eight ids become eight columns.
  __attribute__((always_inline)) static void TransposeEight(const uint16_t* const* rows, uint32_t column,
                                                            uint16_t (*out)[kLanes]) {
    Eight a[8], b[8];
    for (int i = 0; i < 8; ++i) __builtin_memcpy(&a[i], rows[i] + column, sizeof(Eight));
    // Three times the same: rows i and i + 4, taken in turns, become rows 2i and 2i + 1.
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 4; ++i) {
        b[2 * i] = __builtin_shufflevector(a[i], a[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
        b[2 * i + 1] = __builtin_shufflevector(a[i], a[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
      }
      for (int i = 0; i < 8; ++i) a[i] = b[i];
    }
    for (int i = 0; i < 8; ++i) __builtin_memcpy(out[i], &a[i], sizeof(Eight));
  }

  // kChunk columns, or all if they are fewer.
  __attribute__((always_inline)) static void Transpose(const ShortGroup& group, uint32_t column,
                                                       uint16_t (&ids)[kChunk][kLanes]) {
    if (column + kChunk <= group.columns) {
      for (uint32_t lane = 0; lane < kLanes; lane += 8) {
        TransposeEight(group.ids + lane, column, reinterpret_cast<uint16_t(*)[kLanes]>(&ids[0][lane]));
      }
      return;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t c = 0; c < group.columns; ++c) ids[c][lane] = group.ids[lane][c];
    }
  }

  __attribute__((always_inline)) static Ids Load(const uint16_t* from) {
    Ids ids;
    __builtin_memcpy(&ids, from, kBytes);
    return ids;
  }

  // A comparison gives -1 where it holds; so a mask doubled, less that, has one more bit.
  __attribute__((always_inline)) static void MatchColumn(const uint16_t (&ids)[kLanes], const uint16_t* query,
                                                         uint32_t width, Lane (&masks)[kLanes]) {
    const Ids left = Load(ids), right = Load(ids + kLanesEach);
    Ids low_left{}, low_right{}, high_left{}, high_right{};
    const auto add = [](Ids& mask, Ids events, Ids event) __attribute__((always_inline)) {
      mask = mask + mask - reinterpret_cast<Ids>(events == event);
    };
    if constexpr (sizeof(Lane) == 2) {
      for (uint32_t b = width; b-- > 0;) {
        const Ids event = Load(query + b * kRepeats);
        add(low_left, left, event);
        add(low_right, right, event);
      }
      __builtin_memcpy(masks, &low_left, kBytes);
      __builtin_memcpy(masks + kLanesEach, &low_right, kBytes);
    } else {
      // All 32, whatever the width: more diagonals do no harm, and four sums at once hide each other's latency.
      for (int b = 15; b >= 0; --b) {
        const Ids low = Load(query + b * static_cast<int>(kRepeats)),
                  high = Load(query + (b + 16) * static_cast<int>(kRepeats));
        add(low_left, left, low);
        add(low_right, right, low);
        add(high_left, left, high);
        add(high_right, right, high);
      }
      Join(low_left, high_left, masks);
      Join(low_right, high_right, masks + kLanesEach);
    }
  }

  // The two halves of each lane.
  __attribute__((always_inline)) static void Join(Ids low, Ids high, Lane* masks) {
    using Half = Vector<uint16_t, kBytes / 2>;
    using Wide = Vector<uint32_t, kBytes>;
    uint16_t low_bits[kLanesEach], high_bits[kLanesEach];
    __builtin_memcpy(low_bits, &low, kBytes);
    __builtin_memcpy(high_bits, &high, kBytes);
    for (int half = 0; half < 2; ++half) {
      Half l, h;
      __builtin_memcpy(&l, low_bits + half * (kBytes / 4), sizeof(l));
      __builtin_memcpy(&h, high_bits + half * (kBytes / 4), sizeof(h));
      const Wide joined = __builtin_convertvector(l, Wide) | (__builtin_convertvector(h, Wide) << 16);
      __builtin_memcpy(masks + half * (kBytes / 4), &joined, kBytes);
    }
  }

  static void Run(const ShortGroup& group) {
    Loop::RunWith(group, [](const ShortGroup& g, uint32_t column, uint32_t count,
                            typename Loop::Masks& masks) __attribute__((always_inline)) {
      alignas(64) uint16_t ids[kChunk][kLanes];
      // The last columns are read with some before them: eight at once are less work than two alone.
      const uint32_t first = column + kChunk <= g.columns ? column : g.columns < kChunk ? 0 : g.columns - kChunk;
      Transpose(g, first, ids);
      const uint16_t* query = g.repeated + (static_cast<int32_t>(column) - static_cast<int32_t>(g.low) + kRepeatedPad) *
                                               static_cast<int32_t>(kRepeats);
      for (uint32_t c = 0; c < count; ++c)
        MatchColumn(ids[column - first + c], query + c * kRepeats, g.width, masks[c][0]);
    });
  }
};

template <int kBytes>
constexpr ShortLevel MakeShortLevel() {
  using L16 = ShortLoop<uint16_t, 1, 2, kBytes>;
  using L32 = ShortLoop<uint32_t, 1, 4, kBytes>;
  using L64 = ShortLoop<uint64_t, 1, 4, kBytes>;
  using L128 = ShortLoop<uint64_t, 2, 2, kBytes>;
  using L256 = ShortLoop<uint64_t, 4, 2, kBytes>;
  return {CodeRow<uint16_t>,
          CodeRow<uint32_t>,
          Sift,
          {L16::kLanes, L32::kLanes, L64::kLanes, L128::kLanes, L256::kLanes},
          {L16::Run, L32::Run, L64::Run, L128::Run, L256::Run},
          {CompareLoop<uint16_t, 2, kBytes>::Run, CompareLoop<uint32_t, 4, kBytes>::Run}};
}

}  // namespace
}  // namespace oscope
