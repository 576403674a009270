// Whether a program is installed that a test needs: without it the test is skipped, with the reason.
//
//   if (const std::string missing = Missing({"dwz"}); !missing.empty()) GTEST_SKIP() << missing;
#pragma once

#include <string>
#include <vector>

#include "base/subprocess.h"

namespace oscope {

// What is missing, in words; empty when all are there.
inline std::string Missing(const std::vector<std::string>& programs) {
  for (const std::string& program : programs) {
    SubprocessOptions options;
    options.argv = {"sh", "-c", "command -v \"$1\"", "sh", program};
    const Result<SubprocessOutput> found = RunSubprocess(options);
    if (!found.ok() || !found->ok()) return program + " is not installed (scripts/setup --with test installs it)";
  }
  return {};
}

}  // namespace oscope
