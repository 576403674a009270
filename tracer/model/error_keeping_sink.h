// A sink that hands everything on and keeps the first error it is answered with: a reader asks it whose the error is
// that came back.
#pragma once

#include <optional>

#include "tracer/model/run_sink.h"

namespace oscope {

class ErrorKeepingSink : public RunSink {
 public:
  explicit ErrorKeepingSink(RunSink& next) : next_(next) {}
  Status AddBug(const Bug& bug) override { return Keep(next_.AddBug(bug)); }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    return Keep(next_.BeginRun(run, symbols));
  }
  Status BeginTrace(const TraceHeader& trace) override { return Keep(next_.BeginTrace(trace)); }
  Status AddEvents(const EventChunk& chunk) override { return Keep(next_.AddEvents(chunk)); }
  Status EndTrace() override { return Keep(next_.EndTrace()); }
  Status EndRun() override { return Keep(next_.EndRun()); }
  Status AddAttachment(const Attachment& attachment) override { return Keep(next_.AddAttachment(attachment)); }

  bool failed() const { return error_.has_value(); }
  Status status() const { return error_ ? Status(*error_) : Status(); }

 private:
  Status Keep(Status status) {
    if (!status.ok() && !error_) error_ = status.error();
    return status;
  }

  RunSink& next_;
  std::optional<Error> error_;
};

}  // namespace oscope
