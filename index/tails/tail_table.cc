// Reads tails in place from a mapped file. Make checks every number that is later used as an index, so that damaged or
// hostile bytes can give wrong answers but never a read outside the mapping. The checks are a few passes over the
// columns at memory speed, once for each open segment.
//
// Rows are checked as bytes before they are read as structs: to read an enumeration or a bool whose byte is none of
// its values would be undefined behaviour.
#include "index/tails/tail_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/limits.h"
#include "tracer/model/granularity.h"

namespace oscope {

namespace {

static_assert(std::endian::native == std::endian::little, "the stored tables are read in place");

// `count` values at the front of `bytes`, which moves on; nothing when they are not there.
template <typename Value>
std::optional<std::span<const Value>> Take(std::string_view& bytes, uint64_t count) {
  if (count > bytes.size() / sizeof(Value)) return std::nullopt;
  const std::span<const Value> values(reinterpret_cast<const Value*>(bytes.data()), count);
  bytes.remove_prefix(count * sizeof(Value));
  return values;
}

bool IsAligned(std::string_view bytes) { return reinterpret_cast<uintptr_t>(bytes.data()) % alignof(uint64_t) == 0; }

template <typename Value>
Value Highest(std::span<const Value> values) {
  Value highest = 0;
  for (const Value value : values) highest = std::max(highest, value);
  return highest;
}

}  // namespace

Result<TailTable> TailTable::Make(const TailSections& sections, std::shared_ptr<const void> owner) {
  for (const std::string_view bytes : {sections.rows, sections.column, sections.names}) {
    if (!IsAligned(bytes)) return Corrupt("a section of the tails is not aligned");
  }
  TailTable table;
  table.owner_ = std::move(owner);
  OSCOPE_RETURN_IF_ERROR(table.SetNames(sections.names));
  OSCOPE_RETURN_IF_ERROR(table.SetBugs(sections.bugs));
  OSCOPE_RETURN_IF_ERROR(table.SetColumn(sections.column));
  OSCOPE_RETURN_IF_ERROR(table.SetRows(sections.rows));
  return table;
}

Status TailTable::SetNames(std::string_view bytes) {
  const auto sizes = Take<uint32_t>(bytes, 2);
  if (!sizes) return Corrupt("the names of the tails are cut off");
  const uint32_t count = (*sizes)[0], slots = (*sizes)[1];
  if (!std::has_single_bit(slots) || slots <= count) return Corrupt("{} slots for {} names", slots, count);
  const auto offsets = Take<uint64_t>(bytes, uint64_t{count} + 1);
  const auto traces = offsets ? Take<uint32_t>(bytes, count) : std::nullopt;
  const auto hash = traces ? Take<uint32_t>(bytes, slots) : std::nullopt;
  if (!hash) return Corrupt("the names of the tails are cut off");
  if (offsets->front() != 0 || offsets->back() != bytes.size() || !std::is_sorted(offsets->begin(), offsets->end())) {
    return Corrupt("the offsets of the names do not ascend to their end");
  }
  if (Highest(*hash) > count) return Corrupt("the table of names refers to a name that is not there");
  names_ = count;
  name_offsets_ = *offsets;
  traces_with_name_ = *traces;
  name_hash_ = *hash;
  name_bytes_ = bytes;
  return {};
}

Status TailTable::SetBugs(std::string_view bytes) {
  ByteReader in(bytes);
  const uint64_t count = in.Count(kNoBug, 2);
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    const std::string_view project = in.String(limits::kMaxIdBytes), id = in.String(limits::kMaxIdBytes);
    BugKey key{std::string(project), std::string(id)};
    if (!bugs_.empty() && bugs_.back() >= key) in.Fail("the bugs do not ascend");
    bugs_.push_back(std::move(key));
  }
  return in.ExpectEnd();
}

