#include "index/store/batching_sink.h"

#include "base/cancel.h"

namespace oscope {

Status BatchingSink::EndRun() {
  OSCOPE_RETURN_IF_ERROR(ForwardingSink::EndRun());
  OSCOPE_RETURN_IF_ERROR(CheckCancelled());
  const bool full = (batch_runs_ != 0 && ingest_.pending_runs() >= batch_runs_) || ingest_.pending_events() >= batch_events_;
  return full ? Commit() : Status();
}

Result<IngestResult> BatchingSink::Finish() {
  OSCOPE_RETURN_IF_ERROR(Commit());
  return total_;
}

Status BatchingSink::Commit() {
  OSCOPE_RETURN_IF_ERROR(CheckCancelled());
  OSCOPE_ASSIGN_OR_RETURN(const IngestResult result, ingest_.Commit());
  total_.version = result.version;
  total_.runs_added += result.runs_added;
  total_.runs_known += result.runs_known;
  total_.traces_added += result.traces_added;
  total_.events_added += result.events_added;
  total_.bugs_added += result.bugs_added;
  total_.bugs_changed += result.bugs_changed;
  return {};
}

}  // namespace oscope
