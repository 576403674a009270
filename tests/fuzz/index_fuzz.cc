// Reads any bytes as an .osix file, and again with its checksums put right, and asks it everything that a store asks.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "index/store/segment_index.h"

namespace oscope {
namespace {

constexpr size_t kSectionsAt = 6, kSegmentAt = 8, kSegmentBytes = 32, kTableAt = 40, kSectionBytes = 32;

template <typename Number>
Number Load(const std::string& bytes, size_t at) {
  Number number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

void StoreHash(std::string& bytes, size_t at, uint64_t hash) { std::memcpy(bytes.data() + at, &hash, sizeof(hash)); }

// The checksums that the bytes would need, where there is room for them.
std::string PutRight(std::string bytes) {
  if (bytes.size() < kTableAt) return bytes;
  const size_t sections = Load<uint16_t>(bytes, kSectionsAt);
  const size_t table_end = kTableAt + sections * kSectionBytes;
  if (bytes.size() < table_end + sizeof(uint64_t)) return bytes;
  for (size_t at = kTableAt; at < table_end; at += kSectionBytes) {
    const auto offset = Load<uint64_t>(bytes, at + 8), length = Load<uint64_t>(bytes, at + 16);
    if (offset > bytes.size() || length > bytes.size() - offset) continue;
    StoreHash(bytes, at + 24, Xxh3(std::string_view(bytes).substr(offset, length)));
  }
  StoreHash(bytes, table_end, Xxh3(std::string_view(bytes).substr(0, table_end)));
  return bytes;
}

void Ask(const std::string& bytes) {
  const std::string segment = bytes.size() < kTableAt ? std::string(kSegmentBytes, '0') : bytes.substr(kSegmentAt, kSegmentBytes);
  const auto index = SegmentIndex::Decode(bytes, segment);
  if (!index.ok()) return;
  OSCOPE_CHECK((*index)->bytes() == bytes);
  for (size_t i = 0; i < (*index)->runs(); ++i) {
    const RunLocation run = (*index)->run(i);
    OSCOPE_CHECK((*index)->LowerBound(run.id) <= (*index)->runs());
    OSCOPE_CHECK((*index)->LowerBound(run.id, i) <= (*index)->runs());
    if (const auto found = (*index)->FindRun(run.id)) OSCOPE_CHECK(found->id == run.id);
    const uint64_t placements[] = {run.content_hash_low / 2, run.content_hash_low};
    (void)(*index)->HasBugAmong(placements);
    (void)(*index)->BugRows(run.content_hash_low);
  }
}

}  // namespace
}  // namespace oscope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  oscope::Ask(bytes);
  oscope::Ask(oscope::PutRight(bytes));
  return 0;
}
