// A segment as what it was made from. Runs and traces are two tables in the same order of runs. So SendRuns searches
// neither of them: one cursor walks the traces while the runs are read, with one row group of each in memory, and a
// trace whose run does not come in that order is damage. Single runs and traces are found by the row that the index
// names.
//
// Errors get the segment's name here, in one place, except errors of the caller's own sink: these are not damage of
// the segment and pass unchanged.
#include "index/store/segment_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "index/store/attachment_table.h"
#include "index/store/bug_table.h"
#include "index/store/placement.h"
#include "index/store/run_table.h"
#include "index/store/stored_text.h"
#include "index/store/symbol_table_file.h"
#include "index/store/trace_table.h"
#include "tracer/model/error_keeping_sink.h"

namespace oscope {

Error SegmentReader::Named(Error error) const { return std::move(error).Within(fmt::format("segment {}", entry_.id)); }

Result<std::unique_ptr<TableReader>> SegmentReader::Open(Table table, bool whole) const {
  const TableFile* file = entry_.Find(table);
  if (file == nullptr) return std::unique_ptr<TableReader>();
  return OpenTable(files_, entry_.id, *file, whole);
}

namespace {

// Walks the traces table row by row, a row group in memory at a time.
class TraceCursor {
 public:
  explicit TraceCursor(std::unique_ptr<TableReader> reader) : reader_(std::move(reader)) {}

  // The row at hand; null at the end.
  Result<StoredTraceRow*> Row() {
    while (reader_ != nullptr && next_ == group_.rows.size()) {
      if (next_group_ == reader_->num_row_groups()) return nullptr;
      OSCOPE_ASSIGN_OR_RETURN(group_, ReadTraceRows(*reader_, next_group_++, 0, UINT64_MAX / 2, true));
      next_ = 0;
    }
    return reader_ == nullptr ? nullptr : &group_.rows[next_];
  }
  void Advance() { ++next_; }
  const std::vector<std::string>& names() const { return group_.names; }
  int group() const { return next_group_; }

 private:
  std::unique_ptr<TableReader> reader_;
  StoredTraceRows group_;
  size_t next_ = 0;
  int next_group_ = 0;
};

// The symbols of a row group's names, in each scope that comes up, looked up once a group.
class EventSymbols {
 public:
  EventSymbols(const StoredSymbols& stored, SymbolTable& symbols) : stored_(stored), symbols_(symbols) {}

  // From here on codes are those of these names.
  void Begin(const std::vector<std::string>& names) {
    names_ = &names;
    ids_.clear();
  }

  SymbolId Of(int32_t code, uint32_t scope) {
    std::vector<uint32_t>& ids = ids_[scope];
    if (ids.empty()) ids.resize(names_->size(), kUnknown);
    uint32_t& id = ids[static_cast<size_t>(code)];
    if (id == kUnknown) {
      const std::string& name = (*names_)[static_cast<size_t>(code)];
      id = static_cast<uint32_t>(symbols_.Intern(name, stored_.Of(name, scope)));
    }
    return static_cast<SymbolId>(id);
  }

