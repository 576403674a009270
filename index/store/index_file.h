// The file of an index: tagged sections, each with a version and a checksum, that are read in place from the mapped
// file.
//
// On disk:   index/<segment>.osix (docs/formats/index.md)
//              header   "OSIX", u16 version, u16 number of sections, 32 bytes segment id in hexadecimal
//              table    per section: u32 tag, u32 version of the section, u64 offset, u64 length, u64 XXH3 of the
//                       section; then u64 XXH3 of all before
//              sections at multiples of 64 bytes, zero between them; the last ends the file
//            Integers are little-endian. A section with an unknown tag is skipped; one with an unknown version counts
//            as missing.
// Checks:    Decode and Load check the table and the layout; a section's checksum is checked when it is first asked
//            for, once for as long as the file is open. So a commit that looks for known runs does not read hundreds of
//            megabytes of tails, and no torn or damaged section is ever used. XXH3 runs at memory speed: 250 MB cost
//            some 25 ms, once.
// Threads:   immutable; may be read from any thread.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "index/store/store_files.h"

namespace oscope {

struct IndexSection {
  uint32_t tag = 0;
  uint32_t version = 0;
  std::string bytes;
};

// A tag as it looks in the file.
constexpr uint32_t SectionTag(const char (&text)[5]) {
  uint32_t tag = 0;
  for (int i = 3; i >= 0; --i) tag = tag << 8 | static_cast<uint8_t>(text[i]);
  return tag;
}

class IndexFile {
 public:
  static std::string Encode(const std::string& segment, std::span<const IndexSection> sections);
  // Writes a file in place of whatever is there. Not synced: a torn one fails its checksums and is rebuilt.
  static Status Write(const StoreFiles& files, const std::string& segment, std::span<const IndexSection> sections);

  static Result<std::shared_ptr<const IndexFile>> Decode(std::string bytes, const std::string& segment);
  // Mapped where the system can.
  static Result<std::shared_ptr<const IndexFile>> Load(const StoreFiles& files, const std::string& segment);

  // A section's bytes. kNotFound when there is none of this tag and version, kCorrupt when its checksum differs.
  Result<std::string_view> Section(uint32_t tag, uint32_t version) const;
  // Every section's checksum.
  Status CheckAll() const;

  std::string_view bytes() const { return bytes_; }

 private:
  struct Entry {
    uint32_t tag = 0, version = 0;
    uint64_t offset = 0, length = 0, checksum = 0;
    mutable std::atomic<bool> checked = false;
  };
  Status Parse(const std::string& segment);
  Status CheckLayout(uint64_t table_end) const;
  Status Check(const Entry& entry) const;
  std::string_view BytesOf(const Entry& entry) const { return bytes_.substr(entry.offset, entry.length); }

  std::string owned_;
  std::unique_ptr<ReadableFile> file_;
  std::string_view bytes_;
  std::deque<Entry> entries_;  // does not move its atomics
};

}  // namespace oscope
