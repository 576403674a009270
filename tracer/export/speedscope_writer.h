// Runs as a speedscope file (https://www.speedscope.app/file-format-schema.json): one evented profile a trace.
//
// `at` is the event's ordinal and the unit "none", since a trace has no clock. `at` never falls, and O and C nest.
// Threads: one.
#pragma once

#include <unordered_map>

#include "tracer/export/buffered_output.h"
#include "tracer/export/call_sink.h"

namespace oscope {

class SpeedscopeWriter : public CallSink {
 public:
  explicit SpeedscopeWriter(WritableFile& file) : output_(file) {}

  // Writes the frames and the end. Call it once, after the last run.
  Status Finish();

 protected:
  Status BeginThread(const TraceHeader& trace) override;
  Status Enter(SymbolId symbol, uint64_t at) override;
  Status Leave(SymbolId symbol, uint64_t at) override;
  Status EndThread(uint64_t at) override;

 private:
  size_t FrameOf(SymbolId symbol);
  Status WriteEvent(char type, SymbolId symbol, uint64_t at);

  BufferedOutput output_;
  size_t profiles_ = 0;
  bool first_event_ = true;
  std::unordered_map<std::string, size_t> frames_;  // by name
  std::vector<std::string> frame_records_;
};

}  // namespace oscope
