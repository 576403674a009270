// A section is a list of entries: CIEs, which say how the addresses of their FDEs are encoded, and FDEs, one a
// function.
#include "tracer/symbols/unwind_ranges.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/bytes.h"

namespace oscope {
namespace {

// DW_EH_PE_…: the lower half of an encoding is a format, the upper one says what the value counts from.
enum : uint8_t {
  kFormatMask = 0x0f,
  kAbsolute = 0x00,
  kUleb128 = 0x01,
  kUnsigned2 = 0x02,
  kUnsigned4 = 0x03,
  kUnsigned8 = 0x04,
  kSigned = 0x08,
  kSleb128 = 0x09,
  kSigned2 = 0x0a,
  kSigned4 = 0x0b,
  kSigned8 = 0x0c,
  kBaseMask = 0xf0,
  kFromHere = 0x10,
};

class UnwindDecoder {
 public:
  UnwindDecoder(std::string_view bytes, uint64_t address, bool is_64)
      : bytes_(bytes), address_(address), is_64_(is_64) {}

  std::vector<AddressRange> Decode() {
    for (size_t at = 0; bytes_.size() - at >= 4;) {
      const std::optional<Entry> entry = ReadEntry(at);
      if (!entry) break;
      if (entry->id != 0) AddFunction(*entry);
      at = entry->end;
    }
    return std::move(ranges_);
  }

 private:
  struct Entry {
    uint64_t id = 0;  // 0: a CIE; else how far back the CIE lies from the id
    size_t id_offset = 0;
    size_t body = 0;  // offset of what follows the id
    size_t end = 0;   // one past the entry
  };

  // Nothing when the entry does not lie in the section. A terminator (length 0) is an empty CIE.
  std::optional<Entry> ReadEntry(size_t at) const {
    ByteReader reader(bytes_.substr(at));
    uint64_t length = reader.U32();
    if (length == 0) return Entry{0, at, at + 4, at + 4};
    if (length == 0xffffffff) length = reader.U64();
    if (!reader.ok() || length < 4 || length > reader.remaining()) return std::nullopt;
    Entry entry;
    entry.id_offset = at + reader.position();
    entry.id = reader.U32();
    entry.body = entry.id_offset + 4;
    entry.end = entry.id_offset + length;
    return entry;
  }

  void AddFunction(const Entry& entry) {
    if (entry.id > entry.id_offset) return;
    const std::optional<uint8_t> encoding = EncodingOf(entry.id_offset - entry.id);
    if (!encoding) return;
    ByteReader reader(bytes_.substr(entry.body, entry.end - entry.body));
    uint64_t start = Value(reader, *encoding);
    if ((*encoding & kBaseMask) == kFromHere) start += address_ + entry.body;
    if (!is_64_) start &= 0xffffffff;
    const uint64_t size = Value(reader, *encoding & kFormatMask & ~kSigned);
    if (!reader.ok() || start == 0 || size == 0 || size > ~uint64_t{0} - start) return;
    ranges_.push_back({start, start + size});
  }

  // How the FDEs of the CIE at `offset` encode addresses; nothing when we cannot tell.
  std::optional<uint8_t> EncodingOf(size_t offset) {
    if (const auto known = encodings_.find(offset); known != encodings_.end()) return known->second;
    return encodings_[offset] = ReadEncoding(offset);
  }

  std::optional<uint8_t> ReadEncoding(size_t offset) const {
    const std::optional<Entry> entry = ReadEntry(offset);
    if (!entry || entry->id != 0 || entry->end <= entry->body) return std::nullopt;
    ByteReader reader(bytes_.substr(entry->body, entry->end - entry->body));
    const uint8_t version = reader.U8();
    std::string augmentation;
    for (char c; reader.ok() && (c = static_cast<char>(reader.U8())) != '\0';) augmentation += c;
    if (augmentation.empty()) return kAbsolute;
    if (augmentation[0] != 'z') return std::nullopt;
    reader.Varint();                                         // code alignment
    reader.Varint();                                         // data alignment
    version == 1 ? uint64_t{reader.U8()} : reader.Varint();  // return address register
    reader.Varint();                                         // size of what follows
    uint8_t encoding = kAbsolute;
    for (const char c : augmentation.substr(1)) {
      if (c == 'R') encoding = reader.U8();
      if (c == 'L') reader.U8();
      if (c == 'P') Value(reader, reader.U8() & kFormatMask);
    }
    const uint8_t base = encoding & kBaseMask;
    const bool usable = reader.ok() && (base == kAbsolute || base == kFromHere);
    return usable ? std::optional(encoding) : std::nullopt;
  }

  uint64_t Value(ByteReader& reader, uint8_t encoding) const {
    switch (encoding & kFormatMask) {
      case kAbsolute: return is_64_ ? reader.U64() : reader.U32();
      case kUleb128: return reader.Varint();
      case kUnsigned2: return reader.U16();
      case kUnsigned4: return reader.U32();
      case kUnsigned8:
      case kSigned8: return reader.U64();
      case kSigned2: return static_cast<uint64_t>(int64_t{static_cast<int16_t>(reader.U16())});
      case kSigned4: return static_cast<uint64_t>(int64_t{static_cast<int32_t>(reader.U32())});
      default:  // kSleb128, which compilers do not use here, and unknown encodings
        reader.Fail("unknown encoding");
        return 0;
    }
  }

  std::string_view bytes_;
  uint64_t address_;
  bool is_64_;
  std::unordered_map<size_t, std::optional<uint8_t>> encodings_;
  std::vector<AddressRange> ranges_;
};

}  // namespace

std::vector<AddressRange> DecodeUnwindRanges(std::string_view bytes, uint64_t address, bool is_64) {
  std::vector<AddressRange> ranges = UnwindDecoder(bytes, address, is_64).Decode();
  std::ranges::sort(ranges, {}, [](const AddressRange& range) { return std::pair(range.start, range.end); });
  const auto repeated = std::ranges::unique(ranges, {}, &AddressRange::start);
  ranges.erase(repeated.begin(), repeated.end());
  return ranges;
}

std::vector<AddressRange> ReadUnwindRanges(const ElfImage& image) {
  const ElfImage::Section* section = image.FindSection(".eh_frame");
  if (section == nullptr || !image.is_little_endian()) return {};
  return DecodeUnwindRanges(image.BytesOf(*section), section->header.sh_addr, image.is_64());
}

}  // namespace oscope
