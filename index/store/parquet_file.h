// One Parquet file of a segment, written durably and opened with its checks, through the file-operation seam.
#pragma once

#include <arrow/api.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <memory>
#include <string>

#include "index/store/arrow_error.h"
#include "index/store/manifest.h"
#include "index/store/store_files.h"
#include "index/store/table_reader.h"

namespace oscope {

// Writes one table of a segment under a temporary name. A writer that is destroyed before Finish leaves no file behind.
// Threads: one at a time.
class ParquetWriter {
 public:
  // `files` is borrowed. Fails with kIo when the file cannot be created.
  static Result<std::unique_ptr<ParquetWriter>> Open(const StoreFiles& files, const std::string& segment, Table table,
                                                     std::shared_ptr<arrow::Schema> schema);
  ~ParquetWriter();

  // Appends one row group: an array of `rows` values for every column of the schema.
  Status WriteRowGroup(const std::vector<std::shared_ptr<arrow::Array>>& columns, int64_t rows);
  // Syncs the file, reads its footer back, gives the file its final name, and returns what the manifest must say about
  // it. The name itself is durable once segments/ has been synced, which a commit does once for all of its files.
  Result<TableFile> Finish();

 private:
  class Stream;
  ParquetWriter(const StoreFiles& files, std::string segment, Table table, std::shared_ptr<arrow::Schema> schema);

  const StoreFiles& files_;
  std::string segment_;
  Table table_;
  std::shared_ptr<arrow::Schema> schema_;
  std::string temporary_path_;
  std::shared_ptr<Stream> stream_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  uint64_t rows_ = 0;
  bool finished_ = false;
};

// Opens a table file and checks its size and footer against the manifest, and its columns against what this release
// needs (table_reader.h); with `whole` also the SHA-256 of every byte. Fails with kCorrupt when a check fails, and with
// kIo when the file cannot be read; the message names the file. Checksums of pages are checked when a page is read.
Result<std::unique_ptr<TableReader>> OpenTable(const StoreFiles& files, const std::string& segment,
                                               const TableFile& entry, bool whole);

// Which row group holds a row of the table, and where in it.
struct RowPosition {
  int row_group = 0;
  uint64_t row = 0;
};
Result<RowPosition> FindRow(TableReader& reader, uint64_t row);

// Calls `write(begin, count)` for stretches of `rows` rows that have at most kRowGroupRows rows and about
// kRowGroupBytes of large texts each (`bytes(i)` is the size of row i). A column of Arrow cannot hold more than 2 GiB.
inline constexpr size_t kRowGroupRows = 32'768;
inline constexpr size_t kRowGroupBytes = 256 << 20;
template <typename Bytes, typename Write>
Status ForEachRowGroup(size_t rows, Bytes bytes, Write write, size_t max_rows = kRowGroupRows) {
  size_t begin = 0, sum = 0;
  for (size_t i = 0; i < rows; ++i) {
    sum += bytes(i);
    if (i + 1 < rows && i + 1 - begin < max_rows && sum < kRowGroupBytes) continue;
    OSCOPE_RETURN_IF_ERROR(write(begin, i + 1 - begin));
    begin = i + 1;
    sum = 0;
  }
  return {};
}

// Runs `body`, which may throw an exception of Parquet, and turns that into kCorrupt, or into the file system's own
// error when that is the cause.
template <typename Body>
auto CatchParquet(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const parquet::ParquetStatusException& e) {
    return FromArrow(e.status());
  } catch (const std::exception& e) {
    return Corrupt("{}", e.what());
  }
}

}  // namespace oscope
