// A file of tagged sections. The section table is checked when the file is opened, each section's checksum when it is
// first asked for. That makes opening cheap (a commit asks a large index for a few run ids) without ever using
// unchecked bytes. The layout itself is checked strictly: sections follow each other in order, only zero bytes lie
// between them and nothing lies after the last. So equal sections always give equal files, and `store check` can
// compare them byte for byte.
#include "index/store/index_file.h"

#include <algorithm>

#include "base/bytes.h"

namespace oscope {

namespace {

constexpr std::string_view kMagic = "OSIX";
constexpr uint16_t kVersion = 1;
constexpr size_t kSegmentBytes = 32;
constexpr size_t kHeaderBytes = 4 + 2 + 2 + kSegmentBytes;
constexpr size_t kEntryBytes = 32;
constexpr uint16_t kMaxSections = 64;
constexpr uint64_t kAlignment = 64;
constexpr size_t kAppendBytes = 1 << 20;  // smaller pieces are written together

uint64_t Aligned(uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

std::string EncodeTable(const std::string& segment, std::span<const IndexSection> sections) {
  OSCOPE_CHECK(segment.size() == kSegmentBytes && sections.size() <= kMaxSections);
  ByteWriter out;
  out.Bytes(kMagic);
  out.U16(kVersion);
  out.U16(static_cast<uint16_t>(sections.size()));
  out.Bytes(segment);
  uint64_t offset = kHeaderBytes + sections.size() * kEntryBytes + sizeof(uint64_t);
  for (const IndexSection& section : sections) {
    offset = Aligned(offset);
    out.U32(section.tag);
    out.U32(section.version);
    out.U64(offset);
    out.U64(section.bytes.size());
    out.U64(Xxh3(section.bytes));
    offset += section.bytes.size();
  }
  out.U64(Xxh3(out.bytes()));
  return out.Take();
}

// The file piece by piece, so that a large one is not held twice.
template <typename Append>
Status ForEachPiece(const std::string& segment, std::span<const IndexSection> sections, Append append) {
  std::string piece = EncodeTable(segment, sections);
  uint64_t written = 0;
  for (const IndexSection& section : sections) {
    piece.resize(Aligned(written + piece.size()) - written, '\0');
    if (piece.size() + section.bytes.size() <= kAppendBytes) {
      piece += section.bytes;
      continue;
    }
    OSCOPE_RETURN_IF_ERROR(append(std::string_view(piece)));
    OSCOPE_RETURN_IF_ERROR(append(std::string_view(section.bytes)));
    written += piece.size() + section.bytes.size();
    piece.clear();
  }
  return piece.empty() ? Status() : append(std::string_view(piece));
}

}  // namespace

std::string IndexFile::Encode(const std::string& segment, std::span<const IndexSection> sections) {
  std::string bytes;
  OSCOPE_CHECK(ForEachPiece(segment, sections, [&](std::string_view piece) {
                 bytes += piece;
                 return Status();
               }).ok());
  return bytes;
}

Status IndexFile::Write(const StoreFiles& files, const std::string& segment, std::span<const IndexSection> sections) {
  const std::string temporary = files.TemporaryPath();
  OSCOPE_ASSIGN_OR_RETURN(auto file, files.fs().Create(temporary));
  Status status = ForEachPiece(segment, sections, [&](std::string_view piece) { return file->Append(piece); });
  if (status.ok()) status = file->Close();
  if (status.ok()) status = files.fs().Rename(temporary, files.IndexPath(segment));
  if (!status.ok()) (void)files.fs().Remove(temporary);
  return status;
}

Status IndexFile::CheckLayout(uint64_t table_end) const {
  uint64_t end = table_end;
  for (const Entry& entry : entries_) {
    if (entry.offset > bytes_.size() || entry.length > bytes_.size() - entry.offset)
      return Corrupt("a section lies outside the file");
    if (entry.offset < end || entry.offset - end >= kAlignment)
      return Corrupt("a section does not follow the one before it");
    const std::string_view gap = bytes_.substr(end, entry.offset - end);
    if (std::any_of(gap.begin(), gap.end(), [](char byte) { return byte != 0; }))
      return Corrupt("there is something between two sections");
    end = entry.offset + entry.length;
  }
  if (end != bytes_.size()) return Corrupt("the file goes on after its last section");
  return {};
}

Status IndexFile::Parse(const std::string& segment) {
  ByteReader in(bytes_);
  if (in.Bytes(kMagic.size()) != kMagic) return Corrupt("not an index file");
  const uint16_t version = in.U16();
  if (in.ok() && version != kVersion) return Unsupported("index version {}: this release reads {}", version, kVersion);
  const uint16_t sections = in.U16();
  if (sections > kMaxSections) return Corrupt("{} sections", sections);
  if (in.Bytes(kSegmentBytes) != segment) return Corrupt("the index of another segment");
  for (uint16_t i = 0; i < sections; ++i) {
    Entry& entry = entries_.emplace_back();
    entry.tag = in.U32();
    entry.version = in.U32();
    entry.offset = in.U64();
    entry.length = in.U64();
    entry.checksum = in.U64();
  }
  const std::string_view covered = bytes_.substr(0, in.position());
  const uint64_t checksum = in.U64();
  OSCOPE_RETURN_IF_ERROR(in.status());
  if (checksum != Xxh3(covered)) return Corrupt("the section table's checksum does not match");
  return CheckLayout(in.position());
}

Result<std::shared_ptr<const IndexFile>> IndexFile::Decode(std::string bytes, const std::string& segment) {
  auto index = std::make_shared<IndexFile>();
  index->owned_ = std::move(bytes);
  index->bytes_ = index->owned_;
  OSCOPE_RETURN_IF_ERROR(index->Parse(segment));
  return std::shared_ptr<const IndexFile>(std::move(index));
}

Result<std::shared_ptr<const IndexFile>> IndexFile::Load(const StoreFiles& files, const std::string& segment) {
  auto index = std::make_shared<IndexFile>();
  OSCOPE_ASSIGN_OR_RETURN(index->file_, files.fs().Open(files.IndexPath(segment)));
  index->bytes_ = index->file_->mapped();
  if (index->bytes_.empty()) {
    index->owned_.resize(index->file_->size());
    OSCOPE_RETURN_IF_ERROR(index->file_->ReadAt(0, index->owned_.size(), index->owned_.data()));
    index->bytes_ = index->owned_;
  }
  OSCOPE_RETURN_IF_ERROR(index->Parse(segment));
  return std::shared_ptr<const IndexFile>(std::move(index));
}

Status IndexFile::Check(const Entry& entry) const {
  if (entry.checked.load(std::memory_order_relaxed)) return {};
  if (Xxh3(BytesOf(entry)) != entry.checksum) return Corrupt("a section's checksum does not match");
  entry.checked.store(true, std::memory_order_relaxed);
  return {};
}

Result<std::string_view> IndexFile::Section(uint32_t tag, uint32_t version) const {
  for (const Entry& entry : entries_) {
    if (entry.tag != tag || entry.version != version) continue;
    OSCOPE_RETURN_IF_ERROR(Check(entry));
    return BytesOf(entry);
  }
  return NotFound("the index was written by another release and lacks a section of this one");
}

Status IndexFile::CheckAll() const {
  for (const Entry& entry : entries_) OSCOPE_RETURN_IF_ERROR(Check(entry));
  return {};
}

}  // namespace oscope
