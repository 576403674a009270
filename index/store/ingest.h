// Store::BeginIngest's worker. Internal to index/store.
#pragma once

#include "index/store/segment_builder.h"
#include "index/store/store_state.h"

namespace oscope {

std::unique_ptr<Ingest> MakeIngest(std::shared_ptr<StoreState> store, const IngestOptions& options);

// kLimit when `next` is larger than the store's settings allow and than `now` was: a store over its quota can still
// shrink.
Status CheckQuota(const Manifest& now, const Manifest& next);

}  // namespace oscope
