// RunSink: takes a stream of bugs and runs. Recorders, importers and readers send to a sink; stores, files and filters
// are sinks.
//
// Calls come in this order. A trace's events come in chunks of at most limits::kChunkEvents, so that no trace needs to
// fit in memory:
//   AddBug*  ( BeginRun  ( BeginTrace  AddEvents*  EndTrace )*  EndRun )*  AddAttachment*
// AddBug and AddAttachment may also be called between runs. An attachment comes after the run or bug that it belongs
// to, unless the sink has that already.
// Errors:  an error from any call ends the stream. The sink must then keep nothing of the stream, and the sender must
//          return the error unchanged and make no further calls.
// Borrows: arguments are valid during the call only, except the symbol table of BeginRun.
// Threads: one at a time.
#pragma once

#include <span>

#include "tracer/model/attachment.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

// A stretch of a trace's events; the parallel lists are as long, or empty.
struct EventChunk {
  std::span<const SymbolId> events;
  std::span<const uint32_t> depths;
  std::span<const EventOutcome> outcomes;
  std::span<const std::string> values;
};

class RunSink {
 public:
  virtual ~RunSink() = default;
  virtual Status AddBug(const Bug& bug) = 0;
  // `symbols` stays valid until EndRun and may grow until then; an id never changes its meaning.
  virtual Status BeginRun(const RunHeader& run, const SymbolTable& symbols) = 0;
  virtual Status BeginTrace(const TraceHeader& trace) = 0;
  virtual Status AddEvents(const EventChunk& chunk) = 0;
  virtual Status EndTrace() = 0;
  virtual Status EndRun() = 0;
  virtual Status AddAttachment(const Attachment& attachment) = 0;
};

// Sends a run that is in memory to a sink. Fails with kInvalid when the parallel lists of a trace differ in length, and
// with the sink's error.
Status SendRun(const Run& run, const SymbolTable& symbols, RunSink& sink);

// Collects whole runs in memory, with one symbol table for all of them: for tests, small files and display. Fails with
// kInvalid when an event has no symbol.
class RunCollector : public RunSink {
 public:
  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;
  Status AddEvents(const EventChunk& chunk) override;
  Status EndTrace() override;
  Status EndRun() override;
  Status AddAttachment(const Attachment& attachment) override;

  std::vector<Bug> bugs;
  std::vector<Run> runs;
  std::vector<Attachment> attachments;
  SymbolTable symbols;

 private:
  SymbolId Translate(SymbolId theirs);

  const SymbolTable* source_ = nullptr;
  uint64_t source_uid_ = 0;
  std::vector<uint32_t> translation_;  // theirs -> ours + 1; 0: not yet
};

// Whether both traces have the same event texts in the same order.
bool SameEvents(const Trace& a, const SymbolTable& a_symbols, const Trace& b, const SymbolTable& b_symbols);

}  // namespace oscope
