// RecordedRun: a raw recording as a run: its traces named, its failure marked.
//
// Memory: bounded by the symbols and one chunk; the recording itself stays mapped and is read twice, once to count and
// to find the failure, once a thread to send the events.
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
  // Reads a recording that has ended. `settings` are those it was made with. `header` says what is known beforehand
  // (id, project, bug, test, version, command, inputs, how it is made); the outcome, the failure, times, the failing
  // thread, `incomplete` and what was built come from the recording.
  static Result<RecordedRun> Read(const Recording& recording, const TraceSettings& settings, RunHeader header);
  RecordedRun(RecordedRun&&) noexcept;
  RecordedRun& operator=(RecordedRun&&) noexcept;
  ~RecordedRun();

  const RunHeader& header() const;
  void SetBug(const std::string& id);  // decided after reading, by the fingerprint
  void SetOutcome(Outcome outcome);    // a test harness knows better than an exit code; passed: the marks go
  void SetMessage(const std::string& text);
  void SetTitle(
      const std::string& text);  // of a bug that is made for it, as the custom field `title`; a passing run has none
  const std::vector<TraceHeader>& traces() const;
  uint64_t events() const;
  const std::vector<std::string>& notes() const;  // for people: what was left out or lost
  void AddNote(std::string note);

  // That of the failure, made of the frames of its stack or, without one, of the last methods before the mark; empty
  // for a passing run.
  const std::string& fingerprint() const;

  // May be called more than once.
  Status Send(RunSink& sink) const;

 private:
  struct State;
  explicit RecordedRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace oscope