  // Events [from, to) of a row are added to `out`.
  void Append(const StoredTraceRow& row, size_t from, size_t to, std::vector<SymbolId>& out) {
    for (size_t i = from; i < to; ++i) out.push_back(Of(row.codes[i], row.scopes.empty() ? row.scope : row.scopes[i]));
  }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;
  const StoredSymbols& stored_;
  SymbolTable& symbols_;
  const std::vector<std::string>* names_ = nullptr;
  std::map<uint32_t, std::vector<uint32_t>> ids_;  // by scope and code
};

Status SendTraces(RunId run, TraceCursor& cursor, EventSymbols& symbols, int& group, RunSink& sink) {
  std::vector<SymbolId> events;
  bool open = false;
  while (true) {
    OSCOPE_ASSIGN_OR_RETURN(const StoredTraceRow* row, cursor.Row());
    if (row == nullptr || row->run != run) break;
    if (std::exchange(group, cursor.group()) != cursor.group()) symbols.Begin(cursor.names());
    if (row->chunk == 0) {
      if (open) OSCOPE_RETURN_IF_ERROR(sink.EndTrace());
      OSCOPE_RETURN_IF_ERROR(sink.BeginTrace(row->header));
      open = true;
    }
    if (!open) return Corrupt("a trace of run {} begins with chunk {}", ToString(run), row->chunk);
    events.clear();
    symbols.Append(*row, 0, row->codes.size(), events);
    if (!events.empty()) OSCOPE_RETURN_IF_ERROR(sink.AddEvents({events, row->depths, row->outcomes, row->values}));
    cursor.Advance();
  }
  if (open) OSCOPE_RETURN_IF_ERROR(sink.EndTrace());
  return {};
}

Status SkipTraces(RunId run, TraceCursor& cursor) {
  while (true) {
    OSCOPE_ASSIGN_OR_RETURN(const StoredTraceRow* row, cursor.Row());
    if (row == nullptr || row->run != run) return {};
    cursor.Advance();
  }
}

}  // namespace

Status SegmentReader::SendRuns(const std::function<bool(StoredRun&)>& keep, RunSink& to) const {
  ErrorKeepingSink sink(to);
  const auto send = [&]() -> Status {
    OSCOPE_ASSIGN_OR_RETURN(auto runs, Open(Table::kRuns, true));
    if (runs == nullptr) return {};
    OSCOPE_ASSIGN_OR_RETURN(auto traces, Open(Table::kTraces, true));
    OSCOPE_ASSIGN_OR_RETURN(auto attributes, Open(Table::kSymbols, true));
    OSCOPE_ASSIGN_OR_RETURN(const StoredSymbols stored_symbols, StoredSymbols::Read(attributes.get()));
    SymbolTable symbols;
    EventSymbols events(stored_symbols, symbols);
    TraceCursor cursor(std::move(traces));
    int symbols_group = -1;
    for (int group = 0; group < runs->num_row_groups(); ++group) {
      OSCOPE_ASSIGN_OR_RETURN(std::vector<StoredRun> stored, ReadRuns(*runs, group, 0, UINT64_MAX / 2, true));
      for (StoredRun& run : stored) {
        if (!keep(run)) {
          OSCOPE_RETURN_IF_ERROR(SkipTraces(run.header.id, cursor));
          continue;
        }
        OSCOPE_RETURN_IF_ERROR(sink.BeginRun(run.header, symbols));
        OSCOPE_RETURN_IF_ERROR(SendTraces(run.header.id, cursor, events, symbols_group, sink));
        OSCOPE_RETURN_IF_ERROR(sink.EndRun());
      }
    }
    OSCOPE_ASSIGN_OR_RETURN(const StoredTraceRow* left, cursor.Row());
    if (left != nullptr) return Corrupt("a trace belongs to run {}, which is not in order", ToString(left->run));
    return {};
  };
  Status status = send();
  // The sink's own errors pass as they are: they are not this segment's.
  if (!status.ok() && !sink.failed()) return Named(std::move(status).error());
  return status;
}

Status SegmentReader::ForEachRun(bool with_inputs, const std::function<bool(const StoredRun&)>& run) const {
  const auto read = [&]() -> Status {
    OSCOPE_ASSIGN_OR_RETURN(auto runs, Open(Table::kRuns, false));
    if (runs == nullptr) return {};
    for (int group = 0; group < runs->num_row_groups(); ++group) {
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredRun> stored,
                              ReadRuns(*runs, group, 0, UINT64_MAX / 2, with_inputs));
      for (const StoredRun& one : stored) {
        if (!run(one)) return {};
      }
    }
    return {};
  };
  if (Status status = read(); !status.ok()) return Named(std::move(status).error());
  return {};
}

Status SegmentReader::AddProjectsOfRuns(std::set<std::string>& projects) const {
  const auto read = [&]() -> Status {
    OSCOPE_ASSIGN_OR_RETURN(auto runs, Open(Table::kRuns, false));
    std::optional<std::string> last;
    for (int group = 0; runs != nullptr && group < runs->num_row_groups(); ++group) {
      OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, runs->Read(group, {"project"}));
      const auto& column = static_cast<const arrow::StringArray&>(ColumnOf(*table, "project"));
      for (int64_t row = 0; row < column.length(); ++row) {
        if (last && column.GetView(row) == *last) continue;
        last = std::string(column.GetView(row));
        projects.insert(FromStoredText(*last));
      }
    }
    return {};
  };
  if (Status status = read(); !status.ok()) return Named(std::move(status).error());
  return {};
}

