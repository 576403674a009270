// Reads the events of chosen traces.
//
// A trace of n events has ceil(n / 65,536) rows in the traces table (one row when it has no event). So the tails,
// which have every trace's number of events, tell which rows of the table hold a trace, and the sizes of the row
// groups tell which groups to load. Whether the rows found there belong to the trace is checked when they are read.
#include <algorithm>

#include "base/limits.h"
#include "index/store/segment_reader.h"
#include "index/store/trace_table.h"

namespace oscope {

namespace {

uint64_t ChunksOf(const TailRow& row) {
  return std::max<uint64_t>(1, (row.event_count + limits::kChunkEvents - 1) / limits::kChunkEvents);
}

// Events [begin, end) of a trace, whose first row in the traces table is `first_row`.
struct WantedTrace {
  uint32_t row = 0;
  uint64_t first_row = 0;
  uint64_t begin = 0, end = 0;

  uint64_t FirstWantedRow() const { return first_row + begin / limits::kChunkEvents; }
  uint64_t LastWantedRow() const { return first_row + (end - 1) / limits::kChunkEvents; }
};

std::vector<WantedTrace> Locate(const TailTable& tails, std::span<const uint32_t> rows,
                                std::optional<uint64_t> suffix) {
  std::vector<WantedTrace> wanted;
  wanted.reserve(rows.size());
  uint64_t table_row = 0;
  uint32_t trace = 0;
  for (const uint32_t row : rows) {
    for (; trace < row; ++trace) table_row += ChunksOf(tails.rows()[trace]);
    const TailRow& tail = tails.rows()[row];
    const uint64_t end = suffix ? tail.marked_count : tail.event_count;
    wanted.push_back({row, table_row, suffix ? end - std::min(*suffix, end) : 0, end});
  }
  return wanted;
}

class RowsReader {
 public:
  RowsReader(TableReader& reader, const TailTable& tails, const std::function<Status(const TraceEvents&)>& events)
      : reader_(reader), tails_(tails), events_(events) {}

  Status Read(const WantedTrace& trace) {
    if (trace.begin == trace.end) return events_({trace.row, trace.begin, {}, {}, true});
    for (uint64_t table_row = trace.FirstWantedRow(); table_row <= trace.LastWantedRow(); ++table_row) {
      OSCOPE_RETURN_IF_ERROR(GoTo(table_row));
      OSCOPE_RETURN_IF_ERROR(Send(trace, table_row));
    }
    return {};
  }

 private:
  // Makes the row group at hand the one that holds a row. Rows come in ascending order.
  Status GoTo(uint64_t table_row) {
    const auto metadata = reader_.parquet_reader()->metadata();
    const int before = group_;
    while (group_ < 0 || table_row >= group_begin_ + group_rows_) {
      group_begin_ += group_rows_;
      if (++group_ >= reader_.num_row_groups()) return Corrupt("row {} is not in the traces table", table_row);
      group_rows_ = static_cast<uint64_t>(metadata->RowGroup(group_)->num_rows());
    }
    if (group_ == before) return {};
    OSCOPE_ASSIGN_OR_RETURN(batch_, ReadTraceBatch(reader_, group_, {.header = true, .names = false, .run_ids = true}));
    return {};
  }

  Status Send(const WantedTrace& trace, uint64_t table_row) {
    const TailRow& tail = tails_.rows()[trace.row];
    const size_t r = table_row - group_begin_;
    const uint64_t chunk_begin = (table_row - trace.first_row) * limits::kChunkEvents;
    const uint64_t chunk_events = std::min<uint64_t>(tail.event_count - chunk_begin, limits::kChunkEvents);
    if (batch_.run_ids[r] != tail.run || batch_.process[r] != tail.process || batch_.thread[r] != tail.thread ||
        batch_.kind[r] != tail.kind || batch_.first_event[r] != chunk_begin ||
        batch_.offsets[r + 1] - batch_.offsets[r] != chunk_events) {
      return Corrupt("row {} of the traces table is not what the index says", table_row);
    }
    const uint64_t from = std::max(trace.begin, chunk_begin), to = std::min(trace.end, chunk_begin + chunk_events);
    const std::span<const int32_t> codes(batch_.codes);
    return events_({trace.row, from, codes.subspan(batch_.offsets[r] + (from - chunk_begin), to - from), batch_.names,
                    to == trace.end});
  }

  TableReader& reader_;
  const TailTable& tails_;
  const std::function<Status(const TraceEvents&)>& events_;
  int group_ = -1;
  uint64_t group_begin_ = 0, group_rows_ = 0;
  TraceBatch batch_;
};

}  // namespace

Status SegmentReader::ReadRows(const TailTable& tails, std::span<const uint32_t> rows, std::optional<uint64_t> suffix,
                               const std::function<Status(const TraceEvents&)>& events) const {
  OSCOPE_CHECK(std::is_sorted(rows.begin(), rows.end()) && (rows.empty() || rows.back() < tails.size()));
  if (rows.empty()) return {};
  // The caller's own errors pass as they are.
  Status stopped;
  const std::function<Status(const TraceEvents&)> send = [&](const TraceEvents& stretch) {
    return stopped = events(stretch);
  };
  const auto read = [&]() -> Status {
    OSCOPE_ASSIGN_OR_RETURN(const auto traces, Open(Table::kTraces, false));
    if (traces == nullptr) return Corrupt("no traces table");
    RowsReader reader(*traces, tails, send);
    for (const WantedTrace& trace : Locate(tails, rows, suffix)) OSCOPE_RETURN_IF_ERROR(reader.Read(trace));
    return {};
  };
  Status status = read();
  if (!status.ok() && stopped.ok()) return Named(std::move(status).error());
  return status;
}

}  // namespace oscope
