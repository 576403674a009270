// The filter's inner loop, over vectors of rows: counts each row's missing tokens in bit-sliced counters. Included by
// filter_portable.cc, filter_avx2.cc and filter_avx512.cc only, each with flags of its own; so everything here has
// internal linkage and uses no inline function of a library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "index/sketch/filter.h"

namespace oscope {
namespace {

// One bit a row.
template <int kBytes>
using Rows __attribute__((vector_size(kBytes))) = uint64_t;

constexpr int kPlanes = 7;
constexpr uint32_t kFull = (1 << kPlanes) - 1;  // what a counter can hold: no test has more bits
constexpr size_t kPrefetchBytes = 1024;

// A counter of misses a row, spread over planes: plane p has bit p of every row's. It starts at kFull - bound, so that
// the first miss above the bound carries out of it.
template <typename V>
struct MissCounters {
  V plane[kPlanes];
  V over;  // rows with more misses than the bound

  __attribute__((always_inline)) void Start(uint32_t bound) {
    const uint32_t start = kFull - bound;
    for (int p = 0; p < kPlanes; ++p) plane[p] = V{} - ((start >> p) & 1);
    over = V{};
  }

  // Adds a number of kCount planes.
  template <int kCount>
  __attribute__((always_inline)) void Add(const V (&number)[kCount]) {
    V carry = plane[0] & number[0];
    plane[0] ^= number[0];
    for (int p = 1; p < kPlanes; ++p) {
      if (p < kCount) {
        const V half = plane[p] ^ number[p];
        const V next = (plane[p] & number[p]) | (half & carry);
        plane[p] = half ^ carry;
        carry = next;
      } else {
        const V next = plane[p] & carry;
        plane[p] ^= carry;
        carry = next;
      }
    }
    over |= carry;
  }
};

// Three bits of one weight into one of that weight (returned) and one of the next.
template <typename V>
__attribute__((always_inline)) inline V FullAdd(V a, V b, V c, V& carry) {
  const V half = a ^ b;
  carry = (a & b) | (half & c);
  return half ^ c;
}

template <typename V>
__attribute__((always_inline)) inline V Load(const std::byte* column, size_t offset) {
  V rows;
  __builtin_memcpy(&rows, column + offset, sizeof(V));
  return rows;
}

// The sum of seven columns, as three planes.
template <typename V>
__attribute__((always_inline)) inline void SumOfSeven(const std::byte* const* columns, size_t offset, V (&sum)[3]) {
  V c0, c1, c2;
  const V s0 = FullAdd(Load<V>(columns[0], offset), Load<V>(columns[1], offset), Load<V>(columns[2], offset), c0);
  const V s1 = FullAdd(Load<V>(columns[3], offset), Load<V>(columns[4], offset), Load<V>(columns[5], offset), c1);
  sum[0] = FullAdd(s0, s1, Load<V>(columns[6], offset), c2);
  sum[1] = FullAdd(c0, c1, c2, sum[2]);
}

template <typename V>
__attribute__((always_inline)) inline bool AllSet(V v) {
  uint64_t all = v[0];
  for (size_t i = 1; i < sizeof(V) / 8; ++i) all &= v[i];
  return all == ~uint64_t{0};
}

// The rows of one vector.
template <typename V>
__attribute__((always_inline)) inline V RowsOver(const FilterColumns& filter, size_t offset) {
  MissCounters<V> misses;
  misses.Start(filter.bound);
  uint32_t next = 0;
  for (; next + 7 <= filter.count; next += 7) {
    V sum[3];
    SumOfSeven<V>(filter.columns + next, offset, sum);
    misses.Add(sum);
    if (next + 7 > filter.bound && AllSet(misses.over)) return misses.over;
  }
  for (; next < filter.count; ++next) {
    const V one[1] = {Load<V>(filter.columns[next], offset)};
    misses.Add(one);
  }
  return misses.over;
}

template <int kBytes>
void FilterWords(const FilterColumns& filter, uint64_t first_word, uint64_t words, uint64_t* over) {
  using Wide = Rows<kBytes>;
  using Narrow = Rows<8>;
  uint64_t word = 0;
  // The columns that nearly every row's vector reads come in ahead: they are too many for the machine's own prefetcher.
  const uint32_t ahead = filter.count < filter.bound + 8 ? filter.count : filter.bound + 8;
  for (; word + kBytes / 8 <= words; word += kBytes / 8) {
    const size_t offset = (first_word + word) * 8;
    if (offset % 64 < kBytes) {
      for (uint32_t i = 0; i < ahead; ++i) __builtin_prefetch(filter.columns[i] + offset + kPrefetchBytes);
    }
    const Wide rows = RowsOver<Wide>(filter, offset);
    __builtin_memcpy(over + word, &rows, sizeof(rows));
  }
  for (; word < words; ++word) {
    over[word] = RowsOver<Narrow>(filter, (first_word + word) * 8)[0];
  }
}

}  // namespace
}  // namespace oscope
