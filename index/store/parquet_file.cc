// Parquet files through the file-operation seam, in both directions.
//
// Arrow has file classes of its own, but they neither sync nor go through our seam, where tests put a disk that
// crashes and forgets. So Stream and ArrowInput adapt our files to Arrow's interfaces. An error of the seam travels
// through Arrow as a detail of its status and comes out with the code it went in with (arrow_error.h).
//
// A writer works under a temporary name, computes the SHA-256 while it writes, syncs, reads the footer back from the
// disk, and only then renames. A reader compares size and footer with the manifest when it opens the file, Parquet's
// page checksums when it reads a page, and the digest of the whole file when it is asked to: reading one run from a
// large segment should not read all of it.
#include "index/store/parquet_file.h"

#include <arrow/io/interfaces.h>
#include <arrow/io/memory.h>

#include <cstring>

#include "index/store/arrow_columns.h"

namespace oscope {

namespace {

constexpr int64_t kNeverFallBackFromDictionary = 1ll << 30;
constexpr uint64_t kFooterTail = 8;  // length of the footer, and the magic

// Our file as Arrow reads one. Reads come from the mapping without a copy when there is one.
class ArrowInput : public arrow::io::RandomAccessFile {
 public:
  explicit ArrowInput(std::shared_ptr<ReadableFile> file) : file_(std::move(file)) {}

  arrow::Result<int64_t> GetSize() override { return static_cast<int64_t>(file_->size()); }
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t length, void* out) override {
    length = Available(position, length);
    ARROW_RETURN_NOT_OK(ToArrow(
        file_->ReadAt(static_cast<uint64_t>(position), static_cast<uint64_t>(length), static_cast<char*>(out))));
    return length;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t length) override {
    length = Available(position, length);
    const std::string_view mapped = file_->mapped();
    if (!mapped.empty()) {
      return std::make_shared<MappedBuffer>(mapped.substr(static_cast<size_t>(position), static_cast<size_t>(length)),
                                            file_);
    }
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(length));
    ARROW_RETURN_NOT_OK(ReadAt(position, length, buffer->mutable_data()));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }
  arrow::Result<int64_t> Read(int64_t length, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position_, length, out));
    position_ += read;
    return read;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t length) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, length));
    position_ += buffer->size();
    return buffer;
  }
  arrow::Status Seek(int64_t position) override {
    position_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }

 private:
  // Keeps the mapping alive for as long as Arrow holds a piece of it.
  class MappedBuffer : public arrow::Buffer {
   public:
    MappedBuffer(std::string_view bytes, std::shared_ptr<ReadableFile> file)
        : arrow::Buffer(bytes), file_(std::move(file)) {}

   private:
    std::shared_ptr<ReadableFile> file_;
  };

  int64_t Available(int64_t position, int64_t length) const {
    const auto size = static_cast<int64_t>(file_->size());
    if (position < 0 || position >= size || length < 0) return 0;
    return std::min(length, size - position);
  }

  std::shared_ptr<ReadableFile> file_;
  int64_t position_ = 0;
  bool closed_ = false;
};

std::shared_ptr<parquet::WriterProperties> WriterProperties(Table table) {
  parquet::WriterProperties::Builder builder;
  builder.compression(parquet::Compression::ZSTD);
  builder.enable_page_checksum();
  builder.dictionary_pagesize_limit(kNeverFallBackFromDictionary);
  builder.max_row_group_length(INT64_MAX);
  builder.created_by("oscope");
  builder.disable_statistics();
  if (table == Table::kTraces || table == Table::kRuns || table == Table::kAttachments) {
    // Random bytes: neither a dictionary nor compression buys anything.
    for (const char* column : {"run_id", "content_hash"}) {
      builder.disable_dictionary(column);
      builder.compression(column, parquet::Compression::UNCOMPRESSED);
    }
  }
  // Each value is there once, and may be large.
  if (table == Table::kAttachments) builder.disable_dictionary("bytes");
  return builder.build();
}

