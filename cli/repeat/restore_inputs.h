// The input files of a run, written back where the run named them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "tracer/model/run.h"

namespace oscope::cli {

// Writes each file that is not there, below the current directory. One that is there with the same bytes stays as it
// is; one with other bytes is replaced with `force` alone. A run may come from a stranger: a name that is absolute or
// leads out of the directory is never written, and an error unless the file is there with the same bytes. Standard input
// is left out. All names are looked at before anything is written.
// Returns the names that were written. kInvalid names a file that is in the way, kIo what cannot be written.
Result<std::vector<std::string>> RestoreInputs(const RunHeader& run, bool force);

}  // namespace oscope::cli
