// The traces table: a row per chunk of at most 65,536 events, with the columns a query filters by.
//
//   run_id uuid, project, bug?, test?, outcome, process, thread, thread_name?, kind, chunk, first_event, event_count,
//   mark_events?, mark_reason?, partial, partial_note?, events list<text>, depths? list, outcomes? list, values? list,
//   scope?, scopes? list
//
// `scope` says where in the symbols table the attributes of the events are (symbol_scopes.h); `scopes` says so of each
// event where they differ. Neither: scope 0.
// `events` is dictionary-encoded, and we read the codes; other tools read text. bug, test, project and outcome repeat
// what the runs table has, so that a scan needs no join.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "index/store/parquet_file.h"
#include "index/store/segment_rows.h"
#include "index/store/snapshot.h"

namespace oscope {

std::shared_ptr<arrow::Schema> TraceTableSchema();

// Writes rows, in this order, as one row group. Only the names that occur go into its dictionary.
Status WriteTraceRows(ParquetWriter& writer, const SegmentRows& rows, std::span<const uint32_t> order,
                      const SymbolTable& names);

// The columns of one row group as a batch; `batch.segment` is left to the caller.
Result<TraceBatch> ReadTraceBatch(TableReader& reader, int row_group, const ScanColumns& columns);

// One row of the table with everything it has.
struct StoredTraceRow {
  RunId run;
  TraceHeader header;
  uint32_t chunk = 0;
  uint64_t first_event = 0;
  // Codes into the names of the row group.
  std::vector<int32_t> codes;
  std::vector<uint32_t> depths;
  std::vector<EventOutcome> outcomes;
  std::vector<std::string> values;
  uint32_t scope = 0;
  std::vector<uint32_t> scopes;  // of each event, where they differ
};
struct StoredTraceRows {
  std::vector<StoredTraceRow> rows;
  std::vector<std::string> names;
};
// Rows [first, first + count) of a row group. Without `events` only the headers are read. With `only_run` the rows end
// with the first that belongs to another run, so that one trace is not paid for with the whole row group.
Result<StoredTraceRows> ReadTraceRows(TableReader& reader, int row_group, uint64_t first, uint64_t count, bool events,
                                      std::optional<RunId> only_run = std::nullopt);

// The run of every row of the table, in order.
Result<std::vector<RunId>> ReadTraceRunIds(TableReader& reader);

}  // namespace oscope
