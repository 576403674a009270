// Finds a program as a shell does, then looks at its first bytes. Both recorders support x86-64 programs only, and
// their own messages for anything else are hard to understand. A script is followed to its interpreter (at most four
// times), since that is the program which will be recorded.
#include "tracer/record/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/file_system.h"

namespace oscope {
namespace {

constexpr int kMaxInterpreters = 4;

Result<std::string> Locate(const std::string& name, const std::string& directory, const std::string& path) {
  if (name.empty()) return NotFound("the command is empty");
  if (name.find('/') != std::string::npos) {
    const std::string place = name.starts_with('/') || directory.empty() ? name : JoinPath(directory, name);
    if (::access(place.c_str(), F_OK) != 0) return NotFound("{}: {}", name, std::strerror(errno));
    return place;
  }
  std::string found;
  for (std::string_view rest = path; !rest.empty();) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string_view place = rest.substr(0, colon);
    const std::string candidate = JoinPath(place.empty() ? "." : place, name);
    struct stat facts{};
    if (::stat(candidate.c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) {
      if (::access(candidate.c_str(), X_OK) == 0) return candidate;
      if (found.empty()) found = candidate;
    }
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  if (!found.empty()) return found;
  return NotFound("{}: command not found", name);
}

std::string Interpreter(std::string_view head) {
  head.remove_prefix(2);
  head = head.substr(0, head.find('\n'));
  const size_t first = head.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  head.remove_prefix(first);
  return std::string(head.substr(0, head.find_first_of(" \t\r")));
}

Status CheckElf(const std::string& shown, std::string_view head) {
  if (head[EI_CLASS] == ELFCLASS32)
    return Unsupported("{}: a 32-bit program; only 64-bit programs can be recorded", shown);
  Elf64_Ehdr header;
  if (head.size() < sizeof header) return Invalid("{}: the file is cut off", shown);
  std::memcpy(&header, head.data(), sizeof header);
  if (header.e_machine != EM_X86_64) {
    return Unsupported(
        "{}: a program for another kind of machine (ELF machine {}); only programs for x86-64 can be recorded", shown,
        header.e_machine);
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return Invalid("{}: an object file or a core, not a program", shown);
  return {};
}

Status CheckProgram(const std::string& shown, const std::string& path, int depth) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) return NotFound("{}: {}", shown, std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) return Invalid("{}: is a directory", shown);
  if (!S_ISREG(facts.st_mode)) return Invalid("{}: not a regular file", shown);
  if (::access(path.c_str(), X_OK) != 0)
    return Invalid("{}: {} (chmod +x makes it executable)", shown, std::strerror(errno));
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open())
    return Invalid("{}: can be executed but not read, so it cannot be recorded: {}", shown, std::strerror(errno));
  std::array<char, 512> bytes{};
  const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<size_t>(std::max<ssize_t>(count, 0)));
  if (head.starts_with(std::string_view(ELFMAG, SELFMAG)) && head.size() > EI_CLASS) return CheckElf(shown, head);
  if (!head.starts_with("#!"))
    return Invalid("{}: neither a program nor a script that names its interpreter (#!)", shown);
  const std::string interpreter = Interpreter(head);
  if (interpreter.empty() || depth == kMaxInterpreters) return Invalid("{}: a script without an interpreter", shown);
  Status status = CheckProgram(interpreter, interpreter, depth + 1);
  if (!status.ok()) return std::move(status).error().Within(shown);
  return {};
}

}  // namespace

Result<std::string> FindExecutable(const std::string& name, const std::string& directory, const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(std::string place, Locate(name, directory, path));
  OSCOPE_RETURN_IF_ERROR(CheckProgram(name, place, 0));
  return place;
}

}  // namespace oscope
