// `recent` over tails. A row's vector is built while its tail is read backwards, and its product with the known trace
// at the same time, so nothing is stored for a row. `seen` holds for each method the last row that counted it, so it
// needs no clearing between rows.
//
// Most rows are rejected by a comparison in floating point with a margin (LeastSquare); only those near the bound get
// the exact integer cosine, which decides. So rounding never changes an answer.
#include "query/operators/recent_matcher.h"

#include <algorithm>

#include "query/distance/cosine.h"
#include "query/operators/prepared_query.h"

namespace oscope {
namespace {

constexpr uint64_t kScale = 1000;

// The square of the least cosine that is rounded to a distance within the bound, and a little less: what is below needs
// no exact sum.
double LeastSquare(uint64_t bound) {
  constexpr double kMargin = 1e-6;
  if (bound >= kScale) return 0;
  const double least = (static_cast<double>(kScale - bound) - 0.5) / kScale;
  return least * least * (1 - kMargin);
}

}  // namespace

RecentMatcher::RecentMatcher(const Corpus::Segment& segment, std::span<const uint32_t> names,
                             const MethodWeights& methods, const RecentEvents& known, TraceKind kind, uint64_t length,
                             const std::vector<uint8_t>& taken)
    : RowMatcher(segment, kind, taken),
      methods_(methods.weights.rarity.size()),
      squared_length_(known.squared_length),
      length_(std::min<uint64_t>(length, RecentEvents::kReach)) {
  events_.reserve(names.size());
  for (const uint32_t name : names) {
    const uint32_t method = methods.method_of[name];
    const auto in_known =
        std::lower_bound(known.entries.begin(), known.entries.end(), method,
                         [](const RecentEvents::Entry& entry, uint32_t event) { return entry.event < event; });
    const bool is_known = in_known != known.entries.end() && in_known->event == method;
    events_.push_back({method, methods.weights.rarity[method], is_known ? in_known->weight : 0});
  }
}

template <typename Id>
void RecentMatcher::Measure(std::span<const Id> column, uint32_t first, uint32_t last, uint64_t bound,
                            Scratch& scratch) const {
  const double least = LeastSquare(bound) * static_cast<double>(squared_length_);
  for (uint32_t row = first; row < last; ++row) {
    if (!IsTaken(row)) continue;
    const TailRow& tail = tails().rows()[row];
    const size_t count = std::min<uint64_t>(tail.tail_length, length_);
    const Id* const end = column.data() + tail.tail_begin + tail.tail_length;
    const uint64_t now = ++scratch.rows_seen;
    uint64_t dot = 0, squared_length = 0;
    for (size_t before_end = 0; before_end < count; ++before_end) {
      const Event& event = events_[*(end - 1 - before_end)];
      uint64_t& seen = scratch.seen[event.method];
      if (seen == now) continue;
      seen = now;
      const uint64_t weight = RecentEvents::Weight(event.rarity, before_end);
      squared_length += weight * weight;
      dot += weight * event.known;
    }
    if (static_cast<double>(dot) * static_cast<double>(dot) < least * static_cast<double>(squared_length)) continue;
    // A row without events is like no other; the known trace has some.
    const uint64_t distance = count == 0 ? kScale : kScale - CosineInThousandths(dot, squared_length_, squared_length);
    if (distance <= bound) scratch.near.push_back({row, static_cast<uint32_t>(distance)});
  }
}

void RecentMatcher::FindNear(uint32_t block, uint64_t bound, QueryContext& context, Scratch& scratch) const {
  const uint32_t first = block * kBlockRows, last = LastRow(block);
  scratch.near.clear();
  if (scratch.seen.size() < methods_) scratch.seen.resize(methods_);
  context.done.fetch_add(last - first, std::memory_order_relaxed);
  context.verified.fetch_add(last - first, std::memory_order_relaxed);
  const TailColumn column = tails().column();
  if (column.wide.empty()) {
    Measure<uint16_t>(column.narrow, first, last, bound, scratch);
  } else {
    Measure<uint32_t>(column.wide, first, last, bound, scratch);
  }
}

RowMatchers MatchByRecent(const TraceSequence& known, const SearchedTails& tails) {
  const MethodWeights& methods = *tails.query.methods();
  std::vector<uint32_t> ran;
  ran.reserve(known.events.size());
  for (const uint32_t event : known.events) ran.push_back(methods.method_of[event]);
  const RecentEvents weighed = WeighRecent(ran, methods.weights);
  RowMatchers matchers;
  const std::vector<Corpus::Segment>& segments = tails.query.corpus().segments();
  for (uint32_t s = 0; s < segments.size(); ++s) {
    matchers.push_back(std::make_unique<RecentMatcher>(segments[s], tails.query.corpus().NamesOf(s), methods, weighed,
                                                       known.kind, tails.length, tails.selected.rows[s]));
  }
  return matchers;
}

}  // namespace oscope
