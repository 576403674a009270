// Reads the files that the command line names, before the program starts. An argument may be anything, so opening it
// must have no effect: O_NONBLOCK does not wait at a named pipe, O_NOCTTY does not take over a terminal, and standard
// input is read with pread, which leaves the program's position in it alone.
#include "tracer/record/inputs.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/descriptor.h"
#include "base/file_system.h"

namespace oscope {
namespace {

// All of a regular file; nothing when it is another kind of file, or cannot be read.
std::optional<std::string> ReadRegular(int file, uint64_t limit, bool& too_large) {
  struct stat facts{};
  if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  if (static_cast<uint64_t>(facts.st_size) > limit) {
    too_large = true;
    return std::nullopt;
  }
  std::string bytes(static_cast<size_t>(facts.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    // pread: the program's own position in its standard input must not move.
    const ssize_t count = ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

class Taker {
 public:
  Taker(const InputLimits& limits, std::vector<std::string>& too_large) : limits_(limits), too_large_(too_large) {}

  void Take(const std::string& name, int file) {
    bool too_large = false;
    const uint64_t left = limits_.all_bytes - taken_;
    std::optional<std::string> bytes = ReadRegular(file, std::min(limits_.file_bytes, left), too_large);
    if (too_large && std::ranges::find(too_large_, name) == too_large_.end()) too_large_.push_back(name);
    if (!bytes || bytes->starts_with(std::string_view(ELFMAG, SELFMAG))) return;
    for (const RunInput& input : inputs_) {
      if (input.name == name) return;
    }
    taken_ += bytes->size();
    inputs_.push_back({name, *std::move(bytes)});
  }

  std::vector<RunInput> inputs() && { return std::move(inputs_); }

 private:
  const InputLimits& limits_;
  std::vector<std::string>& too_large_;
  std::vector<RunInput> inputs_;
  uint64_t taken_ = 0;
};

std::string FileNameIn(const std::string& argument) {
  if (!argument.starts_with("-")) return argument;
  const size_t equals = argument.find('=');
  return equals == std::string::npos ? std::string() : argument.substr(equals + 1);
}

}  // namespace

std::vector<RunInput> TakeInputs(const std::vector<std::string>& command, const std::string& directory,
                                 bool standard_input, const InputLimits& limits, std::vector<std::string>& too_large) {
  Taker taker(limits, too_large);
  for (size_t i = 1; i < command.size(); ++i) {
    const std::string name = FileNameIn(command[i]);
    if (name.empty()) continue;
    const std::string path = name.starts_with('/') || directory.empty() ? name : JoinPath(directory, name);
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.is_open()) taker.Take(name, file.get());
  }
  if (standard_input) taker.Take("-", STDIN_FILENO);
  return std::move(taker).inputs();
}

}  // namespace oscope
