#include "index/store/run_table.h"

#include <arrow/extension/uuid.h>

#include "index/store/arrow_columns.h"

namespace oscope {

namespace {

std::shared_ptr<arrow::Field> Element(std::shared_ptr<arrow::DataType> type) {
  return arrow::field("element", std::move(type), /*nullable=*/false);
}

std::shared_ptr<arrow::DataType> InputType() {
  return arrow::struct_({arrow::field("name", arrow::utf8(), false), arrow::field("bytes", arrow::binary(), false)});
}

}  // namespace

std::shared_ptr<arrow::Schema> RunTableSchema() {
  using arrow::field;
  const auto required = [](const char* name, std::shared_ptr<arrow::DataType> type) {
    return field(name, std::move(type), false);
  };
  return arrow::schema({
      required("run_id", arrow::extension::uuid()),
      required("content_hash", arrow::extension::uuid()),
      required("project", arrow::utf8()),
      field("bug", arrow::utf8()),
      field("test", arrow::utf8()),
      field("version", arrow::utf8()),
      field("language", arrow::utf8()),
      field("recorder", arrow::utf8()),
      required("outcome", arrow::utf8()),
      field("exit_code", arrow::int32()),
      field("signal", arrow::int32()),
      field("message", arrow::utf8()),
      field("failure_kind", arrow::utf8()),
      field("failure_file", arrow::utf8()),
      field("failure_line", arrow::uint32()),
      field("failure_function", arrow::utf8()),
      field("fingerprint", arrow::utf8()),
      field("failing_process", arrow::uint32()),
      field("failing_thread", arrow::uint32()),
      required("incomplete", arrow::boolean()),
      field("started", TimeType()),
      field("duration_ns", arrow::uint64()),
      required("stored", TimeType()),
      required("traces", arrow::uint32()),
      required("events", arrow::uint64()),
      required("command", arrow::list(Element(arrow::utf8()))),
      required("custom", TextMapType()),
      required("inputs", arrow::list(Element(InputType()))),
  });
}

namespace {

ArrayPtr UuidColumn(ArrayPtr bytes) { return arrow::ExtensionType::WrapArray(arrow::extension::uuid(), bytes); }

template <typename Header>
ArrayPtr CommandColumn(size_t rows, Header header) {
  auto words = std::make_shared<arrow::StringBuilder>();
  arrow::ListBuilder list(arrow::default_memory_pool(), words, arrow::list(Element(arrow::utf8())));
  for (size_t i = 0; i < rows; ++i) {
    MustBuild(list.Append());
    for (const std::string& word : header(i).command) AppendText(*words, word);
  }
  return Finish(list);
}

template <typename Header>
ArrayPtr InputsColumn(size_t rows, Header header) {
  auto names = std::make_shared<arrow::StringBuilder>();
  auto bytes = std::make_shared<arrow::BinaryBuilder>();
  auto input = std::make_shared<arrow::StructBuilder>(InputType(), arrow::default_memory_pool(),
                                                      std::vector<std::shared_ptr<arrow::ArrayBuilder>>{names, bytes});
  arrow::ListBuilder list(arrow::default_memory_pool(), input, arrow::list(Element(InputType())));
  for (size_t i = 0; i < rows; ++i) {
    MustBuild(list.Append());
    for (const RunInput& one : header(i).inputs) {
      MustBuild(input->Append());
      AppendText(*names, one.name);
      MustBuild(bytes->Append(one.bytes));
    }
  }
  return Finish(list);
}

// Empty, and so null, where it is not known.
std::string_view KindText(FailureKind kind) {
  return kind == FailureKind::kUnknown ? std::string_view() : FailureKindName(kind);
}

std::optional<uint32_t> LineOf(const Failure& failure) {
  return failure.place.line == 0 ? std::nullopt : std::optional(failure.place.line);
}

Status WriteRunGroup(ParquetWriter& writer, const std::vector<PendingRun>& runs, std::span<const uint32_t> order) {
  const size_t n = order.size();
  const auto stored = [&](size_t i) -> const StoredRun& { return runs[order[i]].stored; };
  const auto run = [&](size_t i) -> const RunHeader& { return stored(i).header; };
  const auto text = [&](bool nullable, const std::string RunHeader::* member) {
    return TextColumn(n, nullable, [&, member](size_t i) -> std::string_view { return run(i).*member; });
  };
  const auto told = [&](std::string_view (*text_of)(const Failure&)) {
    return TextColumn(n, true, [&, text_of](size_t i) { return text_of(run(i).failure); });
  };
  const auto failing = [&](uint32_t ThreadRef::* member) {
    return NumberColumn<arrow::UInt32Builder>(n, [&, member](size_t i) {
      const auto& thread = run(i).failing_thread;
      return thread ? std::optional<uint32_t>((*thread).*member) : std::nullopt;
    });
  };
  return writer.WriteRowGroup(
      {
          UuidColumn(Hash128Column(n, [&](size_t i) { return run(i).id.value; })),
          UuidColumn(Hash128Column(n, [&](size_t i) { return stored(i).content_hash; })),
          text(false, &RunHeader::project),
          text(true, &RunHeader::bug),
          text(true, &RunHeader::test),
          text(true, &RunHeader::version),
          text(true, &RunHeader::language),
          text(true, &RunHeader::recorder),
          TextColumn(n, false, [&](size_t i) { return OutcomeName(run(i).outcome); }),
          NumberColumn<arrow::Int32Builder>(n, [&](size_t i) { return run(i).failure.exit_code; }),
          NumberColumn<arrow::Int32Builder>(n, [&](size_t i) { return run(i).failure.signal; }),
          told([](const Failure& failure) -> std::string_view { return failure.message; }),
          told([](const Failure& failure) { return KindText(failure.kind); }),
          told([](const Failure& failure) -> std::string_view { return failure.place.file; }),
          NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) { return LineOf(run(i).failure); }),
          told([](const Failure& failure) -> std::string_view { return failure.place.function; }),
          told([](const Failure& failure) -> std::string_view { return failure.fingerprint; }),
          failing(&ThreadRef::process),
          failing(&ThreadRef::thread),
          BoolColumn(n, [&](size_t i) { return run(i).incomplete; }),
          TimeColumn(n, [&](size_t i) { return run(i).started_ns; }),
          NumberColumn<arrow::UInt64Builder>(n, [&](size_t i) { return run(i).duration_ns; }),
          TimeColumn(n, [&](size_t i) { return std::optional<int64_t>(stored(i).stored_ns); }),
          NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) { return stored(i).trace_count; }),
          NumberColumn<arrow::UInt64Builder>(n, [&](size_t i) { return stored(i).event_count; }),
          CommandColumn(n, run),
          TextMapColumn(n, [&](size_t i) -> const CustomFields& { return run(i).custom; }),
          InputsColumn(n, run),
      },
      static_cast<int64_t>(n));
}

}  // namespace

