// Where the texts of settings come from.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace quill::config {

class Source {
 public:
  virtual ~Source() = default;
  // The text at a path, or nothing.
  virtual std::optional<std::string> Read(const std::string& path) const = 0;
};

// Texts held in memory, under paths such as "conf/base.conf".
class MemorySource : public Source {
 public:
  void Add(const std::string& path, std::string text);
  std::optional<std::string> Read(const std::string& path) const override;

 private:
  std::map<std::string, std::string> texts_;
};

// Files below a directory.
class FileSource : public Source {
 public:
  explicit FileSource(std::string root) : root_(std::move(root)) {}
  std::optional<std::string> Read(const std::string& path) const override;

 private:
  std::string root_;
};

}  // namespace quill::config
