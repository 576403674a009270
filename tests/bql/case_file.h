// A .test file: directives, and what each must give.
//
//   # a comment
//   load datasets/tiny              a fresh store with these (folders or .jsonl files, each file a commit); none: an
//                                   empty one
//   param len 50                    :len from here on; without a value it is not given any more
//   set rows 3                      rows, memory (bytes), time (ms): limits; project: where an id is in several
//   query [pairs] [all]             a SELECT or CALL up to the line ----; then its warnings, notes and rows, one a line
//   error                           … ; then its diagnostics "line:column: message", or "code: message"
//   explain                         … ; then the text that the optimising engine gives
//   statement                       … ; then the text of CREATE QUERY and DROP QUERY, the list of SHOW QUERIES
// A row is its asked columns between " | ", NULL for none; `all` takes every column under a line of their names,
// `pairs` adds the traces that gave the distance. What is expected ends at a blank line, a comment or the next
// directive. {*} in it is any text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

struct CaseBlock {
  size_t line = 0;                 // of the directive, from 1
  std::vector<std::string> words;  // the directive's
  std::string statement;
  std::vector<std::string> expected;
  size_t expected_begin = 0;  // lines [expected_begin, expected_end) of the file, from 0
  size_t expected_end = 0;

  const std::string& directive() const { return words[0]; }
  bool HasWord(std::string_view word) const;
};

struct CaseFile {
  std::vector<std::string> lines;
  std::vector<CaseBlock> blocks;
};

Result<CaseFile> ParseCaseFile(std::string_view text);

// The file with other expectations, one list for each block; a block without a statement keeps what it has.
std::string WithExpectations(const CaseFile& file, const std::vector<std::vector<std::string>>& expected);

// Whether a line is what is expected, {*} being any text.
bool MatchesExpected(std::string_view expected, std::string_view line);

}  // namespace oscope
