// The command lines of Valgrind and Pin with our tools, and where the tools are found.
//
// Our tools lie beside this program in a build tree and in ../lib/oscope after an installation; both places are tried,
// relative to the program's own path, so that an installation can be moved. A recorder reports its own problems to a
// log file in the recording's directory rather than to standard error, which belongs to the program.
#include "tracer/record/recorder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/file_system.h"

namespace oscope {
namespace {

constexpr uint64_t kMaxLogBytes = 1 << 20;

// In $OSCOPE_TOOLS, beside the program in the build tree, or where `make install` puts it.
std::optional<std::string> FindBeside(const std::string& name) {
  std::error_code error;
  if (const char* tools = std::getenv("OSCOPE_TOOLS"); tools != nullptr && *tools != '\0') {
    const std::string path = JoinPath(tools, name);
    return std::filesystem::exists(path, error) ? std::optional(path) : std::nullopt;
  }
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  for (const char* place : {"", "../lib/oscope"}) {
    const std::filesystem::path path = self.parent_path() / place / name;
    if (std::filesystem::exists(path, error)) return std::filesystem::weakly_canonical(path, error).string();
  }
  return std::nullopt;
}

std::optional<std::string> FindInPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string candidate = JoinPath(rest.substr(0, colon), program);
    std::error_code error;
    // A directory may be "executed", too.
    if (std::filesystem::is_regular_file(candidate, error) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return std::nullopt;
}

// The logs of all processes, which are short: the tool itself prints only what is wrong.
std::string ReadLogs(const std::string& directory) {
  std::string text;
  const Result<std::vector<std::string>> names = PosixFileSystem().List(directory);
  if (!names.ok()) return text;
  for (const std::string& name : *names) {
    if (!name.starts_with("log.")) continue;
    const Result<std::string> log = ReadWholeFile(PosixFileSystem(), JoinPath(directory, name), kMaxLogBytes);
    if (log.ok()) text += *log;
  }
  return text;
}

class ValgrindRecorder : public Recorder {
 public:
  ValgrindRecorder(std::string valgrind, std::string tool) : valgrind_(std::move(valgrind)), tool_(std::move(tool)) {}

  std::string_view name() const override { return "valgrind"; }

  std::vector<std::string> CommandLine(const std::string& directory,
                                       const std::vector<std::string>& command) const override {
    std::vector<std::string> line = {valgrind_,
                                     "-q",
                                     "--tool=oscope",
                                     "--trace-children=yes",
                                     "--vgdb=no",
                                     "--command-line-only=yes",
                                     "--log-file=" + directory + "/log.%p",
                                     "--recording=" + directory};
    line.insert(line.end(), command.begin(), command.end());
    return line;
  }

  std::vector<std::string> Environment() const override { return {"VALGRIND_LIB=" + tool_}; }

  std::string Complaint(const std::string& directory) const override {
    const std::string log = ReadLogs(directory);
    if (const size_t at = log.find("oscope:"); at != std::string::npos) return log.substr(at, log.find('\n', at) - at);
    return {};
  }

 private:
  std::string valgrind_;
  std::string tool_;
};

class PinRecorder : public Recorder {
 public:
  PinRecorder(std::string pin, std::string tool) : pin_(std::move(pin)), tool_(std::move(tool)) {}

  std::string_view name() const override { return "pin"; }

  std::vector<std::string> CommandLine(const std::string& directory,
                                       const std::vector<std::string>& command) const override {
    std::vector<std::string> line = {pin_,         "-follow_execv", "-logfile", directory + "/log.pin",
                                     "-t",         tool_,           "-logfile", directory + "/log.pintool",
                                     "-recording", directory,       "--"};
    line.insert(line.end(), command.begin(), command.end());
    return line;
  }

  std::vector<std::string> Environment() const override { return {}; }

  std::string Complaint(const std::string& directory) const override {
    const std::string log = ReadLogs(directory);
    const size_t at = log.find("oscope:");
    return at == std::string::npos ? std::string() : log.substr(at, log.find('\n', at) - at);
  }

 private:
  std::string pin_;
  std::string tool_;
};

std::optional<std::string> FindPin() {
  if (const char* root = std::getenv("PIN_ROOT"); root != nullptr && *root != '\0') {
    std::string pin = JoinPath(root, "pin");
    if (::access(pin.c_str(), X_OK) == 0) return pin;
  }
  return FindInPath("pin");
}

Result<std::unique_ptr<Recorder>> MakePin() {
  const std::optional<std::string> pin = FindPin();
  if (!pin)
    return NotFound(
        "Intel Pin: neither $PIN_ROOT/pin nor `pin` in PATH; it can be downloaded from Intel (tracer/pin/README.md)");
  const std::optional<std::string> tool = FindBeside("pin/oscope_pin.so");
  if (!tool)
    return NotFound("Intel Pin: our tool pin/oscope_pin.so is not beside this program; build with PIN_ROOT set");
  return std::unique_ptr<Recorder>(std::make_unique<PinRecorder>(*pin, *tool));
}

Result<std::unique_ptr<Recorder>> MakeValgrind() {
  // Debian's `valgrind` is a script that sets variables (LD_LIBRARY_PATH among them) which the program would see.
  std::optional<std::string> valgrind = FindInPath("valgrind.bin");
  if (!valgrind) valgrind = FindInPath("valgrind");
  if (!valgrind) return NotFound("valgrind: not in PATH; install it (Debian: apt-get install valgrind)");
  const std::optional<std::string> tool = FindBeside("valgrind/oscope-amd64-linux");
  if (!tool)
    return NotFound(
        "valgrind: our tool valgrind/oscope-amd64-linux is not beside this program; it is built only with Valgrind's "
        "headers are");
  return std::unique_ptr<Recorder>(std::make_unique<ValgrindRecorder>(*valgrind, DirName(*tool)));
}

}  // namespace

Result<std::unique_ptr<Recorder>> FindRecorder(std::string_view name) {
  if (name == "pin") return MakePin();
  if (name == "valgrind") return MakeValgrind();
  if (!name.empty()) return Invalid("recorder '{}': there are valgrind and pin", name);
  if (Result<std::unique_ptr<Recorder>> pin = MakePin(); pin.ok()) return pin;
  return MakeValgrind();
}

}  // namespace oscope
