#include "cli/commands/similar_scan.h"

#include <algorithm>
#include <unordered_set>

#include "base/cancel.h"
#include "query/distance/levenshtein.h"

namespace oscope::cli {
namespace {

struct RunIdHash {
  size_t operator()(const RunId& id) const { return static_cast<size_t>(id.value.high ^ id.value.low); }
};

// Which thread of each failing run failed. Nearly always it is the first of the first process, so only the others are kept.
class FailingThreads {
 public:
  static Result<FailingThreads> Read(const Snapshot& snapshot) {
    FailingThreads threads;
    RunFilter failing;
    failing.failing = true;
    OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(failing, false, [&](const StoredRun& run) {
      if (run.header.failing_thread != ThreadRef{}) threads.others_[run.header.id] = run.header.failing_thread;
      return !Cancelled();
    }));
    OSCOPE_RETURN_IF_ERROR(CheckCancelled());
    return threads;
  }

  bool MayBe(const RunId& run, const ThreadRef& thread) const {
    const auto other = others_.find(run);
    if (other == others_.end()) return thread == ThreadRef{};
    return other->second.value_or(thread) == thread;
  }

 private:
  std::unordered_map<RunId, std::optional<ThreadRef>, RunIdHash> others_;
};

uint64_t EndOf(const TraceHeader& trace) { return trace.mark ? trace.mark->events : trace.event_count; }

Result<Trace> ReadTail(const Snapshot& snapshot, const TraceId& id, const TraceHeader& header, uint32_t length,
                       SymbolTable& symbols) {
  const uint64_t count = std::min<uint64_t>(EndOf(header), length);
  return snapshot.ReadTrace(id, symbols, EndOf(header) - count, count);
}

// Puts the chunks of each trace together and compares it when it is whole.
class Scan {
 public:
  Scan(const SuffixQuery& query, const FailingThreads& threads, std::optional<uint32_t> max_distance, size_t limit)
      : query_(query), threads_(threads), max_distance_(max_distance), limit_(limit), bugs_at_(query.length() + 1) {}

  Status AddBatch(const TraceBatch& batch) {
    OSCOPE_RETURN_IF_ERROR(CheckCancelled());
    ids_.resize(batch.names.size());
    for (size_t i = 0; i < ids_.size(); ++i) ids_[i] = query_.Find(batch.names[i]);
    for (size_t row = 0; row < batch.rows; ++row) {
      if (batch.first_event[row] == 0) BeginTrace(batch, row);
      if (wanted_) AddRow(batch, row);
    }
    return {};
  }

  SimilarBugs Finish() {
    Compare();
    SimilarBugs found;
    found.traces = traces_;
    for (const auto& [key, best] : best_) found.bugs.push_back(best);
    std::stable_sort(found.bugs.begin(), found.bugs.end(),
                     [](const SimilarBug& a, const SimilarBug& b) { return a.distance < b.distance; });
    if (limit_ != 0 && found.bugs.size() > limit_) found.bugs.resize(limit_);
    return found;
  }

 private:
  void BeginTrace(const TraceBatch& batch, size_t row) {
    Compare();
    wanted_ = IsFailing(batch.outcome[row]) && !batch.bug[row].empty() && batch.kind[row] == query_.kind() &&
              threads_.MayBe(batch.run_ids[row], {batch.process[row], batch.thread[row]});
    if (!wanted_) return;
    bug_.project = batch.project[row];
    bug_.id = batch.bug[row];
    wanted_ = bug_ != query_.self();
    trace_ = {batch.run_ids[row], batch.process[row], batch.thread[row], batch.kind[row]};
  }

  void AddRow(const TraceBatch& batch, size_t row) {
    const uint64_t begin = batch.offsets[row];
    uint64_t count = batch.offsets[row + 1] - begin;
    if (batch.mark[row]) {
      const uint64_t first = batch.first_event[row];
      count = *batch.mark[row] > first ? std::min(count, *batch.mark[row] - first) : 0;
    }
    const uint64_t skipped = count - std::min<uint64_t>(count, query_.length());
    for (uint64_t i = skipped; i < count; ++i) tail_.push_back(ids_[static_cast<size_t>(batch.codes[begin + i])]);
    if (tail_.size() > query_.length()) {
      tail_.erase(tail_.begin(), tail_.end() - static_cast<ptrdiff_t>(query_.length()));
    }
  }

  void Compare() {
    if (!wanted_) return;
    wanted_ = false;
    ++traces_;
    common_ = tail_.size() - static_cast<size_t>(std::count(tail_.begin(), tail_.end(), 0u));
    for (const Suffix& suffix : query_.suffixes()) CompareWith(suffix);
    tail_.clear();
  }

  void CompareWith(const Suffix& suffix) {
    const size_t longer = std::max(suffix.events.size(), tail_.size());
    if (longer == 0) return;
    // At the length of the longer one nothing is in common.
    uint32_t bound = std::min(max_distance_.value_or(static_cast<uint32_t>(longer) - 1), enough_);
    const auto known = best_.find(bug_);
    if (known != best_.end()) bound = std::min(bound, known->second.distance);
    // Only events that the query has can be kept.
    if (longer - common_ > bound) return;
    const std::optional<uint32_t> distance = LevenshteinWithin(suffix.events, tail_, bound);
    if (!distance) return;
    const SimilarBug pair{bug_, *distance, suffix.trace, trace_};
    // Among equals the pair with the lower ids, so that the answer does not depend on the order of segments.
    const auto rank = [](const SimilarBug& s) { return std::tie(s.distance, s.ours, s.theirs); };
    if (known == best_.end()) {
      best_.emplace(bug_, pair);
    } else if (rank(pair) < rank(known->second)) {
      --bugs_at_[known->second.distance];
      known->second = pair;
    } else {
      return;
    }
    ++bugs_at_[pair.distance];
    UpdateEnough();
  }

