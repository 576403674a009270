// A file that appears whole or not at all is written beside its name and renamed. That is right for regular files and
// wrong for everything else: a rename would replace /dev/null, a pipe, or a symbolic link by a file. FindPlace
// therefore follows links by hand to what the path means, and devices, pipes and descriptors of our own are written to
// directly.
//
// Some systems refuse to follow certain links (fs.protected_symlinks); stat on the name that was given tells, and then
// we do not follow them either.
#include "cli/output/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>

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

  bool to_terminal() const { return ::isatty(::fileno(stream_)) == 1; }
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

constexpr mode_t kPermissions = 0777;
constexpr int kMaxLinks = 40;  // as many as the kernel follows

// What the path of an output leads to.
struct Place {
  std::string path;            // without the links at its end
  int descriptor = -1;         // one of ours, which the path named: /dev/stdout, /dev/fd/5
  bool is_stream = false;      // a device or a pipe
  std::optional<mode_t> mode;  // of a file that is there
};

// The number of our descriptor that `path` is the name of, if it is.
std::optional<int> DescriptorNamed(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> directory(::realpath(DirName(path).c_str(), nullptr), &std::free);
  if (directory == nullptr || directory.get() != fmt::format("/proc/{}/fd", ::getpid())) return std::nullopt;
  const std::string name = BaseName(path);
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

std::optional<std::string> ReadLink(const std::string& path) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  if (length < 0) return std::nullopt;
  target.resize(static_cast<size_t>(length));
  return target.starts_with('/') ? target : JoinPath(DirName(path), target);
}

// A file is written beside its name and renamed, so that links must be followed by hand: the rename would replace them.
Result<Place> FindPlace(const std::string& path) {
  Place place;
  place.path = path;
  for (int links = 0;; ++links) {
    if (const std::optional<int> descriptor = DescriptorNamed(place.path)) {
      place.descriptor = *descriptor;
      return place;
    }
    std::optional<std::string> target = ReadLink(place.path);
    if (!target) break;
    if (links == kMaxLinks) return IoError(ELOOP, "write", path);
    place.path = *std::move(target);
  }
  // By the name that was given: a link that the system does not let us follow is not followed here either.
  struct stat there{};
  if (::stat(path.c_str(), &there) != 0) {
    if (errno == ENOENT) return place;
    return IoError(errno, "write", path);
  }
  if (S_ISDIR(there.st_mode)) return Invalid("{}: is a directory", path);
  if (::access(path.c_str(), W_OK) != 0) return IoError(errno, "write", path);
  place.is_stream = !S_ISREG(there.st_mode);
  if (!place.is_stream) place.mode = there.st_mode & kPermissions;
  return place;
}

Result<std::unique_ptr<StreamOutput>> OpenStream(const Place& place, const std::string& path) {
  if (place.descriptor == STDOUT_FILENO) return std::make_unique<StreamOutput>(stdout, path);
  std::FILE* stream = nullptr;
  if (place.descriptor < 0) {
    stream = std::fopen(place.path.c_str(), "we");
  } else if (const int copy = ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); copy >= 0) {
    stream = ::fdopen(copy, "w");
    if (stream == nullptr) ::close(copy);
  }
  // Only a wish to stop interrupts a call, here one that waited for a reader of a pipe.
  if (stream == nullptr && errno == EINTR) return Cancelled("cancelled");
  if (stream == nullptr) return IoError(errno, "open", path);
  return std::make_unique<StreamOutput>(stream, path);
}

}  // namespace

std::string TemporaryName(const std::string& path) { return path + ".part-" + ToHex(RandomHash128()).substr(0, 12); }

Status CheckOutput(std::string_view option, const std::string& path) {
  Result<Place> place = FindPlace(path);
  if (!place.ok()) return std::move(place).error().Within(option);
  if (place->descriptor >= 0 || place->is_stream) return {};
  if (::access(DirName(place->path).c_str(), W_OK | X_OK) != 0) return IoError(errno, "write", path);
  return {};
}

Result<std::optional<mode_t>> RemoveOlderOutput(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(const Place place, FindPlace(path));
  if (place.mode) OSCOPE_RETURN_IF_ERROR(PosixFileSystem().Remove(place.path));
  return place.mode;
}

Result<OutputFile> OutputFile::Create(const std::string& path, std::optional<mode_t> mode) {
  OutputFile output;
  if (path.empty() || path == "-") {
    output.file_ = std::make_unique<StreamOutput>(stdout, "standard output");
    output.to_terminal_ = ::isatty(STDOUT_FILENO) == 1;
    return output;
  }
  OSCOPE_ASSIGN_OR_RETURN(const Place place, FindPlace(path));
  if (place.descriptor >= 0 || place.is_stream) {
    OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<StreamOutput> stream, OpenStream(place, path));
    output.to_terminal_ = stream->to_terminal();
    output.file_ = std::move(stream);
    return output;
  }
  const std::string temporary = TemporaryName(place.path);
  OSCOPE_ASSIGN_OR_RETURN(output.file_, PosixFileSystem().Create(temporary));
  output.path_ = place.path;
  output.temporary_ = temporary;
  output.mode_ = place.mode ? place.mode : mode;
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
  if (mode_ && ::chmod(temporary_.c_str(), *mode_) != 0) return IoError(errno, "change the mode of", temporary_);
  FileSystem& fs = PosixFileSystem();
  OSCOPE_RETURN_IF_ERROR(fs.Rename(temporary_, path_));
  temporary_.clear();
  return fs.SyncDirectory(DirName(path_));
}

}  // namespace oscope::cli
