// Runs become segments in two ways, and this source is about the border between them.
//
// Runs that fit in memory gather in flat lists (SegmentRows) until Write sorts them by placement and writes one
// segment for each range. That is the usual case: thousands of runs share a dictionary of names, a Parquet file and an
// index.
//
// A run with more events than spill_events is written while it arrives, into a segment of its own. It starts like any
// other run. When it turns out to be large, BeginSpill moves its rows out of the common lists and rebases their
// offsets, and from then on FlushSpill writes full row groups and keeps only their tails. Deciding by the announced
// size would be simpler, but a run does not announce its size, only each trace does. Sorting and choosing a range wait
// until Write in both cases, because a commit may still give the run another bug: a spilled segment belongs to no
// range until then, and its entry gets one last.
//
// A run that is repeated with equal content inside one builder is dropped by RollBackRun, which cuts the lists back to
// where the run began. Therefore every list's length at BeginRun is remembered.
//
// Names are numbered once for all runs that the builder holds (names_). Which attributes an event has depends on the
// program; scopes_ keeps these apart (symbol_scopes.h), and placed_ remembers the answer for each symbol of the table
// that the run came with.
//
// Left out: a segment never holds a part of a run, and a builder never updates a segment.
#include "index/store/segment_builder.h"

#include <algorithm>
#include <future>
#include <numeric>
#include <tuple>

#include "base/limits.h"
#include "index/store/bug_name_table.h"
#include "index/store/bug_table.h"
#include "index/store/failure_index.h"
#include "index/store/placement.h"
#include "index/store/run_table.h"
#include "index/store/search_sections.h"
#include "index/store/segment_index.h"
#include "index/store/symbol_table_file.h"
#include "index/store/trace_table.h"

namespace oscope {

namespace {
constexpr uint64_t kParallelEvents = 100'000;
}  // namespace

// A run too large for memory, on its way into a segment of its own.
struct SegmentBuilder::Spill {
  std::string segment = NewId();
  std::unique_ptr<ParquetWriter> writer;
  SegmentRows rows;  // what is not written yet; the trace headers of the whole run
  SearchSectionsBuilder search;
  uint64_t written_rows = 0;
};

SegmentBuilder::SegmentBuilder(const StoreFiles& files, uint64_t spill_events)
    : files_(files), spill_events_(spill_events) {}

SegmentBuilder::~SegmentBuilder() { Clear(); }

void SegmentBuilder::Clear() {
  spill_.reset();
  for (const Spilled& spilled : spilled_) RemoveSegmentFiles(files_, {spilled.entry});
  spilled_.clear();
  writer_lock_.reset();
  rows_.clear();
  noted_.Clear();
  revisions_.clear();
  contents_.clear();
  attachments_.clear();
  attached_.clear();
  attached_bytes_.clear();
  attachment_bytes_ = 0;
  names_ = SymbolTable();
  scopes_ = SymbolScopes();
  source_uid_ = 0;
  placed_.clear();
  programs_.clear();
  events_ = traces_ = 0;
}

void SegmentBuilder::Published(const std::vector<SegmentEntry>& segments) {
  std::erase_if(spilled_, [&](const Spilled& spilled) {
    return std::any_of(segments.begin(), segments.end(),
                       [&](const SegmentEntry& segment) { return segment.id == spilled.entry.id; });
  });
}

Status SegmentBuilder::AddBug(const Bug& bug) {
  return Invalid("bug {}: a report needs a revision to be stored", ToString(bug.key));
}

void SegmentBuilder::AddRevision(BugRevision revision) { revisions_.push_back(std::move(revision)); }

Status SegmentBuilder::AddAttachment(const Attachment& attachment) {
  OSCOPE_RETURN_IF_ERROR(Validate(attachment));
  AddStored({attachment.header, stored_ns_}, attachment.bytes);
  return {};
}

void SegmentBuilder::AddStored(const StoredAttachment& attachment, const std::string& bytes) {
  if (!attached_.insert(attachment.header).second) return;
  std::shared_ptr<const std::string>& content = attached_bytes_[attachment.header.sha256];
  if (content == nullptr) {
    content = std::make_shared<const std::string>(bytes);
    attachment_bytes_ += bytes.size();
  }
  attachments_.push_back({attachment, content, PlacementOf(attachment.header.owner)});
}

Status SegmentBuilder::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  OSCOPE_RETURN_IF_ERROR(Validate(run));
  source_ = &symbols;
  if (source_uid_ != symbols.uid()) {
    placed_.clear();
    programs_.clear();
  }
  source_uid_ = symbols.uid();
  program_ = 0;
  program_known_ = false;
  current_ = PendingRun();
  current_.stored.header = run;
  current_.stored.stored_ns = stored_ns_;
  current_.placement = PlacementOf(run);
  current_.rows_begin = rows_.rows.size();
  traces_begin_ = rows_.traces.size();
  codes_begin_ = rows_.codes.size();
  depths_begin_ = rows_.depths.size();
  outcomes_begin_ = rows_.outcomes.size();
  values_begin_ = rows_.values.size();
  scopes_begin_ = rows_.scopes.size();
  hasher_.Begin(run);
  return {};
}

