// A directory of Parquet tables for DuckDB, pandas or Spark: traces/, runs/, symbols/ and bugs/, each with numbered
// files, and a README.
//
// It is made by filling a store of its own and taking that store's segments, so that what is left out of the runs
// (inputs, other bugs) is nowhere in the bytes. Appears whole or not at all.
#pragma once

#include <functional>
#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "tracer/model/run_sink.h"

namespace oscope::cli {

// `send` puts what is exported into the sink. kConflict when `target` exists.
Status ExportParquet(const std::string& target, const CancelToken& cancel, const std::function<Status(RunSink&)>& send);

}  // namespace oscope::cli
