// XXH3 of the library xxhash and SHA-256 of OpenSSL behind types of our own, so that their headers are included in this
// source only.
#include "base/checksum.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#define XXH_STATIC_LINKING_ONLY  // XXH3_state_t by value
#include <xxhash.h>

#include <array>

namespace oscope {

uint64_t Xxh3(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Hash128 Xxh3Wide(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

struct WideHasher::State {
  XXH3_state_t xxh;
};

WideHasher::WideHasher() : state_(std::make_unique<State>()) { Reset(); }
WideHasher::~WideHasher() = default;
void WideHasher::Reset() { XXH3_128bits_reset(&state_->xxh); }
void WideHasher::Update(std::string_view bytes) { XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size()); }
void WideHasher::UpdateNumber(uint64_t value) {
  std::array<char, 8> bytes{};
  for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  Update({bytes.data(), bytes.size()});
}
void WideHasher::UpdateString(std::string_view text) {
  UpdateNumber(text.size());
  Update(text);
}
Hash128 WideHasher::Digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return {hash.high64, hash.low64};
}

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  OSCOPE_CHECK(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}
Sha256::~Sha256() = default;
void Sha256::Update(std::string_view bytes) {
  OSCOPE_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}
std::string Sha256::Finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  OSCOPE_CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), &length) == 1);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string Sha256Of(std::string_view bytes) {
  Sha256 sha;
  sha.Update(bytes);
  return sha.Finish();
}

std::string ToHex(Hash128 value) { return fmt::format("{:016x}{:016x}", value.high, value.low); }

Result<Hash128> Hash128FromHex(std::string_view hex) {
  if (hex.size() != 32) return Invalid("'{}': an id has 32 hexadecimal digits", hex);
  std::array<uint64_t, 2> words{};
  for (size_t i = 0; i < 32; ++i) {
    const char c = hex[i];
    uint64_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint64_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<uint64_t>(c - 'a' + 10);
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<uint64_t>(c - 'A' + 10);
    } else {
      return Invalid("'{}': not a hexadecimal digit at position {}", hex, i + 1);
    }
    words[i / 16] = (words[i / 16] << 4) | digit;
  }
  return Hash128{words[0], words[1]};
}

Hash128 RandomHash128() {
  std::array<uint64_t, 2> words{};
  OSCOPE_CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(words.data()), sizeof(words)) == 1);
  return {words[0], words[1]};
}

}  // namespace oscope
