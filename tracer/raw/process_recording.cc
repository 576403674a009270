// Finds the chunks of a memory-mapped events file and brings them into order. The process may have been killed at any
// instruction, so each chunk is recognised by its own header and ordered by its own sequence number; the file's header
// is trusted for as little as possible.
#include "tracer/raw/process_recording.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.h"

namespace oscope::raw {
namespace {

constexpr size_t kHeaderBytes = OSC_RAW_HEADER_BYTES;
constexpr size_t kChunkBytes = OSC_RAW_CHUNK_BYTES;
constexpr size_t kChunkHeaderBytes = OSC_RAW_CHUNK_HEADER_BYTES;

}  // namespace

uint32_t ExtendedRecord::Word() {
  if (words_.empty()) {
    bad_ = true;
    return 0;
  }
  const uint32_t word = words_.front();
  words_ = words_.subspan(1);
  return word;
}

uint64_t ExtendedRecord::Wide() {
  const uint64_t low = Word();
  return low | static_cast<uint64_t>(Word()) << 32;
}

std::optional<std::string> ExtendedRecord::Text() {
  const uint32_t length = Word();
  if (bad_ || length == OSC_RAW_NO_TEXT) return std::nullopt;
  if (length > words_.size() * sizeof(uint32_t)) {
    bad_ = true;
    return std::nullopt;
  }
  const size_t words = (length + sizeof(uint32_t) - 1) / sizeof(uint32_t);
  std::string text(reinterpret_cast<const char*>(words_.data()), length);
  words_ = words_.subspan(words);
  return text;
}

Result<ProcessRecording> ProcessRecording::Parse(std::span<const std::byte> bytes) {
  ProcessRecording recording;
  if (bytes.size() < kHeaderBytes) return Corrupt("events of a recording: {} bytes, no header", bytes.size());
  std::memcpy(&recording.header_, bytes.data(), sizeof(OscRawHeader));
  const OscRawHeader& header = recording.header_;
  if (header.magic != OSC_RAW_EVENTS_MAGIC) return Corrupt("events of a recording: bad magic");
  if (header.version != OSC_RAW_VERSION) {
    return Unsupported("events of a recording: version {}, this program reads {}", header.version,
                       static_cast<int>(OSC_RAW_VERSION));
  }
  if (header.chunk_bytes != kChunkBytes)
    return Corrupt("events of a recording: chunks of {} bytes", header.chunk_bytes);
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(uint32_t) != 0)
    return Corrupt("events of a recording: not aligned");

  // By what the chunks themselves say, not by the header's arithmetic: the process may have been killed between the
  // two.
  for (size_t at = kHeaderBytes; at + kChunkBytes <= bytes.size(); at += kChunkBytes) {
    OscRawChunk chunk;
    std::memcpy(&chunk, bytes.data() + at, sizeof chunk);
    if (chunk.magic != OSC_RAW_CHUNK_MAGIC) {
      if (chunk.magic != 0) ++recording.damaged_;
      continue;
    }
    const auto* words = reinterpret_cast<const uint32_t*>(bytes.data() + at + kChunkHeaderBytes);
    recording.chunks_.push_back(
        {chunk.sequence, chunk.thread, std::span(words, (kChunkBytes - kChunkHeaderBytes) / sizeof(uint32_t))});
  }
  std::ranges::sort(recording.chunks_, {}, &Chunk::sequence);
  if (!recording.chunks_.empty()) recording.first_sequence_ = recording.chunks_.front().sequence;
  return recording;
}

Result<ProcessRecording> ProcessRecording::Open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    if (errno == ENOENT) return NotFound("{}: is not there", path);
    return IoError(errno, "read", path);
  }
  struct stat facts{};
  if (::fstat(file.get(), &facts) != 0) return IoError(errno, "read", path);
  const auto size = static_cast<size_t>(facts.st_size);
  if (size < kHeaderBytes) return Corrupt("{}: {} bytes, no header", path, size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (address == MAP_FAILED) return IoError(errno, "map", path);
  const std::shared_ptr<const void> mapping(address,
                                            [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  Result<ProcessRecording> recording = Parse(std::span(static_cast<const std::byte*>(address), size));
  if (!recording.ok()) return std::move(recording).error().Within(path);
  recording->mapping_ = mapping;
  return recording;
}

}  // namespace oscope::raw
