#include "base/file_system.h"

namespace oscope {

Result<std::string> ReadWholeFile(FileSystem& fs, const std::string& path, uint64_t max_bytes) {
  OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, fs.Open(path));
  if (file->size() > max_bytes) {
    return Limit("read {}: {} bytes, limit is {}", path, file->size(), max_bytes);
  }
  std::string bytes(file->size(), '\0');
  OSCOPE_RETURN_IF_ERROR(file->ReadAt(0, bytes.size(), bytes.data()));
  return bytes;
}

Status WriteDurably(FileSystem& fs, const std::string& path, std::string_view bytes) {
  OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, fs.Create(path));
  OSCOPE_RETURN_IF_ERROR(file->Append(bytes));
  OSCOPE_RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  return fmt::format("{}{}{}", directory, directory.ends_with('/') ? "" : "/", name);
}

namespace {
std::string_view WithoutTrailingSlashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}
}  // namespace

std::string BaseName(std::string_view path) {
  path = WithoutTrailingSlashes(path);
  if (path == "/") return "/";
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string DirName(std::string_view path) {
  path = WithoutTrailingSlashes(path);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(WithoutTrailingSlashes(path.substr(0, slash == 0 ? 1 : slash)));
}

}  // namespace oscope
