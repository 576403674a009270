// Where the runs of failed tests go: into the store, where similar bugs are asked for, into files, or nowhere.
//
// Threads: one at a time.
#pragma once

#include <optional>
#include <string>

#include "cli/context/context.h"
#include "cli/testing/test_result.h"
#include "query/run/session_opening.h"
#include "tracer/record/recorded_run.h"

namespace oscope::cli {

struct KeepOptions {
  std::string directory;  // for files (.osct); empty: the store
  bool nothing = false;   // with no directory: neither
  bool reopen = false;    // a resolved bug that had the same failure is reopened
  std::string query;      // asked about each run that is stored, as AnswerFailingRun says
  bool no_query = false;
};

class RunKeeper {
 public:
  // Makes the directory, or opens the store and checks the query. Before the tests run: they may take an hour.
  Status Prepare(const Context& context, KeepOptions options);
  // When there is something to ask about: the session opens while the failed tests run again.
  void StartAsking(const Context& context);
  // Keeps a run, and sets in `result` where, and the similar bugs. Fails with kCancelled when the user stops it.
  Status Keep(const Context& context, RecordedRun& run, TestResult& result);
  // After the last one.
  void Finish(const Context& context);

 private:
  Status WriteToFile(const RecordedRun& run, TestResult& result) const;
  Status Ask(const Context& context, const RunHeader& run, TestResult& result);

  KeepOptions options_;
  std::optional<Store> store_;
  std::optional<SessionOpening> opening_;
};

// The name of the file that a run is written to: the test's name, as far as it is harmless, and the run's id.
std::string FileNameOf(const RunHeader& run);

}  // namespace oscope::cli
