// The JSON forms of stored things, in one place: scripts rely on the names of the fields.
//
// Times are RFC 3339 text in UTC. Fields that a record does not have are left out. Text is made valid UTF-8 when it is
// printed (Context::PrintJson).
// Threads: pure functions; none of them fails.
#pragma once

#include <nlohmann/json.hpp>

#include "index/store/store.h"

namespace oscope::cli {

using Json = nlohmann::ordered_json;

Json ToJson(const Bug& bug);
Json ToJson(const BugRevision& revision);
// Inputs appear by name and size, with `with_inputs` also with their contents: as text, or as base64 when they are not
// UTF-8.
Json ToJson(const RunHeader& run, bool with_inputs = false);
Json ToJson(const StoredRun& run, bool with_inputs = false);
Json ToJson(RunId run, const TraceHeader& trace);
Json ToJson(const IngestResult& result);
Json ToJson(const StoreStats& stats);

}  // namespace oscope::cli
