// The samples of tests/golden/import/<importer>/*.txt.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace oscope {

struct Sample {
  std::string importer;
  std::string path;
  std::string bytes;
};

// Else the name of a test would show where its text lies in memory.
inline void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.path; }

std::string ReadFileOrDie(const std::string& path);

// All of them, ordered by path.
const std::vector<Sample>& Samples();

}  // namespace oscope
