// A log for people who want to find out what happened: quiet unless OSCOPE_LOG says otherwise.
//
//   OSCOPE_LOG=warning   what went wrong and could be mended
//   OSCOPE_LOG=info      also what was done: a store opened, a commit, a compaction, a recorder's command line
//   OSCOPE_LOG=debug     also how: commits that other writers were faster than, the phases of a query
//
// Entries go to standard error, one line each, with the time (UTC) and the level:
//   2026-11-18T20:15:03.123Z info store ./.oscope: opened, version 12, 3 segments
// Whatever a store, a file or a user put into an entry is made visible (EscapeForTerminal), so that an entry stays one
// line and cannot drive a terminal. The variable is read once, when the first entry is made. An entry that nobody wants
// costs a comparison; still, none is made in an inner loop.
// Threads: may be called from any thread.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string_view>

namespace oscope {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning };

bool LogsAt(LogLevel level);

// Writes an entry if its level is logged.
void WriteLogEntry(LogLevel level, std::string_view text);

template <typename... Args>
void LogDebug(fmt::format_string<Args...> format, Args&&... args) {
  if (LogsAt(LogLevel::kDebug))
    WriteLogEntry(LogLevel::kDebug, fmt::vformat(fmt::string_view(format), fmt::make_format_args(args...)));
}
template <typename... Args>
void LogInfo(fmt::format_string<Args...> format, Args&&... args) {
  if (LogsAt(LogLevel::kInfo))
    WriteLogEntry(LogLevel::kInfo, fmt::vformat(fmt::string_view(format), fmt::make_format_args(args...)));
}
template <typename... Args>
void LogWarning(fmt::format_string<Args...> format, Args&&... args) {
  if (LogsAt(LogLevel::kWarning))
    WriteLogEntry(LogLevel::kWarning, fmt::vformat(fmt::string_view(format), fmt::make_format_args(args...)));
}

}  // namespace oscope
