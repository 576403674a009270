// Makes the bytes of a process's events file, record by record.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/raw/process_recording.h"

namespace oscope::raw {

class RawBytes {
 public:
  RawBytes& Entry(uint32_t site, uint32_t stack_pointer) {
    return Add({OSC_RAW_WORD(OSC_RAW_ENTRY, site), stack_pointer});
  }
  RawBytes& Branch(uint32_t site, bool taken) {
    return Add({OSC_RAW_WORD(OSC_RAW_BRANCH, site << 1 | (taken ? 1u : 0u))});
  }
  RawBytes& Statement(uint32_t site) { return Add({OSC_RAW_WORD(OSC_RAW_STATEMENT, site)}); }
  RawBytes& Thread(uint32_t thread) { return Add({OSC_RAW_WORD(OSC_RAW_THREAD, thread)}); }
  RawBytes& Extended(OscRawExtended type, std::vector<uint32_t> words) {
    Add({OSC_RAW_EXTENDED_WORD(type, words.size())});
    return Add(words);
  }
  RawBytes& Add(const std::vector<uint32_t>& words) {
    words_.insert(words_.end(), words.begin(), words.end());
    return *this;
  }

  // Ends a chunk, which gets this sequence number.
  RawBytes& Chunk(uint64_t sequence, uint32_t thread = 0) {
    std::string chunk(OSC_RAW_CHUNK_BYTES, '\0');
    OscRawChunk header = {};
    header.magic = OSC_RAW_CHUNK_MAGIC;
    header.thread = thread;
    header.sequence = sequence;
    std::memcpy(chunk.data(), &header, sizeof header);
    std::memcpy(chunk.data() + OSC_RAW_CHUNK_HEADER_BYTES, words_.data(), words_.size() * sizeof(uint32_t));
    words_.clear();
    chunks_ += chunk;
    return *this;
  }

  // The whole file; kept by this object, aligned as a mapping is.
  std::span<const std::byte> File(uint32_t flags = OSC_RAW_FINISHED) {
    if (!words_.empty()) Chunk(0);
    std::string bytes(OSC_RAW_HEADER_BYTES, '\0');
    OscRawHeader header = {};
    header.magic = OSC_RAW_EVENTS_MAGIC;
    header.version = OSC_RAW_VERSION;
    header.chunk_bytes = OSC_RAW_CHUNK_BYTES;
    header.flags = flags;
    std::memcpy(bytes.data(), &header, sizeof header);
    bytes += chunks_;
    file_.assign((bytes.size() + 7) / 8, 0);
    std::memcpy(file_.data(), bytes.data(), bytes.size());
    return std::as_bytes(std::span(file_)).first(bytes.size());
  }

 private:
  std::vector<uint32_t> words_;
  std::string chunks_;
  std::vector<uint64_t> file_;
};

// The words of a text as extended records have it.
inline std::vector<uint32_t> TextWords(std::string_view text) {
  std::vector<uint32_t> words((text.size() + 3) / 4 + 1, 0);
  words[0] = static_cast<uint32_t>(text.size());
  std::memcpy(words.data() + 1, text.data(), text.size());
  return words;
}

}  // namespace oscope::raw