  // When as many bugs as are asked for lie within a distance, farther ones cannot be among the nearest.
  void UpdateEnough() {
    size_t within = 0;
    for (uint32_t distance = 0; limit_ != 0 && distance < std::min<size_t>(enough_, bugs_at_.size()); ++distance) {
      within += bugs_at_[distance];
      if (within >= limit_) enough_ = distance;
    }
  }

  const SuffixQuery& query_;
  const FailingThreads& threads_;
  const std::optional<uint32_t> max_distance_;
  const size_t limit_;
  std::vector<size_t> bugs_at_;     // how many bugs are at each distance now
  uint32_t enough_ = UINT32_MAX;
  std::vector<uint32_t> ids_;  // of the batch's names
  bool wanted_ = false;        // the trace being put together
  BugKey bug_;
  TraceId trace_;
  std::vector<uint32_t> tail_;
  size_t common_ = 0;  // how many of its events the query has
  std::map<BugKey, SimilarBug> best_;
  uint64_t traces_ = 0;
};

}  // namespace

Result<SuffixQuery> SuffixQuery::OfBug(const Snapshot& snapshot, const BugKey& bug, uint32_t length) {
  SuffixQuery query(bug, length);
  RunFilter filter;
  filter.project = bug.project;
  filter.bug = bug.id;
  filter.failing = true;
  std::vector<RunHeader> runs;
  OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(filter, false, [&](const StoredRun& run) {
    runs.push_back(run.header);
    return !Cancelled();
  }));
  for (const RunHeader& run : runs) OSCOPE_RETURN_IF_ERROR(query.AddRun(snapshot, run));
  if (query.suffixes_.empty()) {
    return NotFound("bug {}: no failing run of it has a trace to compare", ToString(bug));
  }
  query.PreferExecutions();
  return query;
}

Result<SuffixQuery> SuffixQuery::OfRun(const Snapshot& snapshot, const RunHeader& run, uint32_t length) {
  SuffixQuery query(run.bug.empty() ? BugKey{} : BugKey{run.project, run.bug}, length);
  OSCOPE_RETURN_IF_ERROR(query.AddRun(snapshot, run));
  if (query.suffixes_.empty()) return NotFound("run {}: it has no trace to compare", ToString(run.id));
  query.PreferExecutions();
  return query;
}

uint32_t SuffixQuery::Find(std::string_view event) const {
  const auto id = ids_.find(std::string(event));
  return id == ids_.end() ? 0 : id->second;
}

Status SuffixQuery::AddRun(const Snapshot& snapshot, const RunHeader& run) {
  OSCOPE_RETURN_IF_ERROR(CheckCancelled());
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceHeader> traces, snapshot.Traces(run.id));
  for (const TraceHeader& header : traces) {
    const ThreadRef thread{header.process, header.thread};
    if (run.failing_thread.value_or(thread) != thread || EndOf(header) == 0) continue;
    const TraceId id{run.id, header.process, header.thread, header.kind};
    SymbolTable symbols;
    OSCOPE_ASSIGN_OR_RETURN(const Trace trace, ReadTail(snapshot, id, header, length_, symbols));
    Suffix suffix{id, {}};
    for (const SymbolId event : trace.events) {
      const auto [place, is_new] = ids_.try_emplace(symbols.name(event), static_cast<uint32_t>(ids_.size() + 1));
      suffix.events.push_back(place->second);
    }
    const bool known = std::any_of(suffixes_.begin(), suffixes_.end(), [&](const Suffix& other) {
      return other.trace.kind == id.kind && other.events == suffix.events;
    });
    if (!known) suffixes_.push_back(std::move(suffix));
  }
  return {};
}

void SuffixQuery::PreferExecutions() {
  const auto is_execution = [](const Suffix& suffix) { return suffix.trace.kind == TraceKind::kExecution; };
  if (!std::any_of(suffixes_.begin(), suffixes_.end(), is_execution)) return;
  std::erase_if(suffixes_, [&](const Suffix& suffix) { return !is_execution(suffix); });
}

Result<SimilarBugs> FindSimilar(const Snapshot& snapshot, const SuffixQuery& query, std::optional<uint32_t> max_distance,
                                size_t limit) {
  OSCOPE_ASSIGN_OR_RETURN(const FailingThreads threads, FailingThreads::Read(snapshot));
  Scan scan(query, threads, max_distance, limit);
  OSCOPE_RETURN_IF_ERROR(snapshot.ScanTraces({}, [&](const TraceBatch& batch) { return scan.AddBatch(batch); }));
  return scan.Finish();
}

Result<std::vector<std::string>> ReadSuffix(const Snapshot& snapshot, const TraceId& trace, uint32_t length) {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceHeader> traces, snapshot.Traces(trace.run));
  for (const TraceHeader& header : traces) {
    if (header.process != trace.process || header.thread != trace.thread || header.kind != trace.kind) continue;
    SymbolTable symbols;
    OSCOPE_ASSIGN_OR_RETURN(const Trace tail, ReadTail(snapshot, trace, header, length, symbols));
    std::vector<std::string> names;
    for (const SymbolId event : tail.events) names.push_back(symbols.name(event));
    return names;
  }
  return NotFound("trace {}: is not in this store", ToString(trace));
}

}  // namespace oscope::cli