Result<std::string> ReadFooter(const ReadableFile& file) {
  if (file.size() < kFooterTail + 4) return Corrupt("{} bytes are no Parquet file", file.size());
  char tail[kFooterTail];
  OSCOPE_RETURN_IF_ERROR(file.ReadAt(file.size() - kFooterTail, kFooterTail, tail));
  uint32_t length = 0;
  std::memcpy(&length, tail, sizeof(length));
  if (std::memcmp(tail + 4, "PAR1", 4) != 0 || length > file.size() - kFooterTail) return Corrupt("no Parquet footer");
  std::string footer(length + kFooterTail, '\0');
  OSCOPE_RETURN_IF_ERROR(file.ReadAt(file.size() - footer.size(), footer.size(), footer.data()));
  return footer;
}

Status CheckWhole(const ReadableFile& file, const std::string& sha256) {
  Sha256 sha;
  if (const std::string_view mapped = file.mapped(); !mapped.empty()) {
    sha.Update(mapped);
  } else {
    std::string buffer(std::min<uint64_t>(file.size(), 1 << 20), '\0');
    for (uint64_t at = 0; at < file.size(); at += buffer.size()) {
      const uint64_t length = std::min<uint64_t>(buffer.size(), file.size() - at);
      OSCOPE_RETURN_IF_ERROR(file.ReadAt(at, length, buffer.data()));
      sha.Update({buffer.data(), length});
    }
  }
  if (sha.Finish() != sha256) return Corrupt("its SHA-256 differs from the manifest's");
  return {};
}

}  // namespace

class ParquetWriter::Stream : public arrow::io::OutputStream {
 public:
  explicit Stream(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {}

  arrow::Status Write(const void* data, int64_t bytes) override {
    const std::string_view view(static_cast<const char*>(data), static_cast<size_t>(bytes));
    sha_.Update(view);
    size_ += view.size();
    // Parquet writes headers and levels in small pieces; one system call each would cost more than the encoding.
    buffer_ += view;
    return buffer_.size() < kFlushBytes ? arrow::Status::OK() : Flush();
  }
  arrow::Status Flush() override {
    Status status = file_->Append(buffer_);
    buffer_.clear();
    if (!status.ok()) error_ = status;
    return ToArrow(status);
  }
  arrow::Result<int64_t> Tell() const override { return static_cast<int64_t>(size_); }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }

  Status SyncAndClose() {
    if (!buffer_.empty()) {
      arrow::Status flushed = Flush();
      if (!flushed.ok()) return error_;
    }
    OSCOPE_RETURN_IF_ERROR(file_->Sync());
    return file_->Close();
  }
  std::string Digest() { return sha_.Finish(); }
  uint64_t size() const { return size_; }
  // The seam's own error, which says more than Arrow's wrapping of it.
  const Status& error() const { return error_; }

 private:
  static constexpr size_t kFlushBytes = 1 << 20;
  std::unique_ptr<WritableFile> file_;
  std::string buffer_;
  Sha256 sha_;
  uint64_t size_ = 0;
  bool closed_ = false;
  Status error_;
};

ParquetWriter::ParquetWriter(const StoreFiles& files, std::string segment, Table table,
                             std::shared_ptr<arrow::Schema> schema)
    : files_(files),
      segment_(std::move(segment)),
      table_(table),
      schema_(std::move(schema)),
      temporary_path_(files.TemporaryPath()) {}

Result<std::unique_ptr<ParquetWriter>> ParquetWriter::Open(const StoreFiles& files, const std::string& segment,
                                                           Table table, std::shared_ptr<arrow::Schema> schema) {
  std::unique_ptr<ParquetWriter> writer(new ParquetWriter(files, segment, table, std::move(schema)));
  OSCOPE_ASSIGN_OR_RETURN(auto file, files.fs().Create(writer->temporary_path_));
  writer->stream_ = std::make_shared<Stream>(std::move(file));
  const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  auto opened = parquet::arrow::FileWriter::Open(*writer->schema_, arrow::default_memory_pool(), writer->stream_,
                                                 WriterProperties(table), arrow_properties);
  if (!opened.ok()) return FromArrow(opened.status());
  writer->writer_ = std::move(opened).ValueUnsafe();
  return writer;
}

