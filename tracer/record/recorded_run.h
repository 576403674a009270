// RecordedRun: turns a raw recording into a run. Its events get names, and its failure is found and marked.
//
// Memory:  limited by the symbols and one chunk of events. The recording stays mapped; it is read once to count events
//          and to find the failure, and then once for each thread to send the events.
// Threads: one at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tracer/model/run_sink.h"
#include "tracer/record/launch.h"

namespace oscope {

class RecordedRun {
 public:
  // Reads a recording that has ended and was made with `settings`. The caller fills in what it knows in `header`: id,
  // project, bug, test, version, command, inputs, and how the run was made. The outcome, the failure, the times, the
  // failing thread, `incomplete` and what was built are filled in from the recording. The directory of `recording` must
  // exist for as long as the result is used. Fails with kCorrupt when the recording is damaged, with kUnsupported when
  // a recorder of another version made it, and with kIo when it cannot be read.
  static Result<RecordedRun> Read(const Recording& recording, const TraceSettings& settings, RunHeader header);
  RecordedRun(RecordedRun&&) noexcept;
  RecordedRun& operator=(RecordedRun&&) noexcept;
  ~RecordedRun();

  const RunHeader& header() const;
  // Sets the run's bug, which can be decided only after its fingerprint is known.
  void SetBug(const std::string& id);
  // Replaces the outcome, for a test harness that knows more than the exit code tells. A run that is set to passed
  // loses its failure marks; a passing run that is set to failed gets them.
  void SetOutcome(Outcome outcome);
  void SetMessage(const std::string& text);
  // Sets the title of a bug that is made for this run, as the custom field `title`. Does nothing for a passing run.
  void SetTitle(const std::string& text);
  const std::vector<TraceHeader>& traces() const;
  uint64_t events() const;
  const std::vector<std::string>& notes() const;  // sentences for people: what was left out or lost
  void AddNote(std::string note);

  // The fingerprint of the failure, made of the frames of its stack or, without a stack, of the last methods before the
  // mark. Empty for a passing run.
  const std::string& fingerprint() const;

  // Sends the run to `sink`, with all of its events. Returns the sink's error. May be called more than once.
  Status Send(RunSink& sink) const;

 private:
  struct State;
  explicit RecordedRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace oscope
