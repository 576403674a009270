// The limits for bytes that come from outside, in one place, so that the documentation can name them.
//
// Each limit is checked before anything is allocated for what it limits; the error is kLimit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oscope::limits {

inline constexpr size_t kMaxNameBytes = 1 << 16;         // one event name, symbol attribute or value
inline constexpr size_t kMaxTextBytes = 16 << 20;        // one report text, comment, message, diff or input file
inline constexpr size_t kMaxIdBytes = 128;               // a project or bug id
inline constexpr size_t kMaxFields = 1024;               // custom fields, comments, duplicates, arguments of one record
inline constexpr size_t kChunkEvents = 65'536;           // events in one chunk of a trace
inline constexpr uint32_t kMaxDepth = 1 << 20;           // call depth of an event
inline constexpr uint32_t kMaxSymbols = 1 << 26;         // distinct symbols in one file
inline constexpr uint64_t kMaxTraceEvents = 1ull << 40;  // events in one trace
inline constexpr size_t kMaxBlockBytes = 32 << 20;       // one decompressed block of an upload
inline constexpr uint64_t kMaxInflateRatio = 20'000;     // decompressed bytes for each stored byte of a block
inline constexpr size_t kMaxLineBytes = 64 << 20;        // one line of a text that is imported
inline constexpr uint64_t kMaxAttachmentBytes = 256 << 20;  // one attachment of a run or a bug

}  // namespace oscope::limits
