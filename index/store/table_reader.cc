// Compares a file's columns with what this release writes, once, when the file is opened. Afterwards the readers of
// each table need no checks: a column they ask for is there in the expected type, or is made of nulls because an older
// release did not write it.
#include "index/store/table_reader.h"

#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <algorithm>

#include "index/store/attachment_table.h"
#include "index/store/bug_table.h"
#include "index/store/parquet_file.h"
#include "index/store/run_table.h"
#include "index/store/symbol_table_file.h"
#include "index/store/trace_table.h"

namespace oscope {

namespace {

// A type as it lies in memory: a uuid is its bytes, and a text that Arrow keeps as a dictionary is read by its codes.
const arrow::DataType& Beneath(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::EXTENSION: return *static_cast<const arrow::ExtensionType&>(type).storage_type();
    case arrow::Type::DICTIONARY: return *static_cast<const arrow::DictionaryType&>(type).value_type();
    default: return type;
  }
}

// Whether values of one type can be taken for those of the other. Names count in structs, where they are the columns;
// those of the items of a list differ between writers.
bool AreAlike(const arrow::DataType& wanted_type, const arrow::DataType& found_type) {
  const arrow::DataType &wanted = Beneath(wanted_type), &found = Beneath(found_type);
  if (wanted.id() != found.id()) return false;
  if (wanted.num_fields() == 0) return wanted.Equals(found);
  if (wanted.num_fields() != found.num_fields()) return false;
  for (int i = 0; i < wanted.num_fields(); ++i) {
    if (wanted.id() == arrow::Type::STRUCT && wanted.field(i)->name() != found.field(i)->name()) return false;
    if (!AreAlike(*wanted.field(i)->type(), *found.field(i)->type())) return false;
  }
  return true;
}

}  // namespace

const arrow::Schema& SchemaOf(Table table) {
  static const std::shared_ptr<arrow::Schema> schemas[kTables] = {
      TraceTableSchema(), RunTableSchema(), SymbolTableSchema(), BugTableSchema(), AttachmentTableSchema()};
  return *schemas[static_cast<int>(table)];
}

TableReader::TableReader(Table table, std::unique_ptr<parquet::arrow::FileReader> reader)
    : table_(table), reader_(std::move(reader)) {
  const parquet::SchemaDescriptor& schema = *parquet_reader()->metadata()->schema();
  for (int leaf = 0; leaf < schema.num_columns(); ++leaf) leaves_[schema.GetColumnRoot(leaf)->name()].push_back(leaf);
}

Result<std::unique_ptr<TableReader>> TableReader::Open(Table table, std::unique_ptr<parquet::ParquetFileReader> file) {
  return CatchParquet([&]() -> Result<std::unique_ptr<TableReader>> {
    parquet::ArrowReaderProperties properties;
    properties.set_use_threads(false);
    OSCOPE_ARROW_ASSIGN_OR_RETURN(
        auto reader, parquet::arrow::FileReader::Make(arrow::default_memory_pool(), std::move(file), properties));
    std::unique_ptr<TableReader> opened(new TableReader(table, std::move(reader)));
    OSCOPE_RETURN_IF_ERROR(opened->CheckColumns());
    return opened;
  });
}

Status TableReader::CheckColumns() const {
  std::shared_ptr<arrow::Schema> found;
  if (arrow::Status status = reader_->GetSchema(&found); !status.ok()) return FromArrow(status);
  for (const auto& wanted : SchemaOf(table_).fields()) OSCOPE_RETURN_IF_ERROR(CheckColumn(*wanted, *found));
  return {};
}

Status TableReader::CheckColumn(const arrow::Field& wanted, const arrow::Schema& found) const {
  const std::vector<int> places = found.GetAllFieldIndices(wanted.name());
  if (places.empty()) {
    if (wanted.nullable()) return {};
    return Corrupt("table {}: column '{}' is missing", TableName(table_), wanted.name());
  }
  if (places.size() != 1) return Corrupt("table {}: column '{}' is there twice", TableName(table_), wanted.name());
  const arrow::DataType& type = *found.field(places[0])->type();
  if (!AreAlike(*wanted.type(), type)) {
    return Corrupt("table {}: column '{}' has the type {}, not {}", TableName(table_), wanted.name(), type.ToString(),
                   wanted.type()->ToString());
  }
  return {};
}

int TableReader::LeafOf(std::string_view column) const {
  const auto found = leaves_.find(column);
  return found == leaves_.end() ? -1 : found->second.front();
}

Result<std::shared_ptr<arrow::Table>> TableReader::Read(int row_group,
                                                        const std::vector<std::string_view>& columns) const {
  return CatchParquet([&]() -> Result<std::shared_ptr<arrow::Table>> {
    std::vector<int> leaves;
    for (const std::string_view column : columns) {
      const auto there = leaves_.find(column);
      if (there != leaves_.end()) leaves.insert(leaves.end(), there->second.begin(), there->second.end());
    }
    OSCOPE_ARROW_ASSIGN_OR_RETURN(auto read, reader_->ReadRowGroup(row_group, leaves));
    OSCOPE_ARROW_ASSIGN_OR_RETURN(read, read->CombineChunks());
    const int64_t rows = parquet_reader()->metadata()->RowGroup(row_group)->num_rows();
    arrow::FieldVector fields;
    std::vector<std::shared_ptr<arrow::ChunkedArray>> values;
    for (const std::string_view column : columns) {
      const auto& field = SchemaOf(table_).GetFieldByName(std::string(column));
      OSCOPE_CHECK(field != nullptr);
      std::shared_ptr<arrow::ChunkedArray> array = read->GetColumnByName(field->name());
      if (array == nullptr) {
        OSCOPE_ARROW_ASSIGN_OR_RETURN(auto nulls, arrow::MakeArrayOfNull(field->type(), rows));
        array = std::make_shared<arrow::ChunkedArray>(std::move(nulls));
      }
      if (array->length() != rows || array->num_chunks() != 1)
        return Corrupt("table {}: columns differ in length", TableName(table_));
      fields.push_back(arrow::field(field->name(), array->type()));
      values.push_back(std::move(array));
    }
    return arrow::Table::Make(arrow::schema(std::move(fields)), std::move(values), rows);
  });
}

Result<std::shared_ptr<arrow::Table>> TableReader::ReadAll(int row_group,
                                                           const std::vector<std::string_view>& without) const {
  std::vector<std::string_view> columns;
  for (const auto& field : SchemaOf(table_).fields()) {
    if (std::find(without.begin(), without.end(), field->name()) == without.end()) columns.push_back(field->name());
  }
  return Read(row_group, columns);
}

}  // namespace oscope
