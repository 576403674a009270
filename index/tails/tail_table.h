// The traces of one segment as a search sees them: a header each, and the last events up to the failure.
//
// A tail is at most kTailEvents events, those just before the failure mark (without a mark: before the end), in ids of
// the table's own: the ranks of the names in byte order. All names of the segment's traces have an id, not only those
// in tails. Rows are the segment's traces in the order of its traces table.
// Stored:    sections of the segment's index file (docs/formats/index.md), read in place from the mapping
// Threads:   immutable; may be read from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "tracer/model/bug.h"
#include "tracer/model/granularity.h"
#include "tracer/model/run.h"

namespace oscope {

inline constexpr uint32_t kTailEvents = 256;
inline constexpr uint32_t kNoBug = UINT32_MAX;
inline constexpr uint32_t kNarrowNames = 65'536;  // a table with fewer names has 2 bytes an event, else 4

// One trace; 64 bytes on disk, as it is in memory.
struct TailRow {
  RunId run;
  uint64_t event_count = 0;   // of the whole trace
  uint64_t marked_count = 0;  // up to and with the failing event; event_count without a mark
  uint64_t tail_begin = 0;    // where its tail starts, in events, in the table's column of tails
  uint32_t bug = kNoBug;      // index in bugs(); kNoBug: the run has none
  uint32_t process = 0, thread = 0;
  uint16_t tail_length = 0;
  TraceKind kind = TraceKind::kExecution;
  Outcome outcome = Outcome::kFailed;
  // the coarsest of its events up to kMethod: what kind of execution trace it is
  Granularity granularity = Granularity::kMethod;
  // the run says that this thread failed, or says none and this is its first trace of the kind
  bool failing_thread = false;
  uint8_t reserved[6] = {};  // zero
};
static_assert(sizeof(TailRow) == 64 && std::has_unique_object_representations_v<TailRow>);

// Tails as columns: 2 bytes an event while the table has fewer than 65,536 names, else 4.
struct TailColumn {
  std::span<const uint16_t> narrow;  // one of the two is empty
  std::span<const uint32_t> wide;
  size_t size() const { return narrow.size() + wide.size(); }
};

// The stored forms, each a section of the index file. They start at multiples of 8 bytes.
struct TailSections {
  std::string_view rows, column, names, bugs;
};

class TailTable {
 public:
  TailTable() = default;
  // Makes a table that reads the sections in place and keeps `owner`, which holds their bytes, alive. Fails with
  // kCorrupt when a reference in the sections points outside of them; after that check a table of any bytes is safe to
  // read.
  static Result<TailTable> Make(const TailSections& sections, std::shared_ptr<const void> owner);

  size_t size() const { return rows_.size(); }
  std::span<const TailRow> rows() const { return rows_; }
  TailColumn column() const { return column_; }
  // Appends the last `length` events of row i's tail, as ids; all of them when the tail is shorter.
  void AppendTail(size_t i, size_t length, std::vector<uint32_t>& out) const;

  std::span<const BugKey> bugs() const { return bugs_; }  // ascending
  // Returns the bug's index in bugs(); nullopt when no trace of the segment belongs to it.
  std::optional<uint32_t> FindBug(const BugKey& key) const;

  uint32_t names() const { return names_; }
  std::string_view name(uint32_t id) const {
    return name_bytes_.substr(name_offsets_[id], name_offsets_[id + 1] - name_offsets_[id]);
  }
  std::optional<uint32_t> FindName(std::string_view name) const;  // through a stored hash table: about 50 ns

  // How many traces have each name in their last kSketchEvents events, by id: for cost models and weights.
  std::span<const uint32_t> traces_with_name() const { return traces_with_name_; }

 private:
  Status SetNames(std::string_view bytes);
  Status SetBugs(std::string_view bytes);
  Status SetColumn(std::string_view bytes);
  Status SetRows(std::string_view bytes);

  std::span<const TailRow> rows_;
  TailColumn column_;
  std::vector<BugKey> bugs_;
  uint32_t names_ = 0;
  std::span<const uint64_t> name_offsets_;
  std::string_view name_bytes_;
  std::span<const uint32_t> name_hash_;  // slots by XXH3 of the name, probed linearly: id + 1, or 0
  std::span<const uint32_t> traces_with_name_;
  std::shared_ptr<const void> owner_;  // the mapping that the spans point into
};

}  // namespace oscope
