// Where a command writes bytes: a file that appears whole or not at all, standard output, or a device or pipe such as
// /dev/null.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_system.h"

namespace oscope::cli {

class OutputFile {
 public:
  // Empty or "-" is standard output; a device or a pipe is opened as it is; else a temporary file beside `path`.
  // kInvalid for a directory.
  static Result<OutputFile> Create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept
      : file_(std::move(other.file_)), path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}
  ~OutputFile();  // removes what was not committed

  WritableFile& file() { return *file_; }
  // Makes it durable under its name, in place of a file that is there.
  Status Commit();

 private:
  OutputFile() = default;

  std::unique_ptr<WritableFile> file_;
  std::string path_, temporary_;  // empty: standard output, a device or a pipe
};

// Before there is anything to write: whether `path`, which the option named, can be written to. kInvalid where
// something else than a file is there.
Status CheckOutput(std::string_view option, const std::string& path);

// A name beside `path` that nobody else uses.
std::string TemporaryName(const std::string& path);

}  // namespace oscope::cli
