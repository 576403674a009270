// What a statement gave, as lines of text: in full to compare engines, or as a .test file expects it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/run/session.h"

namespace oscope {

struct AnswerTextOptions {
  bool all_columns = false;
  bool pairs = false;
};

std::vector<std::string> AnswerText(std::string_view statement, const StatementResult& result,
                                    const AnswerTextOptions& options);

// Everything that must be the same whichever engine gave it.
std::vector<std::string> FullAnswerText(std::string_view statement, const StatementResult& result);

}  // namespace oscope
