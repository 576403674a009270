// The traces table, the one that every full scan reads.
//
// Its heavy column is `events`, a list of texts in each row. It is dictionary-encoded, and the dictionary of a row
// group holds only the names that occur in it. We do not read it as text: ReadEventCodes asks Parquet for the codes
// and the dictionary, and reads repetition and definition levels itself to find where lists begin. That is six times
// as fast as Arrow's arrays of text, and the codes are what queries work with anyway. Other tools read the same column
// as a plain list of texts.
//
// Codes mean something only inside a row group. Numbers for a whole segment would save a translation, but then a row
// group could not be read without the rest of the segment.
//
// A row is a chunk of at most 65,536 events, so that a row group, and with it memory, stays bounded however long a
// trace is.
#include "index/store/trace_table.h"

#include <arrow/extension/uuid.h>
#include <parquet/column_reader.h>

#include "index/store/arrow_columns.h"

namespace oscope {

namespace {

std::shared_ptr<arrow::Field> Element(std::shared_ptr<arrow::DataType> type) {
  return arrow::field("element", std::move(type), /*nullable=*/false);
}

}  // namespace

std::shared_ptr<arrow::Schema> TraceTableSchema() {
  using arrow::field;
  const auto required = [](const char* name, std::shared_ptr<arrow::DataType> type) {
    return field(name, std::move(type), false);
  };
  return arrow::schema({
      required("run_id", arrow::extension::uuid()),
      required("project", arrow::utf8()),
      field("bug", arrow::utf8()),
      field("test", arrow::utf8()),
      required("outcome", arrow::utf8()),
      required("process", arrow::uint32()),
      required("thread", arrow::uint32()),
      field("thread_name", arrow::utf8()),
      required("kind", arrow::utf8()),
      required("chunk", arrow::uint32()),
      required("first_event", arrow::uint64()),
      required("event_count", arrow::uint64()),
      field("mark_events", arrow::uint64()),
      field("mark_reason", arrow::utf8()),
      required("partial", arrow::boolean()),
      field("partial_note", arrow::utf8()),
      required("events", arrow::list(Element(arrow::dictionary(arrow::int32(), arrow::utf8())))),
      field("depths", arrow::list(Element(arrow::uint32()))),
      field("outcomes", arrow::list(Element(arrow::uint8()))),
      field("values", arrow::list(Element(arrow::utf8()))),
      field("scope", arrow::uint32()),
      field("scopes", arrow::list(Element(arrow::uint32()))),
  });
}

namespace {

// events: the codes of the row group renumbered in order of first use, so that its dictionary holds nothing else.
ArrayPtr EventsColumn(const SegmentRows& rows, std::span<const uint32_t> order, const SymbolTable& names) {
  std::vector<int32_t> local(names.size(), -1);
  arrow::StringBuilder dictionary;
  arrow::Int32Builder codes;
  arrow::Int32Builder offsets;
  uint64_t total = 0;
  for (const uint32_t r : order) total += rows.rows[r].events;
  MustBuild(codes.Reserve(static_cast<int64_t>(total)));
  MustBuild(offsets.Reserve(static_cast<int64_t>(order.size()) + 1));
  int32_t next = 0;
  for (const uint32_t r : order) {
    const TraceRow& row = rows.rows[r];
    offsets.UnsafeAppend(static_cast<int32_t>(codes.length()));
    for (uint32_t i = 0; i < row.events; ++i) {
      const uint32_t code = rows.codes[row.events_begin + i];
      if (local[code] < 0) {
        local[code] = next++;
        AppendText(dictionary, names.name(static_cast<SymbolId>(code)));
      }
      codes.UnsafeAppend(local[code]);
    }
  }
  offsets.UnsafeAppend(static_cast<int32_t>(codes.length()));
  auto values = std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int32(), arrow::utf8()),
                                                         Finish(codes), Finish(dictionary));
  auto list = arrow::ListArray::FromArrays(arrow::list(Element(values->type())), *Finish(offsets), *values);
  OSCOPE_CHECK(list.ok());
  return *list;
}

