// Bytes from memory, from a file and from a descriptor. Only the first two can always be read twice.
#include "tracer/format/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace oscope {
namespace {

class MemoryByteSource : public ByteSource {
 public:
  explicit MemoryByteSource(std::string_view bytes) : bytes_(bytes) {}
  Result<size_t> Read(char* out, size_t max) override {
    const size_t count = bytes_.copy(out, max, position_);
    position_ += count;
    return count;
  }
  Status Rewind() override {
    position_ = 0;
    return {};
  }

 private:
  std::string_view bytes_;
  size_t position_ = 0;
};

class FileByteSource : public ByteSource {
 public:
  explicit FileByteSource(const ReadableFile& file) : file_(file) {}
  Result<size_t> Read(char* out, size_t max) override {
    const auto count = static_cast<size_t>(std::min<uint64_t>(max, file_.size() - position_));
    if (count > 0) OSCOPE_RETURN_IF_ERROR(file_.ReadAt(position_, count, out));
    position_ += count;
    return count;
  }
  Status Rewind() override {
    position_ = 0;
    return {};
  }

 private:
  const ReadableFile& file_;
  uint64_t position_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> MemorySource(std::string_view bytes) { return std::make_unique<MemoryByteSource>(bytes); }
std::unique_ptr<ByteSource> FileSource(const ReadableFile& file) { return std::make_unique<FileByteSource>(file); }

}  // namespace oscope
