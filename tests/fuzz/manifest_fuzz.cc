// Reads any bytes as a manifest's root and as a group, and again under a digest that is right, so that the fuzzer gets past it.
// What is accepted must read the same once it is written.
#include <cstddef>
#include <cstdint>

#include "index/store/manifest.h"

namespace oscope {
namespace {

constexpr std::string_view kDigestPrefix = "sha256 ";

std::string Seal(std::string_view bytes) {
  std::string text(bytes.substr(0, bytes.rfind(kDigestPrefix)));
  if (text.empty() || text.back() != '\n') text += '\n';
  return text + std::string(kDigestPrefix) + Sha256Of(text) + "\n";
}

void Decode(std::string_view text) {
  if (const auto root = DecodeManifestRoot(text); root.ok()) {
    const std::string written = EncodeManifestRoot(*root);
    const auto again = DecodeManifestRoot(written);
    OSCOPE_CHECK(again.ok() && again->segments == root->segments && again->groups == root->groups && again->ranges == root->ranges);
    OSCOPE_CHECK(EncodeManifestRoot(*again) == written);
  }
  if (const auto group = DecodeGroup(text); group.ok()) {
    const auto again = DecodeGroup(EncodeGroup(*group));
    OSCOPE_CHECK(again.ok() && *again == *group);
  }
}

}  // namespace
}  // namespace oscope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  oscope::Decode(bytes);
  oscope::Decode(oscope::Seal(bytes));
  return 0;
}
