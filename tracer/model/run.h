// A run: one execution of a program, with its traces. A trace: the sequence of events of one thread, or a stack.
//
// Identity: the recorder draws a run's 128-bit id at random, so an upload that is repeated is the same run, and two
//           equal failures are two runs. A run that is imported from a text gets a hash of the text and of its ordinal
//           in it. A trace is identified by run, process, thread and kind.
// Errors:   each Parse function returns kInvalid, with what it expected, for any other text.
// Threads:  plain values and pure functions.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "base/result.h"
#include "tracer/model/failure.h"
#include "tracer/model/repeat.h"
#include "tracer/model/symbols.h"

namespace oscope {

struct RunId {
  Hash128 value;
  auto operator<=>(const RunId&) const = default;
};
std::string ToString(RunId id);  // 32 hexadecimal digits
Result<RunId> ParseRunId(std::string_view text);

enum class TraceKind : uint8_t { kExecution, kStack };
std::string_view TraceKindName(TraceKind kind);  // "execution", "stack"
Result<TraceKind> ParseTraceKind(std::string_view name);

enum class Outcome : uint8_t { kPassed, kFailed, kSignal, kTimeout };
std::string_view OutcomeName(Outcome outcome);  // "passed", "failed", "signal", "timeout"
Result<Outcome> ParseOutcome(std::string_view name);
inline bool IsFailing(Outcome outcome) { return outcome != Outcome::kPassed; }

// How the call or the branch of one event ended, in the optional parallel list of a trace.
enum class EventOutcome : uint8_t { kNone, kTaken, kNotTaken, kReturned, kThrew };

// Where the run went wrong. The events after it (reporting, destructors, exit) are kept, but they are not part of what
// led to the failure.
struct FailureMark {
  uint64_t events = 0;  // number of events up to and with the failing one, which therefore has the index events - 1
  std::string reason;   // "abort", "assertion", "throw", "SIGSEGV", "test failure", …
  bool operator==(const FailureMark&) const = default;
};

// All of a trace but its events.
struct TraceHeader {
  uint32_t process = 0;  // ordinal in the run: 0 is the program itself; each fork and each exec gets the next number
  uint32_t thread = 0;   // ordinal in the process: 0 is the main thread
  TraceKind kind = TraceKind::kExecution;
  std::string thread_name;
  uint64_t event_count = 0;
  std::optional<FailureMark> mark;
  bool partial = false;      // events are missing: a chop point, a ring buffer, a recovered file
  std::string partial_note;  // why, for people
  bool has_depths = false;   // which parallel lists are there
  bool has_outcomes = false;
  bool has_values = false;
  bool operator==(const TraceHeader&) const = default;
};

struct Trace {
  TraceHeader header;
  std::vector<SymbolId> events;  // a stack: outermost frame first
  // Parallel to `events` when the header says so, else empty.
  std::vector<uint32_t> depths;
  std::vector<EventOutcome> outcomes;
  std::vector<std::string> values;  // "" where an event has none

  // Sets event_count and the has_ flags from the lists.
  void FinishHeader();
};

// A file or the standard input that the run read, kept so that it can be repeated.
struct RunInput {
  std::string name;  // a path as the program named it; "-" is standard input
  std::string bytes;
  bool operator==(const RunInput&) const = default;
};

struct ThreadRef {
  uint32_t process = 0;
  uint32_t thread = 0;
  auto operator<=>(const ThreadRef&) const = default;
};

// All of a run but its traces.
struct RunHeader {
  RunId id;
  std::string project;
  std::string bug;       // the bug's id in the project; empty: none yet
  std::string test;      // the test's name in its framework
  std::string version;   // of the program: a commit, a release
  std::string language;  // "c++", "c", "java", "python", …; empty: unknown
  std::string recorder;  // "valgrind", "pin", "import:gdb", …
  std::vector<std::string> command;
  std::vector<RunInput> inputs;
  std::optional<int64_t> started_ns;  // since the epoch
  std::optional<uint64_t> duration_ns;
  Outcome outcome = Outcome::kFailed;
  Failure failure;  // how it ended, and what went wrong if it did not pass
  std::optional<ThreadRef> failing_thread;
  bool incomplete = false;  // the recording was cut: the end is missing
  std::map<std::string, std::string> custom;
  Repeat repeat;  // how it was made
  bool operator==(const RunHeader&) const = default;
};

// Removes what may contain secrets: the command, the inputs, and what Repeat::ForgetInputs removes. Returns whether
// there was anything to remove.
bool DropInputs(RunHeader& run);

// Earlier releases kept parts of a failure in the custom fields of a failing run; this moves them to `failure`. Every
// reader of stored runs must call it.
void TakeFailureFromCustom(RunHeader& run);

struct Run {
  RunHeader header;
  std::vector<Trace> traces;
};

// "<run>/<process>.<thread>/<kind>"
struct TraceId {
  RunId run;
  uint32_t process = 0;
  uint32_t thread = 0;
  TraceKind kind = TraceKind::kExecution;
  auto operator<=>(const TraceId&) const = default;
};
std::string ToString(const TraceId& id);
Result<TraceId> ParseTraceId(std::string_view text);

// The id of the `ordinal`th run found in an imported text.
RunId ImportedRunId(std::string_view file_bytes, uint64_t ordinal);

// Checks identity, sizes and references. Every recorder, importer and reader calls this before it passes a run on. The
// error (kInvalid or kLimit) names the field.
Status Validate(const RunHeader& run);
Status Validate(const TraceHeader& trace);

}  // namespace oscope
