#include "cli/bugs/author.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace oscope::cli {

std::string AuthorOr(const std::string& given) {
  if (!given.empty()) return given;
  if (const char* by = std::getenv("OSCOPE_BY"); by != nullptr && *by != '\0') return by;
  std::vector<char> buffer(1 << 14);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
  return found->pw_name;
}

}  // namespace oscope::cli