Status WriteRuns(ParquetWriter& writer, const std::vector<PendingRun>& runs, std::span<const uint32_t> order) {
  const auto bytes = [&](size_t i) {
    const RunHeader& run = runs[order[i]].stored.header;
    size_t sum = run.failure.message.size();
    for (const RunInput& input : run.inputs) sum += input.bytes.size();
    return sum;
  };
  return ForEachRowGroup(order.size(), bytes, [&](size_t begin, size_t count) {
    return WriteRunGroup(writer, runs, order.subspan(begin, count));
  });
}

namespace {

std::optional<ThreadRef> FailingThreadAt(const arrow::Table& table, int64_t i) {
  const auto process = NumberAt<arrow::UInt32Array, uint32_t>(ColumnOf(table, "failing_process"), i);
  const auto thread = NumberAt<arrow::UInt32Array, uint32_t>(ColumnOf(table, "failing_thread"), i);
  if (!process || !thread) return std::nullopt;
  return ThreadRef{*process, *thread};
}

Result<StoredRun> RunAt(const arrow::Table& table, int64_t i, bool with_inputs) {
  const auto text = [&](const char* name) { return TextAt(ColumnOf(table, name), i); };
  StoredRun stored;
  RunHeader& run = stored.header;
  run.id = {Hash128At(ColumnOf(table, "run_id"), i)};
  stored.content_hash = Hash128At(ColumnOf(table, "content_hash"), i);
  run.project = text("project");
  run.bug = text("bug");
  run.test = text("test");
  run.version = text("version");
  run.language = text("language");
  run.recorder = text("recorder");
  OSCOPE_ASSIGN_OR_RETURN(run.outcome, ParseOutcome(text("outcome")));
  run.failure.exit_code = NumberAt<arrow::Int32Array, int32_t>(ColumnOf(table, "exit_code"), i);
  run.failure.signal = NumberAt<arrow::Int32Array, int32_t>(ColumnOf(table, "signal"), i);
  run.failure.message = text("message");
  if (const std::string kind = text("failure_kind"); !kind.empty()) {
    OSCOPE_ASSIGN_OR_RETURN(run.failure.kind, ParseFailureKind(kind));
  }
  run.failure.place.file = text("failure_file");
  run.failure.place.line = NumberAt<arrow::UInt32Array, uint32_t>(ColumnOf(table, "failure_line"), i).value_or(0);
  run.failure.place.function = text("failure_function");
  run.failure.fingerprint = text("fingerprint");
  run.failing_thread = FailingThreadAt(table, i);
  run.incomplete = BoolAt(ColumnOf(table, "incomplete"), i);
  run.started_ns = NumberAt<arrow::TimestampArray, int64_t>(ColumnOf(table, "started"), i);
  run.duration_ns = NumberAt<arrow::UInt64Array, uint64_t>(ColumnOf(table, "duration_ns"), i);
  stored.stored_ns = NumberAt<arrow::TimestampArray, int64_t>(ColumnOf(table, "stored"), i).value_or(0);
  stored.trace_count = NumberAt<arrow::UInt32Array, uint32_t>(ColumnOf(table, "traces"), i).value_or(0);
  stored.event_count = NumberAt<arrow::UInt64Array, uint64_t>(ColumnOf(table, "events"), i).value_or(0);
  const auto& command = static_cast<const arrow::ListArray&>(ColumnOf(table, "command"));
  for (int64_t w = command.value_offset(i); w < command.value_offset(i + 1); ++w)
    run.command.push_back(TextAt(*command.values(), w));
  run.custom = TextMapAt(ColumnOf(table, "custom"), i);
  TakeFailureFromCustom(run);
  if (with_inputs) {
    const auto& inputs = static_cast<const arrow::ListArray&>(ColumnOf(table, "inputs"));
    const auto& fields = static_cast<const arrow::StructArray&>(*inputs.values());
    for (int64_t w = inputs.value_offset(i); w < inputs.value_offset(i + 1); ++w) {
      run.inputs.push_back({TextAt(*fields.field(0), w),
                            std::string(static_cast<const arrow::BinaryArray&>(*fields.field(1)).GetView(w))});
    }
  }
  return stored;
}

}  // namespace

Result<std::vector<StoredRun>> ReadRuns(TableReader& reader, int row_group, uint64_t first, uint64_t count,
                                        bool with_inputs) {
  std::vector<std::string_view> without;
  if (!with_inputs) without.push_back("inputs");
  OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader.ReadAll(row_group, without));
  std::vector<StoredRun> runs;
  const auto end = std::min(static_cast<uint64_t>(table->num_rows()), first + count);
  for (uint64_t i = first; i < end; ++i) {
    OSCOPE_ASSIGN_OR_RETURN(StoredRun run, RunAt(*table, static_cast<int64_t>(i), with_inputs));
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<std::vector<RunIdentity>> ReadRunIdentities(TableReader& reader) {
  std::vector<RunIdentity> identities;
  for (int group = 0; group < reader.num_row_groups(); ++group) {
    OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table,
                            reader.Read(group, {"run_id", "content_hash", "failing_process", "failing_thread"}));
    for (int64_t i = 0; i < table->num_rows(); ++i) {
      identities.push_back({{Hash128At(ColumnOf(*table, "run_id"), i)},
                            Hash128At(ColumnOf(*table, "content_hash"), i),
                            FailingThreadAt(*table, i)});
    }
  }
  return identities;
}

}  // namespace oscope