Status SegmentBuilder::BeginTrace(const TraceHeader& trace) {
  OSCOPE_RETURN_IF_ERROR(Validate(trace));
  SegmentRows& rows = spill_ ? spill_->rows : rows_;
  const auto same = [&](const TraceHeader& other) {
    return other.process == trace.process && other.thread == trace.thread && other.kind == trace.kind;
  };
  if (std::any_of(rows.traces.begin() + static_cast<ptrdiff_t>(spill_ ? 0 : traces_begin_), rows.traces.end(), same)) {
    return Invalid("run {}: trace {}.{} {} comes twice", ToString(current_.stored.header.id), trace.process,
                   trace.thread, TraceKindName(trace.kind));
  }
  rows.traces.push_back(trace);
  hasher_.BeginTrace(trace);
  trace_events_ = 0;
  chunk_ = 0;
  ++current_.stored.trace_count;
  TraceRow row;
  row.run = spill_ ? 0 : static_cast<uint32_t>(rows_.runs.size());
  row.trace = static_cast<uint32_t>(rows.traces.size() - 1);
  row.events_begin = rows.codes.size();
  row.depths_begin = rows.depths.size();
  row.outcomes_begin = rows.outcomes.size();
  row.values_begin = rows.values.size();
  rows.rows.push_back(row);
  return {};
}

// The program of a run is that of its first events that name one. Which it is decides how well scopes fit, not whether
// attributes are right: so a look at a few is enough.
void SegmentBuilder::FindProgram(std::span<const SymbolId> events) {
  constexpr size_t kLookedAt = 16;
  for (const SymbolId event : events.first(std::min(events.size(), kLookedAt))) {
    const auto index = static_cast<uint32_t>(event);
    if (index >= programs_.size()) programs_.resize(std::max<size_t>(source_->size(), index + 1), kUnknownProgram);
    uint32_t& known = programs_[index];
    if (known == kUnknownProgram) known = scopes_.ProgramOf(source_->attributes(event));
    program_ = known;
    if (program_ != 0) break;
  }
  program_known_ = !events.empty();
}

const SegmentBuilder::Placed& SegmentBuilder::Place(SymbolId theirs) {
  const auto index = static_cast<uint32_t>(theirs);
  if (index >= placed_.size()) placed_.resize(std::max<size_t>(source_->size(), index + 1));
  Placed& placed = placed_[index];
  if (placed.program != program_) {
    placed.code = static_cast<uint32_t>(names_.Intern(source_->name(theirs)));
    placed.scope = scopes_.Place(program_, placed.code, source_->attributes(theirs));
    placed.program = program_;
  }
  return placed;
}

// Appends the scope of a row's next event to `scopes`. It is called for the first event whose scope differs from that of
// the row, and for every event after it. The `before` events ahead of the first such event all have the row's scope.
void SegmentBuilder::MixScopes(SegmentRows& rows, TraceRow& row, uint32_t before, uint32_t scope) {
  if (!row.mixed) {
    row.mixed = true;
    row.scopes_begin = rows.scopes.size();
    rows.scopes.insert(rows.scopes.end(), before, row.scope);
  }
  rows.scopes.push_back(scope);
}

