// SourceText: the text of source lines, as the events of statements name them.
//
// A file is read once, at the first question for it. A file that was written after the object is no longer what was
// compiled: it has no lines here.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace oscope {

class SourceText {
 public:
  // The line (from 1) of `file`, trimmed, with every run of white space as one space, cut after kMaxBytes. Nothing when
  // the file is not there, too large, or newer than `object_modified_ns` (ObjectFile::modified_ns), and when the line
  // is not there or blank.
  std::optional<std::string> Line(const std::string& file, uint32_t line, int64_t object_modified_ns);

  static constexpr size_t kMaxBytes = 1024;

 private:
  struct File {
    int64_t modified_ns = 0;
    std::string bytes;
    std::vector<size_t> starts;  // of the lines; empty: the file cannot be read
  };
  const File& Read(const std::string& file);

  std::unordered_map<std::string, File> files_;
};

}  // namespace oscope
