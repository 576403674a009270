// A directory with a lock. Its owner holds the lock (flock) for as long as it lives, and the system releases it however
// the owner ends; so a directory whose lock can be taken has no owner any more. A file with the owner's process id
// would also say so, but process ids are used again.
//
// Making one is a loop because of a race: between mkdtemp and flock another process may take the new directory for an
// abandoned one and remove it.
#include "tracer/record/scratch_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tracer/raw/recording_directory.h"

namespace oscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "oscope-recording.", kRandom = "XXXXXX";
constexpr int kMostAttempts = 100;

// The recorder opens its files long after the program may have changed its directory.
fs::path RootOf(const std::string& under) {
  const char* temporary = std::getenv("TMPDIR");
  std::error_code error;
  return fs::absolute(!under.empty() ? under : temporary != nullptr && *temporary != '\0' ? temporary : "/tmp", error);
}

enum class Lock { kTaken, kHeldElsewhere, kUnknown };

Lock TryLock(int directory) {
  if (::flock(directory, LOCK_EX | LOCK_NB) == 0) return Lock::kTaken;
  return errno == EWOULDBLOCK ? Lock::kHeldElsewhere : Lock::kUnknown;
}

// What its processes still need is left to a later recording.
void RemoveUnlessUsed(const std::string& path) {
  std::error_code error;
  if (raw::RecordingDirectory::RunningProcesses(path).empty()) fs::remove_all(path, error);
}

void RemoveIfAbandoned(const std::string& path) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.is_open()) return;
  struct stat facts{};
  const bool own = ::fstat(directory.get(), &facts) == 0 && facts.st_uid == ::geteuid();
  // Without locks in the file system it is not known whether the directory has an owner.
  if (own && TryLock(directory.get()) == Lock::kTaken) RemoveUnlessUsed(path);
}

}  // namespace

Result<ScratchDirectory> ScratchDirectory::Make(const std::string& under) {
  const fs::path root = RootOf(under);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::string name = (root / (std::string(kPrefix) + std::string(kRandom))).string();
    if (::mkdtemp(name.data()) == nullptr)
      return IoError(errno, "make a directory for the recording in", root.string());
    Descriptor directory(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory.is_open() && errno != ENOENT) return IoError(errno, "open", name);
    if (!directory.is_open()) continue;
    // Until we have the lock, another process may take the directory for an abandoned one: then it is removed, or about
    // to be go.
    if (TryLock(directory.get()) != Lock::kHeldElsewhere && ::access(name.c_str(), F_OK) == 0)
      return ScratchDirectory(std::move(name), std::move(directory));
  }
  return IoError(EAGAIN, "make a directory for the recording in", root.string());
}

void ScratchDirectory::RemoveAbandoned(const std::string& under) {
  std::error_code error;
  fs::directory_iterator entry(RootOf(under), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && name.size() == kPrefix.size() + kRandom.size())
      RemoveIfAbandoned(entry->path().string());
  }
}

ScratchDirectory::ScratchDirectory(ScratchDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

ScratchDirectory& ScratchDirectory::operator=(ScratchDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

ScratchDirectory::~ScratchDirectory() {
  if (path_.empty()) return;
  RemoveUnlessUsed(path_);
}

}  // namespace oscope
