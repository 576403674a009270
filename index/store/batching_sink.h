// Commits every so many runs, durably, so that an upload of any size needs the memory of one batch.
#pragma once

#include "index/store/store.h"
#include "tracer/model/forwarding_sink.h"

namespace oscope {

class BatchingSink : public ForwardingSink {
 public:
  // `batch_runs` 0 keeps everything for one commit. A batch also ends at `batch_events`.
  BatchingSink(Ingest& ingest, uint64_t batch_runs, uint64_t batch_events = UINT64_MAX)
      : ForwardingSink(ingest), ingest_(ingest), batch_runs_(batch_runs), batch_events_(batch_events) {}

  Status EndRun() override;
  // Commits the rest and tells of all the commits together.
  Result<IngestResult> Finish();
  const IngestResult& committed() const { return total_; }

 private:
  Status Commit();

  Ingest& ingest_;
  const uint64_t batch_runs_, batch_events_;
  IngestResult total_;
};

}  // namespace oscope
