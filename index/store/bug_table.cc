#include "index/store/bug_table.h"

#include "index/store/arrow_columns.h"

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

std::shared_ptr<arrow::Schema> BugTableSchema() {
  using arrow::field;
  const auto required = [](const char* name, std::shared_ptr<arrow::DataType> type) {
    return field(name, std::move(type), false);
  };
  return arrow::schema({
      required("project", arrow::utf8()),
      required("id", arrow::utf8()),
      required("revision", arrow::uint64()),
      required("edited", TimeType()),
      field("title", arrow::utf8()),
      required("status", arrow::utf8()),
      field("severity", arrow::utf8()),
      field("reporter", arrow::utf8()),
      field("created", TimeType()),
      field("resolved", TimeType()),
      field("url", arrow::utf8()),
      field("version", arrow::utf8()),
      field("text", arrow::utf8()),
      field("fix_commit", arrow::utf8()),
      field("fix_diff", arrow::utf8()),
      field("fix_author", arrow::utf8()),
      field("fix_at", TimeType()),
      field("fix_note", arrow::utf8()),
      required("comments", arrow::list(Element(CommentType()))),
      required("duplicates", arrow::list(Element(KeyType()))),
      required("custom", TextMapType()),
      field("by", arrow::utf8()),
      field("why", arrow::utf8()),
  });
}

