// A recording's directory: every process of a run, with the sites that its events name.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "tracer/raw/process_recording.h"
#include "tracer/raw/site_table.h"

namespace oscope::raw {

struct RecordedProcess {
  uint32_t ordinal = 0;
  ProcessRecording events;
  SiteTable sites;
};

struct RecordingDirectory {
  std::vector<RecordedProcess> processes;  // by ordinal; those without a file are left out
  uint32_t started = 0;                    // processes that the program had, recorded or not
  uint32_t limit = 0;
  // recorded ones that have not ended, and are left out: what they have done changes while it is read
  uint32_t running = 0;

  static Result<RecordingDirectory> Read(const std::string& path);
  // Makes the control file of a new recording.
  static Status Prepare(const std::string& path, uint32_t process_limit);
  // The system's ids of the processes that began so far; for ending them.
  static std::vector<uint32_t> ProcessIds(const std::string& path);
  // Those of them that have not ended. The control file has room for a limited number; of further ones nothing is
  // known.
  static std::vector<uint32_t> RunningProcesses(const std::string& path);
};

}  // namespace oscope::raw
