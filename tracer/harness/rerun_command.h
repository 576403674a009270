// The command that runs one test again, as a user writes it: --rerun 'pytest {file}::{name}'.
//
// Split into words as a POSIX shell does ('…', "…" and \ quote), and run without one: a variable, a glob or a | is an
// ordinary character. Placeholders are put in after the splitting, so that a name with blanks or quotes stays one
// argument and cannot become another command.
//   {name}  {classname}  {suite}  {file}  {line}  {{ is {  }} is }
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tracer/harness/junit.h"

namespace oscope {

// kInvalid for a quote that does not end.
Result<std::vector<std::string>> SplitWords(std::string_view text);

class RerunCommand {
 public:
  // kInvalid for no word at all, an unknown placeholder, or none: the same command for every test could not tell them
  // apart.
  static Result<RerunCommand> Parse(std::string_view text);
  std::vector<std::string> For(const JUnitCase& one) const;
  // The first placeholder for which the report has nothing, as "file"; empty when there is none.
  std::string Missing(const JUnitCase& one) const;

 private:
  explicit RerunCommand(std::vector<std::string> words) : words_(std::move(words)) {}
  std::vector<std::string> words_;
};

}  // namespace oscope
