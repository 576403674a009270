// Reads source files once and remembers where their lines begin. Runs of white space become one space, so that
// indenting code differently does not change its events.
#include "tracer/symbols/source_text.h"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "base/file_system.h"
#include "base/utf8.h"

namespace oscope {
namespace {

constexpr uint64_t kMaxFileBytes = 64 << 20;

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void CutTo(std::string& text, size_t max_bytes) {
  if (text.size() <= max_bytes) return;
  text.resize(Utf8Cut(text, max_bytes));
  while (text.ends_with(' ')) text.pop_back();
}

std::string Folded(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (!IsSpace(c)) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
    if (text.size() > SourceText::kMaxBytes + 4) break;
  }
  while (text.ends_with(' ')) text.pop_back();
  CutTo(text, SourceText::kMaxBytes);
  return text;
}

}  // namespace

std::optional<std::string> SourceText::Line(const std::string& file, uint32_t line, int64_t object_modified_ns) {
  const File& read = Read(file);
  if (line == 0 || line > read.starts.size() || read.modified_ns > object_modified_ns) return std::nullopt;
  const size_t begin = read.starts[line - 1];
  const size_t end = std::min(read.bytes.find('\n', begin), read.bytes.size());
  std::string text = Folded(std::string_view(read.bytes).substr(begin, end - begin));
  if (text.empty()) return std::nullopt;
  return text;
}

const SourceText::File& SourceText::Read(const std::string& file) {
  const auto [entry, is_new] = files_.try_emplace(file);
  File& read = entry->second;
  if (!is_new) return read;
  struct stat status{};
  if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return read;
  auto bytes = ReadWholeFile(PosixFileSystem(), file, kMaxFileBytes);
  if (!bytes.ok()) return read;
  read.modified_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  read.bytes = std::move(bytes).value();
  for (size_t at = 0; at < read.bytes.size();) {
    read.starts.push_back(at);
    const size_t end = read.bytes.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return read;
}

}  // namespace oscope
