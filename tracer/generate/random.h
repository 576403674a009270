// Random numbers that are the same on every machine: integers only, xoshiro256** seeded by splitmix64
// (Blackman and Vigna, https://prng.di.unimi.it).
#pragma once

#include <bit>
#include <cstdint>

namespace oscope {

// A bijection of 64-bit numbers that leaves no pattern: distinct inputs give distinct, unrelated outputs.
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Random {
 public:
  // Two streams of one seed are unrelated, so that any part of the data can be made without the rest.
  Random(uint64_t seed, uint64_t stream) {
    uint64_t x = Mix(seed) ^ Mix(~stream);
    for (uint64_t& word : state_) word = Mix(x++);
  }

  uint64_t Next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // 0 to n - 1; n must not be 0. The bias is below n / 2^32.
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(((Next() >> 32) * n) >> 32); }

  bool Percent(uint32_t percent) { return Below(100) < percent; }

  // 0 to n - 1, number i about as often as 1 / (i + 1): as names are used in programs.
  uint32_t ZipfBelow(uint32_t n) {
    const uint32_t octave = Below(static_cast<uint32_t>(std::bit_width(n)));
    const uint32_t first = 1u << octave;
    const uint32_t i = first - 1 + Below(first);
    return i < n ? i : Below(n);
  }

 private:
  uint64_t state_[4];
};

}  // namespace oscope
