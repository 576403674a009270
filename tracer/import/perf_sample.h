// The lines of `perf script`: a sample's header, and the frames of its call chain.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tracer/import/import_batch.h"

namespace oscope {

// "spin 32685/32687 [001] 2780.835523:    5025125 cpu-clock:u:      559490c6617a leaf+0x11 (/tmp/spin)". Which fields
// there are depends on
// perf's -F; a thread's number must be one of them.
struct PerfHeader {
  std::string_view command;  // may hold spaces; empty: not there
  uint64_t pid = 0;          // 0: not there
  uint64_t tid = 0;
  bool has_time = false;
  std::string_view place;  // "559490c6617a leaf+0x11 (/tmp/spin)" where there is no call chain; else empty
};
std::optional<PerfHeader> ParsePerfHeader(std::string_view line);

// "559490c6617a leaf+0x11 (/tmp/spin)", after white space. Nothing when the line is no frame.
struct PerfFrame {
  std::string_view symbol;  // with its offset; empty: unknown
  std::string_view object;  // empty: unknown, or an inlined function
  bool in_kernel = false;
};
std::optional<PerfFrame> ParsePerfFrame(std::string_view line);

}  // namespace oscope