ParquetWriter::~ParquetWriter() {
  if (finished_) return;
  writer_.reset();
  stream_.reset();
  (void)files_.fs().Remove(temporary_path_);
}

Status ParquetWriter::WriteRowGroup(const std::vector<ArrayPtr>& columns, int64_t rows) {
  if (rows == 0) return {};
  const auto table = arrow::Table::Make(schema_, columns, rows);
  if (arrow::Status status = writer_->WriteTable(*table, rows); !status.ok()) {
    return stream_->error().ok() ? Status(FromArrow(status)) : stream_->error();
  }
  rows_ += static_cast<uint64_t>(rows);
  return {};
}

Result<TableFile> ParquetWriter::Finish() {
  if (arrow::Status status = writer_->Close(); !status.ok()) {
    return stream_->error().ok() ? FromArrow(status) : stream_->error().error();
  }
  OSCOPE_RETURN_IF_ERROR(stream_->SyncAndClose());
  TableFile entry{table_, stream_->size(), rows_, stream_->Digest(), {}, TableVersion(table_)};

  // Read back what the disk has before anything names it.
  OSCOPE_ASSIGN_OR_RETURN(auto written, files_.fs().Open(temporary_path_));
  if (written->size() != entry.size)
    return Corrupt("{}: wrote {} bytes, found {}", temporary_path_, entry.size, written->size());
  OSCOPE_ASSIGN_OR_RETURN(const std::string footer, ReadFooter(*written));
  entry.footer_sha256 = Sha256Of(footer);
  const std::string path = files_.TablePath(segment_, table_);
  OSCOPE_RETURN_IF_ERROR(files_.fs().Rename(temporary_path_, path));
  finished_ = true;
  return entry;
}

Result<std::unique_ptr<TableReader>> OpenTable(const StoreFiles& files, const std::string& segment,
                                               const TableFile& entry, bool whole) {
  const std::string name = files.TableFileName(segment, entry.table);
  auto opened = files.fs().Open(files.TablePath(segment, entry.table));
  if (!opened.ok()) {
    if (opened.error().code == ErrorCode::kNotFound)
      return Corrupt("missing segment {}: {} is not there", segment, name);
    return std::move(opened).error().Within(name);
  }
  std::shared_ptr<ReadableFile> file = std::move(opened).value();
  if (file->size() != entry.size) return Corrupt("{}: {} bytes, the manifest says {}", name, file->size(), entry.size);
  auto footer = ReadFooter(*file);
  if (!footer.ok()) return std::move(footer).error().Within(name);
  if (Sha256Of(*footer) != entry.footer_sha256)
    return Corrupt("{}: its footer's SHA-256 differs from the manifest's", name);
  if (whole) {
    if (Status status = CheckWhole(*file, entry.sha256); !status.ok()) return std::move(status).error().Within(name);
  }
  parquet::ReaderProperties properties;
  properties.set_page_checksum_verification(true);
  auto reader = CatchParquet([&]() -> Result<std::unique_ptr<parquet::ParquetFileReader>> {
    return parquet::ParquetFileReader::Open(std::make_shared<ArrowInput>(file), properties);
  });
  if (!reader.ok()) return std::move(reader).error().Within(name);
  if (static_cast<uint64_t>((*reader)->metadata()->num_rows()) != entry.rows) {
    return Corrupt("{}: {} rows, the manifest says {}", name, (*reader)->metadata()->num_rows(), entry.rows);
  }
  auto table = TableReader::Open(entry.table, std::move(reader).value());
  if (!table.ok()) return std::move(table).error().Within(name);
  return table;
}

Result<RowPosition> FindRow(TableReader& reader, uint64_t row) {
  const auto metadata = reader.parquet_reader()->metadata();
  uint64_t before = 0;
  for (int group = 0; group < metadata->num_row_groups(); ++group) {
    const auto rows = static_cast<uint64_t>(metadata->RowGroup(group)->num_rows());
    if (row < before + rows) return RowPosition{group, row - before};
    before += rows;
  }
  return Corrupt("row {} of {}", row, before);
}

}  // namespace oscope
