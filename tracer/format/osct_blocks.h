// The outer layer of .osct: blocks with lengths, checksums and compression. Knows nothing of what records say.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/checksum.h"
#include "base/result.h"
#include "tracer/format/byte_source.h"
#include "tracer/format/osct_format.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace oscope::osct {

class BlockWriter {
 public:
  using Out = std::function<Status(std::string_view)>;
  BlockWriter(Out out, bool compress, int level);
  ~BlockWriter();

  Status WriteFileHeader();
  // Compressed where that makes it smaller. kLimit when `raw` is over limits::kMaxBlockBytes.
  Status Write(BlockKind kind, std::string_view raw);
  // Of all bytes written so far.
  Hash128 digest() const { return hasher_.Digest(); }

 private:
  std::string_view Compress(std::string_view raw);
  Status Put(std::string_view bytes);

  Out out_;
  bool compress_;
  int level_;
  std::unique_ptr<ZSTD_CCtx_s, void (*)(ZSTD_CCtx_s*)> zstd_;
  std::string compressed_;
  std::string block_;
  WideHasher hasher_;
};

struct Block {
  BlockKind kind;
  std::string_view raw;  // until the next call
  uint64_t offset;       // of the block in the file
  Hash128 preceding;     // of all bytes before the block
};

// Holds one block at a time. Lengths and the inflate ratio are checked before anything is allocated for them.
class BlockReader {
 public:
  explicit BlockReader(ByteSource& source);
  ~BlockReader();

  // kInvalid when it is not an .osct file, kUnsupported for another version.
  Status ReadFileHeader();
  // Fails with kCorrupt at the end of the bytes: a file ends with its trailer, after which this must not be called.
  Result<Block> Next();
  // kCorrupt when bytes are left.
  Status ExpectEnd();
  // Of the file, once its header was read.
  uint16_t version() const { return version_; }
  // Whether the bytes ended where more had to come.
  bool cut() const { return cut_; }
  // Whether the last error is the source's own: it says nothing about the file.
  bool source_failed() const { return source_failed_; }

 private:
  struct Header;
  Result<Block> ReadBlock();
  Status Take(size_t count, std::string_view doing);  // appends to stored_
  Result<size_t> ReadSource(char* out, size_t max);
  Result<std::string_view> Decompress(std::string_view stored, size_t raw_length);

  ByteSource& source_;
  std::unique_ptr<ZSTD_DCtx_s, size_t (*)(ZSTD_DCtx_s*)> zstd_;
  uint16_t version_ = kVersion;
  uint64_t offset_ = 0;
  bool cut_ = false;
  bool source_failed_ = false;
  std::string stored_;
  std::string raw_;
  WideHasher hasher_;
};

}  // namespace oscope::osct