// A parallel list: null for the rows that do not have it.
template <typename Builder, typename Has, typename AppendRow>
ArrayPtr ParallelColumn(const SegmentRows& rows, std::span<const uint32_t> order, std::shared_ptr<arrow::DataType> type,
                        Has has, AppendRow append_row) {
  auto values = std::make_shared<Builder>();
  arrow::ListBuilder list(arrow::default_memory_pool(), values, arrow::list(Element(std::move(type))));
  for (const uint32_t r : order) {
    const TraceRow& row = rows.rows[r];
    if (!has(row)) {
      MustBuild(list.AppendNull());
    } else {
      MustBuild(list.Append());
      append_row(*values, row);
    }
  }
  return Finish(list);
}

}  // namespace

Status WriteTraceRows(ParquetWriter& writer, const SegmentRows& rows, std::span<const uint32_t> order,
                      const SymbolTable& names) {
  const size_t n = order.size();
  const auto row = [&](size_t i) -> const TraceRow& { return rows.rows[order[i]]; };
  const auto trace = [&](size_t i) -> const TraceHeader& { return rows.traces[row(i).trace]; };

  // What the columns repeat of the runs, in one pass: runs are large and lie anywhere in memory.
  struct RunTexts {
    Hash128 id;
    std::string_view project, bug, test, outcome;
  };
  std::vector<RunTexts> runs;
  runs.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    const RunHeader& run = rows.runs[row(i).run].stored.header;
    runs.push_back({run.id.value, run.project, run.bug, run.test, OutcomeName(run.outcome)});
  }

  std::vector<ArrayPtr> columns;
  auto run_ids = Hash128Column(n, [&](size_t i) { return runs[i].id; });
  columns.push_back(arrow::ExtensionType::WrapArray(arrow::extension::uuid(), run_ids));
  columns.push_back(TextColumn(n, false, [&](size_t i) { return runs[i].project; }));
  columns.push_back(TextColumn(n, true, [&](size_t i) { return runs[i].bug; }));
  columns.push_back(TextColumn(n, true, [&](size_t i) { return runs[i].test; }));
  columns.push_back(TextColumn(n, false, [&](size_t i) { return runs[i].outcome; }));
  columns.push_back(NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) { return trace(i).process; }));
  columns.push_back(NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) { return trace(i).thread; }));
  columns.push_back(TextColumn(n, true, [&](size_t i) -> std::string_view { return trace(i).thread_name; }));
  columns.push_back(TextColumn(n, false, [&](size_t i) { return TraceKindName(trace(i).kind); }));
  columns.push_back(NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) { return row(i).chunk; }));
  columns.push_back(NumberColumn<arrow::UInt64Builder>(n, [&](size_t i) { return row(i).first_event; }));
  columns.push_back(NumberColumn<arrow::UInt64Builder>(n, [&](size_t i) { return trace(i).event_count; }));
  columns.push_back(NumberColumn<arrow::UInt64Builder>(n, [&](size_t i) {
    const auto& mark = trace(i).mark;
    return mark ? std::optional<uint64_t>(mark->events) : std::nullopt;
  }));
  columns.push_back(TextColumn(n, true, [&](size_t i) -> std::string_view {
    return trace(i).mark ? std::string_view(trace(i).mark->reason) : "";
  }));
  columns.push_back(BoolColumn(n, [&](size_t i) { return trace(i).partial; }));
  columns.push_back(TextColumn(n, true, [&](size_t i) -> std::string_view { return trace(i).partial_note; }));
  columns.push_back(EventsColumn(rows, order, names));
  columns.push_back(ParallelColumn<arrow::UInt32Builder>(
      rows, order, arrow::uint32(), [&](const TraceRow& r) { return rows.traces[r.trace].has_depths; },
      [&](arrow::UInt32Builder& out, const TraceRow& r) {
        MustBuild(out.AppendValues(rows.depths.data() + r.depths_begin, r.events));
      }));
  columns.push_back(ParallelColumn<arrow::UInt8Builder>(
      rows, order, arrow::uint8(), [&](const TraceRow& r) { return rows.traces[r.trace].has_outcomes; },
      [&](arrow::UInt8Builder& out, const TraceRow& r) {
        for (uint32_t i = 0; i < r.events; ++i)
          MustBuild(out.Append(static_cast<uint8_t>(rows.outcomes[r.outcomes_begin + i])));
      }));
  columns.push_back(ParallelColumn<arrow::StringBuilder>(
      rows, order, arrow::utf8(), [&](const TraceRow& r) { return rows.traces[r.trace].has_values; },
      [&](arrow::StringBuilder& out, const TraceRow& r) {
        for (uint32_t i = 0; i < r.events; ++i) AppendText(out, rows.values[r.values_begin + i]);
      }));
  columns.push_back(NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) {
    return row(i).mixed || row(i).scope == 0 ? std::nullopt : std::optional<uint32_t>(row(i).scope);
  }));
  columns.push_back(ParallelColumn<arrow::UInt32Builder>(
      rows, order, arrow::uint32(), [](const TraceRow& r) { return r.mixed; },
      [&](arrow::UInt32Builder& out, const TraceRow& r) {
        MustBuild(out.AppendValues(rows.scopes.data() + r.scopes_begin, r.events));
      }));
  return writer.WriteRowGroup(columns, static_cast<int64_t>(n));
}

