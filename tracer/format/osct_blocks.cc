// Blocks in both directions. The reader trusts nothing: a block's header is checked before anything is allocated, the
// inflate ratio is bounded so that a small file cannot fill the memory, the checksum is compared before decompression,
// and the zstd frame must have exactly the announced size. A running hash over all bytes is compared with the
// trailer's at the end.
#include "tracer/format/osct_blocks.h"

#include <zstd.h>

#include "base/bytes.h"
#include "base/limits.h"

namespace oscope::osct {
namespace {

void FreeCompressor(ZSTD_CCtx* context) { ZSTD_freeCCtx(context); }

bool ExceedsInflateRatio(uint64_t raw, uint64_t stored) {
  return raw > limits::kMaxInflateRatio * (stored + kBlockHeaderBytes);
}

}  // namespace

BlockWriter::BlockWriter(Out out, bool compress, int level)
    : out_(std::move(out)), compress_(compress), level_(level), zstd_(ZSTD_createCCtx(), FreeCompressor) {
  OSCOPE_CHECK(zstd_ != nullptr);
}
BlockWriter::~BlockWriter() = default;

Status BlockWriter::WriteFileHeader() {
  ByteWriter header;
  header.Bytes(kMagic);
  header.U16(kVersion);
  header.U16(0);
  return Put(header.bytes());
}

Status BlockWriter::Write(BlockKind kind, std::string_view raw) {
  if (raw.size() > limits::kMaxBlockBytes) {
    return Limit("a record of {} bytes: the limit is {}", raw.size(), limits::kMaxBlockBytes);
  }
  const bool try_zstd = compress_ && kind == BlockKind::kRecords;
  const std::string_view compressed = try_zstd ? Compress(raw) : std::string_view();
  const bool helps =
      !compressed.empty() && compressed.size() < raw.size() && !ExceedsInflateRatio(raw.size(), compressed.size());
  const std::string_view stored = helps ? compressed : raw;

  ByteWriter header;
  header.U8(static_cast<uint8_t>(kind));
  header.U8(static_cast<uint8_t>(helps ? Codec::kZstd : Codec::kPlain));
  header.U16(0);
  header.U32(static_cast<uint32_t>(stored.size()));
  header.U32(static_cast<uint32_t>(raw.size()));
  block_.assign(kChecksumBytes, '\0');
  block_ += header.bytes();
  block_ += stored;
  ByteWriter checksum;
  checksum.U64(Xxh3(std::string_view(block_).substr(kChecksumBytes)));
  block_.replace(0, kChecksumBytes, checksum.bytes());
  return Put(block_);
}

std::string_view BlockWriter::Compress(std::string_view raw) {
  compressed_.resize(ZSTD_compressBound(raw.size()));
  const size_t size =
      ZSTD_compressCCtx(zstd_.get(), compressed_.data(), compressed_.size(), raw.data(), raw.size(), level_);
  OSCOPE_CHECK(!ZSTD_isError(size));
  return std::string_view(compressed_).substr(0, size);
}

Status BlockWriter::Put(std::string_view bytes) {
  hasher_.Update(bytes);
  return out_(bytes);
}

BlockReader::BlockReader(ByteSource& source) : source_(source), zstd_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  OSCOPE_CHECK(zstd_ != nullptr);
}
BlockReader::~BlockReader() = default;

Status BlockReader::ReadFileHeader() {
  stored_.clear();
  if (Status status = Take(kFileHeaderBytes, "header"); !status.ok()) {
    if (source_failed_) return status;
    return Invalid("{}", stored_.empty() ? "the file is empty" : "not an .osct file: it ends inside the header");
  }
  ByteReader header(stored_);
  if (header.Bytes(kMagic.size()) != kMagic) return Invalid("not an .osct file: it does not begin with {}", kMagic);
  version_ = header.U16();
  if (version_ < kOldestVersion || version_ > kVersion) {
    return Unsupported(".osct version {}: this release reads {} to {}", version_, kOldestVersion, kVersion);
  }
  if (const uint16_t flags = header.U16(); flags != 0) return Unsupported(".osct flags 0x{:04x} are unknown", flags);
  return {};
}

Result<Block> BlockReader::Next() {
  const uint64_t begin = offset_;
  Result<Block> block = ReadBlock();
  if (!block.ok()) return std::move(block).error().Within(fmt::format("block at byte {}", begin));
  return block;
}

// The block's header as its bytes say it.
struct BlockReader::Header {
  uint64_t checksum;
  uint8_t kind;
  uint8_t codec;
  uint16_t zero;
  uint32_t stored;
  uint32_t raw;

