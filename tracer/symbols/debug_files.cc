// Tries the places where distributions put separate debug files, most certain first: by build-id, then by debug link
// with a checksum. A file whose build-id contradicts is never used, since wrong lines are worse than none.
#include "tracer/symbols/debug_files.h"

#include <elfutils/libdwelf.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "base/file_system.h"

namespace oscope {
namespace {

constexpr size_t kMinBuildIdDigits = 4;

std::string BuildIdPath(const std::string& root, const std::string& build_id) {
  return fmt::format("{}/.build-id/{}/{}.debug", root, build_id.substr(0, 2), build_id.substr(2));
}

std::vector<std::string> BuildIdPaths(const std::vector<std::string>& roots, const std::string& build_id) {
  std::vector<std::string> paths;
  if (build_id.size() < kMinBuildIdDigits) return paths;
  for (const std::string& root : roots) paths.push_back(BuildIdPath(root, build_id));
  return paths;
}

// The object's directory as it was named and as it is without symbolic links (/lib is /usr/lib on most systems).
std::vector<std::string> DirectoriesOf(const std::string& path) {
  std::error_code error;
  std::vector<std::string> directories;
  for (const auto& file : {std::filesystem::absolute(path, error), std::filesystem::canonical(path, error)}) {
    const std::string directory = file.parent_path().lexically_normal().string();
    if (!directory.empty() && (directories.empty() || directories.back() != directory))
      directories.push_back(directory);
  }
  return directories;
}

std::vector<std::string> LinkPaths(const std::string& object, const std::string& link,
                                   const std::vector<std::string>& roots) {
  std::vector<std::string> paths;
  for (const std::string& directory : DirectoriesOf(object)) {
    paths.push_back(JoinPath(directory, link));
    paths.push_back(JoinPath(directory, ".debug/" + link));
    for (const std::string& root : roots) paths.push_back(JoinPath(root + directory, link));
  }
  return paths;
}

bool HasChecksum(const std::string& path, uint32_t checksum) {
  const auto file = PosixFileSystem().Open(path);
  if (!file.ok()) return false;
  const std::string_view bytes = (*file)->mapped();
  return bytes.size() == (*file)->size() && DebugLinkChecksum(bytes) == checksum;
}

std::unique_ptr<ElfImage> OpenDebugFile(const ElfImage& object, const std::string& path) {
  auto candidate = ElfImage::Open(path, ElfImage::Role::kDebugFile);
  if (!candidate.ok() || (*candidate)->identity() == object.identity()) return nullptr;
  return std::move(candidate).value();
}

bool ContradictsBuildId(const ElfImage& candidate, const std::string& build_id) {
  return !build_id.empty() && !candidate.build_id().empty() && candidate.build_id() != build_id;
}

}  // namespace

std::unique_ptr<ElfImage> FindDebugFile(const ElfImage& object, const std::vector<std::string>& roots) {
  for (const std::string& path : BuildIdPaths(roots, object.build_id())) {
    auto candidate = OpenDebugFile(object, path);
    if (candidate != nullptr && candidate->build_id() == object.build_id()) return candidate;
  }
  GElf_Word checksum = 0;
  const char* name = dwelf_elf_gnu_debuglink(object.elf(), &checksum);
  if (name == nullptr) return nullptr;
  const std::string link = name;
  // objcopy writes a base name; anything else would lead out of the directories that are meant.
  if (link.empty() || link.find('/') != std::string::npos || link == "." || link == "..") return nullptr;
  for (const std::string& path : LinkPaths(object.path(), link, roots)) {
    auto candidate = OpenDebugFile(object, path);
    if (candidate == nullptr || ContradictsBuildId(*candidate, object.build_id())) continue;
    const bool same_id = !object.build_id().empty() && candidate->build_id() == object.build_id();
    if (same_id || HasChecksum(path, checksum)) return candidate;
  }
  return nullptr;
}

std::unique_ptr<ElfImage> FindSharedDebugFile(const ElfImage& debug_file, const std::string& link,
                                              const std::string& build_id, const std::vector<std::string>& roots) {
  std::vector<std::string> paths;
  if (link.starts_with('/')) {
    paths.push_back(link);
  } else {
    for (const std::string& directory : DirectoriesOf(debug_file.path())) paths.push_back(JoinPath(directory, link));
  }
  for (std::string& path : BuildIdPaths(roots, build_id)) paths.push_back(std::move(path));
  for (const std::string& path : paths) {
    auto candidate = OpenDebugFile(debug_file, path);
    if (candidate != nullptr && candidate->build_id() == build_id) return candidate;
  }
  return nullptr;
}

uint32_t DebugLinkChecksum(std::string_view bytes) {
  static const auto kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320u : 0);
      table[i] = value;
    }
    return table;
  }();
  uint32_t sum = 0xffffffff;
  for (const char byte : bytes) sum = kTable[(sum ^ static_cast<unsigned char>(byte)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

}  // namespace oscope
