// Store::BeginIngest's worker. Internal to index/store.
#pragma once

#include "index/store/segment_builder.h"
#include "index/store/store_state.h"

namespace oscope {

std::unique_ptr<Ingest> MakeIngest(std::shared_ptr<StoreState> store, const IngestOptions& options);

}  // namespace oscope
