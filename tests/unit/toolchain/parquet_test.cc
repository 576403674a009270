// The Arrow and Parquet we build against write and read a table, with the codec and the checksums
// the store uses.

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>

#include <memory>
#include <utility>

namespace {

std::shared_ptr<arrow::Table> TableOfNames() {
  arrow::StringBuilder names;
  EXPECT_TRUE(names.AppendValues({"main", "net::Socket::read", "main"}).ok());
  return arrow::Table::Make(arrow::schema({arrow::field("event", arrow::utf8())}), {names.Finish().ValueOrDie()});
}

TEST(ToolchainTest, ParquetTableSurvivesARoundTrip) {
  const auto written = TableOfNames();
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  const auto properties =
      parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->enable_page_checksum()->build();
  ASSERT_TRUE(parquet::arrow::WriteTable(*written, arrow::default_memory_pool(), sink, 2, properties).ok());
  auto bytes = sink->Finish().ValueOrDie();
  ASSERT_EQ(bytes->ToString().substr(0, 4), "PAR1");

  auto reader =
      parquet::arrow::OpenFile(std::make_shared<arrow::io::BufferReader>(bytes), arrow::default_memory_pool());
  ASSERT_TRUE(reader.ok()) << reader.status().ToString();
  auto batches = (*reader)->GetRecordBatchReader();
  ASSERT_TRUE(batches.ok()) << batches.status().ToString();
  const auto read = (*batches)->ToTable().ValueOrDie();
  EXPECT_TRUE(read->Equals(*written)) << read->ToString();
}

}  // namespace
