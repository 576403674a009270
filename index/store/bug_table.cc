// The columns of the bugs table are the fields of the model's list (kBugFields) with four columns that only the store
// knows: revision, edited, by and why. So a new field of a bug needs no line here. Comments and duplicates are lists of
// structs, for which ColumnOfType is specialised. Row groups are small, because one report is looked up more often than
// all are read.
#include "index/store/bug_table.h"

#include "index/store/field_columns.h"
#include "tracer/model/bug_fields.h"

namespace oscope {

namespace {

constexpr size_t kBugsPerRowGroup = 1024;  // one report is looked up more often than all are read

std::shared_ptr<arrow::Field> Element(std::shared_ptr<arrow::DataType> type) {
  return arrow::field("element", std::move(type), /*nullable=*/false);
}
std::shared_ptr<arrow::DataType> CommentType() {
  return arrow::struct_(
      {arrow::field("author", arrow::utf8()), arrow::field("at", TimeType()), arrow::field("text", arrow::utf8())});
}
std::shared_ptr<arrow::DataType> KeyType() {
  return arrow::struct_({arrow::field("project", arrow::utf8(), false), arrow::field("id", arrow::utf8(), false)});
}

}  // namespace

template <>
struct ColumnOfType<std::vector<Comment>> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::list(Element(CommentType())); }

  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get comments) {
    auto author = std::make_shared<arrow::StringBuilder>();
    auto at = std::make_shared<arrow::TimestampBuilder>(TimeType(), arrow::default_memory_pool());
    auto text = std::make_shared<arrow::StringBuilder>();
    auto comment =
        std::make_shared<arrow::StructBuilder>(CommentType(), arrow::default_memory_pool(),
                                               std::vector<std::shared_ptr<arrow::ArrayBuilder>>{author, at, text});
    arrow::ListBuilder list(arrow::default_memory_pool(), comment, Type());
    for (size_t i = 0; i < rows; ++i) {
      MustBuild(list.Append());
      for (const Comment& one : comments(i)) {
        MustBuild(comment->Append());
        AppendText(*author, one.author);
        MustBuild(one.at_ns ? at->Append(*one.at_ns) : at->AppendNull());
        AppendText(*text, one.text);
      }
    }
    return Finish(list);
  }

  static Status Read(const arrow::Array& values, int64_t row, bool, std::vector<Comment>& out) {
    const auto& list = static_cast<const arrow::ListArray&>(values);
    const auto& comment = static_cast<const arrow::StructArray&>(*list.values());
    for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
      out.push_back({TextAt(*comment.field(0), i), NumberAt<arrow::TimestampArray, int64_t>(*comment.field(1), i),
                     TextAt(*comment.field(2), i)});
    }
    return {};
  }
};

template <>
struct ColumnOfType<std::vector<BugKey>> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::list(Element(KeyType())); }

  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get keys) {
    auto project = std::make_shared<arrow::StringBuilder>();
    auto id = std::make_shared<arrow::StringBuilder>();
    auto key = std::make_shared<arrow::StructBuilder>(KeyType(), arrow::default_memory_pool(),
                                                      std::vector<std::shared_ptr<arrow::ArrayBuilder>>{project, id});
    arrow::ListBuilder list(arrow::default_memory_pool(), key, Type());
    for (size_t i = 0; i < rows; ++i) {
      MustBuild(list.Append());
      for (const BugKey& one : keys(i)) {
        MustBuild(key->Append());
        AppendText(*project, one.project);
        AppendText(*id, one.id);
      }
    }
    return Finish(list);
  }

  static Status Read(const arrow::Array& values, int64_t row, bool, std::vector<BugKey>& out) {
    const auto& list = static_cast<const arrow::ListArray&>(values);
    const auto& key = static_cast<const arrow::StructArray&>(*list.values());
    for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
      out.push_back({TextAt(*key.field(0), i), TextAt(*key.field(1), i)});
    }
    return {};
  }
};

namespace {

// The key of a bug, its revision, the rest of the report, and who made the revision and why.
TableColumns<BugRevision> MakeColumns() {
  TableColumns<BugRevision> columns;
  for (const BugField& field : kBugFields) {
    AddField(columns, field, [](auto& row) -> auto& { return row.bug; });
    if (field.column != std::string_view("id")) continue;
    AddColumn(columns, "revision", true, [](auto& row) -> auto& { return row.revision; });
    AddColumn(columns, "edited", true, [](auto& row) -> auto& { return row.edited_ns; });
  }
  AddColumn(columns, "by", false, [](auto& row) -> auto& { return row.by; });
  AddColumn(columns, "why", false, [](auto& row) -> auto& { return row.why; });
  return columns;
}

const TableColumns<BugRevision>& Columns() {
  static const TableColumns<BugRevision> columns = MakeColumns();
  return columns;
}

Status WriteBugGroup(ParquetWriter& writer, std::span<const BugRevision> revisions) {
  std::vector<const BugRevision*> rows;
  EmptyColumns<BugRevision> empty(Columns());
  for (const BugRevision& revision : revisions) {
    rows.push_back(&revision);
    empty.Note(revision);
  }
  return writer.WriteRowGroup(WriteColumns<BugRevision>(Columns(), rows, empty), static_cast<int64_t>(rows.size()));
}

}  // namespace

std::shared_ptr<arrow::Schema> BugTableSchema() { return SchemaOfColumns(Columns()); }

Status WriteBugs(ParquetWriter& writer, const std::vector<BugRevision>& revisions) {
  const std::span<const BugRevision> all(revisions);
  const auto bytes = [&](size_t i) {
    size_t sum = all[i].bug.text.size() + all[i].bug.fix.diff.size();
    for (const Comment& comment : all[i].bug.comments) sum += comment.text.size();
    return sum;
  };
  return ForEachRowGroup(
      all.size(), bytes, [&](size_t begin, size_t count) { return WriteBugGroup(writer, all.subspan(begin, count)); },
      kBugsPerRowGroup);
}

Result<std::vector<BugRevision>> ReadBugs(TableReader& reader) {
  std::vector<BugRevision> revisions;
  for (int group = 0; group < reader.num_row_groups(); ++group) {
    OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader.ReadAll(group));
    const size_t before = revisions.size();
    revisions.resize(before + static_cast<size_t>(table->num_rows()));
    OSCOPE_RETURN_IF_ERROR(ReadColumns(Columns(), *table, 0, std::span(revisions).subspan(before)));
  }
  return revisions;
}

Result<std::vector<BugRevision>> ReadBugs(TableReader& reader, std::span<const uint32_t> rows) {
  std::vector<BugRevision> revisions;
  std::shared_ptr<arrow::Table> table;
  int loaded = -1;
  for (const uint32_t row : rows) {
    OSCOPE_ASSIGN_OR_RETURN(const RowPosition at, FindRow(reader, row));
    if (at.row_group != loaded) {
      OSCOPE_ASSIGN_OR_RETURN(table, reader.ReadAll(at.row_group));
      loaded = at.row_group;
    }
    revisions.emplace_back();
    OSCOPE_RETURN_IF_ERROR(ReadColumns(Columns(), *table, static_cast<int64_t>(at.row), std::span(revisions).last(1)));
  }
  return revisions;
}

}  // namespace oscope
