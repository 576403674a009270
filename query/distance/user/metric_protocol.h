// The line protocol between a query and a metric that runs in a process of its own. docs/user-metrics.md is its
// reference.
//
// To the metric:     oscope-metric 1            the protocol's version; answered by the same line
//                    argument TEXT              what follows the name in u(name, …)
//                    event ID TEXT              the name of an event, before the first pair that has it; ids count up
//                                               from 0
//                    pair N M ID…               two sequences, N ids and M ids; answered by one line, the distance as a
//                                               decimal number
// From the metric:   the lines above, or        error TEXT
// In TEXT a backslash is \\, a newline \n, a carriage return \r, a NUL \0.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "query/distance/levenshtein.h"

namespace oscope {

inline constexpr std::string_view kMetricGreeting = "oscope-metric 1";
inline constexpr std::string_view kMetricError = "error ";
inline constexpr size_t kMaxMetricAnswer = 4096;  // bytes of a line

void AppendMetricText(std::string_view text, std::string& line);
std::string ReadMetricText(std::string_view escaped);

void AppendPair(Sequence a, Sequence b, std::string& lines);

// 0 to 2^63 - 1, decimal digits alone.
Result<uint64_t> ParseMetricAnswer(std::string_view line);

}  // namespace oscope
