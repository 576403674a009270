// RunSink: where readers and importers put what they read, and where recorders and stores take it.
//
// Calls come in this order, and a trace's events in chunks of at most limits::kChunkEvents, so that no trace need fit
// in memory:
//   AddBug*  ( BeginRun  ( BeginTrace  AddEvents*  EndTrace )*  EndRun )*  AddAttachment*
// AddBug and AddAttachment may stand between runs too, an attachment after the run or the bug that it belongs to, or
// where that is known already. An error from any call ends the stream: nothing of it may be kept.
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
  // `symbols` outlives the run and may grow while the run lasts; its ids never change their meaning.
  virtual Status BeginRun(const RunHeader& run, const SymbolTable& symbols) = 0;
  virtual Status BeginTrace(const TraceHeader& trace) = 0;
  virtual Status AddEvents(const EventChunk& chunk) = 0;
  virtual Status EndTrace() = 0;
  virtual Status EndRun() = 0;
  virtual Status AddAttachment(const Attachment& attachment) = 0;
};

// Sends a whole run in memory to a sink.
Status SendRun(const Run& run, const SymbolTable& symbols, RunSink& sink);

// Collects whole runs in memory, with one symbol table for all of them: for tests, small files and display.
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

// The same event texts in the same order.
bool SameEvents(const Trace& a, const SymbolTable& a_symbols, const Trace& b, const SymbolTable& b_symbols);

}  // namespace oscope
