// A sink that hands everything on to another: the base of those that change, watch or count on the way.
#pragma once

#include "tracer/model/run_sink.h"

namespace oscope {

class ForwardingSink : public RunSink {
 public:
  explicit ForwardingSink(RunSink& next) : next_(next) {}
  Status AddBug(const Bug& bug) override { return next_.AddBug(bug); }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override { return next_.BeginRun(run, symbols); }
  Status BeginTrace(const TraceHeader& trace) override { return next_.BeginTrace(trace); }
  Status AddEvents(const EventChunk& chunk) override { return next_.AddEvents(chunk); }
  Status EndTrace() override { return next_.EndTrace(); }
  Status EndRun() override { return next_.EndRun(); }
  Status AddAttachment(const Attachment& attachment) override { return next_.AddAttachment(attachment); }

 private:
  RunSink& next_;
};

}  // namespace oscope
