// The names that `--mode json` and `jsonlines` print; docs/shell.md lists them.
#pragma once

#include "cli/output/json_output.h"
#include "query/semantics/answer.h"

namespace oscope::cli {

// {"bugs": ["Ini-1"], "distance": 3, "pair": {"ours": …, "theirs": …}, "values": {"b": "Ini-1", …}}
Json RowAsJson(const Answer& answer, const AnswerRow& row);
Json StatsAsJson(const QueryStats& stats);

// ASCII only, so that nothing in it can drive a terminal; invalid UTF-8 becomes U+FFFD. `indent` -1: one line.
std::string Dumped(const Json& json, int indent);

}  // namespace oscope::cli
