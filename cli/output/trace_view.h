// A stored trace as lines of text: numbered, indented by call depth, coloured by granularity, with the failure marked.
//
// Example:
//      1  main
//      2    net::Socket::read
//   ──── failure: abort ────
//      3    std::terminate
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "index/store/store.h"
#include "tracer/model/granularity.h"

namespace oscope::cli {

struct TraceWindow {
  uint64_t first = 0;  // number of the first event shown, from 0
  uint64_t count = UINT64_MAX;
};

struct TraceViewOptions {
  TraceWindow window;
  std::optional<Granularity> coarsen;  // neighbours that become equal are shown once, with their number
  bool color = false;
  std::function<bool()> stop;  // asked between lines: nobody reads on
};

// Reads the trace in pieces and gives each line, ended, to `print`: no trace need fit in memory.
Status ShowTrace(const Snapshot& snapshot, const TraceId& id, const TraceHeader& header,
                 const TraceViewOptions& options, const std::function<void(std::string_view)>& print);

}  // namespace oscope::cli
