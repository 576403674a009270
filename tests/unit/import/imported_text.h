// What an importer makes of a small text, printed, so that a table of cases can hold what it should be.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/import/importer.h"

namespace oscope {

struct ImportedText {
  Status status;
  RunCollector collected;
  std::vector<ImportProblem> problems;
};

ImportedText ImportText(std::string_view importer, std::string_view text,
                        const ImportOptions& options = {.project = "P"});

// The runs as PrintRuns shows them, but for their ids, the project P and the recorder, which are the same in every
// case. When the text is refused, its problems instead, a line "NUMBER: MESSAGE" for each; a refusal without problems
// is one of number 0. A text that is refused and sends something all the same, or is taken with problems, fails the
// test.
std::string Told(std::string_view importer, std::string_view text);

struct TextCase {
  std::string name;
  std::string text;
  std::string told;
};

void ExpectTold(std::string_view importer, std::span<const TextCase> cases);

}  // namespace oscope
