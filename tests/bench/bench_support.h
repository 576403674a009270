// What the benchmarks share: results that must be there, a directory for their stores, medians of the thread's own
// time.
#pragma once

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace oscope {

template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) std::fprintf(stderr, "bench: %s\n", result.error().message.c_str());
  return std::move(result).value();
}
inline void Must(Status status) {
  if (!status.ok()) std::fprintf(stderr, "bench: %s\n", status.error().message.c_str());
  OSCOPE_CHECK(status.ok());
}

// A directory under $TMPDIR that is removed at the end.
class Workspace {
 public:
  Workspace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "oscope-bench-XXXXXX").string();
    OSCOPE_CHECK(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Workspace() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};
inline Workspace& Work() {
  static Workspace workspace;
  return workspace;
}

// The thread's time, so that other work on the machine counts little.
inline double ThreadMilliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

inline double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

inline uint64_t FromEnvironment(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::max<uint64_t>(1, std::strtoull(text, nullptr, 10));
}

}  // namespace oscope
