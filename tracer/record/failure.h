// FailureFinder: finds where a process went wrong, from the records of its failure functions, exceptions, signals and
// exit.
//
// That is not where the process ended: what comes after the failure (a framework's report, destructors, exit handlers)
// is not what the bug did. The point is
//   - the first of: a failed assertion, a test framework's failure, abort, std::terminate, a fatal signal;
//   - where an exception brought that about (it was not caught, or the test framework caught it), the throw;
//   - else the exit with a failing code, or, where `main` itself caught an exception and then failed, the throw.
// A caught exception counts as the cause of a failure that follows at once. A thread that has entered more than
// kReportEntries functions since the catch went on with its work, and failed for another reason.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracer/model/failure.h"
#include "tracer/raw/process_recording.h"
#include "tracer/record/default_rules.h"
#include "tracer/record/site_names.h"

namespace oscope {

struct FailurePoint {
  uint32_t thread = 0;
  uint64_t events = 0;  // of the thread, before it
  bool strong = false;  // false: an exit with a failing code, or what `main` caught before one
  FailureKind kind = FailureKind::kUnknown;
  std::optional<int32_t> signal;  // that ended the process, of the kind kSignal
  std::string reason;             // of FailureMark
  std::string message;
  std::vector<uint32_t> stack;  // code sites, innermost first
};

// How many functions the thread may have entered between the catch of an exception and the failure that it is the cause
// of: a report takes some.
inline constexpr uint64_t kReportEntries = 64;

// What a shell adds to a signal's number, for a code.
inline constexpr int kSignalCode = 128;

class FailureFinder {
 public:
  explicit FailureFinder(SiteNames& names) : names_(names) {}

  // What a thread had recorded before a record of it.
  struct Position {
    uint64_t events = 0;
    uint64_t entries = 0;  // of those the entries of functions
  };
  // An extended record of `thread`.
  void OnRecord(uint32_t thread, Position position, raw::ExtendedRecord& record);

  // The point of the failure; nullopt when no record shows one.
  const std::optional<FailurePoint>& failure() const { return strong_ ? strong_ : weak_; }

  // How the process ended, as a shell reports it: its exit code, or 128 plus the signal's number. nullopt when no
  // record says so: it was killed with SIGKILL, executed another program, or the recording stopped.
  std::optional<int> end_code() const { return end_code_; }

 private:
  struct Exception {
    uint64_t events = 0;
    std::string type, what;
    std::vector<uint32_t> stack;
  };
  struct ThreadState {
    std::optional<Exception> flying;    // thrown, and not caught by the program
    std::optional<Exception> caught;    // the last one that was: may be thrown on
    std::optional<uint64_t> caught_at;  // how many entries there were at the last catch, if it was not thrown on since
    bool caught_by_main = false;
    bool stack_is_anothers = false;  // the last throw was a framework's own
  };

  void OnMark(uint32_t thread, Position position, raw::ExtendedRecord& record);
  void OnCatch(ThreadState& state, Position position, raw::ExtendedRecord& record);
  void OnStack(uint32_t thread, raw::ExtendedRecord& record);
  void Fail(FailurePoint point);
  void FailByException(FailurePoint point, const Exception& exception);

  SiteNames& names_;
  std::map<uint32_t, ThreadState> threads_;
  std::optional<FailurePoint> strong_, weak_;
  std::optional<int> end_code_;
  // The point that a stack which follows belongs to.
  enum class StackOf : uint8_t { kNothing, kStrong, kWeak } stack_of_ = StackOf::kNothing;
};

}  // namespace oscope
