// Bugs and runs as stable text, so that golden files read like documentation.
#pragma once

#include <string>

#include "tracer/model/run_sink.h"

namespace oscope {

std::string PrintRuns(const RunCollector& collected);

}  // namespace oscope
