// Writes a run's input files. The names come from a stranger's recording, so a name must lie below the current
// directory after all links have been followed. All files are checked before the first is written.
#include "cli/repeat/restore_inputs.h"

#include <sys/stat.h>

#include <filesystem>

#include "base/file_system.h"
#include "base/limits.h"
#include "cli/output/output_file.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0644;

// Whether the name means a file below the current directory, links on the way included.
bool LiesBelow(const std::string& name) {
  const fs::path path(name);
  if (name.empty() || path.is_absolute() || name.find('\0') != std::string::npos) return false;
  std::error_code error;
  const fs::path here = fs::canonical(".", error);
  if (error) return false;
  const fs::path there = fs::weakly_canonical(here / path, error);
  if (error) return false;
  // A link that leads nowhere is still there by its own name, and what it names would be written.
  if (fs::is_symlink(fs::symlink_status(there, error))) return false;
  const fs::path relative = there.lexically_relative(here);
  return !relative.empty() && relative != "." && *relative.begin() != "..";
}

bool HasBytes(const std::string& name, const std::string& bytes) {
  struct stat facts{};
  // The name comes from a stranger and may be that of a pipe; reading it would wait for ever.
  if (::stat(name.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  const Result<std::string> found = ReadWholeFile(PosixFileSystem(), name, limits::kMaxTextBytes);
  return found.ok() && *found == bytes;
}

bool IsThere(const std::string& name) {
  struct stat facts{};
  return ::lstat(name.c_str(), &facts) == 0;
}

Status Write(const RunInput& input) {
  std::error_code error;
  const fs::path parent = fs::path(input.name).parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) return IoError(error.value(), "make directory", parent.string());
  OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(input.name, kMode));
  OSCOPE_RETURN_IF_ERROR(output.file().Append(input.bytes));
  return output.Commit();
}

}  // namespace

Result<std::vector<std::string>> RestoreInputs(const RunHeader& run, bool force) {
  std::vector<const RunInput*> wanted;
  for (const RunInput& input : run.inputs) {
    if (input.name == "-" || HasBytes(input.name, input.bytes)) continue;
    if (!LiesBelow(input.name)) {
      return Invalid("input '{}': lies outside of this directory and has other contents; --input prints its bytes",
                     Shown(input.name));
    }
    if (IsThere(input.name) && !force) {
      return Invalid("input '{}': exists with other contents; --force replaces it", Shown(input.name));
    }
    wanted.push_back(&input);
  }
  std::vector<std::string> written;
  for (const RunInput* input : wanted) {
    OSCOPE_RETURN_IF_ERROR(Write(*input));
    written.push_back(input->name);
  }
  return written;
}

}  // namespace oscope::cli
