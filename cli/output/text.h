// How stored text, times and names are shown to people.
// Threads: pure functions; none of them fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope::cli {

std::string Shown(std::string_view text);  // on one line, with everything escaped that could control a terminal
std::string ShownBlock(std::string_view text, std::string_view indent);  // line by line, each escaped, each ended
std::string ShownTime(const std::optional<int64_t>& ns);  // "2026-01-31 12:00:00"; empty when there is none
std::string ShownDuration(uint64_t ns);                   // "1.2 s"
std::string OneLine(std::string_view text);               // up to the first line break

// The first 12 digits: what tables show and every command accepts.
std::string ShortId(RunId id);

// "1 run", "3 runs", "1,234 runs".
std::string Counted(uint64_t count, std::string_view singular, std::string_view plural = {});

// Returns " (did you mean 'x'?)", or an empty text when no candidate is similar.
std::string Nearest(std::string_view name, const std::vector<std::string>& candidates);

// Appends the line "label:   value" with both escaped, unless the value is empty.
void AddField(std::string& text, std::string_view label, std::string_view value);

int64_t NowNs();

// The escape sequences of colours; all of them are empty when colours are off.
struct Palette {
  explicit Palette(bool on);
  std::string_view reset, bold, dim, red, green, yellow, blue, magenta, cyan;
};

}  // namespace oscope::cli
