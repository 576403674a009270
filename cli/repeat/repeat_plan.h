// How a run is repeated: the lines that a user types, and what he has to know before.
//
//   cd /src/parser/build/tests
//   oscope show run 3fa9… --restore --store /src/parser/.oscope
//   GTEST_FILTER=Parser.Empty ./parser_test bad.txt < /dev/null
//
// Nothing is run here, and no file is read but by `build_id_of`. A repetition is of what is checked out and built where the lines are typed:
// what differs there from what the run was made of is told.
// Threads: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/repeat/working_tree.h"
#include "tracer/model/run.h"

namespace oscope::cli {

struct RepeatPlan {
  std::vector<std::string> commands;  // lines for a POSIX shell; empty: it cannot be repeated
  std::vector<std::string> missing;   // sentences: what was not kept, is not known, or differs here
};

// The build id that the program or library at a path has now, as hexadecimal digits; empty: it has none; nullopt: there
// is no such file.
using BuildIdOf = std::function<std::optional<std::string>(const std::string& path)>;

// `store`: the path of the store that has the run, for the lines that take its inputs from there. `here`: the
// repository that the lines are typed in, if any.
RepeatPlan PlanRepeat(const RunHeader& run, const std::string& store, const std::optional<WorkingTree>& here,
                      const BuildIdOf& build_id_of);

// The plan as a script: what is missing as comments, then the commands.
std::string ScriptOf(const RepeatPlan& plan);

}  // namespace oscope::cli