namespace {

ArrayPtr CommentsColumn(std::span<const BugRevision> rows) {
  auto author = std::make_shared<arrow::StringBuilder>();
  auto at = std::make_shared<arrow::TimestampBuilder>(TimeType(), arrow::default_memory_pool());
  auto text = std::make_shared<arrow::StringBuilder>();
  auto comment = std::make_shared<arrow::StructBuilder>(
      CommentType(), arrow::default_memory_pool(), std::vector<std::shared_ptr<arrow::ArrayBuilder>>{author, at, text});
  arrow::ListBuilder list(arrow::default_memory_pool(), comment, arrow::list(Element(CommentType())));
  for (const BugRevision& row : rows) {
    MustBuild(list.Append());
    for (const Comment& one : row.bug.comments) {
      MustBuild(comment->Append());
      AppendText(*author, one.author);
      MustBuild(one.at_ns ? at->Append(*one.at_ns) : at->AppendNull());
      AppendText(*text, one.text);
    }
  }
  return Finish(list);
}

ArrayPtr DuplicatesColumn(std::span<const BugRevision> rows) {
  auto project = std::make_shared<arrow::StringBuilder>();
  auto id = std::make_shared<arrow::StringBuilder>();
  auto key = std::make_shared<arrow::StructBuilder>(KeyType(), arrow::default_memory_pool(),
                                                    std::vector<std::shared_ptr<arrow::ArrayBuilder>>{project, id});
  arrow::ListBuilder list(arrow::default_memory_pool(), key, arrow::list(Element(KeyType())));
  for (const BugRevision& row : rows) {
    MustBuild(list.Append());
    for (const BugKey& one : row.bug.duplicates) {
      MustBuild(key->Append());
      AppendText(*project, one.project);
      AppendText(*id, one.id);
    }
  }
  return Finish(list);
}

Status WriteBugGroup(ParquetWriter& writer, std::span<const BugRevision> rows) {
  const size_t n = rows.size();
  const auto text = [&](auto member) {
    return TextColumn(n, true, [&, member](size_t i) -> std::string_view { return member(rows[i].bug); });
  };
  return writer.WriteRowGroup(
      {
          TextColumn(n, false, [&](size_t i) -> std::string_view { return rows[i].bug.key.project; }),
          TextColumn(n, false, [&](size_t i) -> std::string_view { return rows[i].bug.key.id; }),
          NumberColumn<arrow::UInt64Builder>(n, [&](size_t i) { return rows[i].revision; }),
          TimeColumn(n, [&](size_t i) { return std::optional<int64_t>(rows[i].edited_ns); }),
          text([](const Bug& b) -> std::string_view { return b.title; }),
          TextColumn(n, false, [&](size_t i) { return BugStatusName(rows[i].bug.status); }),
          text([](const Bug& b) -> std::string_view { return b.severity; }),
          text([](const Bug& b) -> std::string_view { return b.reporter; }),
          TimeColumn(n, [&](size_t i) { return rows[i].bug.created_ns; }),
          TimeColumn(n, [&](size_t i) { return rows[i].bug.resolved_ns; }),
          text([](const Bug& b) -> std::string_view { return b.url; }),
          text([](const Bug& b) -> std::string_view { return b.version; }),
          text([](const Bug& b) -> std::string_view { return b.text; }),
          text([](const Bug& b) -> std::string_view { return b.fix.commit; }),
          text([](const Bug& b) -> std::string_view { return b.fix.diff; }),
          text([](const Bug& b) -> std::string_view { return b.fix.author; }),
          TimeColumn(n, [&](size_t i) { return rows[i].bug.fix.at_ns; }),
          text([](const Bug& b) -> std::string_view { return b.fix.note; }),
          CommentsColumn(rows),
          DuplicatesColumn(rows),
          TextMapColumn(n, [&](size_t i) -> const std::map<std::string, std::string>& { return rows[i].bug.custom; }),
          TextColumn(n, true, [&](size_t i) -> std::string_view { return rows[i].by; }),
          TextColumn(n, true, [&](size_t i) -> std::string_view { return rows[i].why; }),
      },
      static_cast<int64_t>(n));
}

Result<BugRevision> BugAt(const arrow::Table& table, int64_t i) {
  const auto text = [&](const char* name) { return TextAt(ColumnOf(table, name), i); };
  const auto time = [&](const char* name) {
    return NumberAt<arrow::TimestampArray, int64_t>(ColumnOf(table, name), i);
  };
  BugRevision row;
  Bug& bug = row.bug;
  bug.key = {text("project"), text("id")};
  row.revision = NumberAt<arrow::UInt64Array, uint64_t>(ColumnOf(table, "revision"), i).value_or(0);
  row.edited_ns = time("edited").value_or(0);
  bug.title = text("title");
  OSCOPE_ASSIGN_OR_RETURN(bug.status, ParseBugStatus(text("status")));
  bug.severity = text("severity");
  bug.reporter = text("reporter");
  bug.created_ns = time("created");
  bug.resolved_ns = time("resolved");
  bug.url = text("url");
  bug.version = text("version");
  bug.text = text("text");
  bug.fix = {text("fix_commit"), text("fix_diff"), text("fix_author"), time("fix_at"), text("fix_note")};
  const auto& comments = static_cast<const arrow::ListArray&>(ColumnOf(table, "comments"));
  const auto& comment = static_cast<const arrow::StructArray&>(*comments.values());
  for (int64_t c = comments.value_offset(i); c < comments.value_offset(i + 1); ++c) {
    bug.comments.push_back({TextAt(*comment.field(0), c),
                            NumberAt<arrow::TimestampArray, int64_t>(*comment.field(1), c),
                            TextAt(*comment.field(2), c)});
  }
  const auto& duplicates = static_cast<const arrow::ListArray&>(ColumnOf(table, "duplicates"));
  const auto& key = static_cast<const arrow::StructArray&>(*duplicates.values());
  for (int64_t d = duplicates.value_offset(i); d < duplicates.value_offset(i + 1); ++d) {
    bug.duplicates.push_back({TextAt(*key.field(0), d), TextAt(*key.field(1), d)});
  }
  bug.custom = TextMapAt(ColumnOf(table, "custom"), i);
  row.by = text("by");
  row.why = text("why");
  return row;
}

}  // namespace

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
    for (int64_t i = 0; i < table->num_rows(); ++i) {
      OSCOPE_ASSIGN_OR_RETURN(BugRevision row, BugAt(*table, i));
      revisions.push_back(std::move(row));
    }
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
    OSCOPE_ASSIGN_OR_RETURN(BugRevision revision, BugAt(*table, static_cast<int64_t>(at.row)));
    revisions.push_back(std::move(revision));
  }
  return revisions;
}

}  // namespace oscope
