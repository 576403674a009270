// The tests of a project as CTest lists them: `ctest --show-only=json-v1`.
//
// Threads: plain values and pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

struct CTestTest {
  std::string name;                  // unique in its directory only
  std::vector<std::string> command;  // empty: CTest did not find the program
  std::string working_directory;
  std::vector<std::string> environment;               // "NAME=value"
  std::vector<std::string> environment_modification;  // "NAME=operation:value"
  std::optional<double> timeout_s;                    // 0: none
  bool will_fail = false;
  bool alone = false;  // it shares something with other tests (RUN_SERIAL, RESOURCE_LOCK), so nothing may run beside it
  std::vector<std::string> pass_regexes, fail_regexes, skip_regexes;  // CMake's (cmake_regex.h)
  std::optional<int> skip_return_code;
  std::vector<std::string> fixtures_setup, fixtures_cleanup, fixtures_required;
};

// In CTest's order. kInvalid when it is not what CTest prints, kUnsupported for a later major version of it.
Result<std::vector<CTestTest>> ParseCTestTests(std::string_view json);

// Those that CTest would run before and after `test`, because it needs what they set up; in order, with what they need
// themselves.
std::vector<const CTestTest*> SetupsOf(const CTestTest& test, const std::vector<CTestTest>& all);
std::vector<const CTestTest*> CleanupsOf(const CTestTest& test, const std::vector<CTestTest>& all);

}  // namespace oscope
