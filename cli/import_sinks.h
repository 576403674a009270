// The sinks between a reader and the store: what `oscope import` puts around an Ingest.
#pragma once

#include <set>
#include <vector>

#include "base/progress.h"
#include "index/store/batching_sink.h"
#include "tracer/import/importer.h"
#include "tracer/model/forwarding_sink.h"

namespace oscope::cli {

// Fills in what a recording does not say, as importers do for texts.
class FillingSink : public ForwardingSink {
 public:
  FillingSink(RunSink& next, const ImportOptions& options) : ForwardingSink(next), options_(options) {}
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;

 private:
  const ImportOptions& options_;
};

// Stops when the user asks, and shows how far it is.
class WatchedSink : public ForwardingSink {
 public:
  WatchedSink(RunSink& next, Progress& progress) : ForwardingSink(next), progress_(progress) {}
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status AddEvents(const EventChunk& chunk) override;

 private:
  Progress& progress_;
};

// Counts what would be added: a dry run. `snapshot` (may be null) tells what is known.
class CountingSink : public RunSink {
 public:
  explicit CountingSink(const Snapshot* snapshot) : snapshot_(snapshot) {}
  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader&) override;
  Status AddEvents(const EventChunk& chunk) override;
  Status EndTrace() override { return {}; }
  Status EndRun() override { return {}; }

  IngestResult result;
  struct Seen {
    RunHeader run;  // without inputs
    bool known = false;
  };
  std::vector<Seen> runs;

 private:
  Status CountBug(const BugKey& key, const Bug* bug);

  const Snapshot* snapshot_;
  std::set<BugKey> bugs_;
  std::set<RunId> ids_;
};

}  // namespace oscope::cli
