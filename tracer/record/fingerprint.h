// A failure's fingerprint: equal for two runs of a test that failed in the same way, whatever the addresses, values and
// lines were.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace oscope {

// `frames`: the innermost methods of the stack, or the last ones before the failure, innermost first; the first three
// count. `exit_code` is that of the run; it counts where the reason is `exit`, which has no other message. 16
// hexadecimal digits.
std::string FailureFingerprint(std::string_view reason, std::string_view message, std::span<const std::string> frames,
                               std::optional<int> exit_code = std::nullopt);

// What a failure by `exit` says of itself beside its code, without what varies; empty where it has no other message
// than "exit code 3".
std::string StableExitMessage(std::string_view message);

// The message without what varies: numbers, quoted texts, the directories and lines of places. Its first two lines.
//   "src/a.cc:12: Expected equality of these values:\n  f(3)\n"  ->  "a.cc: Expected equality of these values: f(#)"
std::string StableMessage(std::string_view message);

}  // namespace oscope
