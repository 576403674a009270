// Columns are found by their names: a file of another release lacks some, has others, or has them in another order. What
// cannot be read is named, and nothing that a file says of its columns may crash a reader.
#include <arrow/extension/uuid.h>

#include "index/store/parquet_file.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

struct StoredTable {
  Table table;
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::shared_ptr<arrow::Array>> columns;

  size_t Find(const std::string& name) const { return static_cast<size_t>(schema->GetFieldIndex(name)); }
};

class ColumnsTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  const StoreFiles files_{fs_, "s"};
  Manifest manifest_;
  std::vector<StoredTable> tables_;

  void SetUp() override {
    Store store = Must(Store::Create(fs_, "s"));
    const auto ingest = Must(store.BeginIngest({}));
    Must(Send(FullSample(), *ingest));
    Must(ingest->Commit());
    manifest_ = Must(store.Read()).manifest();
    ASSERT_EQ(manifest_.segments.size(), 1u);
    for (const TableFile& file : manifest_.segments[0].tables) {
      const auto reader = Must(OpenTable(files_, manifest_.segments[0].id, file, true));
      ASSERT_EQ(reader->num_row_groups(), 1);
      const auto content = Must(reader->ReadAll(0));
      StoredTable& stored = tables_.emplace_back();
      stored.table = file.table;
      stored.schema = std::make_shared<arrow::Schema>(SchemaOf(file.table));
      for (int c = 0; c < content->num_columns(); ++c) stored.columns.push_back(content->column(c)->chunk(0));
    }
    ASSERT_EQ(tables_.size(), static_cast<size_t>(kTables));
  }

  // The store with this table in place of the one that it has, digests and all.
  Store With(const StoredTable& table) {
    SegmentEntry& segment = manifest_.segments[0];
    for (TableFile& file : segment.tables) {
      if (file.table != table.table) continue;
      Must(fs_.Remove(files_.TablePath(segment.id, file.table)));
      const auto writer = Must(ParquetWriter::Open(files_, segment.id, table.table, table.schema));
      Must(writer->WriteRowGroup(table.columns, table.columns[0]->length()));
      file = Must(writer->Finish());
    }
    ++manifest_.version;
    Must(WriteDurably(fs_, files_.ManifestFile(manifest_.version), EncodeManifestRoot(manifest_)));
    return Must(Store::Open(fs_, "s"));
  }

  // Everything that reads tables, one after another: none may crash. Returns what sending the runs and reading the
  // reports says, the first error of the two.
  std::string ReadEverything(Store store) {
    Must(store.Check());
    (void)store.Reindex({.verify = true});
    CrashFileSystem elsewhere;
    Store other = Must(Store::Create(elsewhere, "t"));
    (void)other.Merge(store);
    const Snapshot snapshot = Must(store.Read());
    (void)snapshot.ForEachRun({}, true, [](const StoredRun&) { return true; });
    (void)snapshot.ScanTraces({}, [](const TraceBatch&) { return Status(); });
    RunCollector all;
    const Status sent = snapshot.Send([](const StoredRun&) { return true; }, all);
    return sent.ok() ? "" : sent.error().message;
  }

  std::string Named(const StoredTable& table, const std::string& problem) {
    return fmt::format("segment {}: {}: table {}: {}", manifest_.segments[0].id,
                       files_.TableFileName(manifest_.segments[0].id, table.table), TableName(table.table), problem);
  }
};

TEST_F(ColumnsTest, AMissingColumnIsNamedOrHasItsDefault) {
  for (const StoredTable& table : tables_) {
    for (int c = 0; c < table.schema->num_fields(); ++c) {
      const auto& field = table.schema->field(c);
      SCOPED_TRACE(fmt::format("{}.{}", TableName(table.table), field->name()));
      StoredTable renamed = table;
      renamed.schema = *table.schema->SetField(c, field->WithName("another_" + field->name()));
      const std::string problem = ReadEverything(With(renamed));
      if (table.table == Table::kAttachments && field->nullable()) {
        // Each may be null in some rows, and not in all.
        EXPECT_NE(problem.find("table attachments: "), std::string::npos) << problem;
        continue;
      }
      EXPECT_EQ(problem, field->nullable() ? "" : Named(table, fmt::format("column '{}' is missing", field->name())));
    }
    EXPECT_EQ(ReadEverything(With(table)), "") << "as it was";
  }
}

TEST_F(ColumnsTest, AColumnOfAnotherTypeIsNamed) {
  for (const StoredTable& table : tables_) {
    for (int c = 0; c < table.schema->num_fields(); ++c) {
      const auto& field = table.schema->field(c);
      SCOPED_TRACE(fmt::format("{}.{}", TableName(table.table), field->name()));
      const int64_t rows = table.columns[0]->length();
      const bool is_float = field->type()->id() == arrow::Type::FLOAT;
      ASSERT_FALSE(is_float);
      StoredTable retyped = table;
      retyped.schema = *table.schema->SetField(c, arrow::field(field->name(), arrow::float32()));
      retyped.columns[static_cast<size_t>(c)] = *arrow::MakeArrayOfNull(arrow::float32(), rows);
      EXPECT_EQ(ReadEverything(With(retyped)), Named(table, fmt::format("column '{}' has the type float, not {}",
                                                                        field->name(), field->type()->ToString())));
    }
    EXPECT_EQ(ReadEverything(With(table)), "") << "as it was";
  }
}

TEST_F(ColumnsTest, OrderAndUnknownColumnsDoNotMatter) {
  const RunCollector before = Everything(Must(Store::Open(fs_, "s")));
  for (const StoredTable& table : tables_) {
    StoredTable turned = table;
    arrow::FieldVector fields = table.schema->fields();
    std::reverse(fields.begin(), fields.end());
    std::reverse(turned.columns.begin(), turned.columns.end());
    fields.insert(fields.begin() + 1, arrow::field("of_a_newer_release", arrow::float32()));
    turned.columns.insert(turned.columns.begin() + 1,
                          *arrow::MakeArrayOfNull(arrow::float32(), table.columns[0]->length()));
    turned.schema = arrow::schema(fields);
    Store store = With(turned);
    EXPECT_EQ(SampleDifference(FullSample(), store), "") << TableName(table.table);
    EXPECT_TRUE(Must(store.Check()).problems.empty()) << TableName(table.table);
  }
}

TEST_F(ColumnsTest, AStructIsItsFieldsByName) {
  const StoredTable& bugs = tables_[static_cast<size_t>(Table::kBugs)];
  ASSERT_EQ(bugs.table, Table::kBugs);
  StoredTable renamed = bugs;
  const size_t at = bugs.Find("duplicates");
  const auto key =
      arrow::struct_({arrow::field("id", arrow::utf8(), false), arrow::field("project", arrow::utf8(), false)});
  const auto type = arrow::list(arrow::field("element", key, false));
  renamed.schema = *bugs.schema->SetField(static_cast<int>(at), arrow::field("duplicates", type));
  renamed.columns[at] = *arrow::MakeArrayOfNull(type, bugs.columns[0]->length());
  const std::string problem = ReadEverything(With(renamed));
  EXPECT_NE(problem.find("table bugs: column 'duplicates' has the type"), std::string::npos) << problem;
}

}  // namespace
}  // namespace oscope
