// Two ingests take turns: one is filled by the caller's thread while a second thread commits the other. An intake is
// mostly decoding, a commit mostly compression and disk writes, so two cores do both at once. One ingest would be
// simpler and slower; more than two would only need more memory, since the commits must happen in order anyway.
//
// At most one commit is under way. Its result is collected before the next one starts, so an error is seen at most one
// batch late; it is then kept and returned by every later call, because the runs of that batch are lost and the caller
// must not go on as if they were stored.
#include "index/store/batching_sink.h"

namespace oscope {

Result<std::unique_ptr<BatchingSink>> BatchingSink::Open(Store& store, uint64_t batch_runs, uint64_t batch_events,
                                                         const IngestOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(auto filling, store.BeginIngest(options));
  OSCOPE_ASSIGN_OR_RETURN(auto committing, store.BeginIngest(options));
  return std::unique_ptr<BatchingSink>(
      new BatchingSink(store.cancel(), std::move(filling), std::move(committing), batch_runs, batch_events));
}

BatchingSink::BatchingSink(CancelToken cancel, std::unique_ptr<Ingest> filling, std::unique_ptr<Ingest> committing,
                           uint64_t batch_runs, uint64_t batch_events)
    : cancel_(std::move(cancel)),
      filling_(std::move(filling)),
      committing_(std::move(committing)),
      batch_runs_(batch_runs),
      batch_events_(batch_events) {}

BatchingSink::~BatchingSink() {
  if (commit_.valid()) commit_.wait();
}

Status BatchingSink::EndRun() {
  OSCOPE_RETURN_IF_ERROR(filling_->EndRun());
  return CommitIfFull();
}

Status BatchingSink::AddAttachment(const Attachment& attachment) {
  OSCOPE_RETURN_IF_ERROR(filling_->AddAttachment(attachment));
  return CommitIfFull();
}

Status BatchingSink::CommitIfFull() {
  OSCOPE_RETURN_IF_ERROR(cancel_.Check());
  const bool full = filling_->pending_events() >= batch_events_ ||
                    (batch_runs_ != 0 && (filling_->pending_runs() >= batch_runs_ ||
                                          filling_->pending_attachment_bytes() >= kBatchAttachmentBytes));
  return full ? StartCommit() : Status();
}

Result<IngestResult> BatchingSink::Finish() {
  OSCOPE_RETURN_IF_ERROR(cancel_.Check());
  OSCOPE_RETURN_IF_ERROR(StartCommit());
  OSCOPE_RETURN_IF_ERROR(AwaitCommit());
  return total_;
}

const IngestResult& BatchingSink::Committed() {
  (void)AwaitCommit();
  return total_;
}

Status BatchingSink::StartCommit() {
  OSCOPE_RETURN_IF_ERROR(AwaitCommit());
  std::swap(filling_, committing_);
  commit_ = std::async(std::launch::async, [this] { return committing_->Commit(); });
  return {};
}

Status BatchingSink::AwaitCommit() {
  if (failed_) return *failed_;
  if (!commit_.valid()) return {};
  Result<IngestResult> committed = commit_.get();
  if (!committed.ok()) {
    failed_ = committed.error();
    return *failed_;
  }
  const IngestResult& result = *committed;
  total_.version = result.version;
  total_.runs_added += result.runs_added;
  total_.runs_known += result.runs_known;
  total_.traces_added += result.traces_added;
  total_.events_added += result.events_added;
  total_.bugs_added += result.bugs_added;
  total_.bugs_changed += result.bugs_changed;
  total_.attachments_added += result.attachments_added;
  total_.attachments_known += result.attachments_known;
  total_.bugs_combined.insert(total_.bugs_combined.end(), result.bugs_combined.begin(), result.bugs_combined.end());
  total_.decisions.insert(total_.decisions.end(), result.decisions.begin(), result.decisions.end());
  return {};
}

}  // namespace oscope
