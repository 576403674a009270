// BatchingSink: commits after a given number of runs, so that an upload of any size needs only the memory of two
// batches. A batch also ends when its attachments together have kBatchAttachmentBytes.
//
// While one batch is being committed, the next one is filled; on two cores this takes about half the time. Commits
// happen one after another, in order.
// Errors:  what the store's Commit returns. The error of a commit is returned by the next call that waits for it, and
//          by every later call; the batches before it stay committed. kCancelled after a run, when the store's token
//          says so; what was not committed by then is dropped.
// Threads: one at a time. The commits run on a thread of the sink's own.
#pragma once

#include <future>
#include <memory>
#include <optional>

#include "index/store/store.h"

namespace oscope {

inline constexpr uint64_t kBatchAttachmentBytes = 64 << 20;

class BatchingSink : public RunSink {
 public:
  // With `batch_runs` 0 all runs and attachments are committed together by Finish. A batch also ends when it has
  // `batch_events` events. `store` is borrowed.
  static Result<std::unique_ptr<BatchingSink>> Open(Store& store, uint64_t batch_runs,
                                                    uint64_t batch_events = UINT64_MAX,
                                                    const IngestOptions& options = {});
  // Waits for the commit that is under way. What was added after it is dropped.
  ~BatchingSink() override;

  Status AddBug(const Bug& bug) override { return filling_->AddBug(bug); }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    return filling_->BeginRun(run, symbols);
  }
  Status BeginTrace(const TraceHeader& trace) override { return filling_->BeginTrace(trace); }
  Status AddEvents(const EventChunk& chunk) override { return filling_->AddEvents(chunk); }
  Status EndTrace() override { return filling_->EndTrace(); }
  Status EndRun() override;
  Status AddAttachment(const Attachment& attachment) override;

  // Commits what is left and returns the sum of all commits.
  Result<IngestResult> Finish();
  // What the finished commits have added. May be called by a function that a commit calls (such as
  // IngestOptions::rule): nothing changes the sum while a commit is under way.
  const IngestResult& so_far() const { return total_; }
  // Waits for the commit under way and returns what is durable then: for a caller that has to stop half-way.
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
  // of the first commit that failed: its runs are lost, so later calls return it too
  std::optional<Error> failed_;
  IngestResult total_;
};

}  // namespace oscope
