// The rows of a segment before they are written: flat lists, so that a million small traces cost no million
// allocations.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "index/store/snapshot.h"
#include "tracer/model/run.h"

namespace oscope {

// One row of the traces table: a chunk of a trace.
struct TraceRow {
  uint32_t run = 0;    // into SegmentRows::runs
  uint32_t trace = 0;  // into SegmentRows::traces
  uint32_t chunk = 0;
  uint64_t first_event = 0;
  uint64_t events_begin = 0;  // into codes
  uint32_t events = 0;
  uint64_t depths_begin = 0, outcomes_begin = 0, values_begin = 0;  // into the lists the trace has
  uint32_t scope = 0;                                               // of its events (symbol_scopes.h)
  bool mixed = false;                                               // they are in several, which `scopes` lists
  uint64_t scopes_begin = 0;
};

struct PendingRun {
  StoredRun stored;
  uint64_t placement = 0;
  uint64_t rows_begin = 0;  // into SegmentRows::rows; a run's rows are neighbours
  uint64_t rows_end = 0;
};

struct SegmentRows {
  std::deque<PendingRun> runs;  // large ones, which a growing vector would move again and again
  std::vector<TraceHeader> traces;
  std::vector<TraceRow> rows;
  std::vector<uint32_t> codes;  // into the names that go with these rows
  std::vector<uint32_t> depths;
  std::vector<EventOutcome> outcomes;
  std::vector<std::string> values;
  std::vector<uint32_t> scopes;  // of the rows that are mixed

  void clear() { *this = SegmentRows(); }
  bool empty() const { return runs.empty(); }
};

// A row group of traces is closed at this many events (or kRowGroupRows rows): small enough to read one trace quickly,
// large enough to share a dictionary.
inline constexpr uint64_t kRowGroupEvents = 4 << 20;

}  // namespace oscope
