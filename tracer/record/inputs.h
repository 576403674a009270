// The input files of a run, taken before it starts (it may change or remove them), so that it can be repeated.
#pragma once

#include <string>
#include <vector>

#include "tracer/model/run.h"

namespace oscope {

struct InputLimits {
  uint64_t file_bytes = 1 << 20;
  uint64_t all_bytes = 4 << 20;
};

// The regular files that arguments of `command` name (as "FILE" or "--option=FILE"; not the program itself, nor other
// programs), and standard input where that is a regular file. `too_large`: the names of those that were, each once.
// `directory`: what relative names are relative to; empty: ours.
std::vector<RunInput> TakeInputs(const std::vector<std::string>& command, const std::string& directory,
                                 bool standard_input, const InputLimits& limits, std::vector<std::string>& too_large);

}  // namespace oscope
