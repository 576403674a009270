// Writes a store into a temporary directory and takes its tables apart: the tables of a store are Parquet files
// already, so an export needs no writer of its own. The directory is renamed at the end.
#include "cli/transfer/export_parquet.h"

#include <filesystem>

#include "cli/output/output_file.h"
#include "cli/transfer/import_sinks.h"
#include "index/store/store.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kRunsPerCommit = 100'000;

constexpr std::string_view kReadme = R"(# Traces as Parquet

Written by `oscope export --format parquet`. A folder is a table, and its files together are all of it:

| folder | a row is |
|---|---|
| traces/ | up to 65,536 events of one thread of one run; `events` is a list of names |
| runs/ | one execution of the program |
| symbols/ | where an event's code is: file, line, object |
| bugs/ | a bug report |
| attachments/ | a file that belongs to a run or a bug, where there are any and they were asked for |

    duckdb -c "SELECT bug, count(*) FROM 'traces/*.parquet' GROUP BY bug"
)";

// Removes a directory that was not finished.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) {}
  ~Unfinished() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  void Keep() { path_.clear(); }

 private:
  std::string path_;
};

Status FillStore(FileSystem& fs, const std::string& path, const CancelToken& cancel,
                 const std::function<Status(RunSink&)>& send) {
  OSCOPE_ASSIGN_OR_RETURN(Store store, Store::Create(fs, path, cancel));
  OSCOPE_ASSIGN_OR_RETURN(const auto batches, BatchingSink::Open(store, kRunsPerCommit));
  BatchingSink& sink = *batches;
  OSCOPE_RETURN_IF_ERROR(send(sink));
  OSCOPE_RETURN_IF_ERROR(sink.Finish());
  return {};
}

// Renames a store's table files into a folder for each table.
Status TakeTables(FileSystem& fs, const std::string& store_path, const std::string& target) {
  OSCOPE_ASSIGN_OR_RETURN(const Store store, Store::Open(fs, store_path));
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
  size_t number = 0;
  for (const SegmentEntry& segment : snapshot.manifest().segments) {
    for (const TableFile& file : segment.tables) {
      const std::string table(TableName(file.table));
      const std::string folder = JoinPath(target, table);
      OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(folder));
      OSCOPE_RETURN_IF_ERROR(fs.Rename(fmt::format("{}/segments/{}.{}.parquet", store_path, segment.id, table),
                                       fmt::format("{}/{:05}.parquet", folder, number)));
      OSCOPE_RETURN_IF_ERROR(fs.SyncDirectory(folder));
    }
    ++number;
  }
  return {};
}

}  // namespace

Status ExportParquet(const std::string& target, const CancelToken& cancel,
                     const std::function<Status(RunSink&)>& send) {
  FileSystem& fs = PosixFileSystem();
  if (fs.Exists(target)) return Conflict("export to {}: it exists already", target);
  const std::string temporary = TemporaryName(target);
  OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(temporary));
  Unfinished unfinished(temporary);
  const std::string store = JoinPath(temporary, "store");
  OSCOPE_RETURN_IF_ERROR(FillStore(fs, store, cancel, send));
  OSCOPE_RETURN_IF_ERROR(TakeTables(fs, store, temporary));
  OSCOPE_RETURN_IF_ERROR(WriteDurably(fs, JoinPath(temporary, "README.md"), kReadme));
  std::error_code error;
  std::filesystem::remove_all(store, error);
  if (error) return IoError(error.value(), "remove", store);
  OSCOPE_RETURN_IF_ERROR(fs.SyncDirectory(temporary));
  OSCOPE_RETURN_IF_ERROR(fs.Rename(temporary, target));
  unfinished.Keep();
  const std::string parent = DirName(target);
  return fs.SyncDirectory(parent.empty() ? "." : parent);
}

}  // namespace oscope::cli
