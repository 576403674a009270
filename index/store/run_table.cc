// The columns of the runs table are the fields of the model's list (kRunFields) with what only the store knows between
// them: content hash, time of storing, numbers of traces and events. Members with an unusual form (hashes, lists,
// inputs) are specialisations of ColumnOfType; two are put together by hand, the failing thread (two columns) and how
// a run is repeated (a struct).
#include "index/store/run_table.h"

#include <arrow/extension/uuid.h>

#include "index/store/field_columns.h"
#include "index/store/repeat_column.h"
#include "tracer/model/run_fields.h"

namespace oscope {

namespace {

std::shared_ptr<arrow::Field> Element(std::shared_ptr<arrow::DataType> type) {
  return arrow::field("element", std::move(type), /*nullable=*/false);
}

std::shared_ptr<arrow::DataType> InputType() {
  return arrow::struct_({arrow::field("name", arrow::utf8(), false), arrow::field("bytes", arrow::binary(), false)});
}

}  // namespace

template <>
struct ColumnOfType<Hash128> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::extension::uuid(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get hash) {
    return arrow::ExtensionType::WrapArray(Type(), Hash128Column(rows, hash));
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, Hash128& out) {
    out = Hash128At(values, row);
    return {};
  }
};

template <>
struct ColumnOfType<RunId> {
  using Hash = ColumnOfType<Hash128>;
  static std::shared_ptr<arrow::DataType> Type() { return Hash::Type(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool required, Get id) {
    return Hash::Write(rows, required, [&](size_t i) { return id(i).value; });
  }
  static Status Read(const arrow::Array& values, int64_t row, bool required, RunId& out) {
    return Hash::Read(values, row, required, out.value);
  }
};

template <>
struct ColumnOfType<std::vector<std::string>> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::list(Element(arrow::utf8())); }

  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get texts) {
    auto words = std::make_shared<arrow::StringBuilder>();
    arrow::ListBuilder list(arrow::default_memory_pool(), words, Type());
    for (size_t i = 0; i < rows; ++i) {
      MustBuild(list.Append());
      for (const std::string& word : texts(i)) AppendText(*words, word);
    }
    return Finish(list);
  }

  static Status Read(const arrow::Array& values, int64_t row, bool, std::vector<std::string>& out) {
    const auto& list = static_cast<const arrow::ListArray&>(values);
    for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
      out.push_back(TextAt(*list.values(), i));
    }
    return {};
  }
};

template <>
struct ColumnOfType<std::vector<RunInput>> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::list(Element(InputType())); }

  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get inputs) {
    auto names = std::make_shared<arrow::StringBuilder>();
    auto bytes = std::make_shared<arrow::BinaryBuilder>();
    auto input = std::make_shared<arrow::StructBuilder>(
        InputType(), arrow::default_memory_pool(), std::vector<std::shared_ptr<arrow::ArrayBuilder>>{names, bytes});
    arrow::ListBuilder list(arrow::default_memory_pool(), input, Type());
    for (size_t i = 0; i < rows; ++i) {
      MustBuild(list.Append());
      for (const RunInput& one : inputs(i)) {
        MustBuild(input->Append());
        AppendText(*names, one.name);
        MustBuild(bytes->Append(one.bytes));
      }
    }
    return Finish(list);
  }

  static Status Read(const arrow::Array& values, int64_t row, bool, std::vector<RunInput>& out) {
    const auto& list = static_cast<const arrow::ListArray&>(values);
    const auto& input = static_cast<const arrow::StructArray&>(*list.values());
    for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
      out.push_back({TextAt(*input.field(0), i),
                     std::string(static_cast<const arrow::BinaryArray&>(*input.field(1)).GetView(i))});
    }
    return {};
  }
};

namespace {

using Numbers = ColumnOfType<std::optional<uint32_t>>;

// A failing thread is two columns: both are there, or none.
TableColumn<StoredRun> FailingColumn(const char* name, uint32_t ThreadRef::* member) {
  return {arrow::field(name, Numbers::Type()),
          [member](std::span<const StoredRun* const> rows) {
            return Numbers::Write(rows.size(), false, [&](size_t i) {
              const std::optional<ThreadRef>& thread = rows[i]->header.failing_thread;
              return thread ? std::optional<uint32_t>((*thread).*member) : std::nullopt;
            });
          },
          nullptr, [](const StoredRun& run) { return !run.header.failing_thread; }};
}

void AddFailingThread(TableColumns<StoredRun>& columns) {
  columns.push_back(FailingColumn("failing_process", &ThreadRef::process));
  columns.back().read = [](const arrow::Array& values, int64_t first, std::span<StoredRun> rows) -> Status {
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto process = NumberAt<arrow::UInt32Array, uint32_t>(values, first + static_cast<int64_t>(i));
      if (process) rows[i].header.failing_thread = ThreadRef{*process, 0};
    }
    return {};
  };
  columns.push_back(FailingColumn("failing_thread", &ThreadRef::thread));
  columns.back().read = [](const arrow::Array& values, int64_t first, std::span<StoredRun> rows) -> Status {
    for (size_t i = 0; i < rows.size(); ++i) {
      std::optional<ThreadRef>& failing = rows[i].header.failing_thread;
      const auto thread = NumberAt<arrow::UInt32Array, uint32_t>(values, first + static_cast<int64_t>(i));
      if (!thread) failing.reset();
      if (failing) failing->thread = *thread;
    }
    return {};
  };
}

