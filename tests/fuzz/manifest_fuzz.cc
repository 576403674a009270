// Reads any bytes as a manifest's root and as a group, and again under a digest that is right, so that the fuzzer gets
// past it. What is accepted must read the same once it is written.
#include "index/store/manifest.h"
#include "tests/fuzz/fuzz_target.h"

namespace oscope {
namespace {

constexpr std::string_view kDigestPrefix = "sha256 ";

std::string Seal(std::string_view bytes) {
  std::string text(bytes.substr(0, bytes.rfind(kDigestPrefix)));
  if (text.empty() || text.back() != '\n') text += '\n';
  return text + std::string(kDigestPrefix) + Sha256Of(text) + "\n";
}

std::string DecodeAsRoot(std::string_view text) {
  const auto root = DecodeManifestRoot(text);
  if (!root.ok()) return DescribeError(root.error());
  const std::string written = EncodeManifestRoot(*root);
  const auto again = DecodeManifestRoot(written);
  OSCOPE_CHECK(again.ok() && again->segments == root->segments && again->groups == root->groups &&
               again->ranges == root->ranges);
  OSCOPE_CHECK(again->version == root->version && again->store_id == root->store_id &&
               again->settings == root->settings);
  OSCOPE_CHECK(EncodeManifestRoot(*again) == written);
  return fmt::format("version {} with {} segments, {} groups, {} ranges, {} runs, {} bytes", root->version,
                     root->segments.size(), root->groups.size(), root->ranges.size(), root->runs(), root->bytes());
}

std::string DecodeAsGroup(std::string_view text) {
  const auto group = DecodeGroup(text);
  if (!group.ok()) return DescribeError(group.error());
  const auto again = DecodeGroup(EncodeGroup(*group));
  OSCOPE_CHECK(again.ok() && *again == *group);
  return fmt::format("{} segments", group->size());
}

std::string Decode(std::string_view text) {
  return fmt::format("root: {}; group: {}", DecodeAsRoot(text), DecodeAsGroup(text));
}

}  // namespace

std::string DescribeInput(std::string_view bytes) {
  return fmt::format("{} | sealed {}", Decode(bytes), Decode(Seal(bytes)));
}

}  // namespace oscope
