#include "cli/commands/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/checksum.h"

namespace oscope::cli {
namespace {

// Standard output, a device or a pipe: written to as it is, since no file can take its place.
class StreamOutput : public WritableFile {
 public:
  StreamOutput(std::FILE* stream, std::string name) : stream_(stream), name_(std::move(name)) {}
  ~StreamOutput() override {
    if (stream_ != stdout) std::fclose(stream_);
  }

  Status Append(std::string_view bytes) override {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) == bytes.size()) return {};
    return IoError(errno, "write", name_);
  }
  Status Sync() override { return {}; }
  Status Close() override {
    if (std::fflush(stream_) == 0) return {};
    return IoError(errno, "write", name_);
  }

 private:
  std::FILE* stream_;
  const std::string name_;
};

Result<std::unique_ptr<WritableFile>> OpenStream(const std::string& path) {
  std::FILE* const stream = std::fopen(path.c_str(), "we");
  if (stream == nullptr) return IoError(errno, "open", path);
  return std::unique_ptr<WritableFile>(new StreamOutput(stream, path));
}

}  // namespace

std::string TemporaryName(const std::string& path) { return path + ".part-" + ToHex(RandomHash128()).substr(0, 12); }

Status CheckOutput(std::string_view option, const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status there = std::filesystem::status(path, error);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    return Invalid("{} {}: is not a regular file", option, path);
  const std::string directory = DirName(path);
  if (::access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) != 0) return IoError(errno, "write", path);
  return {};
}

Result<OutputFile> OutputFile::Create(const std::string& path) {
  OutputFile output;
  if (path.empty() || path == "-") {
    output.file_ = std::make_unique<StreamOutput>(stdout, "standard output");
    return output;
  }
  struct stat there{};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    if (S_ISDIR(there.st_mode)) return Invalid("{}: is a directory", path);
    OSCOPE_ASSIGN_OR_RETURN(output.file_, OpenStream(path));
    return output;
  }
  const std::string temporary = TemporaryName(path);
  OSCOPE_ASSIGN_OR_RETURN(output.file_, PosixFileSystem().Create(temporary));
  output.path_ = path;
  output.temporary_ = temporary;
  return output;
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  file_.reset();
  // Nobody is left to tell when this fails too.
  (void)PosixFileSystem().Remove(temporary_);
}

Status OutputFile::Commit() {
  OSCOPE_RETURN_IF_ERROR(file_->Sync());
  OSCOPE_RETURN_IF_ERROR(file_->Close());
  if (temporary_.empty()) return {};
  FileSystem& fs = PosixFileSystem();
  OSCOPE_RETURN_IF_ERROR(fs.Rename(temporary_, path_));
  temporary_.clear();
  const std::string directory = DirName(path_);
  return fs.SyncDirectory(directory.empty() ? "." : directory);
}

}  // namespace oscope::cli