void AddRepeat(TableColumns<StoredRun>& columns) {
  columns.push_back({arrow::field("repeat", RepeatType()),
                     [](std::span<const StoredRun* const> rows) {
                       return RepeatColumn(rows.size(),
                                           [&](size_t i) -> const Repeat& { return rows[i]->header.repeat; });
                     },
                     [](const arrow::Array& values, int64_t first, std::span<StoredRun> rows) -> Status {
                       for (size_t i = 0; i < rows.size(); ++i)
                         rows[i].header.repeat = RepeatAt(values, first + static_cast<int64_t>(i));
                       return {};
                     },
                     [](const StoredRun& run) { return run.header.repeat.empty(); }});
}

// The fields of a run, with what only the store knows of it between them.
TableColumns<StoredRun> MakeColumns() {
  TableColumns<StoredRun> columns;
  for (const RunField& field : kRunFields) {
    AddField(columns, field, [](auto& row) -> auto& { return row.header; });
    const std::string_view name = field.name;
    if (name == "id") {
      AddColumn(columns, "content_hash", true, [](auto& row) -> auto& { return row.content_hash; });
    } else if (name == "failing_thread") {
      AddFailingThread(columns);
    } else if (name == "duration_ns") {
      AddColumn(columns, "stored", true, [](auto& row) -> auto& { return row.stored_ns; });
      AddColumn(columns, "traces", true, [](auto& row) -> auto& { return row.trace_count; });
      AddColumn(columns, "events", true, [](auto& row) -> auto& { return row.event_count; });
    }
  }
  AddRepeat(columns);
  return columns;
}

const TableColumns<StoredRun>& Columns() {
  static const TableColumns<StoredRun> columns = MakeColumns();
  return columns;
}

Status WriteRunGroup(ParquetWriter& writer, const std::deque<PendingRun>& runs, std::span<const uint32_t> order,
                     const EmptyColumns<StoredRun>& empty) {
  std::vector<const StoredRun*> rows;
  rows.reserve(order.size());
  for (const uint32_t run : order) rows.push_back(&runs[run].stored);
  return writer.WriteRowGroup(WriteColumns<StoredRun>(Columns(), rows, empty), static_cast<int64_t>(rows.size()));
}

}  // namespace

std::shared_ptr<arrow::Schema> RunTableSchema() { return SchemaOfColumns(Columns()); }

struct NotedRuns::State {
  EmptyColumns<StoredRun> empty{Columns()};
};
NotedRuns::NotedRuns() : state_(std::make_unique<State>()) {}
NotedRuns::~NotedRuns() = default;
void NotedRuns::Note(const StoredRun& run) { state_->empty.Note(run); }
void NotedRuns::Clear() { *state_ = State(); }

Status WriteRuns(ParquetWriter& writer, const std::deque<PendingRun>& runs, std::span<const uint32_t> order,
                 const NotedRuns& noted) {
  const auto bytes = [&](size_t i) {
    const RunHeader& run = runs[order[i]].stored.header;
    size_t sum = run.failure.message.size();
    for (const RunInput& input : run.inputs) sum += input.bytes.size();
    return sum;
  };
  return ForEachRowGroup(order.size(), bytes, [&](size_t begin, size_t count) {
    return WriteRunGroup(writer, runs, order.subspan(begin, count), noted.state_->empty);
  });
}

Result<std::vector<StoredRun>> ReadRuns(TableReader& reader, int row_group, uint64_t first, uint64_t count,
                                        bool with_inputs) {
  std::vector<std::string_view> without;
  if (!with_inputs) without.push_back("inputs");
  OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader.ReadAll(row_group, without));
  const auto end = std::min(static_cast<uint64_t>(table->num_rows()), first + count);
  std::vector<StoredRun> runs(end > first ? end - first : 0);
  OSCOPE_RETURN_IF_ERROR(ReadColumns(Columns(), *table, static_cast<int64_t>(first), std::span(runs)));
  for (StoredRun& run : runs) TakeFailureFromCustom(run.header);
  return runs;
}

Result<std::vector<RunIdentity>> ReadRunIdentities(TableReader& reader) {
  std::vector<RunIdentity> identities;
  for (int group = 0; group < reader.num_row_groups(); ++group) {
    OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table,
                            reader.Read(group, {"run_id", "content_hash", "failing_process", "failing_thread"}));
    std::vector<StoredRun> runs(static_cast<size_t>(table->num_rows()));
    OSCOPE_RETURN_IF_ERROR(ReadColumns(Columns(), *table, 0, std::span(runs)));
    for (const StoredRun& run : runs) {
      identities.push_back({run.header.id, run.content_hash, run.header.failing_thread});
    }
  }
  return identities;
}

}  // namespace oscope
