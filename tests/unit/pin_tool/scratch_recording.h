// The directory that oscope makes before a program starts, in a scratch place, removed afterwards.
#pragma once

#include <cstdint>
#include <string>

namespace oscope::pin {

class ScratchRecording {
 public:
  ScratchRecording(uint32_t process_limit, uint32_t ring_chunks);
  ~ScratchRecording();
  ScratchRecording(const ScratchRecording&) = delete;
  ScratchRecording& operator=(const ScratchRecording&) = delete;

  const std::string& path() const { return path_; }
  uint32_t ring_chunks() const { return ring_chunks_; }
  // The events of a process as text, a line a record: "thread 0 entry 3 4096".
  std::string Events(uint32_t process) const;

 private:
  std::string path_;
  uint32_t ring_chunks_;
};

}  // namespace oscope::pin
