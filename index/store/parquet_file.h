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

// Writes under a temporary name; Finish syncs, checks what was written and gives the file its name.
// The name is durable once segments/ is synced, which the commit does once for all its files.
// Dropped before Finish it leaves nothing behind.
class ParquetWriter {
 public:
  static Result<std::unique_ptr<ParquetWriter>> Open(const StoreFiles& files, const std::string& segment, Table table,
                                                     std::shared_ptr<arrow::Schema> schema);
  ~ParquetWriter();

  Status WriteRowGroup(const std::vector<std::shared_ptr<arrow::Array>>& columns, int64_t rows);
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
// needs (table_reader.h); with `whole` the SHA-256 of every byte too.
// Errors name the file. Page checksums are checked whenever a page is read.
Result<std::unique_ptr<TableReader>> OpenTable(const StoreFiles& files, const std::string& segment,
                                               const TableFile& entry, bool whole);

// Which row group holds a row of the table, and where in it.
struct RowPosition {
  int row_group = 0;
  uint64_t row = 0;
};
Result<RowPosition> FindRow(TableReader& reader, uint64_t row);

// Cuts `rows` rows into row groups of at most kRowGroupRows rows and about kRowGroupBytes of large texts: Arrow's
// columns end at 2 GiB.
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

// Runs something that may throw a Parquet exception and turns that into kCorrupt, or into the seam's error that is
// behind it.
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