namespace {

// The event codes of a row group, read as such: six times faster than as Arrow text (docs/formats/store.md).
struct EventCodes {
  std::vector<uint64_t> offsets;
  std::vector<int32_t> codes;
  std::vector<std::string> names;
};

Result<EventCodes> ReadEventCodes(const TableReader& reader, int row_group) {
  return CatchParquet([&]() -> Result<EventCodes> {
    const int leaf = reader.LeafOf("events");
    const auto group = reader.parquet_reader()->RowGroup(row_group);
    const auto rows = static_cast<size_t>(group->metadata()->num_rows());
    EventCodes out;
    const int64_t levels = group->metadata()->ColumnChunk(leaf)->num_values();
    auto column = std::dynamic_pointer_cast<parquet::ByteArrayReader>(
        group->ColumnWithExposeEncoding(leaf, parquet::ExposedEncoding::DICTIONARY));
    if (column == nullptr) return Corrupt("column events is not dictionary-encoded text");
    out.codes.resize(static_cast<size_t>(levels));
    constexpr int64_t kBatch = 1 << 16;
    std::vector<int16_t> definition(kBatch), repetition(kBatch);
    const parquet::ByteArray* dictionary = nullptr;
    int32_t dictionary_size = 0;
    size_t codes = 0, lists = 0;
    while (column->HasNext()) {
      int64_t read = 0;
      const parquet::ByteArray* batch_dictionary = nullptr;
      int32_t batch_dictionary_size = 0;
      const int64_t got =
          column->ReadBatchWithDictionary(kBatch, definition.data(), repetition.data(), out.codes.data() + codes, &read,
                                          &batch_dictionary, &batch_dictionary_size);
      if (batch_dictionary != nullptr) {
        dictionary = batch_dictionary;
        dictionary_size = batch_dictionary_size;
      }
      if (got == 0) break;
      // Without a branch: a list begins wherever the repetition level is 0, and an event stands wherever the definition
      // level is not.
      if (out.offsets.size() < lists + static_cast<size_t>(got)) out.offsets.resize(lists + static_cast<size_t>(got));
      size_t code = codes;
      for (size_t i = 0; i < static_cast<size_t>(got); ++i) {
        out.offsets[lists] = code;
        lists += repetition[i] == 0 ? 1 : 0;
        code += definition[i] != 0 ? 1 : 0;
      }
      codes += static_cast<size_t>(read);
      if (code != codes) return Corrupt("column events: levels and values disagree");
    }
    out.codes.resize(codes);
    if (lists != rows) return Corrupt("column events has {} rows, the row group {}", lists, rows);
    out.offsets.resize(rows);
    out.offsets.push_back(codes);
    out.names.reserve(static_cast<size_t>(dictionary_size));
    for (int32_t i = 0; i < dictionary_size; ++i) {
      out.names.push_back(FromStoredText({reinterpret_cast<const char*>(dictionary[i].ptr), dictionary[i].len}));
    }
    uint32_t highest = 0;
    for (const int32_t code : out.codes) highest = std::max(highest, static_cast<uint32_t>(code));
    if (!out.codes.empty() && highest >= static_cast<uint32_t>(dictionary_size)) {
      return Corrupt("column events: code {} of {} names", highest, dictionary_size);
    }
    return out;
  });
}

// The word that a dictionary-like column says, parsed once per distinct word in practice.
template <typename Value, typename Parse>
Status ParseWords(const arrow::Array& array, std::vector<Value>& out, Parse parse) {
  out.reserve(static_cast<size_t>(array.length()));
  const auto& words = static_cast<const arrow::StringArray&>(array);
  std::string_view last_word;
  std::optional<Value> last;
  for (int64_t i = 0; i < array.length(); ++i) {
    const std::string_view word = words.GetView(i);
    if (!last || word != last_word) {
      OSCOPE_ASSIGN_OR_RETURN(last, parse(word));
      last_word = word;
    }
    out.push_back(*last);
  }
  return {};
}

template <typename ArrayType, typename Number>
void CopyNumbers(const arrow::Array& array, std::vector<Number>& out) {
  const auto* values = static_cast<const ArrayType&>(array).raw_values();
  out.assign(values, values + array.length());
}

void CopyTexts(const arrow::Array& array, std::vector<std::string>& out) {
  out.reserve(static_cast<size_t>(array.length()));
  for (int64_t i = 0; i < array.length(); ++i) out.push_back(TextAt(array, i));
}

}  // namespace

