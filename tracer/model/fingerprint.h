// A failure's fingerprint: equal for two runs that failed in the same way, whatever the addresses, values and lines
// were, and equal for all who see one crash: gdb, a sanitizer, our recorders.
//
// Made of the kind, what the kind needs beside it, and the three innermost frames of the project (project_frames.h).
// Of a signal that is its name; of an abort(), a failed assert() and an exception that nobody caught it is nothing,
// since a debugger sees only the stack; of all others the message without what varies, and of an exit the code.
// The alternative, to have a fingerprint for each recorder and to compare them by rules, was not taken: equality is
// what a store can look up.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tracer/model/failure.h"
#include "tracer/model/run.h"

namespace oscope {

inline constexpr size_t kFingerprintFrames = 3;

// `frames`: the innermost methods of the stack, or the last ones before the failure, innermost first. The place and the
// fingerprint that `failure` has do not count. 16 hexadecimal digits.
std::string FailureFingerprint(const Failure& failure, std::span<const std::string> frames);

// With the project's frames of a stack.
std::string FailureFingerprint(const Failure& failure, const Trace& trace, const SymbolTable& symbols);

// What a failure by `exit` says of itself beside its code, without what varies; empty where it has no other message
// than "exit code 3".
std::string StableExitMessage(std::string_view message);

// The message without what varies: numbers, quoted texts, the directories and lines of places. Its first two lines.
//   "src/a.cc:12: Expected equality of these values:\n  f(3)\n"  ->  "a.cc: Expected equality of these values: f(#)"
std::string StableMessage(std::string_view message);

}  // namespace oscope
