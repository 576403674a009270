// A job: a query ready to be run by any engine, as text that crosses processes.
//
// Carries all that decides the answer: the store's version, the checked query in its canonical form (bugs by full name,
// no parameters) and the limits. An engine that has the store plans it anew; the plan is a function of the query, so
// every engine makes the same one.
//
// Text:      JSON, one object:
//              {"job": 1, "manifest": 42, "query": "SELECT b FROM ALL WHERE …", "index": true, "max_rows": 1000000,
//              "max_memory": 4294967296}
//            An unknown version is refused by name; unknown members are ignored.
// Threads:   plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "bql/check/catalog.h"
#include "bql/check/query.h"

namespace oscope {

inline constexpr uint32_t kJobVersion = 1;

struct Job {
  uint64_t manifest_version = 0;
  bql::Select select;
  bool use_index = true;
  uint64_t max_rows = 1'000'000;
  uint64_t max_memory_bytes = 4ull << 30;
  bool operator==(const Job&) const = default;
};

std::string EncodeJob(const Job& job);
// The catalog is that of the job's version of the store. kUnsupported for another version, kCorrupt for what is no job.
Result<Job> DecodeJob(std::string_view text, const bql::Catalog& catalog);

}  // namespace oscope