Result<TraceBatch> ReadTraceBatch(TableReader& reader, int row_group, const ScanColumns& columns) {
  TraceBatch batch;
  OSCOPE_ASSIGN_OR_RETURN(EventCodes events, ReadEventCodes(reader, row_group));
  batch.rows = events.offsets.size() - 1;
  batch.offsets = std::move(events.offsets);
  batch.codes = std::move(events.codes);
  batch.names = std::move(events.names);

  std::vector<std::string_view> wanted;
  if (columns.run_ids) wanted.push_back("run_id");
  if (columns.names) wanted.insert(wanted.end(), {"project", "bug", "test"});
  if (columns.header) {
    wanted.insert(wanted.end(),
                  {"outcome", "process", "thread", "kind", "chunk", "first_event", "event_count", "mark_events"});
  }
  if (wanted.empty()) return batch;
  OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader.Read(row_group, wanted));
  if (static_cast<size_t>(table->num_rows()) != batch.rows) return Corrupt("columns differ in length");
  if (columns.run_ids) {
    const arrow::Array& ids = ColumnOf(*table, "run_id");
    batch.run_ids.reserve(batch.rows);
    for (int64_t i = 0; i < ids.length(); ++i) batch.run_ids.push_back({Hash128At(ids, i)});
  }
  if (columns.names) {
    CopyTexts(ColumnOf(*table, "project"), batch.project);
    CopyTexts(ColumnOf(*table, "bug"), batch.bug);
    CopyTexts(ColumnOf(*table, "test"), batch.test);
  }
  if (columns.header) {
    OSCOPE_RETURN_IF_ERROR(ParseWords(ColumnOf(*table, "outcome"), batch.outcome, ParseOutcome));
    OSCOPE_RETURN_IF_ERROR(ParseWords(ColumnOf(*table, "kind"), batch.kind, ParseTraceKind));
    CopyNumbers<arrow::UInt32Array>(ColumnOf(*table, "process"), batch.process);
    CopyNumbers<arrow::UInt32Array>(ColumnOf(*table, "thread"), batch.thread);
    CopyNumbers<arrow::UInt32Array>(ColumnOf(*table, "chunk"), batch.chunk);
    CopyNumbers<arrow::UInt64Array>(ColumnOf(*table, "first_event"), batch.first_event);
    CopyNumbers<arrow::UInt64Array>(ColumnOf(*table, "event_count"), batch.event_count);
    const arrow::Array& marks = ColumnOf(*table, "mark_events");
    batch.mark.reserve(batch.rows);
    for (int64_t i = 0; i < marks.length(); ++i) batch.mark.push_back(NumberAt<arrow::UInt64Array, uint64_t>(marks, i));
  }
  return batch;
}

namespace {

Result<TraceHeader> HeaderAt(const arrow::Table& table, int64_t i) {
  TraceHeader header;
  header.process = static_cast<const arrow::UInt32Array&>(ColumnOf(table, "process")).Value(i);
  header.thread = static_cast<const arrow::UInt32Array&>(ColumnOf(table, "thread")).Value(i);
  OSCOPE_ASSIGN_OR_RETURN(header.kind, ParseTraceKind(TextAt(ColumnOf(table, "kind"), i)));
  header.thread_name = TextAt(ColumnOf(table, "thread_name"), i);
  header.event_count = static_cast<const arrow::UInt64Array&>(ColumnOf(table, "event_count")).Value(i);
  if (const auto mark = NumberAt<arrow::UInt64Array, uint64_t>(ColumnOf(table, "mark_events"), i)) {
    header.mark = FailureMark{*mark, TextAt(ColumnOf(table, "mark_reason"), i)};
  }
  header.partial = BoolAt(ColumnOf(table, "partial"), i);
  header.partial_note = TextAt(ColumnOf(table, "partial_note"), i);
  header.has_depths = ColumnOf(table, "depths").IsValid(i);
  header.has_outcomes = ColumnOf(table, "outcomes").IsValid(i);
  header.has_values = ColumnOf(table, "values").IsValid(i);
  return header;
}

template <typename Append>
void ForEachElement(const arrow::Array& array, int64_t row, Append append) {
  const auto& list = static_cast<const arrow::ListArray&>(array);
  if (list.IsNull(row)) return;
  for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) append(*list.values(), i);
}

}  // namespace

