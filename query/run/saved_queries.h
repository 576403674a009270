// The saved queries of a store: kept in its settings, so that they are as durable as its runs and go with its copies.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "bql/check/saved_query.h"
#include "index/store/store.h"

namespace oscope {

// Those a person made; a definition that this release cannot read is left out.
std::vector<bql::SavedQuery> ReadSavedQueries(const StoreSettings& settings);

// The statement that asks a saved query about the bug at hand. `call` is the query's name ("near": its first parameter,
// if it has one, is tbug) or its name and arguments ("suffix(tbug, d => 20)"). kNotFound offers the nearest, kInvalid
// tells what is missing.
Result<std::string> CallAboutBugAtHand(const std::vector<bql::SavedQuery>& saved, std::string_view call);

// Adds a query. kConflict when the newest version of the store has one of the name, in any case of its letters; a
// shipped one's name may be taken.
Status SaveQuery(Store& store, const bql::SavedQuery& query);
// kNotFound offers the nearest; a shipped one cannot go.
Status DropQuery(Store& store, const std::string& name);

}  // namespace oscope
