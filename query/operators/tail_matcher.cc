// Levenshtein distance over tails, in three stages of filters: the sketch, or the postings instead where the trace's
// events are so rare that their lists are shorter than a pass over the sketch (ListRows); then the lengths; then the
// kernel. Each filter only leaves out rows that cannot be within the bound, so that all of them can be missing without
// changing an answer.
//
// Names are looked up once for each segment: a name that the segment does not have gets the id one past its last,
// which equals no event there.
#include "query/operators/tail_matcher.h"

#include <algorithm>

#include "query/operators/prepared_query.h"

namespace oscope {
namespace {

std::vector<uint32_t> IdsOf(const TailTable& tails, std::span<const std::string_view> names) {
  std::vector<uint32_t> ids;
  ids.reserve(names.size());
  // A name that the segment does not have equals none of its events.
  for (const std::string_view name : names) ids.push_back(tails.FindName(name).value_or(tails.names()));
  return ids;
}

// The rows that postings leave within a bound, when reading them costs less than the sketch's pass over all rows; else
// nothing.
//
// A row within the bound has all but `bound` of the tokens of the trace's last events (sketch.h has the proof), so it
// is in the list of one of any bound + 1 of them: the rarest are taken.
std::optional<std::vector<uint32_t>> ListRows(const Postings& postings, std::span<const uint32_t> ids, uint64_t bound) {
  // What a listed row costs, in rows that the sketch passes over: it is decoded, and the kernel looks at many that the
  // sketch would have spared it. At 8 bench_query's queries were 1.5 times slower than without postings, at 1000 they
  // are not.
  constexpr uint64_t kSketchRowsAListed = 1000;
  std::vector<std::pair<uint32_t, PostingToken>> counted;
  for (const PostingToken& token : TokensOf(ids.last(std::min<size_t>(ids.size(), kSketchEvents)))) {
    // A name that the segment does not have is in no row.
    counted.emplace_back(token.name < postings.names() ? postings.Count(token) : 0, token);
  }
  if (bound >= counted.size()) return std::nullopt;
  std::nth_element(counted.begin(), counted.begin() + static_cast<ptrdiff_t>(bound), counted.end());
  uint64_t rows = 0;
  std::vector<PostingToken> tokens;
  for (size_t i = 0; i <= bound; ++i) {
    rows += counted[i].first;
    if (counted[i].first > 0) tokens.push_back(counted[i].second);
  }
  if (rows * kSketchRowsAListed > postings.rows()) return std::nullopt;
  return postings.Candidates(tokens);
}

}  // namespace

TailMatcher::TailMatcher(const Corpus::Segment& segment, std::span<const std::string_view> names,
                         std::span<const uint64_t> hashes, TraceKind kind, uint64_t length, uint64_t max_bound,
                         const std::vector<uint8_t>& taken)
    : RowMatcher(segment, kind, taken),
      length_(length),
      sketch_(hashes, length),
      query_(IdsOf(segment.search->tails(), names), segment.search->tails().names(), max_bound) {
  const Postings* postings = segment.search->postings();
  if (postings != nullptr && query_.events().size() <= length)
    listed_ = ListRows(*postings, query_.events(), max_bound);
}

void TailMatcher::CollectRows(uint32_t first, uint32_t last, uint64_t bound, QueryContext& context,
                              std::vector<uint32_t>& rows) const {
  rows.clear();
  const uint64_t all = last - first;
  if (listed_) {
    const auto begin = std::lower_bound(listed_->begin(), listed_->end(), first);
    rows.assign(begin, std::lower_bound(begin, listed_->end(), last));
    context.by_postings.fetch_add(all - rows.size(), std::memory_order_relaxed);
    KeepTaken(rows);
    return;
  }
  // A sketch speaks of rows that are cut to no fewer events than the known trace has.
  const SketchView* sketch = query_.events().size() <= length_ ? segment_.search->sketch() : nullptr;
  if (sketch != nullptr && sketch_.Prunes(bound)) {
    Survivors(*sketch, sketch_, first, last, bound, rows);
    context.by_sketch.fetch_add(all - rows.size(), std::memory_order_relaxed);
  } else {
    rows.resize(all);
    for (uint32_t row = first; row < last; ++row) rows[row - first] = row;
  }
  KeepTaken(rows);
}

void TailMatcher::KeepTaken(std::vector<uint32_t>& rows) const {
  std::erase_if(rows, [&](uint32_t row) { return !IsTaken(row); });
}

void TailMatcher::FindNear(uint32_t block, uint64_t bound, QueryContext& context, Scratch& scratch) const {
  const uint32_t first = block * kBlockRows, last = LastRow(block);
  scratch.near.clear();
  CollectRows(first, last, bound, context, scratch.rows);
  context.done.fetch_add(last - first, std::memory_order_relaxed);
  if (scratch.rows.empty()) return;

  // The lengths alone put a row out of reach.
  const uint64_t events = query_.events().size();
  const uint64_t shortest = events > bound ? events - bound : 0, longest = events + bound;
  scratch.tails.clear();
  size_t kept = 0;
  for (const uint32_t row : scratch.rows) {
    const TailRow& tail = tails().rows()[row];
    const uint32_t length = static_cast<uint32_t>(std::min<uint64_t>(tail.tail_length, length_));
    if (length < shortest || length > longest) continue;
    scratch.rows[kept++] = row;
    scratch.tails.push_back({tail.tail_begin + tail.tail_length, length});
  }
  context.by_length.fetch_add(scratch.rows.size() - kept, std::memory_order_relaxed);
  context.verified.fetch_add(kept, std::memory_order_relaxed);
  scratch.rows.resize(kept);
  scratch.distances.resize(kept);
  const TailColumn column = tails().column();
  if (column.wide.empty()) {
    DistancesWithin<uint16_t>(query_, column.narrow, scratch.tails, bound, scratch.distances);
  } else {
    DistancesWithin<uint32_t>(query_, column.wide, scratch.tails, bound, scratch.distances);
  }
  for (size_t i = 0; i < kept; ++i) {
    if (scratch.distances[i] != kOverBound) scratch.near.push_back({scratch.rows[i], scratch.distances[i]});
  }
}

RowMatchers MatchByEdits(const TraceSequence& known, const SearchedTails& tails) {
  std::vector<std::string_view> names;
  names.reserve(known.events.size());
  for (const uint32_t event : known.events) names.push_back(tails.query.NameOf(event));
  std::vector<uint64_t> hashes;
  hashes.reserve(names.size());
  for (const std::string_view name : names) hashes.push_back(SketchHash(name));
  RowMatchers matchers;
  const std::vector<Corpus::Segment>& segments = tails.query.corpus().segments();
  for (size_t s = 0; s < segments.size(); ++s) {
    matchers.push_back(std::make_unique<TailMatcher>(segments[s], names, hashes, known.kind, tails.length,
                                                     tails.max_bound, tails.selected.rows[s]));
  }
  return matchers;
}

}  // namespace oscope
