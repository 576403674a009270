// Random traces for the tests of tails and postings, as plain lists of names.
#pragma once

#include <random>

#include "index/tails/tail_builder.h"

namespace oscope {

struct PlainTrace {
  RunId run;
  std::string project = "demo", bug;
  uint32_t process = 0, thread = 0;
  TraceKind kind = TraceKind::kExecution;
  Outcome outcome = Outcome::kFailed;
  std::optional<ThreadRef> failing_thread;
  std::optional<uint64_t> mark;
  std::vector<std::string> events;

  // The events up to the failure, at most `length` of them.
  std::vector<std::string> Last(size_t length) const;
};

// Runs of one to three traces, with events of every granularity out of `names` names.
std::vector<PlainTrace> RandomTraces(std::mt19937_64& random, size_t runs, size_t max_events, size_t names);

// The table's bytes. Events come in chunks of random sizes, names in a random order.
TailBytes BuildTails(const std::vector<PlainTrace>& traces, std::mt19937_64& random);

}  // namespace oscope