Status TailTable::SetColumn(std::string_view bytes) {
  const size_t width = names_ < kNarrowNames ? sizeof(uint16_t) : sizeof(uint32_t);
  if (bytes.size() % width != 0) return Corrupt("the column of tails ends inside an event");
  const uint64_t count = bytes.size() / width;
  if (width == sizeof(uint16_t)) {
    column_.narrow = *Take<uint16_t>(bytes, count);
  } else {
    column_.wide = *Take<uint32_t>(bytes, count);
  }
  const uint32_t highest = std::max<uint32_t>(Highest(column_.narrow), Highest(column_.wide));
  if (count > 0 && highest >= names_) return Corrupt("a tail has event {} of {} names", highest, names_);
  return {};
}

namespace {

// Enumerations and flags are looked at as bytes: a byte that is no value of theirs must not be read as one.
bool IsValid(const char* row, size_t bugs, uint64_t column) {
  uint64_t event_count = 0, marked_count = 0, tail_begin = 0;
  uint32_t bug = 0;
  uint16_t tail_length = 0;
  std::memcpy(&event_count, row + offsetof(TailRow, event_count), sizeof(event_count));
  std::memcpy(&marked_count, row + offsetof(TailRow, marked_count), sizeof(marked_count));
  std::memcpy(&tail_begin, row + offsetof(TailRow, tail_begin), sizeof(tail_begin));
  std::memcpy(&bug, row + offsetof(TailRow, bug), sizeof(bug));
  std::memcpy(&tail_length, row + offsetof(TailRow, tail_length), sizeof(tail_length));
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(row[at]); };
  return marked_count <= event_count && tail_length == std::min<uint64_t>(marked_count, kTailEvents) &&
         tail_begin <= column && tail_length <= column - tail_begin && (bug == kNoBug || bug < bugs) &&
         byte(offsetof(TailRow, kind)) <= static_cast<uint8_t>(TraceKind::kStack) &&
         byte(offsetof(TailRow, outcome)) <= static_cast<uint8_t>(Outcome::kTimeout) &&
         byte(offsetof(TailRow, granularity)) <= static_cast<uint8_t>(Granularity::kMethod) &&
         byte(offsetof(TailRow, failing_thread)) <= 1;
}

}  // namespace

Status TailTable::SetRows(std::string_view bytes) {
  if (bytes.size() % sizeof(TailRow) != 0) return Corrupt("the rows of the tails end inside a row");
  for (size_t at = 0; at < bytes.size(); at += sizeof(TailRow)) {
    if (!IsValid(bytes.data() + at, bugs_.size(), column_.size()))
      return Corrupt("row {} of the tails is broken", at / sizeof(TailRow));
  }
  rows_ = *Take<TailRow>(bytes, bytes.size() / sizeof(TailRow));
  return {};
}

void TailTable::AppendTail(size_t i, size_t length, std::vector<uint32_t>& out) const {
  const TailRow& row = rows_[i];
  const size_t take = std::min<size_t>(length, row.tail_length);
  const size_t from = row.tail_begin + row.tail_length - take;
  if (column_.wide.empty()) {
    const auto tail = column_.narrow.subspan(from, take);
    out.insert(out.end(), tail.begin(), tail.end());
  } else {
    const auto tail = column_.wide.subspan(from, take);
    out.insert(out.end(), tail.begin(), tail.end());
  }
}

std::optional<uint32_t> TailTable::FindBug(const BugKey& key) const {
  const auto at = std::lower_bound(bugs_.begin(), bugs_.end(), key);
  if (at == bugs_.end() || *at != key) return std::nullopt;
  return static_cast<uint32_t>(at - bugs_.begin());
}

std::optional<uint32_t> TailTable::FindName(std::string_view wanted) const {
  if (name_hash_.empty()) return std::nullopt;
  const size_t mask = name_hash_.size() - 1;
  size_t slot = Xxh3(wanted) & mask;
  // There are more slots than names, but a table of any bytes may have no empty one.
  for (size_t probes = 0; probes <= mask && name_hash_[slot] != 0; ++probes, slot = (slot + 1) & mask) {
    const uint32_t id = name_hash_[slot] - 1;
    if (name(id) == wanted) return id;
  }
  return std::nullopt;
}

}  // namespace oscope