  static Header Parse(std::string_view bytes) {
    ByteReader in(bytes);
    // The fields are read in the order in which they stand here.
    return Header{in.U64(), in.U8(), in.U8(), in.U16(), in.U32(), in.U32()};
  }

  Status Check() const {
    if (kind != static_cast<uint8_t>(BlockKind::kRecords) && kind != static_cast<uint8_t>(BlockKind::kTrailer)) {
      return Unsupported("block kind {} is unknown", kind);
    }
    if (codec > static_cast<uint8_t>(Codec::kZstd)) return Unsupported("codec {} is unknown", codec);
    if (zero != 0) return Unsupported("block flags 0x{:04x} are unknown", zero);
    if (raw > limits::kMaxBlockBytes) return Limit("{} bytes: the limit is {}", raw, limits::kMaxBlockBytes);
    if (raw == 0) return Corrupt("it is empty");
    const bool plain = codec == static_cast<uint8_t>(Codec::kPlain);
    if (kind == static_cast<uint8_t>(BlockKind::kTrailer) && !plain) return Corrupt("the trailer is compressed");
    if (plain ? stored != raw : stored >= raw) return Corrupt("{} bytes stored for {} raw", stored, raw);
    if (ExceedsInflateRatio(raw, stored)) {
      return Limit("{} bytes inflate to {}: the limit is {} for each", stored, raw, limits::kMaxInflateRatio);
    }
    return {};
  }
};

Result<Block> BlockReader::ReadBlock() {
  const uint64_t begin = offset_;
  const Hash128 preceding = hasher_.Digest();
  stored_.clear();
  OSCOPE_RETURN_IF_ERROR(Take(kBlockHeaderBytes, "block header"));
  const Header header = Header::Parse(stored_);
  OSCOPE_RETURN_IF_ERROR(header.Check());
  OSCOPE_RETURN_IF_ERROR(Take(header.stored, "block"));
  if (Xxh3(std::string_view(stored_).substr(kChecksumBytes)) != header.checksum) return Corrupt("bad checksum");

  std::string_view raw = std::string_view(stored_).substr(kBlockHeaderBytes);
  if (header.codec == static_cast<uint8_t>(Codec::kZstd)) {
    OSCOPE_ASSIGN_OR_RETURN(raw, Decompress(raw, header.raw));
  }
  return Block{static_cast<BlockKind>(header.kind), raw, begin, preceding};
}

Result<std::string_view> BlockReader::Decompress(std::string_view stored, size_t raw_length) {
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != raw_length) {
    return Corrupt("the zstd frame's content size differs from the block's raw length");
  }
  if (ZSTD_findFrameCompressedSize(stored.data(), stored.size()) != stored.size()) {
    return Corrupt("more or less than one zstd frame");
  }
  if (raw_.size() < raw_length) raw_.resize(raw_length);
  const size_t size = ZSTD_decompressDCtx(zstd_.get(), raw_.data(), raw_length, stored.data(), stored.size());
  if (ZSTD_isError(size)) return Corrupt("zstd: {}", ZSTD_getErrorName(size));
  if (size != raw_length) return Corrupt("zstd: {} bytes, {} announced", size, raw_length);
  return std::string_view(raw_).substr(0, raw_length);
}

Status BlockReader::ExpectEnd() {
  char byte = 0;
  OSCOPE_ASSIGN_OR_RETURN(const size_t count, ReadSource(&byte, 1));
  if (count != 0) return Corrupt("bytes follow the trailer at byte {}", offset_);
  return {};
}

Result<size_t> BlockReader::ReadSource(char* out, size_t max) {
  Result<size_t> got = source_.Read(out, max);
  source_failed_ = !got.ok();
  return got;
}

Status BlockReader::Take(size_t count, std::string_view doing) {
  size_t filled = stored_.size();
  const size_t begin = filled;
  stored_.resize(filled + count);
  while (filled < stored_.size()) {
    Result<size_t> got = ReadSource(stored_.data() + filled, stored_.size() - filled);
    if (!got.ok()) return std::move(got).error().Within(doing);
    if (*got == 0) {
      stored_.resize(filled);
      cut_ = true;
      return Corrupt("the upload is cut at byte {}: no trailer", offset_ + filled - begin);
    }
    filled += *got;
  }
  hasher_.Update(std::string_view(stored_).substr(begin));
  offset_ += count;
  return {};
}

}  // namespace oscope::osct
