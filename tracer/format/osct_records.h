// The payloads of .osct records, except events: each encoder beside its decoder, field by field as docs/formats/osct.md
// has them.
//
// Decoders take a payload that must be used up exactly. kLimit names the field that is too large, before anything is
// allocated for it; anything else that is wrong is kCorrupt. What is decoded is also valid in the model's sense
// (Validate).
#pragma once

#include <string_view>

#include "base/bytes.h"
#include "tracer/model/attachment.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"
#include "tracer/model/symbols.h"

namespace oscope::osct {

void EncodeBug(const Bug& bug, ByteWriter& out);
// Records of a file of this version. A field that this release does not know is kUnsupported.
Result<Bug> DecodeBug(std::string_view payload, uint16_t version);

void EncodeRun(const RunHeader& run, ByteWriter& out);
// The failure that version 1 has in the custom fields comes in its own type.
Result<RunHeader> DecodeRun(std::string_view payload, uint16_t version);

void EncodeTrace(const TraceHeader& trace, ByteWriter& out);
Result<TraceHeader> DecodeTrace(std::string_view payload);

// A symbols record is one symbol after another, to its end.
void EncodeSymbol(std::string_view name, const SymbolAttributes& attributes, ByteWriter& out);
// Appends to `symbols` and takes what they cost in memory from `budget`; kLimit when it is used up.
Status DecodeSymbols(std::string_view payload, SymbolTable& symbols, uint64_t& budget);

// The record that ends a run: how many traces and events it had.
struct RunEnd {
  uint64_t traces = 0;
  uint64_t events = 0;
};
void EncodeRunEnd(const RunEnd& end, ByteWriter& out);
Result<RunEnd> DecodeRunEnd(std::string_view payload);

// An attachment without its bytes, which follow in content records, each a piece of them as it is.
void EncodeAttachment(const AttachmentHeader& attachment, ByteWriter& out);
Result<AttachmentHeader> DecodeAttachment(std::string_view payload);

// The record that ends a trace: how many events it had.
void EncodeTraceEnd(uint64_t events, ByteWriter& out);
Result<uint64_t> DecodeTraceEnd(std::string_view payload);

}  // namespace oscope::osct
