// What the parsers of one statement share: its text, the errors so far, and the way out of each. For the grammar alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bql/syntax/parse.h"
#include "bql/syntax/scan.h"

namespace oscope::bql::grammar {

// Where sense may begin again after an error.
enum class Resume : uint8_t {
  kParenthesis,  // the ) that closes where we are; without one as kOperand
  kOperand,      // && || ) or a clause
  kClause,       // a clause
  kTail,         // a clause further on
};

// Thrown when SyntaxLimits::errors errors have been reported.
struct TooManyErrors {};

class ParseState {
 public:
  ParseState(std::string_view text, const SyntaxLimits& limits, ParsedStatement& parsed)
      : text_(text), limits_(limits), parsed_(parsed) {}

  std::string_view text() const { return text_; }
  size_t OffsetOf(const char* at) const { return static_cast<size_t>(at - text_.data()); }
  const char* At(size_t offset) const { return text_.data() + offset; }
  TextSpan SpanOf(const char* begin, const char* end) const;

  // Each error once.
  void Report(TextSpan span, std::string message);
  // Reports "expected what" at the token that is there instead, unless an error was just recovered from at this place.
  void ReportExpected(const char* where, const std::string& what);
  // Where to go on after an error at `where`, in something that began at `start`.
  const char* SkipTo(const char* where, const char* start, Resume resume);

 private:
  size_t EndOfTextBefore(size_t at) const;
  size_t FindResume(size_t from, Resume resume) const;

  std::string_view text_;
  const SyntaxLimits& limits_;
  ParsedStatement& parsed_;
  size_t recovered_ = kUnclosed;
};

}  // namespace oscope::bql::grammar
