// What a failing test says about itself: the message, and the place in the source.
//
// All functions are total: a test prints what it likes. Texts are kept as they are; escaping is the display's job.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tracer/harness/junit.h"

namespace oscope {

struct SourcePlace {
  std::string file;
  uint64_t line = 0;
  bool operator==(const SourcePlace&) const = default;
};

// The first "file.cc:12", "file.cc(12)", "file.cc, line 12" or Boost.Test's "- file: …, - line: …" whose extension is
// one of a source file.
std::optional<SourcePlace> FindPlace(std::string_view text);

// The most telling lines of a test's output: a failed assertion, an uncaught exception, a sanitizer's or a framework's
// complaint, else the last line.
// Empty when nothing was printed, or nothing but what a framework says of its own progress ("[ RUN      ]
// Parse.Empty").
std::string FailureMessage(std::string_view output);

// A case's own message: of a report, or put together from its text.
std::string FailureMessage(const JUnitCase& one);
std::optional<SourcePlace> FindPlace(const JUnitCase& one);

// One line of at most `width` bytes for a title: without a place at its beginning, line breaks and runs of blanks as
// one blank.
std::string Headline(std::string_view message, size_t width = 100);

// One line for a list: the first one; where that is a place alone, as GoogleTest has it, with the headline of the rest.
//   "/src/a.cc:12\nExpected equality of these values:\n  f()\n"  ->  "/src/a.cc:12: Expected equality of these values:
//   f()"
std::string MessageLine(std::string_view message);

}  // namespace oscope