Status SegmentBuilder::AddEvents(const EventChunk& chunk) {
  const TraceHeader& header = (spill_ ? spill_->rows : rows_).traces.back();
  const auto fits = [&](bool has, size_t size) { return size == (has ? chunk.events.size() : 0); };
  if (!fits(header.has_depths, chunk.depths.size()) || !fits(header.has_outcomes, chunk.outcomes.size()) ||
      !fits(header.has_values, chunk.values.size())) {
    return Invalid("run {}: a trace's parallel lists differ from what its header says",
                   ToString(current_.stored.header.id));
  }
  for (const SymbolId event : chunk.events) {
    if (!source_->contains(event)) return Invalid("event {} has no symbol", static_cast<uint32_t>(event));
  }
  hasher_.AddEvents(chunk, *source_);
  if (!program_known_) FindProgram(chunk.events);
  for (size_t done = 0; done < chunk.events.size();) {
    SegmentRows& rows = spill_ ? spill_->rows : rows_;
    if (rows.rows.empty() || rows.rows.back().events == limits::kChunkEvents ||
        rows.rows.back().trace != rows.traces.size() - 1) {
      TraceRow row;
      row.run = spill_ ? 0 : static_cast<uint32_t>(rows_.runs.size());
      row.trace = static_cast<uint32_t>(rows.traces.size() - 1);
      row.chunk = ++chunk_;
      row.first_event = trace_events_;
      row.events_begin = rows.codes.size();
      row.depths_begin = rows.depths.size();
      row.outcomes_begin = rows.outcomes.size();
      row.values_begin = rows.values.size();
      rows.rows.push_back(row);
    }
    TraceRow& row = rows.rows.back();
    const size_t take = std::min<size_t>(chunk.events.size() - done, limits::kChunkEvents - row.events);
    for (size_t i = done; i < done + take; ++i) {
      const Placed& event = Place(chunk.events[i]);
      const uint32_t before = row.events + static_cast<uint32_t>(i - done);
      if (before == 0) row.scope = event.scope;
      rows.codes.push_back(event.code);
      if (event.scope != row.scope || row.mixed) MixScopes(rows, row, before, event.scope);
    }
    const auto append = [&](auto& list, const auto& more) {
      if (!more.empty())
        list.insert(list.end(), more.begin() + static_cast<ptrdiff_t>(done),
                    more.begin() + static_cast<ptrdiff_t>(done + take));
    };
    append(rows.depths, chunk.depths);
    append(rows.outcomes, chunk.outcomes);
    append(rows.values, chunk.values);
    row.events += static_cast<uint32_t>(take);
    trace_events_ += take;
    current_.stored.event_count += take;
    done += take;
    if (spill_) {
      OSCOPE_RETURN_IF_ERROR(FlushSpill(false));
    } else if (current_.stored.event_count > spill_events_) {
      OSCOPE_RETURN_IF_ERROR(BeginSpill());
    }
  }
  return {};
}

Status SegmentBuilder::EndTrace() {
  const TraceHeader& header = (spill_ ? spill_->rows : rows_).traces.back();
  if (header.event_count != trace_events_) {
    return Invalid("run {}: a trace announces {} events and has {}", ToString(current_.stored.header.id),
                   header.event_count, trace_events_);
  }
  hasher_.EndTrace();
  return {};
}

// Moves the arriving run's rows out of the common lists, into a segment of its own.
Status SegmentBuilder::BeginSpill() {
  if (!writer_lock_) {
    OSCOPE_ASSIGN_OR_RETURN(writer_lock_, files_.LockAsWriter());
  }
  spill_ = std::make_unique<Spill>();
  OSCOPE_ASSIGN_OR_RETURN(spill_->writer,
                          ParquetWriter::Open(files_, spill_->segment, Table::kTraces, TraceTableSchema()));
  SegmentRows& to = spill_->rows;
  to.runs.push_back(current_);
  const auto move_tail = [](auto& from, size_t begin, auto& into) {
    into.assign(std::make_move_iterator(from.begin() + static_cast<ptrdiff_t>(begin)),
                std::make_move_iterator(from.end()));
    from.resize(begin);
  };
  move_tail(rows_.rows, current_.rows_begin, to.rows);
  move_tail(rows_.traces, traces_begin_, to.traces);
  move_tail(rows_.codes, codes_begin_, to.codes);
  move_tail(rows_.depths, depths_begin_, to.depths);
  move_tail(rows_.outcomes, outcomes_begin_, to.outcomes);
  move_tail(rows_.values, values_begin_, to.values);
  move_tail(rows_.scopes, scopes_begin_, to.scopes);
  for (TraceRow& row : to.rows) {
    row.run = 0;
    row.trace -= static_cast<uint32_t>(traces_begin_);
    row.events_begin -= codes_begin_;
    row.depths_begin -= depths_begin_;
    row.outcomes_begin -= outcomes_begin_;
    row.values_begin -= values_begin_;
    if (row.mixed) row.scopes_begin -= scopes_begin_;
  }
  return {};
}

