// Store::BeginIngest's worker. Internal to index/store.
#pragma once

#include "index/store/store_state.h"

namespace oscope {

// kLimit when a revision could not tell who made it.
Status CheckAuthor(const std::string& by);

std::unique_ptr<Ingest> MakeIngest(std::shared_ptr<StoreState> store, const IngestOptions& options);

}  // namespace oscope
