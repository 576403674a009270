#include "quill/config/source.h"

#include <fstream>
#include <sstream>

namespace quill::config {

void MemorySource::Add(const std::string& path, std::string text) {
  texts_[path] = std::move(text);
}

std::optional<std::string> MemorySource::Read(const std::string& path) const {
  const auto found = texts_.find(path);
  if (found == texts_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> FileSource::Read(const std::string& path) const {
  std::ifstream file(root_ + "/" + path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace quill::config
