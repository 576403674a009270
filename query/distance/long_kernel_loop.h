// The strip's inner loop over vectors of words. Included by long_kernel_portable.cc, _avx2.cc and _avx512.cc only, each
// with flags of its own; so everything here has internal linkage and uses no inline function of a library.
//
// Words of one column depend on each other through one bit each way, so lane k is one column behind lane k - 1: what a
// word hands down is there when the next one needs it, and all lanes work at once.
#pragma once

#include <cstdint>

#include "query/distance/long_kernel_level.h"

namespace oscope {
namespace {

template <int kBytes>
using Words __attribute__((vector_size(kBytes))) = uint64_t;

// The lanes moved up by one; the last of `before` becomes the first.
inline Words<16> MoveUp(Words<16> before, Words<16> v) { return __builtin_shufflevector(before, v, 1, 2); }
inline Words<32> MoveUp(Words<32> before, Words<32> v) { return __builtin_shufflevector(before, v, 3, 4, 5, 6); }
inline Words<64> MoveUp(Words<64> before, Words<64> v) {
  return __builtin_shufflevector(before, v, 7, 8, 9, 10, 11, 12, 13, 14);
}

template <int kVectors, int kBytes>
struct StripLoop {
  using V = Words<kBytes>;
  static constexpr uint32_t kLanesEach = kBytes / 8;
  static constexpr uint32_t kLanes = kVectors * kLanesEach;
  static constexpr uint32_t kChunk = 8;  // steps whose masks are fetched at a time

  struct State {
    V positive[kVectors], negative[kVectors];  // vertical differences
    V rises[kVectors], falls[kVectors];        // what each word handed down last, as 0 or 1
  };

  // Lane k of step t has column t - k; columns outside have no matches.
  __attribute__((always_inline)) static void Fetch(const MyersStrip& strip, uint32_t step,
                                                   uint64_t (&masks)[kChunk][kLanes]) {
    for (uint32_t k = 0; k < kLanes; ++k) {
      for (uint32_t t = 0; t < kChunk; ++t) {
        const uint32_t column = step + t - k;  // wraps around to a large number before the first
        masks[t][k] = column < strip.columns ? strip.masks[strip.codes[column] * strip.stride + k] : 0;
      }
    }
  }

  // In the first steps some lanes have no column yet and stay as they are.
  template <bool kGuarded>
  __attribute__((always_inline)) static void Step(const uint64_t (&masks)[kLanes], int8_t above,
                                                  const V (&active)[kVectors], State& state) {
    V before_rises = V{} + static_cast<uint64_t>(above > 0), before_falls = V{} + static_cast<uint64_t>(above < 0);
    for (int v = 0; v < kVectors; ++v) {
      V match;
      __builtin_memcpy(&match, &masks[static_cast<uint32_t>(v) * kLanesEach], kBytes);
      const V rises_in = MoveUp(before_rises, state.rises[v]), falls_in = MoveUp(before_falls, state.falls[v]);
      before_rises = state.rises[v];
      before_falls = state.falls[v];
      const V p = state.positive[v], n = state.negative[v];
      match |= falls_in;
      const V same = (((match & p) + p) ^ p) | match | n;
      V rises = n | ~(same | p), falls = same & p;
      V rises_out = rises >> 63, falls_out = falls >> 63;
      rises = (rises << 1) | rises_in;
      falls = (falls << 1) | falls_in;
      V positive = falls | ~(same | rises), negative = same & rises;
      if constexpr (kGuarded) {
        positive = (positive & active[v]) | (p & ~active[v]);
        negative = (negative & active[v]) | (n & ~active[v]);
        rises_out &= active[v];
        falls_out &= active[v];
      }
      state.positive[v] = positive;
      state.negative[v] = negative;
      state.rises[v] = rises_out;
      state.falls[v] = falls_out;
    }
  }

  static void Run(const MyersStrip& strip) {
    State state;
    for (int v = 0; v < kVectors; ++v) {
      __builtin_memcpy(&state.negative[v], strip.falling + static_cast<uint32_t>(v) * kLanesEach, kBytes);
      state.positive[v] = ~state.negative[v];
      state.rises[v] = state.falls[v] = V{};
    }
    alignas(64) uint64_t masks[kChunk][kLanes];
    V active[kVectors] = {};
    const uint32_t steps = strip.columns + kLanes - 1;
    for (uint32_t step = 0; step < steps; step += kChunk) {
      Fetch(strip, step, masks);
      for (uint32_t t = 0; t < kChunk && step + t < steps; ++t) {
        const uint32_t now = step + t;
        const int8_t above = now < strip.columns ? strip.above[now] : int8_t{0};
        if (now < kLanes) {
          for (uint32_t k = 0; k < kLanes; ++k) active[k / kLanesEach][k % kLanesEach] = k <= now ? ~uint64_t{0} : 0;
          Step<true>(masks[t], above, active, state);
        } else {
          Step<false>(masks[t], above, active, state);
        }
        if (now + 1 >= kLanes) {
          const V rises = state.rises[kVectors - 1], falls = state.falls[kVectors - 1];
          strip.below[now + 1 - kLanes] =
              static_cast<int8_t>(static_cast<int>(rises[kLanesEach - 1]) - static_cast<int>(falls[kLanesEach - 1]));
        }
      }
    }
  }
};

template <int kBytes>
constexpr StripLevel MakeStripLevel() {
  using Narrow = StripLoop<1, kBytes>;
  using Wide = StripLoop<4, kBytes>;
  return {Narrow::kLanes, Wide::kLanes, Narrow::Run, Wide::Run};
}

}  // namespace
}  // namespace oscope