namespace {

// Values are weighed by their size: a code takes four bytes, so four bytes of a value weigh as much as one event.
uint64_t RowWeight(const SegmentRows& rows, const TraceRow& row) {
  uint64_t weight = row.events;
  if (rows.traces[row.trace].has_values) {
    for (uint32_t i = 0; i < row.events; ++i) weight += rows.values[row.values_begin + i].size() / 4;
  }
  return weight;
}

Status WriteRowGroups(ParquetWriter& writer, const SegmentRows& rows, std::span<const uint32_t> order,
                      const SymbolTable& names) {
  const auto weight = [&](size_t i) {
    return RowWeight(rows, rows.rows[order[i]]) * (kRowGroupBytes / kRowGroupEvents);
  };
  return ForEachRowGroup(order.size(), weight, [&](size_t begin, size_t count) {
    return WriteTraceRows(writer, rows, order.subspan(begin, count), names);
  });
}

}  // namespace

Status SegmentBuilder::FlushSpill(bool all) {
  SegmentRows& rows = spill_->rows;
  // A row stays while it may still grow.
  const size_t ready = all ? rows.rows.size() : rows.rows.back().events == limits::kChunkEvents ? rows.rows.size() : 0;
  if (ready == 0 || (!all && rows.codes.size() < kRowGroupEvents)) return {};
  std::vector<uint32_t> order(ready);
  std::iota(order.begin(), order.end(), 0);
  OSCOPE_RETURN_IF_ERROR(WriteRowGroups(*spill_->writer, rows, order, names_));
  spill_->search.Add(rows, order, names_);
  spill_->written_rows += ready;
  rows.rows.clear();
  rows.codes.clear();
  rows.depths.clear();
  rows.outcomes.clear();
  rows.values.clear();
  rows.scopes.clear();
  return {};
}

Status SegmentBuilder::EndRun() {
  current_.stored.content_hash = hasher_.Digest();
  const RunId id = current_.stored.header.id;
  const auto [known, is_new] = contents_.emplace(id, current_.stored.content_hash);
  if (!is_new && known->second != current_.stored.content_hash) {
    return Conflict("run {} comes twice with different content", ToString(id));
  }
  if (!is_new) {
    RollBackRun();
    return {};
  }
  events_ += current_.stored.event_count;
  traces_ += current_.stored.trace_count;
  noted_.Note(current_.stored);
  if (spill_) return EndSpill();
  current_.rows_end = rows_.rows.size();
  rows_.runs.push_back(std::move(current_));
  return {};
}

void SegmentBuilder::RollBackRun() {
  if (spill_) {
    spill_.reset();
    return;
  }
  rows_.rows.resize(current_.rows_begin);
  rows_.traces.resize(traces_begin_);
  rows_.codes.resize(codes_begin_);
  rows_.depths.resize(depths_begin_);
  rows_.outcomes.resize(outcomes_begin_);
  rows_.values.resize(values_begin_);
  rows_.scopes.resize(scopes_begin_);
}

