// What of a run is recorded: the options of `oscope trace` and the [trace] table of oscope.toml, and the text that a
// recorder reads.
//
// Threads: plain values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tracer/model/granularity.h"

namespace oscope {

// A chop point: where recording starts, stops, or changes its granularity.
//   start parser::parse      stop @ file.c:120      statement within parser::parse
struct ChopPoint {
  enum class Kind : uint8_t { kStart, kStop, kWithin };
  Kind kind = Kind::kStart;
  Granularity granularity = Granularity::kMethod;  // of kWithin
  bool is_line = false;
  std::string place;  // a glob of method names, or FILE:LINE
  bool operator==(const ChopPoint&) const = default;
};
Result<ChopPoint> ParseChopPoint(std::string_view text);

// One decision of a list in which the last that fits decides.
struct KeepRule {
  enum class What : uint8_t { kObject, kName };
  bool keep = false;  // else leave out
  What what = What::kName;
  std::string glob;
  bool operator==(const KeepRule&) const = default;
};

inline constexpr uint64_t kDefaultEventLimit = 8'000'000;  // 64 MB a process
inline constexpr uint32_t kDefaultProcessLimit = 256;

struct TraceSettings {
  Granularity granularity = Granularity::kMethod;
  std::vector<KeepRule> rules;  // after the default list, unless `all`
  bool all = false;             // without the default list: frameworks, standard library, loader
  std::vector<ChopPoint> chops;
  std::vector<std::string> values;            // globs of functions whose arguments and results are recorded
  uint64_t event_limit = kDefaultEventLimit;  // of a process: the newest are kept
  uint32_t process_limit = kDefaultProcessLimit;
  bool main_thread_only = false;
  bool operands = false;  // instruction events with their operands
  uint32_t string_limit = 4096;
  uint64_t stdin_limit = 0;
};

// kInvalid for a granularity that no recorder has (class, package), a limit of nothing, a glob with a tab or a line
// break.
Status Validate(const TraceSettings& settings);

// The settings file of tracer/raw/raw_format.h.
std::string RenderSettings(const TraceSettings& settings);

}  // namespace oscope
