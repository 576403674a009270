// Which rows of one length may be within the bound, a row at a time and in a few instructions: most rows of a store are
// far from any query. Included by short_kernel_loop.h only; so everything here has internal linkage.
//
// Events at the end that a row shares with the query do not change the distance and are left out. Each other event that
// is not among the query's others costs an edit. Where there are byte shuffles an HashedEvents finds nearly all of
// those, 32 events at a time: first by one hash, which is enough for most rows. Elsewhere all rows are kept.
#pragma once

#include <cstdint>

#include "query/distance/short_kernel_level.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace oscope {
namespace {

#ifdef __AVX2__

constexpr uint32_t kIdsAtOnce = 16;
constexpr uint32_t kSetBlock = 32;

__attribute__((always_inline)) inline __m256i LoadIds(const uint16_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from));
}

// How many events before the two ends are equal, up to `most`.
__attribute__((always_inline)) inline uint32_t SharedEnd(const uint16_t* row_end, const uint16_t* query_end,
                                                         uint32_t most) {
  uint32_t shared = 0;
  while (shared + kIdsAtOnce <= most) {
    const __m256i equal =
        _mm256_cmpeq_epi16(LoadIds(row_end - shared - kIdsAtOnce), LoadIds(query_end - shared - kIdsAtOnce));
    const uint32_t different = ~static_cast<uint32_t>(_mm256_movemask_epi8(equal));
    if (different != 0) return shared + static_cast<uint32_t>(__builtin_clz(different)) / 2;
    shared += kIdsAtOnce;
  }
  while (shared < most && row_end[-1 - static_cast<int32_t>(shared)] == query_end[-1 - static_cast<int32_t>(shared)])
    ++shared;
  return shared;
}

// The set by one hash, in registers.
struct SetVectors {
  __m256i low, high, factor;

  __attribute__((always_inline)) SetVectors(const HashedEvents& set, int hash)
      : low(_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(set.bits[hash][0])))),
        high(_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(set.bits[hash][1])))),
        factor(_mm256_set1_epi16(static_cast<int16_t>(kEventHashFactors[hash]))) {}

  // Bit i: the set does not have event i of 32.
  __attribute__((always_inline)) uint32_t Absent(const uint16_t* events) const {
    const __m256i first = _mm256_srli_epi16(_mm256_mullo_epi16(LoadIds(events), factor), 8);
    const __m256i second = _mm256_srli_epi16(_mm256_mullo_epi16(LoadIds(events + kIdsAtOnce), factor), 8);
    // Packing takes the halves in turns; the permutation sets them right.
    const __m256i hash = _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xd8);
    // A shuffle looks at the lowest four bits, and gives zero where the highest is set: so one of the two always does.
    const __m256i bytes = _mm256_or_si256(
        _mm256_shuffle_epi8(low, hash), _mm256_shuffle_epi8(high, _mm256_xor_si256(hash, _mm256_set1_epi8(INT8_MIN))));
    const __m256i powers = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201));
    const __m256i bit = _mm256_shuffle_epi8(powers, _mm256_and_si256(_mm256_srli_epi16(hash, 4), _mm256_set1_epi8(7)));
    const __m256i absent = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), _mm256_setzero_si256());
    return static_cast<uint32_t>(_mm256_movemask_epi8(absent));
  }
};

// By all hashes.
struct AllSetVectors {
  SetVectors first, second;

  __attribute__((always_inline)) explicit AllSetVectors(const HashedEvents& set) : first(set, 0), second(set, 1) {}
  __attribute__((always_inline)) uint32_t Absent(const uint16_t* events) const {
    return first.Absent(events) | second.Absent(events);
  }
};
static_assert(kEventHashes == 2);

// How many of the first `count` events of a row of `length` the set does not have; may stop to count above the bound.
template <typename Vectors>
__attribute__((always_inline)) inline uint32_t CountAbsent(const Vectors& vectors, const uint16_t* row, uint32_t count,
                                                           uint32_t length, uint32_t bound) {
  uint32_t absent = 0, next = 0;
  for (; next + kSetBlock <= count; next += kSetBlock) {
    absent += static_cast<uint32_t>(__builtin_popcount(vectors.Absent(row + next)));
    if (absent > bound) return absent;
  }
  const uint32_t rest = count - next;
  if (rest == 0) return absent;
  // What is left is read with events beside it, for nothing outside the row may be read.
  uint32_t last;
  if (count >= kSetBlock) {
    last = vectors.Absent(row + count - kSetBlock) >> (kSetBlock - rest);
  } else if (length >= kSetBlock) {
    last = vectors.Absent(row) << (kSetBlock - rest);
  } else {
    uint16_t padded[kSetBlock] = {};
    __builtin_memcpy(padded, row, rest * sizeof(uint16_t));
    last = vectors.Absent(padded) << (kSetBlock - rest);
  }
  return absent + static_cast<uint32_t>(__builtin_popcount(last));
}

__attribute__((always_inline)) inline bool MayBeWithin(const HashedEvents& set, const uint16_t* row, uint32_t count,
                                                       uint32_t length, uint32_t bound) {
  return CountAbsent(SetVectors(set, 0), row, count, length, bound) <= bound &&
         CountAbsent(AllSetVectors(set), row, count, length, bound) <= bound;
}

#else

__attribute__((always_inline)) inline uint32_t SharedEnd(const uint16_t* row_end, const uint16_t* query_end,
                                                         uint32_t most) {
  uint32_t shared = 0;
  while (shared < most && row_end[-1 - static_cast<int32_t>(shared)] == query_end[-1 - static_cast<int32_t>(shared)])
    ++shared;
  return shared;
}

__attribute__((always_inline)) inline bool MayBeWithin(const HashedEvents&, const uint16_t*, uint32_t, uint32_t,
                                                       uint32_t) {
  return true;
}

#endif

uint32_t Sift(const Sieve& sieve, const uint16_t* const* rows, uint32_t count, SiftedRow* kept) {
  const uint16_t* const query_end = sieve.query + sieve.query_length;
  const uint32_t shorter = sieve.query_length < sieve.row_length ? sieve.query_length : sieve.row_length;
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t shared = SharedEnd(rows[i] + sieve.row_length, query_end, shorter);
    const uint32_t others = sieve.row_length - shared;
    // Written first and kept by the count: which rows stay cannot be foretold.
    kept[next] = {i, shared};
    const HashedEvents& set = sieve.prefix_sets[sieve.query_length - shared];
    next += others <= sieve.bound || MayBeWithin(set, rows[i], others, sieve.row_length, sieve.bound);
  }
  return next;
}

}  // namespace
}  // namespace oscope
