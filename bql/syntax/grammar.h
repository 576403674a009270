// The grammar's entry, for parse.cc alone: the text is within the limits already.
#pragma once

#include <string_view>

#include "bql/syntax/parse.h"

namespace oscope::bql {

void ParseWithGrammar(std::string_view text, const SyntaxLimits& limits, ParsedStatement& parsed);

}  // namespace oscope::bql
