// Which vector instructions the machine has, of those that we have code for.
//
// A loop that gains by wide vectors is written once over a vector's width and compiled once a level, each in a source
// of its own with its own flags (x_portable.cc, x_avx2.cc, x_avx512.cc); the caller picks by BestSimdLevel(), a test
// forces each.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace oscope {

enum class SimdLevel : uint8_t {
  kPortable,  // whatever the compiler's baseline is: 16-byte vectors on x86-64
  kAvx2,      // with BMI1, BMI2 and POPCNT: every x86-64-v3 machine
  kAvx512,    // F, BW, DQ, VL: x86-64-v4
};

// The levels that run here, worst first.
inline std::vector<SimdLevel> SimdLevelsHere() {
  std::vector<SimdLevel> levels = {SimdLevel::kPortable};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
    return levels;
  levels.push_back(SimdLevel::kAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    levels.push_back(SimdLevel::kAvx512);
  }
#endif
  return levels;
}

inline SimdLevel BestSimdLevel() {
  static const SimdLevel best = SimdLevelsHere().back();
  return best;
}

}  // namespace oscope
