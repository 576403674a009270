// The sinks between a reader and the store: what `oscope import` puts around an Ingest.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "base/cancel.h"
#include "base/progress.h"
#include "index/store/batching_sink.h"
#include "tracer/import/importer.h"
#include "tracer/model/forwarding_sink.h"
#include "tracer/model/null_sink.h"

namespace oscope::cli {

// Reads a recording once to its trailer before anything of it is committed.
class LookingSink : public NullSink {
 public:
  // `see_report` is called for each bug report.
  explicit LookingSink(
      CancelToken cancel, std::function<void()> see_report = [] {})
      : cancel_(std::move(cancel)), see_report_(std::move(see_report)) {}
  Status AddBug(const Bug&) override {
    see_report_();
    return {};
  }
  Status BeginRun(const RunHeader&, const SymbolTable&) override { return cancel_.Check(); }
  Status AddEvents(const EventChunk&) override { return cancel_.Check(); }

 private:
  CancelToken cancel_;
  std::function<void()> see_report_;
};

// Fills in what a recording does not say, as importers do for texts.
class FillingSink : public ForwardingSink {
 public:
  FillingSink(RunSink& next, const ImportOptions& options) : ForwardingSink(next), options_(options) {}
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;

 private:
  const ImportOptions& options_;
  RunHeader filled_;  // the run that is arriving; kept, since its texts fit the next one
};

// Stops when it is cancelled, and shows how far it is.
class WatchedSink : public ForwardingSink {
 public:
  WatchedSink(RunSink& next, CancelToken cancel, Progress& progress)
      : ForwardingSink(next), cancel_(std::move(cancel)), progress_(progress) {}
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status AddEvents(const EventChunk& chunk) override;

 private:
  CancelToken cancel_;
  Progress& progress_;
};

// Counts what would be added: a dry run. `snapshot` (may be null) says what is stored already.
class CountingSink : public RunSink {
 public:
  explicit CountingSink(const Snapshot* snapshot) : snapshot_(snapshot) {}
  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader&) override;
  Status AddEvents(const EventChunk& chunk) override;
  Status EndTrace() override { return {}; }
  Status EndRun() override { return {}; }
  Status AddAttachment(const Attachment& attachment) override;

  // When all is read: which bugs would be added and changed, and what would become of each run by this rule (empty:
  // runs keep the bugs that they name).
  Status Finish(const BugRule& rule);

  IngestResult result;
  struct Seen {
    RunHeader run;  // without inputs
    bool known = false;
    RunDecision decision{};  // of a run that is not known
  };
  std::vector<Seen> runs;

 private:
  const Snapshot* snapshot_;
  std::map<BugKey, Bug> bugs_;
  std::set<RunId> ids_;
  std::set<AttachmentHeader> attachments_;
};

}  // namespace oscope::cli
