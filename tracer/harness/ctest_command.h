// CTest as a user calls it, and where it leaves what happened.
//
// The user's words are run as they are; only `--output-junit FILE` is added, when they hold none and CTest knows it
// (3.21).
// Threads: plain values and pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tracer/harness/junit.h"

namespace oscope {

class CTestCommand {
 public:
  // kInvalid when it is another program, or CTest asked for something else than to run tests (a script, a dashboard,
  // its help).
  static Result<CTestCommand> Parse(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }
  // The file that the user asks for with --output-junit; CTest takes a relative one from its build directory.
  const std::optional<std::string>& own_report() const { return own_report_; }
  std::optional<double> timeout_s() const { return timeout_s_; }  // --timeout: for tests without one of their own

  std::vector<std::string> Version() const;                           // prints CTest's version
  std::vector<std::string> Reporting(const std::string& file) const;  // the words, with a report
  std::vector<std::string> Listing() const;                           // prints the same tests for ParseCTestTests
  std::vector<std::string> DryRun() const;                            // prints the build directory

 private:
  explicit CTestCommand(std::vector<std::string> words) : words_(std::move(words)) {}
  std::vector<std::string> WithoutFiles() const;

  std::vector<std::string> words_;
  std::optional<std::string> own_report_;
  std::optional<double> timeout_s_;
};

// Whether the CTest that printed this version writes JUnit reports.
bool WritesReports(std::string_view version_text);

// The build directory, from what DryRun() prints.
std::optional<std::string> BuildDirectory(std::string_view dry_run);

// The names in Testing/Temporary/LastTestsFailed.log: "7:name" a line.
std::vector<std::string> ParseLastTestsFailed(std::string_view text);

// CTest's own report also lists tests that did not run. One that said itself that it skips is not among the failed.
bool FailedForCTest(const JUnitCase& one);

}  // namespace oscope
