// The exit codes of `oscope`. docs/exit-codes.md is the same list, with an explanation of each.
#pragma once

#include "base/result.h"

namespace oscope::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitNo = 1;  // the answer is no: a check found problems, nothing matched
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInvalid = 3;
inline constexpr int kExitNotFound = 4;
inline constexpr int kExitConflict = 5;
inline constexpr int kExitLimit = 6;
inline constexpr int kExitUnsupported = 7;
inline constexpr int kExitCorrupt = 8;
inline constexpr int kExitIo = 9;
inline constexpr int kExitBusy = 10;
// Of the commands that run a program, as in env(1) and timeout(1): what is no exit code of the program's own.
inline constexpr int kExitTimedOut = 124;
inline constexpr int kExitOscopeFailed = 125;
inline constexpr int kExitProgramNotExecutable = 126;
inline constexpr int kExitProgramNotFound = 127;
inline constexpr int kExitCancelled = 130;

// `query` and `shell` tell less, as the shells of databases do: 0, 130, and these.
inline constexpr int kExitOwnError = 1;        // usage, no store, disk, damage
inline constexpr int kExitConnectionLost = 2;  // to a server or a cluster
inline constexpr int kExitQuery = 3;           // the statement is wrong, or over a limit

constexpr int ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid: return kExitInvalid;
    case ErrorCode::kNotFound: return kExitNotFound;
    case ErrorCode::kConflict: return kExitConflict;
    case ErrorCode::kLimit: return kExitLimit;
    case ErrorCode::kUnsupported: return kExitUnsupported;
    case ErrorCode::kCorrupt: return kExitCorrupt;
    case ErrorCode::kIo: return kExitIo;
    case ErrorCode::kBusy: return kExitBusy;
    case ErrorCode::kCancelled: return kExitCancelled;
  }
  return kExitInvalid;
}

}  // namespace oscope::cli
