// The libraries in this binary.
#pragma once

#include <string>
#include <vector>

namespace oscope::cli {

struct LibraryVersion {
  std::string name;
  std::string version;
};

std::vector<LibraryVersion> LibraryVersions();  // those in use, as loaded

}  // namespace oscope::cli
