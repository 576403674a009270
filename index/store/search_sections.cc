// Feeds traces to a TailBuilder and makes sketch and postings from the table that results. The two ways in (rows on
// their way to disk, and row groups read back from it) must give the same bytes, because `store check` compares them;
// so both only number names and pass events on, and everything that decides a byte is done once, in Finish.
#include "index/store/search_sections.h"

#include "index/postings/postings.h"
#include "index/store/segment_reader.h"
#include "index/store/segment_search.h"

namespace oscope {

uint32_t SearchSectionsBuilder::NumberOf(uint32_t code, const SymbolTable& names) {
  if (code >= numbers_.size()) numbers_.resize(names.size(), 0);
  if (numbers_[code] == 0) numbers_[code] = tails_.AddName(names.name(static_cast<SymbolId>(code))) + 1;
  return numbers_[code] - 1;
}

void SearchSectionsBuilder::Add(const SegmentRows& rows, std::span<const uint32_t> order, const SymbolTable& names) {
  for (const uint32_t r : order) {
    const TraceRow& row = rows.rows[r];
    if (row.chunk == 0) {
      const RunHeader& run = rows.runs[row.run].stored.header;
      const TraceHeader& trace = rows.traces[row.trace];
      tails_.BeginTrace({run.id, run.project, run.bug, trace.process, trace.thread, trace.kind, run.outcome,
                         run.failing_thread, trace.event_count,
                         trace.mark ? std::optional<uint64_t>(trace.mark->events) : std::nullopt});
    }
    events_.clear();
    for (uint32_t i = 0; i < row.events; ++i) events_.push_back(NumberOf(rows.codes[row.events_begin + i], names));
    tails_.AddEvents(events_);
  }
}

Status SearchSectionsBuilder::Add(const TraceBatch& batch, std::span<const RunIdentity> runs) {
  std::vector<uint32_t> numbers;
  numbers.reserve(batch.names.size());
  for (const std::string& name : batch.names) numbers.push_back(tails_.AddName(name));
  for (size_t r = 0; r < batch.rows; ++r) {
    if (batch.chunk[r] == 0) {
      if (!complete()) return Corrupt("a trace ends before its last event");
      while (next_run_ < runs.size() && runs[next_run_].id != batch.run_ids[r]) ++next_run_;
      if (next_run_ == runs.size()) return Corrupt("a trace belongs to no run");
      tails_.BeginTrace({batch.run_ids[r], batch.project[r], batch.bug[r], batch.process[r], batch.thread[r],
                         batch.kind[r], batch.outcome[r], runs[next_run_].failing_thread, batch.event_count[r],
                         batch.mark[r]});
    } else if (!tails_.continues_at(batch.first_event[r])) {
      return Corrupt("a chunk of a trace does not continue it");
    }
    events_.clear();
    for (uint64_t i = batch.offsets[r]; i < batch.offsets[r + 1]; ++i)
      events_.push_back(numbers[static_cast<size_t>(batch.codes[i])]);
    tails_.AddEvents(events_);
  }
  return {};
}

namespace {

template <typename Id>
void AddRows(const TailTable& tails, std::span<const Id> column, SketchBuilder& sketch) {
  for (const TailRow& row : tails.rows()) sketch.AddRow(column.subspan(row.tail_begin, row.tail_length));
}

std::string EncodeSketch(const TailTable& tails) {
  std::vector<uint64_t> hashes;
  hashes.reserve(tails.names());
  for (uint32_t id = 0; id < tails.names(); ++id) hashes.push_back(SketchHash(tails.name(id)));
  SketchBuilder sketch(tails.size(), std::move(hashes));
  if (tails.column().wide.empty()) {
    AddRows(tails, tails.column().narrow, sketch);
  } else {
    AddRows(tails, tails.column().wide, sketch);
  }
  return sketch.Finish();
}

}  // namespace

std::vector<IndexSection> SearchSectionsBuilder::Finish() {
  std::vector<IndexSection> sections;
  if (tails_.size() == 0) return sections;
  TailBytes bytes = tails_.Finish();
  numbers_.clear();
  auto table = TailTable::Make(bytes.views(), nullptr);
  OSCOPE_CHECK(table.ok());
  std::string sketch = table->size() < kSketchMinTraces ? std::string() : EncodeSketch(*table);
  std::string postings = table->size() < kPostingsMinTraces ? std::string() : EncodePostings(*table);
  *table = TailTable();
  sections.push_back({kTailRowsTag, kTailsVersion, std::move(bytes.rows)});
  sections.push_back({kTailColumnTag, kTailsVersion, std::move(bytes.column)});
  sections.push_back({kTailNamesTag, kTailsVersion, std::move(bytes.names)});
  sections.push_back({kTailBugsTag, kTailsVersion, std::move(bytes.bugs)});
  if (!sketch.empty()) sections.push_back({kSketchTag, kSketchVersion, std::move(sketch)});
  if (!postings.empty()) sections.push_back({kPostingsTag, kPostingsVersion, std::move(postings)});
  return sections;
}

Result<std::vector<IndexSection>> RebuildSearchSections(const StoreFiles& files, const SegmentEntry& entry,
                                                        std::span<const RunIdentity> runs) {
  SearchSectionsBuilder builder;
  const SegmentReader reader(files, entry);
  OSCOPE_RETURN_IF_ERROR(reader.Scan({}, false, [&](const TraceBatch& batch) -> Status {
    Status added = builder.Add(batch, runs);
    if (!added.ok()) return std::move(added).error().Within(fmt::format("segment {}", entry.id));
    return {};
  }));
  if (!builder.complete()) return Corrupt("segment {}: its last trace ends before its last event", entry.id);
  return builder.Finish();
}

}  // namespace oscope
