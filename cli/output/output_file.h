// Where a command writes bytes: a file that appears whole or not at all, standard output, or something that no file can
// take the place of, such as /dev/null, a pipe or /dev/fd/5.
//
// A link stays, and what it leads to is written, there already or not. A file that is replaced keeps its mode; a new
// one has 0600. A file that may not be written is not replaced, though its directory may allow it.
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
  // Empty or "-" is standard output; a descriptor of ours, a device or a pipe is written to as it is, and a pipe may
  // have to wait for its reader; else it is a temporary file beside the one that `path` leads to, which gets `mode` if
  // there is none yet. kInvalid for a directory, kIo for what may not be written.
  static Result<OutputFile> Create(const std::string& path, std::optional<mode_t> mode = {});
  OutputFile(OutputFile&& other) noexcept
      : file_(std::move(other.file_)),
        path_(std::move(other.path_)),
        temporary_(std::exchange(other.temporary_, {})),
        mode_(other.mode_),
        to_terminal_(other.to_terminal_) {}
  ~OutputFile();  // removes what was not committed

  WritableFile& file() { return *file_; }
  // Whether what is written is shown to somebody rather than kept.
  bool to_terminal() const { return to_terminal_; }
  // Makes it durable under its name, in place of a file that is there.
  Status Commit();

 private:
  OutputFile() = default;

  std::unique_ptr<WritableFile> file_;
  std::string path_, temporary_;  // empty: not a file of ours
  std::optional<mode_t> mode_;    // of the file that it replaces
  bool to_terminal_ = false;
};

// Before there is anything to write: whether `path`, which the option named, can be written to. kInvalid for a
// directory.
Status CheckOutput(std::string_view option, const std::string& path);

// Removes the file that `path` leads to, if there is one, so that it is not taken for what is yet to be written. Links,
// devices and pipes stay. Returns its mode, for OutputFile::Create.
Result<std::optional<mode_t>> RemoveOlderOutput(const std::string& path);

// A name beside `path` that nobody else uses.
std::string TemporaryName(const std::string& path);

}  // namespace oscope::cli
