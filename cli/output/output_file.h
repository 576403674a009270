// Where a command writes bytes: a file that appears whole or not at all, standard output, or something that a file
// cannot replace, such as /dev/null, a pipe or /dev/fd/5.
//
// Links are followed: the link stays, and the file that it leads to is written, whether or not it exists. A file that
// is replaced keeps its mode; a new one has 0600. A file without write permission is not replaced, even if its
// directory would allow that.
// Threads: one at a time.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_system.h"

namespace oscope::cli {

class OutputFile {
 public:
  // Opens what `path` names. An empty path or "-" is standard output. A descriptor of ours, a device or a pipe is
  // opened directly, and a pipe waits for its reader. For anything else a temporary file is made beside the file;
  // Commit renames it, and gives it `mode` if there was no file before. Fails with kInvalid for a directory, and with
  // kIo when writing is not allowed.
  static Result<OutputFile> Create(const std::string& path, std::optional<mode_t> mode = {});
  OutputFile(OutputFile&& other) noexcept
      : file_(std::move(other.file_)),
        path_(std::move(other.path_)),
        temporary_(std::exchange(other.temporary_, {})),
        mode_(other.mode_),
        to_terminal_(other.to_terminal_) {}
  ~OutputFile();  // removes the temporary file if Commit was not called

  WritableFile& file() { return *file_; }
  // Whether the bytes go to a terminal.
  bool to_terminal() const { return to_terminal_; }
  // Makes the file durable under its name and replaces an older one. Fails with kIo, and then the older file stays.
  Status Commit();

 private:
  OutputFile() = default;

  std::unique_ptr<WritableFile> file_;
  std::string path_, temporary_;  // empty: not a file of ours
  std::optional<mode_t> mode_;    // of the file that it replaces
  bool to_terminal_ = false;
};

// Checks, before there is anything to write, whether the `path` of an option can be written to. Fails as Create does;
// the message names the option.
Status CheckOutput(std::string_view option, const std::string& path);

// Removes the file that `path` leads to, if there is one, so that it cannot be mistaken for the file that will be
// written. Links, devices and pipes stay. Returns the mode of the file, for OutputFile::Create.
Result<std::optional<mode_t>> RemoveOlderOutput(const std::string& path);

// Returns a random name beside `path`.
std::string TemporaryName(const std::string& path);

}  // namespace oscope::cli
