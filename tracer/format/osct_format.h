// The layout of an .osct file: what recorders write and uploads carry. docs/formats/osct.md has every record field by
// field.
//
//   file     = header, block*, trailer block
//   header   = "OSCT", u16 version, u16 flags (0)
//   block    = u64 checksum, u8 kind, u8 codec, u16 zero, u32 stored length, u32 raw length, stored bytes
//              checksum: XXH3-64 of all of the block after it; codec: plain, or one zstd frame that states its
//              content's size
//   raw      = record*                        in a block of records; a record does not span blocks
//   record   = varint kind, varint length, payload
//   trailer  = u64 bugs, u64 runs, u64 traces, u64 events, u64 u64 XXH3-128 (high, low) of all bytes before the block
//
// Integers are little-endian; varints are LEB128; a text is a varint length and bytes. Records come in the order of
// RunSink's calls; a symbols record defines the next ids of the file, before the first event that uses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace oscope::osct {

inline constexpr std::string_view kMagic = "OSCT";
inline constexpr uint16_t kOldestVersion = 1;
inline constexpr uint16_t kVersion = 2;  // 2: runs have a failure and how they were made; attachments

inline constexpr size_t kFileHeaderBytes = 8;
inline constexpr size_t kBlockHeaderBytes = 20;
inline constexpr size_t kChecksumBytes = 8;
inline constexpr size_t kTrailerBytes = 48;

// A reader remembers the traces of a run, to refuse one that comes twice.
inline constexpr uint64_t kMaxRunTraces = 1 << 22;

// A writer ends a block when the next record would make it larger.
inline constexpr size_t kBlockTargetBytes = 1 << 20;

// A writer cuts the bytes of an attachment into records of this size.
inline constexpr size_t kContentBytes = kBlockTargetBytes - 64;

enum class BlockKind : uint8_t { kRecords = 1, kTrailer = 2 };
enum class Codec : uint8_t { kPlain = 0, kZstd = 1 };
enum class RecordKind : uint8_t {
  kBug = 1,
  kRun,
  kSymbols,
  kTrace,
  kEvents,
  kTraceEnd,
  kRunEnd,
  kAttachment,
  kContent,
};
inline constexpr RecordKind kLastRecordKind = RecordKind::kContent;
enum class IdCoding : uint8_t { kVarint = 0, kByte = 1 };

struct Totals {
  uint64_t bugs = 0;
  uint64_t runs = 0;
  uint64_t traces = 0;
  uint64_t events = 0;
  bool operator==(const Totals&) const = default;
};

}  // namespace oscope::osct
