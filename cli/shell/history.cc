// A file with one entry on each line, to which every shell appends. Nothing is read back while a shell runs, so several
// shells may be open; only when the file has grown to twice the limit is it rewritten.
#include "cli/shell/history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/descriptor.h"
#include "cli/context/resolve.h"
#include "cli/output/output_file.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kMaxFileBytes = 64 << 20;

std::string Written(std::string_view entry) {
  std::string line;
  for (const char c : entry) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\\') {
      line += "\\\\";
    } else {
      line += c;
    }
  }
  return line + "\n";
}

std::string Read(std::string_view line) {
  std::string entry;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      entry += line[i];
    } else {
      ++i;
      entry += line[i] == 'n' ? '\n' : line[i];
    }
  }
  return entry;
}

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return IoError(errno, "write", path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace

std::string HistoryPath() {
  if (std::string path = Variable("OSCOPE_HISTORY"); !path.empty()) return path;
  if (const std::string state = Variable("XDG_STATE_HOME"); !state.empty()) return state + "/oscope/history";
  const std::string home = Variable("HOME");
  return home.empty() ? "" : home + "/.local/state/oscope/history";
}

Result<History> History::Open(std::string path) {
  History history(std::move(path));
  if (history.path_.empty()) return history;
  const Result<std::string> text = ReadInput(history.path_, kMaxFileBytes, {});
  if (!text.ok()) {
    if (text.error().code == ErrorCode::kNotFound) return history;
    return text.error();
  }
  std::string_view rest = *text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) history.entries_.push_back(Read(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // Rewritten seldom: two shells that do so at once could lose an entry of each other.
  if (history.entries_.size() > 2 * kMaxEntries) OSCOPE_RETURN_IF_ERROR(history.DropOldest());
  return history;
}

Status History::Add(std::string_view entry) {
  if (entry.empty() || (!entries_.empty() && entries_.back() == entry)) return {};
  entries_.emplace_back(entry);
  if (path_.empty()) return {};
  std::error_code ignored;  // open() tells
  const std::filesystem::path directory = std::filesystem::path(path_).parent_path();
  if (!directory.empty() && std::filesystem::create_directories(directory, ignored)) {
    std::filesystem::permissions(directory, std::filesystem::perms::owner_all, ignored);
  }
  const Descriptor file(open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  if (!file.is_open()) return IoError(errno, "open", path_);
  return WriteAll(file.get(), Written(entry), path_);
}

Status History::DropOldest() {
  entries_.erase(entries_.begin(), entries_.end() - static_cast<ptrdiff_t>(kMaxEntries));
  OSCOPE_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path_));
  std::string text;
  for (const std::string& entry : entries_) text += Written(entry);
  OSCOPE_RETURN_IF_ERROR(file.file().Append(text));
  OSCOPE_RETURN_IF_ERROR(file.Commit());
  return chmod(path_.c_str(), 0600) == 0 ? Status() : IoError(errno, "change the mode of", path_);
}

}  // namespace oscope::cli