namespace {

Result<TableFile> WriteSymbolFile(const StoreFiles& files, const std::string& segment, const SymbolTable& names,
                                  std::span<const SymbolScopes::Row* const> rows) {
  OSCOPE_ASSIGN_OR_RETURN(auto writer, ParquetWriter::Open(files, segment, Table::kSymbols, SymbolTableSchema()));
  OSCOPE_RETURN_IF_ERROR(WriteSymbols(*writer, names, rows));
  return writer->Finish();
}

Result<TableFile> WriteRunFile(const StoreFiles& files, const std::string& segment, const std::deque<PendingRun>& runs,
                               std::span<const uint32_t> order, const NotedRuns& noted) {
  OSCOPE_ASSIGN_OR_RETURN(auto writer, ParquetWriter::Open(files, segment, Table::kRuns, RunTableSchema()));
  OSCOPE_RETURN_IF_ERROR(WriteRuns(*writer, runs, order, noted));
  return writer->Finish();
}

Result<TableFile> WriteAttachmentFile(const StoreFiles& files, const std::string& segment,
                                      std::vector<const PendingAttachment*> attachments) {
  std::sort(attachments.begin(), attachments.end(), [](const PendingAttachment* a, const PendingAttachment* b) {
    return std::tie(a->placement, a->stored.header) < std::tie(b->placement, b->stored.header);
  });
  OSCOPE_ASSIGN_OR_RETURN(auto writer,
                          ParquetWriter::Open(files, segment, Table::kAttachments, AttachmentTableSchema()));
  OSCOPE_RETURN_IF_ERROR(WriteAttachments(*writer, attachments));
  return writer->Finish();
}

// The symbols of some rows: those whose text and whose scope occur there, which may be a few more.
std::vector<const SymbolScopes::Row*> UsedSymbols(const SegmentRows& rows, std::span<const uint32_t> order,
                                                  const SymbolTable& names, const SymbolScopes& scopes) {
  std::vector<const SymbolScopes::Row*> used;
  if (scopes.rows().empty()) return used;
  std::vector<bool> texts(names.size(), false), in_use(scopes.scopes(), false);
  for (const uint32_t r : order) {
    const TraceRow& row = rows.rows[r];
    in_use[row.scope] = true;
    for (uint32_t i = 0; i < row.events; ++i) {
      texts[rows.codes[row.events_begin + i]] = true;
      if (row.mixed) in_use[rows.scopes[row.scopes_begin + i]] = true;
    }
  }
  for (const SymbolScopes::Row& row : scopes.rows()) {
    if (texts[row.text] && in_use[row.scope]) used.push_back(&row);
  }
  return used;
}

std::vector<IndexSection> Joined(std::vector<IndexSection> sections, std::vector<IndexSection> more) {
  std::move(more.begin(), more.end(), std::back_inserter(sections));
  return sections;
}

}  // namespace

Status SegmentBuilder::EndSpill() {
  OSCOPE_RETURN_IF_ERROR(FlushSpill(true));
  std::unique_ptr<Spill> spill = std::move(spill_);
  SegmentEntry entry;
  entry.id = spill->segment;
  entry.runs = 1;
  entry.traces = current_.stored.trace_count;
  entry.events = current_.stored.event_count;
  const auto write = [&]() -> Status {
    OSCOPE_ASSIGN_OR_RETURN(TableFile traces, spill->writer->Finish());
    entry.tables.push_back(std::move(traces));
    OSCOPE_ASSIGN_OR_RETURN(TableFile runs,
                            WriteRunFile(files_, entry.id, {current_}, std::vector<uint32_t>{0}, noted_));
    entry.tables.push_back(std::move(runs));
    // Which symbols a run of this size used is not worth remembering event by event: all that are known go along.
    std::vector<const SymbolScopes::Row*> all;
    for (const SymbolScopes::Row& row : scopes_.rows()) all.push_back(&row);
    if (!all.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(TableFile symbols, WriteSymbolFile(files_, entry.id, names_, all));
      entry.tables.push_back(std::move(symbols));
    }
    const RunLocation location{current_.stored.header.id, current_.stored.content_hash.low, 0, 0};
    FailureSections failures;
    failures.AddRun(current_.stored.header);
    return IndexFile::Write(
        files_, entry.id,
        Joined(Joined(SegmentIndex::MakeSections({location}, {}), failures.Finish()), spill->search.Finish()));
  };
  Status status = write();
  if (!status.ok()) {
    RemoveSegmentFiles(files_, {entry});
    return status;
  }
  std::string bug = current_.stored.header.bug;
  spilled_.push_back({std::move(current_), std::move(entry), std::move(bug)});
  return {};
}

