// A failure: how a run ended, and what went wrong in it if it did not pass.
//
// Whether a run failed is said by its outcome; a failure says how. A passing run has the exit code of its program and
// may have a message, but no kind, place or fingerprint. What a recorder, an importer or a test framework does not know
// keeps its default.
// Stored:    in the run's record or row, beside its other fields: docs/formats/osct.md, jsonl.md and store.md.
// Threads:   plain values.
// Example:   a null pointer read in net::Socket::read is {kSignal, 11, none, "SIGSEGV", {"src/socket.cc", 41,
//            "net::Socket::read"}, "6a1f0c…"}.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

// The order is that of the stored numbers: new kinds come last.
enum class FailureKind : uint8_t {
  kUnknown,      // not known, or the run passed
  kSignal,       // a fatal signal other than those that abort() and std::terminate() raise
  kAbort,        // abort(), or the C library gave up: a smashed stack, a corrupted heap
  kAssertion,    // assert() of C and C++
  kException,    // thrown, and caught by a test framework, by `main` or by a virtual machine: AssertionErrors too
  kTerminate,    // std::terminate(): most often an uncaught exception
  kTestFailure,  // a check of a test framework
  kExit,         // only the exit code tells that it failed
  kTimeout,
  kSanitizer,  // a sanitizer's report that is no signal: heap-use-after-free, data race, …
};
inline constexpr int kFailureKinds = 10;

std::string_view FailureKindName(
    FailureKind kind);  // "unknown", "signal", "abort", …, "uncaught exception", "time-out"
Result<FailureKind> ParseFailureKind(std::string_view name);

// Returns the kind that the reason of a failure mark implies (run.h): "SIGSEGV" is a signal, "throw" an exception.
// kUnknown for a reason that an importer made up.
FailureKind KindOfReason(std::string_view reason);

// Where the failure happened: the innermost frame of the program itself. Each member may be unknown.
struct FailurePlace {
  std::string file;
  uint32_t line = 0;     // 0: unknown
  std::string function;  // a normalised method (event.h)
  bool has_line() const { return line != 0 || !file.empty(); }
  bool empty() const { return !has_line() && function.empty(); }
  bool operator==(const FailurePlace&) const = default;
};

struct Failure {
  FailureKind kind = FailureKind::kUnknown;
  std::optional<int32_t> signal;     // that ended the program, or the process of it that failed
  std::optional<int32_t> exit_code;  // of the program; of a passing run too
  std::string message;               // as the program or the framework printed it
  FailurePlace place;
  std::string fingerprint;  // the same for the same failure: fingerprint.h; empty: none was made
  bool operator==(const Failure&) const = default;

  // Whether there is anything that only a failing run may have.
  bool tells_what_went_wrong() const { return kind != FailureKind::kUnknown || !place.empty() || !fingerprint.empty(); }
  // Clears everything but how the program ended, which a passing run has too.
  void ForgetWhatWentWrong();
};

// Before there was this type, recorders put the fingerprint and the place ("src/a.cc:12") of a failing run into its
// custom fields `fingerprint` and `where`; so they still stand in old files and stores.
using CustomFields = std::map<std::string, std::string>;
// Moves each of the two from `custom` to `failure`, unless `failure` already has it. A `where` that is not of the form
// "file:line" stays in `custom`.
void TakeFromCustom(CustomFields& custom, Failure& failure);
// Returns `custom` as those releases would have written it.
CustomFields WithFailureFields(CustomFields custom, const Failure& failure);

// "SIGSEGV"; "signal 64" where it has no name.
std::string SignalName(int number);

}  // namespace oscope
