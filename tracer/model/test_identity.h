// What ran, as a text: a test's name in its framework, or what distinguishes one command from another.
//
// The text is used where a command line must not appear unasked: in bugs, their titles, reports and exports.
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
