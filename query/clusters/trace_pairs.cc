// Asks for near pairs of bugs as a BQL statement, so that clusters are made from the same distances that a query
// shows, and reads the lengths of the compared traces from the tails: a distance is judged as a share of the events.
#include "query/clusters/trace_pairs.h"

#include <fmt/core.h>

#include <algorithm>

#include "index/store/segment_search.h"

namespace oscope {

std::string PairStatement(uint32_t suffix, uint32_t distance) {
  return fmt::format(
      "SELECT a.id, b.id FROM :project WHERE a.status IN ('open', 'reopened') && b.status IN ('open', 'reopened') "
      "&& INTERSECT?(a.failing[{0}], b.failing[{0}], {1})",
      suffix, distance);
}

Result<TraceLengths> TraceLengths::Read(const Snapshot& snapshot, const std::string& project) {
  TraceLengths made;
  for (const SegmentEntry& segment : snapshot.manifest().segments) {
    OSCOPE_RETURN_IF_ERROR(snapshot.cancel().Check());
    OSCOPE_ASSIGN_OR_RETURN(const auto search, snapshot.Search(segment));
    if (search == nullptr) continue;
    const TailTable& tails = search->tails();
    for (const TailRow& row : tails.rows()) {
      if (row.bug == kNoBug || !IsFailing(row.outcome) || tails.bugs()[row.bug].project != project) continue;
      made.lengths_.emplace(TraceId{row.run, row.process, row.thread, row.kind}, row.marked_count);
      made.traced_.insert(tails.bugs()[row.bug]);
    }
  }
  return made;
}

uint32_t TraceLengths::Compared(const TraceId& trace, uint32_t suffix) const {
  const auto known = lengths_.find(trace);
  return known == lengths_.end() ? suffix : static_cast<uint32_t>(std::min<uint64_t>(known->second, suffix));
}

std::vector<BugPair> PairsOf(const Answer& answer, const TraceLengths& lengths, uint32_t suffix) {
  std::vector<BugPair> pairs;
  pairs.reserve(answer.rows.size());
  for (const AnswerRow& row : answer.rows) {
    // Every row comes from two traces of two bugs.
    if (row.bugs.size() != 2 || !row.distance || !row.pair || !row.pair->theirs) continue;
    const uint32_t events =
        std::max(lengths.Compared(row.pair->ours, suffix), lengths.Compared(*row.pair->theirs, suffix));
    pairs.push_back({row.bugs[0], row.bugs[1], static_cast<uint32_t>(*row.distance), events});
  }
  return pairs;
}

}  // namespace oscope
