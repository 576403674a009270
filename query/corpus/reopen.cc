// From one version of a store to a later one that has a few segments more: nothing that is known of the others is
// worked out again.
//
// A commit adds segments at the end of the manifest; after whatever rewrites segments (a compaction, a purge, a run
// that changes its bug) the corpus is opened anew. A new bug takes its place among the numbers, and those after it move
// up by one.
#include <algorithm>
#include <utility>

#include "query/corpus/corpus.h"

namespace oscope {

Result<std::shared_ptr<Corpus>> Corpus::Reopen(const std::shared_ptr<Corpus>& old,
                                               std::shared_ptr<const Snapshot> snapshot, const Options& options) {
  const bool runs = options.runs || (old != nullptr && old->has_runs_);
  if (old == nullptr || old.use_count() > 1 || runs) return Open(std::move(snapshot), options);
  if (old->snapshot_ != snapshot) {
    OSCOPE_ASSIGN_OR_RETURN(const bool advanced, old->Advance(snapshot, options));
    if (!advanced) return Open(std::move(snapshot), options);
  }
  if (options.all_bugs) OSCOPE_RETURN_IF_ERROR(old->LearnBugs(options.ask));
  return old;
}

Result<bool> Corpus::Advance(std::shared_ptr<const Snapshot> snapshot, const Options& options) {
  std::shared_ptr<const Snapshot> before = std::exchange(snapshot_, std::move(snapshot));
  std::vector<Segment> known = std::exchange(segments_, {});
  const Status loaded = LoadSegments(options.ask);
  const bool more_only = loaded.ok() && segments_.size() >= known.size() &&
                         std::equal(known.begin(), known.end(), segments_.begin(),
                                    [](const Segment& a, const Segment& b) { return a.search == b.search; });
  if (!more_only) {
    segments_ = std::move(known);
    snapshot_ = std::move(before);
    if (!loaded.ok()) return loaded.error();
    return false;
  }
  for (size_t s = 0; s < known.size(); ++s) segments_[s].bug_of = std::move(known[s].bug_of);
  Keys more;
  for (size_t s = known.size(); s < segments_.size(); ++s) {
    for (const BugKey& key : segments_[s].search->tails().bugs()) {
      if (!Find(key)) more.push_back(&key);
    }
  }
  AddKeys(more);
  for (size_t s = known.size(); s < segments_.size(); ++s) NumberBugsOf(segments_[s]);
  AddTraces(known.size());
  std::vector<uint32_t> touched;
  for (size_t s = known.size(); s < segments_.size(); ++s) {
    touched.insert(touched.end(), segments_[s].bug_of.begin(), segments_[s].bug_of.end());
  }
  AdvanceSelections(known.size(), touched);
  knows_all_bugs_ = false;
  places_.reset();
  fields_.clear();
  if (names_built_) {
    for (size_t s = known.size(); s < segments_.size(); ++s) AddNames(segments_[s]);
  }
  method_weights_.reset();
  if (words_) {
    for (size_t s = known.size(); s < segments_.size(); ++s) AddWords(segments_[s]);
  }
  read_records_.clear();
  return true;
}

void Corpus::AddKeys(const Keys& more) {
  if (more.empty()) return;
  const auto is_before = [](const BugKey* a, const BugKey* b) { return *a < *b; };
  Keys sorted = more;
  std::sort(sorted.begin(), sorted.end(), is_before);
  sorted.erase(std::unique(sorted.begin(), sorted.end(), [](const BugKey* a, const BugKey* b) { return *a == *b; }),
               sorted.end());
  // moved[old number] is the new one.
  std::vector<uint32_t> moved;
  moved.reserve(keys_.size());
  Keys keys;
  keys.reserve(keys_.size() + sorted.size());
  std::vector<uint32_t> first_trace;
  first_trace.reserve(keys_.size() + sorted.size() + 1);
  auto next = sorted.begin();
  // Where each new key belongs is looked up, so that few keys are compared.
  auto place = [&] {
    return next == sorted.end() ? keys_.end() : std::lower_bound(keys_.begin(), keys_.end(), *next, is_before);
  };
  auto stop = place();
  for (auto at = keys_.begin(); at != keys_.end(); ++at) {
    for (; at == stop; stop = place()) {
      first_trace.push_back(first_trace_[moved.size()]);
      keys.push_back(*next++);
    }
    first_trace.push_back(first_trace_[moved.size()]);
    moved.push_back(static_cast<uint32_t>(keys.size()));
    keys.push_back(*at);
  }
  for (; next != sorted.end(); ++next) {
    first_trace.push_back(first_trace_.back());
    keys.push_back(*next);
  }
  first_trace.push_back(first_trace_.back());
  keys_ = std::move(keys);
  first_trace_ = std::move(first_trace);
  for (Segment& segment : segments_) {
    for (uint32_t& bug : segment.bug_of) {
      if (bug != kNoBug) bug = moved[bug];
    }
  }
}

void Corpus::AddTraces(size_t first_segment) {
  std::vector<std::pair<uint32_t, TraceRef>> more;  // by bug, then in order of segments and rows
  for (size_t s = first_segment; s < segments_.size(); ++s) {
    for (uint32_t row = 0; row < segments_[s].search->tails().size(); ++row) {
      if (const uint32_t bug = segments_[s].bug(row); bug != kNoBug)
        more.push_back({bug, {static_cast<uint32_t>(s), row}});
    }
  }
  if (more.empty()) return;
  std::stable_sort(more.begin(), more.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<TraceRef> traces;
  traces.reserve(traces_.size() + more.size());
  auto next = more.begin();
  size_t copied = 0;
  const auto copy_to = [&](size_t end) {
    traces.insert(traces.end(), traces_.begin() + static_cast<ptrdiff_t>(copied),
                  traces_.begin() + static_cast<ptrdiff_t>(end));
    copied = end;
  };
  uint32_t added = 0;
  for (uint32_t bug = 0; bug < bugs(); ++bug) {
    const uint32_t end = first_trace_[bug + 1];
    first_trace_[bug] += added;
    if (next == more.end() || next->first != bug) continue;
    copy_to(end);
    for (; next != more.end() && next->first == bug; ++next, ++added) traces.push_back(next->second);
  }
  first_trace_.back() += added;
  copy_to(traces_.size());
  traces_ = std::move(traces);
}

void Corpus::AdvanceSelections(size_t first_segment, std::span<const uint32_t> touched) {
  for (auto& [selection, traces] : selections_) {
    // A query that still runs keeps what it has.
    if (traces.use_count() > 1) traces = std::make_shared<SelectedTraces>(*traces);
    for (size_t s = first_segment; s < segments_.size(); ++s)
      traces->rows.emplace_back(segments_[s].search->tails().size());
    for (const uint32_t bug : touched) {
      if (bug != kNoBug) Choose(selection, bug, *traces);
    }
  }
}

}  // namespace oscope
