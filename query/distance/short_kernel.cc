// One short query against many rows. Rows of the query's own length, usually most of them, are passed on as they come;
// rows of other lengths wait and are sorted, because only rows of one length share a band and can share a vector. A
// query with more than 255 distinct events gets distances that are too small (several events share a code); rows that
// seem near are then computed again by levenshtein.h.
#include "query/distance/short_kernel.h"

#include <algorithm>

#include "query/distance/short_kernel_level.h"
#include "query/distance/short_kernel_rows.h"

namespace oscope {
namespace {

const ShortLevel& LevelOf(SimdLevel level) {
  switch (level) {
    case SimdLevel::kPortable: return kShortPortable;
    case SimdLevel::kAvx2: return kShortAvx2;
    case SimdLevel::kAvx512: return kShortAvx512;
  }
  return kShortPortable;
}

constexpr size_t kRowsAhead = 64;  // whose events are fetched before they are needed

template <typename Id>
void Prefetch(std::span<const Id> column, const RowTail& row) {
  const Id* begin = column.data() + row.end - row.length;
  const Id* end = column.data() + row.end;
  for (const Id* at = begin; at < end; at += 64 / sizeof(Id)) __builtin_prefetch(at);
}

// What a query of more events than there are codes makes of rows that seem near.
template <typename Id>
void Recompute(const ShortQuery& query, std::span<const Id> column, std::span<const RowTail> rows, uint64_t bound,
               std::span<uint16_t> distances) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (distances[i] > bound) continue;
    const std::span<const Id> ids = column.subspan(rows[i].end - rows[i].length, rows[i].length);
    const std::vector<uint32_t> events(ids.begin(), ids.end());
    const uint32_t most = static_cast<uint32_t>(std::min<uint64_t>(bound, UINT32_MAX));
    const std::optional<uint32_t> distance = LevenshteinWithin(query.events(), events, most);
    distances[i] = distance ? static_cast<uint16_t>(*distance) : kOverBound;
  }
}

// The rows whose length is not the query's, by length.
template <typename Id>
void RunOtherLengths(const ShortQuery& query, std::span<const Id> column, std::span<const RowTail> rows, uint64_t bound,
                     std::vector<uint32_t>& others, const ShortLevel& level, std::span<uint16_t> distances) {
  std::stable_sort(others.begin(), others.end(),
                   [&](uint32_t a, uint32_t b) { return rows[a].length < rows[b].length; });
  for (size_t i = 0; i < others.size();) {
    const uint32_t length = rows[others[i]].length;
    LengthRows<Id> group(query, length, bound, level, distances);
    for (; i < others.size() && rows[others[i]].length == length; ++i) {
      group.Add(others[i], column.data() + rows[others[i]].end - length);
    }
    group.Finish();
  }
}

}  // namespace

template <typename Id>
void DistancesWithin(const ShortQuery& query, std::span<const Id> column, std::span<const RowTail> rows, uint64_t bound,
                     std::span<uint16_t> distances, SimdLevel level) {
  OSCOPE_CHECK(rows.size() == distances.size() && std::min<uint64_t>(bound, kMaxShortEvents) <= query.max_bound());
  const uint32_t query_length = static_cast<uint32_t>(query.events().size());
  const ShortLevel& functions = LevelOf(level);
  std::vector<uint32_t> others;
  std::optional<LengthRows<Id>> equal;
  if (query_length > 0) equal.emplace(query, query_length, bound, functions, distances);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (i + kRowsAhead < rows.size()) Prefetch(column, rows[i + kRowsAhead]);
    const uint32_t length = rows[i].length;
    if (length == query_length && length > 0) {
      equal->Add(i, column.data() + rows[i].end - length);
      continue;
    }
    OSCOPE_CHECK(length <= kMaxShortEvents);
    const uint32_t longer = std::max(length, query_length), shorter = std::min(length, query_length);
    if (longer - shorter > bound) {
      distances[i] = kOverBound;
    } else if (shorter == 0) {
      distances[i] = static_cast<uint16_t>(longer);
    } else {
      others.push_back(i);
    }
  }
  if (equal) equal->Finish();
  RunOtherLengths(query, column, rows, bound, others, functions, distances);
  if (!query.exact()) Recompute(query, column, rows, bound, distances);
}

template void DistancesWithin<uint16_t>(const ShortQuery&, std::span<const uint16_t>, std::span<const RowTail>,
                                        uint64_t, std::span<uint16_t>, SimdLevel);
template void DistancesWithin<uint32_t>(const ShortQuery&, std::span<const uint32_t>, std::span<const RowTail>,
                                        uint64_t, std::span<uint16_t>, SimdLevel);

}  // namespace oscope
