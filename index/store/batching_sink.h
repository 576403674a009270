// Commits every so many runs, durably, so that an upload of any size needs the memory of two batches. A batch also ends
// when its attachments have kBatchAttachmentBytes.
//
// While one batch is being committed the next one is taken in, on two cores in half the time. Commits happen one after
// another, in order. It asks the store's wish to stop after every run, and what was not committed by then is dropped.
// Threads: one at a time; the commits run on a thread of their own.
#pragma once

#include <future>
#include <memory>
#include <optional>

#include "index/store/store.h"

namespace oscope {

inline constexpr uint64_t kBatchAttachmentBytes = 64 << 20;

class BatchingSink : public RunSink {
 public:
  // `batch_runs` 0 keeps all runs for one commit, with all attachments. A batch also ends at `batch_events`.
  static Result<std::unique_ptr<BatchingSink>> Open(Store& store, uint64_t batch_runs,
                                                    uint64_t batch_events = UINT64_MAX,
                                                    const IngestOptions& options = {});
  ~BatchingSink() override;  // waits for the commit that is under way; what came after it is dropped

  Status AddBug(const Bug& bug) override { return filling_->AddBug(bug); }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    return filling_->BeginRun(run, symbols);
  }
  Status BeginTrace(const TraceHeader& trace) override { return filling_->BeginTrace(trace); }
  Status AddEvents(const EventChunk& chunk) override { return filling_->AddEvents(chunk); }
  Status EndTrace() override { return filling_->EndTrace(); }
  Status EndRun() override;
  Status AddAttachment(const Attachment& attachment) override;

  // Commits the rest and tells of all the commits together.
  Result<IngestResult> Finish();
  // What the commits that have ended have added. For whoever is called by a commit: nothing changes it meanwhile.
  const IngestResult& so_far() const { return total_; }
  // What is durable already, for someone who has to stop half-way. Waits for the commit under way.
  const IngestResult& Committed();

 private:
  BatchingSink(CancelToken cancel, std::unique_ptr<Ingest> filling, std::unique_ptr<Ingest> committing,
               uint64_t batch_runs, uint64_t batch_events);
  Status CommitIfFull();
  Status StartCommit();
  Status AwaitCommit();

  const CancelToken cancel_;  // the store's
  std::unique_ptr<Ingest> filling_, committing_;
  const uint64_t batch_runs_, batch_events_;
  std::future<Result<IngestResult>> commit_;
  // of the first commit that failed: its runs are lost, so everyone who asks later is told too
  std::optional<Error> failed_;
  IngestResult total_;
};

}  // namespace oscope
