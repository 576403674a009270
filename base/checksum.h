// Checksums and hashes: XXH3 against accidents, SHA-256 for the files that a manifest names.
// Threads: the functions may be called from any thread; a hasher belongs to one thread at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

// 128 bits, most significant first when printed.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
};

uint64_t Xxh3(std::string_view bytes);
Hash128 Xxh3Wide(std::string_view bytes);

// 128-bit XXH3 of a stream.
class WideHasher {
 public:
  WideHasher();
  ~WideHasher();
  WideHasher(const WideHasher&) = delete;
  WideHasher& operator=(const WideHasher&) = delete;
  void Update(std::string_view bytes);
  void UpdateNumber(uint64_t value);         // eight bytes, little-endian
  void UpdateString(std::string_view text);  // length, then bytes: no two field lists collide by concatenation
  Hash128 Digest() const;
  void Reset();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// SHA-256 of a stream, as 64 lower-case hexadecimal digits.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void Update(std::string_view bytes);
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
std::string Sha256Of(std::string_view bytes);

std::string ToHex(Hash128 value);                      // 32 digits
Result<Hash128> Hash128FromHex(std::string_view hex);  // exactly 32 digits

// 128 bits from the operating system's random source.
Hash128 RandomHash128();

}  // namespace oscope
