// Runs as Chrome trace JSON, for chrome://tracing, Perfetto and our own importer.
//
// Every process of every run is a pid (from 1), every thread a tid (thread + 1), a stack beside an execution the tid
// kStackTid + thread; metadata events name them. Calls are B and E, the failure mark an instant event; `ts` is the
// event's ordinal, shown as microseconds. Depths that skip a level come back without the gap: the format knows only
// nesting.
// Threads: one.
//
// Example:
//   ChromeTraceWriter writer(file);
//   OSCOPE_RETURN_IF_ERROR(snapshot.Send(all, writer));
//   OSCOPE_RETURN_IF_ERROR(writer.Finish());
#pragma once

#include <map>

#include "tracer/export/buffered_output.h"
#include "tracer/export/call_sink.h"
#include "tracer/export/quoted_names.h"

namespace oscope {

class ChromeTraceWriter : public CallSink {
 public:
  static constexpr uint64_t kStackTid = 1'000'000;

  explicit ChromeTraceWriter(WritableFile& file) : output_(file) {}

  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  // Writes the end. Call it once, after the last run.
  Status Finish();

 protected:
  Status BeginThread(const TraceHeader& trace) override;
  Status Enter(SymbolId symbol, uint64_t at) override;
  Status Leave(SymbolId symbol, uint64_t at) override;
  Status EndThread(uint64_t at) override;

 private:
  void BeginRecord();
  void WriteName(std::string_view kind, std::string_view name);
  void WriteMark(uint64_t at);

  BufferedOutput output_;
  QuotedNames names_;
  bool started_ = false;
  std::map<uint32_t, uint64_t> pids_;  // of this run's processes
  uint64_t last_pid_ = 0;
  uint64_t pid_ = 0, tid_ = 0;
  std::optional<FailureMark> mark_;
};

}  // namespace oscope
