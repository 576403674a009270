// Draws from a seeded generator. The same on every machine: the standard's distributions are not.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace oscope {

class Draw {
 public:
  explicit Draw(uint64_t seed) : generator_(seed) {}

  uint64_t Below(uint64_t bound) { return generator_() % bound; }
  uint64_t Between(uint64_t least, uint64_t most) { return least + Below(most - least + 1); }
  bool Percent(uint64_t chance) { return Below(100) < chance; }
  template <typename T>
  const T& Of(const std::vector<T>& values) {
    return values[Below(values.size())];
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace oscope
