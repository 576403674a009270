// Runs for the exporters: nested calls, two threads, a stack, an execution without depths, odd names.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "tracer/model/run_sink.h"

namespace oscope {

inline Trace MakeTrace(SymbolTable& symbols, uint32_t thread,
                       const std::vector<std::pair<std::string_view, uint32_t>>& calls) {
  Trace trace;
  trace.header.thread = thread;
  for (const auto& [name, depth] : calls) {
    trace.events.push_back(symbols.Intern(name));
    trace.depths.push_back(depth);
  }
  trace.FinishHeader();
  return trace;
}

inline Run NestedRun(SymbolTable& symbols) {
  Run run;
  run.header.id.value = {0x0123456789abcdef, 1};
  run.header.project = "Tiny";
  run.header.bug = "1";
  run.traces.push_back(MakeTrace(symbols, 0, {{"main", 0}, {"parse", 1}, {"read", 2}, {"read", 2}, {"check", 1}}));
  run.traces.push_back(MakeTrace(symbols, 1, {{"worker", 0}, {"poll", 1}, {"worker", 0}}));
  run.traces.back().header.thread_name = "pool \"1\"";
  return run;
}

inline Run StackRun(SymbolTable& symbols) {
  Run run;
  run.header.id.value = {2, 2};
  run.header.project = "Tiny";
  run.traces.push_back(MakeTrace(symbols, 0, {{"main", 0}, {"parse", 0}, {"a;b\n\xff", 0}}));
  run.traces[0].depths.clear();
  run.traces[0].header.kind = TraceKind::kStack;
  run.traces[0].FinishHeader();
  return run;
}

inline Run FlatRun(SymbolTable& symbols) {
  Run run;
  run.header.id.value = {3, 3};
  run.header.project = "Tiny";
  run.traces.push_back(MakeTrace(symbols, 0, {{"open", 0}, {"read", 0}, {"close", 0}}));
  run.traces[0].depths.clear();
  run.traces[0].FinishHeader();
  return run;
}

}  // namespace oscope
