// The events record of .osct: up to limits::kChunkEvents events of a trace, column by column.
//
//   varint count (1 …), u8 coding of the ids, ids, then the columns that the trace's header announces:
//   depths    zigzag varint differences, the first from 0
//   outcomes  a byte each
//   values    varint lengths, then the bytes of all
// Ids are bytes when all are below 256, else varints: fixed two bytes came out 16 to 33 % larger under zstd on made-up
// method traces, since a file numbers its symbols as they first occur and the common ones are small.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "tracer/model/run_sink.h"

namespace oscope::osct {

// `ids` are the file's, in the place of `chunk.events`.
void EncodeEvents(std::span<const uint32_t> ids, const EventChunk& chunk, ByteWriter& out);

// Decodes into buffers of its own, which the next call reuses.
class EventDecoder {
 public:
  // The chunk of a payload that must be used up exactly, for a trace with this header, in a file that has defined
  // `symbols` symbols so far. kLimit for a depth, value or count over its limit; kCorrupt for anything else.
  Result<EventChunk> Decode(std::string_view payload, const TraceHeader& trace, uint32_t symbols);

 private:
  std::vector<SymbolId> events_;
  std::vector<uint32_t> depths_;
  std::vector<EventOutcome> outcomes_;
  std::vector<std::string> values_;
  std::vector<uint32_t> lengths_;
};

}  // namespace oscope::osct