Result<std::vector<BugRevision>> SegmentReader::Bugs() const {
  const auto read = [&]() -> Result<std::vector<BugRevision>> {
    OSCOPE_ASSIGN_OR_RETURN(auto bugs, Open(Table::kBugs, false));
    if (bugs == nullptr) return std::vector<BugRevision>();
    return ReadBugs(*bugs);
  };
  auto revisions = read();
  if (!revisions.ok()) return Named(std::move(revisions).error());
  return revisions;
}

Result<std::vector<BugRevision>> SegmentReader::BugsAt(std::span<const uint32_t> rows) const {
  if (rows.empty()) return std::vector<BugRevision>();
  const auto read = [&]() -> Result<std::vector<BugRevision>> {
    OSCOPE_ASSIGN_OR_RETURN(auto bugs, Open(Table::kBugs, false));
    if (bugs == nullptr) return Corrupt("no bugs table");
    return ReadBugs(*bugs, rows);
  };
  auto found = read();
  if (!found.ok()) return Named(std::move(found).error());
  return found;
}

Result<std::vector<BugRevision>> SegmentReader::Bugs(const BugKey& key, const SegmentIndex& index) const {
  OSCOPE_ASSIGN_OR_RETURN(std::vector<BugRevision> revisions, BugsAt(index.BugRows(PlacementOf(key))));
  std::erase_if(revisions, [&](const BugRevision& revision) { return revision.bug.key != key; });
  return revisions;
}

Result<std::vector<StoredAttachment>> SegmentReader::Attachments() const {
  const auto read = [&]() -> Result<std::vector<StoredAttachment>> {
    OSCOPE_ASSIGN_OR_RETURN(auto table, Open(Table::kAttachments, false));
    if (table == nullptr) return std::vector<StoredAttachment>();
    return oscope::ReadAttachments(*table);
  };
  auto attachments = read();
  if (!attachments.ok()) return Named(std::move(attachments).error());
  return attachments;
}

Status SegmentReader::ReadAttachments(
    const std::function<bool(const StoredAttachment&)>& keep,
    const std::function<Status(const StoredAttachment&, const std::string& bytes)>& take) const {
  // The caller's own error passes as it is: it is not this segment's.
  Status taken;
  const auto watched = [&](const StoredAttachment& one, const std::string& bytes) { return taken = take(one, bytes); };
  const auto read = [&]() -> Status {
    OSCOPE_ASSIGN_OR_RETURN(auto table, Open(Table::kAttachments, true));
    return table == nullptr ? Status() : ReadAttachmentBytes(*table, keep, watched);
  };
  Status status = read();
  if (!status.ok() && taken.ok()) return Named(std::move(status).error());
  return status;
}

Result<StoredRun> SegmentReader::RunAt(uint32_t run_row) const {
  const auto read = [&]() -> Result<StoredRun> {
    OSCOPE_ASSIGN_OR_RETURN(auto runs, Open(Table::kRuns, false));
    if (runs == nullptr) return Corrupt("no runs table");
    OSCOPE_ASSIGN_OR_RETURN(const RowPosition at, FindRow(*runs, run_row));
    OSCOPE_ASSIGN_OR_RETURN(std::vector<StoredRun> rows, ReadRuns(*runs, at.row_group, at.row, 1, true));
    if (rows.size() != 1) return Corrupt("row {} is not in the runs table", run_row);
    return std::move(rows[0]);
  };
  auto run = read();
  if (!run.ok()) return Named(std::move(run).error());
  return run;
}

