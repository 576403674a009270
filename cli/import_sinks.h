// The sinks between a reader and the store: what `oscope import` puts around an Ingest.
#pragma once

#include <set>
#include <vector>

#include "base/progress.h"
#include "index/store/store.h"
#include "tracer/import/importer.h"
#include "tracer/model/run_sink.h"

namespace oscope::cli {

// Hands everything on; the others change what they need to.
class ForwardingSink : public RunSink {
 public:
  explicit ForwardingSink(RunSink& next) : next_(next) {}
  Status AddBug(const Bug& bug) override { return next_.AddBug(bug); }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override { return next_.BeginRun(run, symbols); }
  Status BeginTrace(const TraceHeader& trace) override { return next_.BeginTrace(trace); }
  Status AddEvents(const EventChunk& chunk) override { return next_.AddEvents(chunk); }
  Status EndTrace() override { return next_.EndTrace(); }
  Status EndRun() override { return next_.EndRun(); }

 private:
  RunSink& next_;
};

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

// Commits each `batch` runs, durably; 0 keeps all for one commit. Finish commits the rest.
class BatchingSink : public ForwardingSink {
 public:
  BatchingSink(Ingest& ingest, uint64_t batch) : ForwardingSink(ingest), ingest_(ingest), batch_(batch) {}
  Status EndRun() override;
  Result<IngestResult> Finish();
  const IngestResult& committed() const { return total_; }

 private:
  Status Commit();

  Ingest& ingest_;
  const uint64_t batch_;
  IngestResult total_;
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