std::vector<SegmentBuilder::Held> SegmentBuilder::runs() const {
  std::vector<Held> held;
  for (const PendingRun& run : rows_.runs) held.push_back({&run.stored, run.placement});
  for (const Spilled& spilled : spilled_) held.push_back({&spilled.run.stored, spilled.run.placement});
  return held;
}

void SegmentBuilder::LinkRun(size_t run, const std::string& bug) {
  OSCOPE_CHECK(run < run_count());
  PendingRun& pending = run < rows_.runs.size() ? rows_.runs[run] : spilled_[run - rows_.runs.size()].run;
  if (pending.stored.header.bug == bug) return;
  pending.stored.header.bug = bug;
  noted_.Note(pending.stored);
  pending.placement = PlacementOf(pending.stored.header);
}

const SegmentEntry* SegmentBuilder::spilled_segment(size_t run) const {
  return run < rows_.runs.size() ? nullptr : &spilled_[run - rows_.runs.size()].entry;
}

void SegmentBuilder::ReplaceSpilled(size_t run, SegmentEntry entry) {
  Spilled& spilled = spilled_[run - rows_.runs.size()];
  RemoveSegmentFiles(files_, {spilled.entry});
  spilled.entry = std::move(entry);
  spilled.bug = spilled.run.stored.header.bug;
}

const std::string& SegmentBuilder::spilled_bug(size_t run) const { return spilled_[run - rows_.runs.size()].bug; }

Result<SegmentEntry> SegmentBuilder::WriteSegment(const HashRange& range, Contents contents) {
  std::vector<uint32_t>& runs = contents.runs;
  const std::vector<BugRevision>& revisions = contents.revisions;
  // A bug's runs lie together, and equal input gives equal files.
  // What is compared is laid side by side first: the runs themselves are large, and lie anywhere in memory.
  std::vector<std::tuple<uint64_t, RunId, uint32_t>> keys;
  keys.reserve(runs.size());
  for (const uint32_t run : runs) keys.emplace_back(rows_.runs[run].placement, rows_.runs[run].stored.header.id, run);
  std::sort(keys.begin(), keys.end());
  std::transform(keys.begin(), keys.end(), runs.begin(), [](const auto& key) { return std::get<uint32_t>(key); });
  SegmentEntry entry;
  entry.id = NewId();
  entry.range = range;
  entry.runs = runs.size();
  entry.bug_revisions = revisions.size();

  std::vector<uint32_t> order;
  std::vector<RunLocation> run_locations;
  for (uint32_t r = 0; r < runs.size(); ++r) {
    const PendingRun& run = rows_.runs[runs[r]];
    const uint32_t first = run.rows_begin == run.rows_end ? kNoRow : static_cast<uint32_t>(order.size());
    run_locations.push_back({run.stored.header.id, run.stored.content_hash.low, first, r});
    for (uint64_t row = run.rows_begin; row < run.rows_end; ++row) order.push_back(static_cast<uint32_t>(row));
    entry.traces += run.stored.trace_count;
    entry.events += run.stored.event_count;
  }
  std::optional<TableFile> traces;
  const auto write_traces = [&]() -> Status {
    if (order.empty()) return {};
    OSCOPE_ASSIGN_OR_RETURN(auto writer, ParquetWriter::Open(files_, entry.id, Table::kTraces, TraceTableSchema()));
    OSCOPE_RETURN_IF_ERROR(WriteRowGroups(*writer, rows_, order, names_));
    OSCOPE_ASSIGN_OR_RETURN(traces, writer->Finish());
    return {};
  };
  const auto write_others = [&]() -> Status {
    if (!runs.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(TableFile file, WriteRunFile(files_, entry.id, rows_.runs, runs, noted_));
      entry.tables.push_back(std::move(file));
    }
    if (const auto symbols_used = UsedSymbols(rows_, order, names_, scopes_); !symbols_used.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(TableFile symbols, WriteSymbolFile(files_, entry.id, names_, symbols_used));
      entry.tables.push_back(std::move(symbols));
    }
    FailureSections failures;
    for (const uint32_t run : runs) failures.AddRun(rows_.runs[run].stored.header);
    std::vector<BugLocation> bug_locations;
    std::vector<IndexSection> bug_names = BugNameTable::MakeSections(revisions);
    if (!revisions.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(auto writer, ParquetWriter::Open(files_, entry.id, Table::kBugs, BugTableSchema()));
      OSCOPE_RETURN_IF_ERROR(WriteBugs(*writer, revisions));
      OSCOPE_ASSIGN_OR_RETURN(TableFile bugs, writer->Finish());
      entry.tables.push_back(std::move(bugs));
      for (uint32_t row = 0; row < revisions.size(); ++row) {
        bug_locations.push_back({PlacementOf(revisions[row].bug.key), row});
        failures.AddReport(revisions[row].bug);
      }
    }
    if (!contents.attachments.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(TableFile file, WriteAttachmentFile(files_, entry.id, std::move(contents.attachments)));
      entry.tables.push_back(std::move(file));
    }
    SearchSectionsBuilder search;
    search.Add(rows_, order, names_);
    return IndexFile::Write(
        files_, entry.id,
        Joined(Joined(Joined(SegmentIndex::MakeSections(std::move(run_locations), std::move(bug_locations)),
                             std::move(bug_names)),
                      failures.Finish()),
               search.Finish()));
  };
  // The two halves cost about the same. For a small segment a thread would cost more than it brings.
  Status traces_status, others_status;
  if (entry.events < kParallelEvents) {
    traces_status = write_traces();
    if (traces_status.ok()) others_status = write_others();
  } else {
    std::future<Status> others = std::async(std::launch::async, write_others);
    traces_status = write_traces();
    others_status = others.get();
  }
  if (traces) entry.tables.insert(entry.tables.begin(), *std::move(traces));
  for (Status* status : {&traces_status, &others_status}) {
    if (status->ok()) continue;
    RemoveSegmentFiles(files_, {entry});
    return std::move(*status).error();
  }
  return entry;
}

