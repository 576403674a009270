// A sink that takes and forgets: to read something to its end, and the base of those that want little of what is sent.
#pragma once

#include "tracer/model/run_sink.h"

namespace oscope {

class NullSink : public RunSink {
 public:
  Status AddBug(const Bug&) override { return {}; }
  Status BeginRun(const RunHeader&, const SymbolTable&) override { return {}; }
  Status BeginTrace(const TraceHeader&) override { return {}; }
  Status AddEvents(const EventChunk&) override { return {}; }
  Status EndTrace() override { return {}; }
  Status EndRun() override { return {}; }
  Status AddAttachment(const Attachment&) override { return {}; }
};

}  // namespace oscope
