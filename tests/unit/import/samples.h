// The samples of tests/golden/import/<importer>/*.txt.
#pragma once

#include <string>
#include <vector>

namespace oscope {

struct Sample {
  std::string importer;
  std::string path;
  std::string bytes;
};

std::string ReadFileOrDie(const std::string& path);

// All of them, ordered by path.
const std::vector<Sample>& Samples();

}  // namespace oscope
