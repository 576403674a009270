// A failure's fingerprint: equal for two runs of a test that failed in the same way, whatever the addresses, values and lines were.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace oscope {

// `frames`: the innermost methods of the stack, or the last ones before the failure, innermost first; the first three count.
// 16 hexadecimal digits.
std::string FailureFingerprint(std::string_view reason, std::string_view message, std::span<const std::string> frames);

// The message without what varies: numbers, quoted texts, the directories and lines of places. Its first two lines.
//   "src/a.cc:12: Expected equality of these values:\n  f(3)\n"  ->  "a.cc: Expected equality of these values: f(#)"
std::string StableMessage(std::string_view message);

}  // namespace oscope
