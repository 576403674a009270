// What is known of how a run was made, beside its command and its inputs: enough to repeat it, or to say why that
// cannot be done.
//
// Nothing here is needed to read or to compare traces, and every member may be missing: importers know none of it, and
// runs of earlier releases have none. The environment is never kept; of the variables that a test runner set the names
// alone are.
// Stored:    docs/formats/osct.md, jsonl.md and store.md.
// Threads:   plain values.
// Example:   a test that CTest runs in build/tests of a repository without changes is {"build/tests", "4f0c…", "",
//            {"ctest", "GoogleTest", "Parser.Empty"}, {0}, {{"build/tests/parser_test", "9d1e…", {"GNU C++20 …"}}},
//            {}}.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

// Which part of a test program ran, where its command line alone does not say so.
struct TestSelection {
  std::string runner;     // where the test comes from: "ctest", "junit"; empty: from neither
  std::string framework;  // "GoogleTest", "Boost.Test"; empty: the whole program ran
  std::string filter;     // as the framework was given it: "Suite.Case", "suite/case"
  bool empty() const { return runner.empty() && framework.empty() && filter.empty(); }
  bool operator==(const TestSelection&) const = default;
};

// What the test would have had to do in order to pass, as far as its runner knows.
struct Expectation {
  std::optional<int32_t> exit_code;
  bool fails = false;                         // any failing exit code (CTest's WILL_FAIL)
  std::vector<std::string> output;            // regular expressions, of which one must match
  std::vector<std::string> forbidden_output;  // regular expressions, of which none may match
  bool empty() const { return !exit_code && !fails && output.empty() && forbidden_output.empty(); }
  bool operator==(const Expectation&) const = default;
};

// A program or library of which something was recorded.
struct BuiltObject {
  std::string path;                    // as the process had it
  std::string build_id;                // hexadecimal; empty: it has none
  std::vector<std::string> compilers;  // with their flags, as debug information has them (DW_AT_producer)
  bool operator==(const BuiltObject&) const = default;
};

// Something that a repetition needs and that was not kept.
struct NotKept {
  std::string kind;  // one of those below; others are kept as they are
  std::string name;
  bool operator==(const NotKept&) const = default;
};
inline constexpr std::string_view kInputNotKept = "input";        // a file that was too large; "-": standard input
inline constexpr std::string_view kInputsNotKept = "inputs";      // any of them: the user asked for none
inline constexpr std::string_view kVariableNotKept = "variable";  // of the environment, that the test's runner set
inline constexpr std::string_view kFixtureNotKept = "fixture";    // a test that the runner runs before this one

// The value of Repeat::changes where there were some, and a digest of them could not be made.
inline constexpr std::string_view kUnknownChanges = "unknown";

struct Repeat {
  std::string directory;  // in which it ran, relative to the root of the repository; ".": that root; empty: unknown
  std::string revision;   // the commit that was checked out; empty: unknown
  std::string changes;    // SHA-256 of what was not committed, or kUnknownChanges; empty: there were none
  TestSelection selection;
  Expectation expected;
  std::vector<BuiltObject> builds;  // in the order of their first events
  std::vector<NotKept> not_kept;
  bool empty() const {
    return directory.empty() && revision.empty() && changes.empty() && selection.empty() && expected.empty() &&
           builds.empty() && not_kept.empty();
  }
  bool operator==(const Repeat&) const = default;

  // Leaves what is said of the program (revision, changes, paths and build ids of what was built), which is no more
  // than a run's version and its symbols say. All else follows the rules of a run's command and inputs.
  void ForgetInputs();
  // Whether ForgetInputs would change anything.
  bool has_inputs() const;
};

// kInvalid or kLimit names the field. A directory is relative; changes are 64 hexadecimal digits or kUnknownChanges,
// and belong to a revision.
Status Validate(const Repeat& repeat);

}  // namespace oscope
