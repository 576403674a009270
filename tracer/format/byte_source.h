// ByteSource: bytes read from front to back: a file, memory.
// Threads: not shared.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/file_system.h"
#include "base/result.h"

namespace oscope {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `max` bytes (at least one) into `out`; 0 at the end only.
  virtual Result<size_t> Read(char* out, size_t max) = 0;
  // Back to the first byte; kUnsupported where that cannot be done, as for a pipe.
  virtual Status Rewind() = 0;
};

// Each borrows what it reads from.
std::unique_ptr<ByteSource> MemorySource(std::string_view bytes);
std::unique_ptr<ByteSource> FileSource(const ReadableFile& file);

}  // namespace oscope
