#include "tests/unit/import/samples.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/result.h"

namespace oscope {

std::string ReadFileOrDie(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  OSCOPE_CHECK(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::vector<Sample>& Samples() {
  static const std::vector<Sample> samples = [] {
    std::vector<Sample> found;
    const std::filesystem::path root = std::string(OSCOPE_SOURCE_DIR) + "/tests/golden/import";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".txt") continue;
      found.push_back({entry.path().parent_path().filename(), entry.path(), ReadFileOrDie(entry.path())});
    }
    std::sort(found.begin(), found.end(), [](const Sample& a, const Sample& b) { return a.path < b.path; });
    return found;
  }();
  return samples;
}

}  // namespace oscope
