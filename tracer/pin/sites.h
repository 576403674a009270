// Sites: what the numbers in the events mean, as lines of text (tracer/raw/raw_format.h).
//
// Lines are gathered and written by Flush, which the caller does before the first use of a number. The file is opened
// anew each time, for the reason that sink.h gives.
//
// Threads: one at a time (the tool has a lock).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace oscope::pin {

class Sites {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;  // no object; no number left for a site

  // From here on lines go to `path`. The numbers that were given stay: a forked process inherits them.
  void Open(const std::string& path);

  uint32_t AddObject(uint64_t bias, const std::string& path);
  // The number of a site, the same one each time. `kind` is one of m b s i c.
  uint32_t Add(char kind, uint32_t object, uint64_t address, const std::string& name = std::string());
  void AddThread(uint32_t ordinal, uint32_t tid);
  void AddNote(const std::string& text);

  bool Flush();  // false: they could not be written, and are lost

  uint32_t site_count() const { return site_count_; }
  uint32_t object_count() const { return object_count_; }

 private:
  struct Key {
    char kind;
    uint32_t object;
    uint64_t address;
    bool operator==(const Key& other) const {
      return kind == other.kind && object == other.object && address == other.address;
    }
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
      return static_cast<size_t>((key.address * kMix) ^ (key.object * kMix >> 7) ^ static_cast<uint64_t>(key.kind));
    }
  };

  std::string path_;
  std::string lines_;
  uint64_t file_bytes_ = 0;
  uint32_t site_count_ = 0;
  uint32_t object_count_ = 0;
  std::unordered_map<Key, uint32_t, Hash> numbers_;
};

// Bytes below 0x21, above 0x7e and '%' as %XX.
std::string Escape(const std::string& text);

}  // namespace oscope::pin
