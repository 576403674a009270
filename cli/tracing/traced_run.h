// What `trace`, `test` and `same` share: run a command under the recorder, read what was recorded, keep it, say what is
// similar.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/context/context.h"
#include "cli/tracing/trace_options.h"
#include "tracer/record/recorded_run.h"

namespace oscope::cli {

struct TracedRunRequest {
  LaunchRequest launch;  // with the settings
  std::string project;
  std::string bug;  // the id; empty: none
  std::string test;
  std::string version;  // empty: `git describe` of the working directory, if there is one
  bool keep_inputs = true;
  Repeat repeat;  // what a test runner knows: the selection, what was expected, and what it set up
};

// Runs the command under the recorder and reads the recording. The command line is masked (secrets.h), inputs are taken
// as asked, and what git says of the directory, or else of ours, is told by the run (Repeat).
Result<RecordedRun> TraceCommand(const TracedRunRequest& request, const Recorder& recorder, ProgramEnd* end);

// Commits the run, with the bug that the rule gives it (empty: the one that it names), which the run has afterwards.
// Says what was decided of it.
Result<RunDecision> StoreRun(Store& store, RecordedRun& run, const BugRule& rule);

// Writes it as an .osct file, under a temporary name first.
Status WriteRun(const std::string& path, const RecordedRun& run);

}  // namespace oscope::cli