Result<std::vector<TraceHeader>> SegmentReader::TraceHeaders(RunId run, uint32_t trace_row) const {
  const auto read = [&]() -> Result<std::vector<TraceHeader>> {
    std::vector<TraceHeader> headers;
    if (trace_row == kNoRow) return headers;
    OSCOPE_ASSIGN_OR_RETURN(auto traces, Open(Table::kTraces, false));
    if (traces == nullptr) return Corrupt("no traces table");
    OSCOPE_ASSIGN_OR_RETURN(RowPosition at, FindRow(*traces, trace_row));
    for (; at.row_group < traces->num_row_groups(); ++at.row_group, at.row = 0) {
      OSCOPE_ASSIGN_OR_RETURN(const StoredTraceRows group,
                              ReadTraceRows(*traces, at.row_group, at.row, UINT64_MAX / 2, false, run));
      for (const StoredTraceRow& row : group.rows) {
        if (row.run != run) return headers;
        if (row.chunk == 0) headers.push_back(row.header);
      }
    }
    return headers;
  };
  auto headers = read();
  if (!headers.ok()) return Named(std::move(headers).error());
  return headers;
}

Result<Trace> SegmentReader::ReadTrace(const TraceId& id, uint32_t trace_row, SymbolTable& symbols, uint64_t first,
                                       uint64_t count) const {
  const uint64_t end = count > UINT64_MAX - first ? UINT64_MAX : first + count;
  const auto is_it = [&](const StoredTraceRow& row) {
    return row.header.process == id.process && row.header.thread == id.thread && row.header.kind == id.kind;
  };
  const auto read = [&]() -> Result<Trace> {
    if (trace_row == kNoRow) return NotFound("trace {}", ToString(id));
    OSCOPE_ASSIGN_OR_RETURN(auto attributes, Open(Table::kSymbols, false));
    OSCOPE_ASSIGN_OR_RETURN(const StoredSymbols stored_symbols, StoredSymbols::Read(attributes.get()));
    EventSymbols events(stored_symbols, symbols);
    OSCOPE_ASSIGN_OR_RETURN(auto traces, Open(Table::kTraces, false));
    if (traces == nullptr) return Corrupt("no traces table");
    OSCOPE_ASSIGN_OR_RETURN(RowPosition at, FindRow(*traces, trace_row));
    Trace trace;
    bool found = false;
    for (; at.row_group < traces->num_row_groups(); ++at.row_group, at.row = 0) {
      OSCOPE_ASSIGN_OR_RETURN(StoredTraceRows group,
                              ReadTraceRows(*traces, at.row_group, at.row, UINT64_MAX / 2, true, id.run));
      events.Begin(group.names);
      for (StoredTraceRow& row : group.rows) {
        if (row.run != id.run) {
          if (!found) return NotFound("trace {}", ToString(id));
          return trace;
        }
        if (!is_it(row)) continue;
        found = true;
        trace.header = row.header;
        const uint64_t row_end = row.first_event + row.codes.size();
        const uint64_t from = std::max(first, row.first_event), to = std::min(end, row_end);
        if (from >= to) continue;
        const auto skip = static_cast<ptrdiff_t>(from - row.first_event),
                   take = static_cast<ptrdiff_t>(to - row.first_event);
        events.Append(row, static_cast<size_t>(skip), static_cast<size_t>(take), trace.events);
        const auto slice = [&](auto& to_list, auto& from_list) {
          if (from_list.empty()) return;
          to_list.insert(to_list.end(), std::make_move_iterator(from_list.begin() + skip),
                         std::make_move_iterator(from_list.begin() + take));
        };
        slice(trace.depths, row.depths);
        slice(trace.outcomes, row.outcomes);
        slice(trace.values, row.values);
      }
    }
    if (!found) return NotFound("trace {}", ToString(id));
    return trace;
  };
  auto trace = read();
  if (!trace.ok() && trace.error().code != ErrorCode::kNotFound) return Named(std::move(trace).error());
  return trace;
}

Status SegmentReader::Scan(const ScanColumns& columns, bool check_whole,
                           const std::function<Status(const TraceBatch&)>& batch) const {
  OSCOPE_ASSIGN_OR_RETURN(auto traces, [&]() -> Result<std::unique_ptr<TableReader>> {
    auto opened = Open(Table::kTraces, check_whole);
    if (!opened.ok()) return Named(std::move(opened).error());
    return opened;
  }());
  if (traces == nullptr) return {};
  for (int group = 0; group < traces->num_row_groups(); ++group) {
    auto rows = ReadTraceBatch(*traces, group, columns);
    if (!rows.ok()) return Named(std::move(rows).error());
    rows->segment = &entry_;
    OSCOPE_RETURN_IF_ERROR(batch(*rows));
  }
  return {};
}

}  // namespace oscope
