// Events are stored column by column: ids, depths, outcomes, values. Each column compresses better by itself than
// events would one after another, and decodes in a tight loop. Depths are stored as differences, since neighbours
// differ by little.
//
// Decoders look for the largest value of a column and check it once at the end, not each value as it comes: arithmetic
// on bad values is harmless, and nothing is used before the check. A column must have the shortest form that its values
// allow, so that equal events always have equal bytes.
#include "tracer/format/osct_events.h"

#include <algorithm>

#include "base/limits.h"
#include "tracer/format/osct_format.h"

namespace oscope::osct {
namespace {

constexpr size_t kMaxVarint32Bytes = 5;
constexpr uint32_t kByteIds = 256;

// Varints of at most 32 bits, written to a place that has room for them.
char* PutVarint(uint32_t value, char* out) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

void PutVarints(std::span<const uint32_t> values, ByteWriter& out) {
  std::string bytes(values.size() * kMaxVarint32Bytes, '\0');
  char* end = bytes.data();
  for (const uint32_t value : values) end = PutVarint(value, end);
  out.Bytes({bytes.data(), static_cast<size_t>(end - bytes.data())});
}

uint32_t ZigZagOf(uint32_t difference) { return (difference << 1) ^ (0 - (difference >> 31)); }
uint32_t UnZigZag(uint32_t value) { return (value >> 1) ^ (0 - (value & 1)); }

// Takes `count` varints of at most 32 bits from the front of `bytes` and hands each to `put`; false when they are not
// there. Few bytes are long ones, so the first byte decides nearly always.
bool TakeVarints(std::string_view& bytes, size_t count, auto put) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (size_t i = 0; i < count; ++i) {
    if (at == end) return false;
    uint32_t value = static_cast<unsigned char>(*at++);
    if (value >= 0x80) {
      value &= 0x7f;
      for (int shift = 7;; shift += 7) {
        if (at == end || shift > 28) return false;
        const auto byte = static_cast<unsigned char>(*at++);
        if (shift == 28 && byte > 0x0f) return false;
        value |= static_cast<uint32_t>(byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
    }
    put(i, value);
  }
  bytes.remove_prefix(static_cast<size_t>(at - bytes.data()));
  return true;
}

Status TakeIds(std::string_view& bytes, IdCoding coding, std::vector<SymbolId>& ids, uint32_t symbols) {
  uint32_t largest = 0;
  if (coding == IdCoding::kByte) {
    if (bytes.size() < ids.size()) return Corrupt("{} event ids in {} bytes", ids.size(), bytes.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<unsigned char>(bytes[i]);
      largest = std::max<uint32_t>(largest, id);
      ids[i] = static_cast<SymbolId>(id);
    }
    bytes.remove_prefix(ids.size());
  } else {
    const bool there = TakeVarints(bytes, ids.size(), [&](size_t i, uint32_t id) {
      largest = std::max(largest, id);
      ids[i] = static_cast<SymbolId>(id);
    });
    if (!there) return Corrupt("the event ids are cut");
    // So that what is said has one form.
    if (largest < kByteIds) return Corrupt("varints for event ids that are all below {}", kByteIds);
  }
  if (largest >= symbols) return Corrupt("event id {}: {} symbols are defined", largest, symbols);
  return {};
}

Status TakeDepths(std::string_view& bytes, std::vector<uint32_t>& depths) {
  uint32_t depth = 0;
  uint32_t largest = 0;
  const bool there = TakeVarints(bytes, depths.size(), [&](size_t i, uint32_t difference) {
    // Wraps on purpose: below zero is far above the limit.
    depth += UnZigZag(difference);
    largest = std::max(largest, depth);
    depths[i] = depth;
  });
  if (!there) return Corrupt("the depths are cut");
  if (largest > limits::kMaxDepth) return Limit("call depth {}: the limit is {}", largest, limits::kMaxDepth);
  return {};
}

Status TakeOutcomes(std::string_view& bytes, std::vector<EventOutcome>& outcomes) {
  if (bytes.size() < outcomes.size()) return Corrupt("the outcomes are cut");
  uint8_t largest = 0;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const auto outcome = static_cast<uint8_t>(bytes[i]);
    largest = std::max(largest, outcome);
    outcomes[i] = static_cast<EventOutcome>(outcome);
  }
  if (largest > static_cast<uint8_t>(EventOutcome::kThrew)) return Corrupt("event outcome {} is unknown", largest);
  bytes.remove_prefix(outcomes.size());
  return {};
}

Status TakeValues(std::string_view& bytes, std::vector<uint32_t>& lengths, std::vector<std::string>& values) {
  uint32_t largest = 0;
  const bool there = TakeVarints(bytes, values.size(), [&](size_t i, uint32_t length) {
    largest = std::max(largest, length);
    lengths[i] = length;
  });
  if (!there) return Corrupt("the values' lengths are cut");
  if (largest > limits::kMaxNameBytes) {
    return Limit("a value of {} bytes: the limit is {}", largest, limits::kMaxNameBytes);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (lengths[i] > bytes.size()) return Corrupt("the values are cut");
    values[i].assign(bytes.substr(0, lengths[i]));
    bytes.remove_prefix(lengths[i]);
  }
  return {};
}

}  // namespace

void EncodeEvents(std::span<const uint32_t> ids, const EventChunk& chunk, ByteWriter& out) {
  out.Varint(ids.size());
  if (std::ranges::all_of(ids, [](uint32_t id) { return id < kByteIds; })) {
    out.U8(static_cast<uint8_t>(IdCoding::kByte));
    std::string bytes(ids.size(), '\0');
    std::ranges::transform(ids, bytes.begin(), [](uint32_t id) { return static_cast<char>(id); });
    out.Bytes(bytes);
  } else {
    out.U8(static_cast<uint8_t>(IdCoding::kVarint));
    PutVarints(ids, out);
  }

  std::vector<uint32_t> numbers(chunk.depths.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = ZigZagOf(chunk.depths[i] - (i == 0 ? 0 : chunk.depths[i - 1]));
  }
  PutVarints(numbers, out);
  out.Bytes({reinterpret_cast<const char*>(chunk.outcomes.data()), chunk.outcomes.size()});
  for (const std::string& value : chunk.values) out.Varint(value.size());
  for (const std::string& value : chunk.values) out.Bytes(value);
}

Result<EventChunk> EventDecoder::Decode(std::string_view payload, const TraceHeader& trace, uint32_t symbols) {
  ByteReader head(payload);
  const uint64_t count = head.Varint();
  const uint8_t coding = head.U8();
  OSCOPE_RETURN_IF_ERROR(head.status());
  if (count > limits::kChunkEvents) return Limit("a chunk of {} events: the limit is {}", count, limits::kChunkEvents);
  if (count == 0) return Corrupt("a chunk without events");
  if (coding > static_cast<uint8_t>(IdCoding::kByte)) return Unsupported("coding {} of event ids is unknown", coding);

  std::string_view bytes = payload.substr(head.position());
  events_.resize(count);
  depths_.resize(trace.has_depths ? count : 0);
  outcomes_.resize(trace.has_outcomes ? count : 0);
  values_.resize(trace.has_values ? count : 0);
  lengths_.resize(values_.size());
  OSCOPE_RETURN_IF_ERROR(TakeIds(bytes, static_cast<IdCoding>(coding), events_, symbols));
  OSCOPE_RETURN_IF_ERROR(TakeDepths(bytes, depths_));
  OSCOPE_RETURN_IF_ERROR(TakeOutcomes(bytes, outcomes_));
  OSCOPE_RETURN_IF_ERROR(TakeValues(bytes, lengths_, values_));
  if (!bytes.empty()) return Corrupt("{} bytes left over after {} events", bytes.size(), count);
  return EventChunk{events_, depths_, outcomes_, values_};
}

}  // namespace oscope::osct