Result<StoredTraceRows> ReadTraceRows(TableReader& reader, int row_group, uint64_t first, uint64_t count, bool events,
                                      std::optional<RunId> only_run) {
  StoredTraceRows out;
  EventCodes codes;
  if (events) {
    OSCOPE_ASSIGN_OR_RETURN(codes, ReadEventCodes(reader, row_group));
    out.names = std::move(codes.names);
  }
  OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table,
                          reader.ReadAll(row_group, {"project", "bug", "test", "outcome", "events"}));
  const auto rows = static_cast<uint64_t>(table->num_rows());
  const arrow::Array& ids = ColumnOf(*table, "run_id");
  for (uint64_t r = first; r < std::min(rows, first + count); ++r) {
    const auto i = static_cast<int64_t>(r);
    StoredTraceRow row;
    row.run = {Hash128At(ids, i)};
    OSCOPE_ASSIGN_OR_RETURN(row.header, HeaderAt(*table, i));
    row.chunk = static_cast<const arrow::UInt32Array&>(ColumnOf(*table, "chunk")).Value(i);
    row.first_event = static_cast<const arrow::UInt64Array&>(ColumnOf(*table, "first_event")).Value(i);
    if (events) {
      if (codes.offsets.size() != rows + 1) return Corrupt("columns differ in length");
      row.codes.assign(codes.codes.begin() + static_cast<ptrdiff_t>(codes.offsets[r]),
                       codes.codes.begin() + static_cast<ptrdiff_t>(codes.offsets[r + 1]));
      ForEachElement(ColumnOf(*table, "depths"), i, [&](const arrow::Array& values, int64_t at) {
        row.depths.push_back(static_cast<const arrow::UInt32Array&>(values).Value(at));
      });
      ForEachElement(ColumnOf(*table, "outcomes"), i, [&](const arrow::Array& values, int64_t at) {
        row.outcomes.push_back(static_cast<EventOutcome>(static_cast<const arrow::UInt8Array&>(values).Value(at)));
      });
      ForEachElement(ColumnOf(*table, "values"), i,
                     [&](const arrow::Array& values, int64_t at) { row.values.push_back(TextAt(values, at)); });
      row.scope = NumberAt<arrow::UInt32Array, uint32_t>(ColumnOf(*table, "scope"), i).value_or(0);
      ForEachElement(ColumnOf(*table, "scopes"), i, [&](const arrow::Array& values, int64_t at) {
        row.scopes.push_back(static_cast<const arrow::UInt32Array&>(values).Value(at));
      });
      const auto fits = [&](bool has, size_t size) { return has ? size == row.codes.size() : size == 0; };
      if (!fits(row.header.has_depths, row.depths.size()) || !fits(row.header.has_outcomes, row.outcomes.size()) ||
          !fits(row.header.has_values, row.values.size()) || !fits(!row.scopes.empty(), row.scopes.size())) {
        return Corrupt("a trace's parallel lists differ in length from its events");
      }
    }
    const bool other_run = only_run && row.run != *only_run;
    out.rows.push_back(std::move(row));
    if (other_run) break;
  }
  return out;
}

Result<std::vector<RunId>> ReadTraceRunIds(TableReader& reader) {
  std::vector<RunId> ids;
  for (int group = 0; group < reader.num_row_groups(); ++group) {
    OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader.Read(group, {"run_id"}));
    const arrow::Array& column = ColumnOf(*table, "run_id");
    for (int64_t i = 0; i < column.length(); ++i) ids.push_back({Hash128At(column, i)});
  }
  return ids;
}

}  // namespace oscope
