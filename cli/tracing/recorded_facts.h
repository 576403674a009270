// What a recorded run says about its failure and its events, for reports.
//
// Threads: pure functions.
#pragma once

#include <optional>
#include <string>

#include "tracer/harness/failure_message.h"
#include "tracer/record/recorded_run.h"

namespace oscope::cli {

// That of the failure mark: "SIGSEGV", "assertion", "exit"; empty without one.
std::string FailureReason(const RecordedRun& run);

// The source line of the failure, if the program has line information.
std::optional<SourcePlace> PlaceOf(const Failure& failure);

// The run's message. Where that is the bare reason, with the innermost function that was recorded on the stack and its
// place, as far as they are known: "SIGSEGV in stock::Shelf::Take (stock.cc:11)". For people: the fingerprint is made
// without it, lest a bug become another when lines move.
std::string FailureInWords(const RecordedRun& run);

// Whether a statement is among what was recorded.
bool HasStatements(const RecordedRun& run);

}  // namespace oscope::cli
