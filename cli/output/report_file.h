// --report FILE: the object of --json, in a file. A traced command has both standard streams to itself, so that a
// script that reads ours would have to tell them apart.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/output/json_output.h"

namespace oscope::cli {

class Options;

class ReportFile {
 public:
  void Register(Options& options);
  // Before anything runs: whether it can be written. An older report is removed, lest it be taken for this one's; the
  // new one has its mode.
  Status Prepare();
  // Whole or not at all. Does nothing when no report was asked for.
  Status Write(const Json& report) const;

 private:
  std::string path_;
  std::optional<mode_t> mode_;  // of the older report
};

}  // namespace oscope::cli
