// What ran, as a text: a test's name in its framework, or what tells one command from another.
//
// The text goes where a command line must not go without being asked for: into bugs, their titles, reports, exports.
// So it holds the program's name and a digest of its arguments; the command itself stays in the run.
// Threads: pure functions.
#pragma once

#include <string>

#include "tracer/model/run.h"

namespace oscope {

// The test; without one the program's name, with 8 hexadecimal digits for its arguments if it had any; empty when the
// run has no command either.
//   {"./build/parser_test", "bad.txt"}  ->  "parser_test 5e0f6c1a"
std::string TestOf(const RunHeader& run);

// The test, or the program's name alone: for titles.
std::string TestForPeople(const RunHeader& run);

// What TestOf was before: the test, or the command line. Stores have bugs and remembered queries under it.
std::string FormerTestOf(const RunHeader& run);

}  // namespace oscope
