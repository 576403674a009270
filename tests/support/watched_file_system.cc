#include "tests/support/watched_file_system.h"

namespace oscope {

namespace {

using Kind = FileOperation::Kind;

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kCreate: return "create";
    case Kind::kAppend: return "append to";
    case Kind::kSync: return "sync";
    case Kind::kClose: return "close";
    case Kind::kOpen: return "open";
    case Kind::kRead: return "read";
    case Kind::kRename: return "rename";
    case Kind::kLink: return "link";
    case Kind::kRemove: return "remove";
    case Kind::kMakeDirectory: return "make directory";
    case Kind::kRemoveDirectory: return "remove directory";
    case Kind::kSyncDirectory: return "sync directory";
    case Kind::kList: return "list";
    case Kind::kExists: return "look for";
    case Kind::kLock: return "lock";
  }
  return "unknown";
}

}  // namespace

std::string ToString(const FileOperation& operation) {
  return fmt::format("{} {}{}{}", NameOf(operation.kind), operation.path, operation.to.empty() ? "" : " -> ",
                     operation.to);
}

class WatchedFileSystem::Writable final : public WritableFile {
 public:
  Writable(WatchedFileSystem& fs, std::string path, std::unique_ptr<WritableFile> file)
      : fs_(fs), path_(std::move(path)), file_(std::move(file)) {}

  Status Append(std::string_view bytes) override {
    OSCOPE_RETURN_IF_ERROR(fs_.Tell(Kind::kAppend, path_));
    return file_->Append(bytes);
  }
  Status Sync() override {
    OSCOPE_RETURN_IF_ERROR(fs_.Tell(Kind::kSync, path_));
    return file_->Sync();
  }
  Status Close() override {
    OSCOPE_RETURN_IF_ERROR(fs_.Tell(Kind::kClose, path_));
    return file_->Close();
  }

 private:
  WatchedFileSystem& fs_;
  const std::string path_;
  std::unique_ptr<WritableFile> file_;
};

class WatchedFileSystem::Readable final : public ReadableFile {
 public:
  Readable(WatchedFileSystem& fs, std::string path, std::unique_ptr<ReadableFile> file)
      : fs_(fs), path_(std::move(path)), file_(std::move(file)) {}

  uint64_t size() const override { return file_->size(); }
  Status ReadAt(uint64_t offset, uint64_t length, char* out) const override {
    OSCOPE_RETURN_IF_ERROR(fs_.Tell(Kind::kRead, path_));
    return file_->ReadAt(offset, length, out);
  }
  std::string_view mapped() const override { return file_->mapped(); }

 private:
  WatchedFileSystem& fs_;
  const std::string path_;
  std::unique_ptr<ReadableFile> file_;
};

Status WatchedFileSystem::Tell(Kind kind, const std::string& path, const std::string& to) {
  FileOperation operation{kind, path, to, 0};
  {
    const std::lock_guard lock(mutex_);
    operation.number = ++operations_;
    log_ += fmt::format("{} {}\n", operation.number, ToString(operation));
  }
  return told_ ? told_(operation) : Status();
}

void WatchedFileSystem::Made(const std::string& path) {
  const std::lock_guard lock(mutex_);
  made_.insert(path);
}

void WatchedFileSystem::Gone(const std::string& path) {
  const std::lock_guard lock(mutex_);
  made_.erase(path);
}

uint64_t WatchedFileSystem::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

std::string WatchedFileSystem::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

std::set<std::string> WatchedFileSystem::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

Result<std::unique_ptr<WritableFile>> WatchedFileSystem::Create(const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kCreate, path));
  OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, beneath_.Create(path));
  Made(path);
  return std::unique_ptr<WritableFile>(std::make_unique<Writable>(*this, path, std::move(file)));
}

Result<std::unique_ptr<ReadableFile>> WatchedFileSystem::Open(const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kOpen, path));
  OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, beneath_.Open(path));
  return std::unique_ptr<ReadableFile>(std::make_unique<Readable>(*this, path, std::move(file)));
}

Status WatchedFileSystem::Rename(const std::string& from, const std::string& to) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kRename, from, to));
  OSCOPE_RETURN_IF_ERROR(beneath_.Rename(from, to));
  // A directory takes what is in it along.
  const std::lock_guard lock(mutex_);
  std::set<std::string> now;
  for (const std::string& path : made_) {
    const bool moves = path == from || path.starts_with(from + "/");
    now.insert(moves ? to + path.substr(from.size()) : path);
  }
  now.insert(to);
  made_ = std::move(now);
  return {};
}

Status WatchedFileSystem::Link(const std::string& from, const std::string& to) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kLink, from, to));
  OSCOPE_RETURN_IF_ERROR(beneath_.Link(from, to));
  Made(to);
  return {};
}

Status WatchedFileSystem::Remove(const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kRemove, path));
  OSCOPE_RETURN_IF_ERROR(beneath_.Remove(path));
  Gone(path);
  return {};
}

Status WatchedFileSystem::MakeDirectory(const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kMakeDirectory, path));
  const bool is_new = !beneath_.Exists(path);
  OSCOPE_RETURN_IF_ERROR(beneath_.MakeDirectory(path));
  if (is_new) Made(path);
  return {};
}

Status WatchedFileSystem::RemoveDirectory(const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kRemoveDirectory, path));
  OSCOPE_RETURN_IF_ERROR(beneath_.RemoveDirectory(path));
  Gone(path);
  return {};
}

Status WatchedFileSystem::SyncDirectory(const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kSyncDirectory, path));
  return beneath_.SyncDirectory(path);
}

Result<std::vector<std::string>> WatchedFileSystem::List(const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kList, path));
  return beneath_.List(path);
}

bool WatchedFileSystem::IsLink(const std::string& path) { return beneath_.IsLink(path); }

bool WatchedFileSystem::Exists(const std::string& path) {
  (void)Tell(Kind::kExists, path);
  return beneath_.Exists(path);
}

Result<std::unique_ptr<FileLock>> WatchedFileSystem::LockFile(const std::string& path, LockMode mode, int wait_ms,
                                                              const CancelToken& cancel) {
  OSCOPE_RETURN_IF_ERROR(Tell(Kind::kLock, path));
  return beneath_.Lock(path, mode, wait_ms, cancel);
}

}  // namespace oscope