Result<std::vector<SegmentEntry>> SegmentBuilder::Write(const std::vector<HashRange>& ranges, const Drops& drops,
                                                        std::vector<BugRevision> revisions) {
  std::vector<Contents> of(ranges.size());
  const auto range_of = [&](uint64_t placement) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), placement,
                                        [](uint64_t p, const HashRange& r) { return p < r.first; });
    return static_cast<size_t>(after - ranges.begin()) - 1;
  };
  for (uint32_t r = 0; r < rows_.runs.size(); ++r) {
    if (!drops.run(rows_.runs[r].stored.header.id)) of[range_of(rows_.runs[r].placement)].runs.push_back(r);
  }
  if (ranges.size() == 1) {
    of[0].revisions = std::move(revisions);
  } else {
    for (BugRevision& revision : revisions)
      of[range_of(PlacementOf(revision.bug.key))].revisions.push_back(std::move(revision));
  }
  for (const PendingAttachment& attachment : attachments_) {
    if (!drops.attachment(attachment.stored.header))
      of[range_of(attachment.placement)].attachments.push_back(&attachment);
  }

  std::vector<SegmentEntry> written;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (of[i].empty()) continue;
    auto entry = WriteSegment(ranges[i], std::move(of[i]));
    if (!entry.ok()) {
      Discard(written);
      return std::move(entry).error();
    }
    written.push_back(std::move(entry).value());
  }
  for (Spilled& spilled : spilled_) {
    spilled.entry.range = ranges[range_of(spilled.run.placement)];
    if (!drops.run(spilled.run.stored.header.id)) written.push_back(spilled.entry);
  }
  return written;
}

void SegmentBuilder::Discard(const std::vector<SegmentEntry>& segments) {
  std::vector<SegmentEntry> ours;
  for (const SegmentEntry& segment : segments) {
    const bool is_spilled =
        std::any_of(spilled_.begin(), spilled_.end(), [&](const Spilled& s) { return s.entry.id == segment.id; });
    if (!is_spilled) ours.push_back(segment);
  }
  RemoveSegmentFiles(files_, ours);
}

void RemoveSegmentFiles(const StoreFiles& files, const std::vector<SegmentEntry>& segments) {
  for (const SegmentEntry& segment : segments) {
    for (const TableFile& table : segment.tables) (void)files.fs().Remove(files.TablePath(segment.id, table.table));
    (void)files.fs().Remove(files.IndexPath(segment.id));
  }
}

}  // namespace oscope
