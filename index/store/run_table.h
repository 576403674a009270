// The runs table: a row per run.
//
//   run_id uuid, content_hash uuid, project, bug?, test?, version?, language?, recorder?, outcome, exit_code?, signal?,
//   message?, failure_kind?, failure_file?, failure_line?, failure_function?, fingerprint?,
//   failing_process?, failing_thread?, incomplete, started?, duration_ns?, stored, traces, events, command list<text>,
//   custom map, inputs list<struct<name, bytes>>, repeat? struct (repeat_column.h)
// Version 1 has the fingerprint and the place of a failure in `custom`, as `fingerprint` and `where`.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>

#include "index/store/parquet_file.h"
#include "index/store/segment_rows.h"

namespace oscope {

std::shared_ptr<arrow::Schema> RunTableSchema();

// What WriteRuns must know of all runs that it writes: which columns none of them fills (EmptyColumns of
// field_columns.h). A run is noted when it is complete, and again when it is changed.
class NotedRuns {
 public:
  NotedRuns();
  ~NotedRuns();
  void Note(const StoredRun& run);
  void Clear();

 private:
  friend Status WriteRuns(ParquetWriter&, const std::deque<PendingRun>&, std::span<const uint32_t>, const NotedRuns&);
  struct State;
  std::unique_ptr<State> state_;
};

// Writes runs, in this order (indices into `runs`), in row groups. All of them must have been noted.
Status WriteRuns(ParquetWriter& writer, const std::deque<PendingRun>& runs, std::span<const uint32_t> order,
                 const NotedRuns& noted);

// Rows [first, first + count) of a row group. Inputs are read only when asked for.
Result<std::vector<StoredRun>> ReadRuns(TableReader& reader, int row_group, uint64_t first, uint64_t count,
                                        bool with_inputs);

// The identities alone, of the whole table: what an index is rebuilt from.
struct RunIdentity {
  RunId id;
  Hash128 content_hash;
  std::optional<ThreadRef> failing_thread;
};
Result<std::vector<RunIdentity>> ReadRunIdentities(TableReader& reader);

}  // namespace oscope
