#include "tracer/format/byte_source.h"

#include <unistd.h>

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

class DescriptorByteSource : public ByteSource {
 public:
  DescriptorByteSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  Result<size_t> Read(char* out, size_t max) override {
    while (true) {
      const ssize_t count = ::read(descriptor_, out, max);
      if (count >= 0) return static_cast<size_t>(count);
      if (errno != EINTR) return IoError(errno, "read", name_);
    }
  }
  Status Rewind() override {
    if (::lseek(descriptor_, 0, SEEK_SET) == 0) return {};
    return Unsupported("{} cannot be read twice: give a file", name_);
  }

 private:
  int descriptor_;
  std::string name_;
};

}  // namespace

std::unique_ptr<ByteSource> MemorySource(std::string_view bytes) { return std::make_unique<MemoryByteSource>(bytes); }
std::unique_ptr<ByteSource> FileSource(const ReadableFile& file) { return std::make_unique<FileByteSource>(file); }
std::unique_ptr<ByteSource> DescriptorSource(int descriptor, std::string name) {
  return std::make_unique<DescriptorByteSource>(descriptor, std::move(name));
}

}  // namespace oscope
