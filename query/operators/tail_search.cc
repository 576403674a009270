// The search behind `CALL suffix` and `oscope similar`: which bugs have a trace whose tail is near a known trace.
//
// The work is cut into blocks of rows over all segments, and threads take blocks. A bug's traces may lie in several
// blocks, so the least distance of each bug is an array of atomics (BestDistances), of two bytes for each bug,
// improved by compare-and-swap. A map for each thread, merged at the end, would not tell while the search runs how
// near a bug is already, and the bound could not fall.
//
// With a LIMIT only the nearest bugs are needed. NearestBound counts bugs by their distance as they are found, and the
// bound falls to that of the k-th nearest, which lets the filters reject more and more rows. It may only fall where a
// bug's distance is final. SUBSET? of several known traces takes the greatest of the distances to each, so its earlier
// traces are searched with the full bound, and prior_ carries the greatest so far.
//
// Some predicates cannot be decided from nearest pairs (INTERSECT? with a count, SUBSET? of the variable's traces,
// JACCARD?). For these the search only finds the bugs that have anything near, and evaluates the predicate for them
// (EvaluateNear). It is right because a bug with nothing near cannot satisfy any of them.
//
// A bug does not match itself. But where several known bugs stand in a union each of them may match another, so the
// bugs that the known traces belong to are skipped in the search and evaluated one by one at the end (EvaluateItself).
//
// The search knows how near a bug is, not through which pair of traces: the rows that are shown are evaluated once
// more for that (query/run/thread_engine.cc). Remembering pairs would cost memory for each row that was ever near.
#include "query/operators/tail_search.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "query/operators/nearest_bound.h"
#include "query/operators/parallel_bugs.h"
#include "query/operators/row_matcher.h"
#include "query/operators/tail_side.h"

namespace oscope {
namespace {

using bql::SetPredicate;

constexpr uint16_t kFar = UINT16_MAX;

// The least distance of each bug, improved by many threads.
class BestDistances {
 public:
  explicit BestDistances(uint32_t bugs) : best_(new std::atomic<uint16_t>[bugs]) {
    std::fill_n(reinterpret_cast<uint16_t*>(best_.get()), bugs, kFar);
  }
  uint16_t of(uint32_t bug) const { return best_[bug].load(std::memory_order_relaxed); }

  // Lowers the bug's distance to `distance` and returns what it was before. Returns nothing if it was not larger.
  std::optional<uint16_t> Improve(uint32_t bug, uint16_t distance) {
    uint16_t now = of(bug);
    while (distance < now) {
      if (best_[bug].compare_exchange_weak(now, distance, std::memory_order_relaxed)) return now;
    }
    return std::nullopt;
  }

 private:
  static_assert(sizeof(std::atomic<uint16_t>) == sizeof(uint16_t));
  std::unique_ptr<std::atomic<uint16_t>[]> best_;
};

class Search {
 public:
  Search(const PreparedQuery& query, const PredicatePlan& plan, const AllowsBug& allows)
      : query_(query),
        plan_(plan),
        side_(query, plan),
        allows_(allows),
        best_(query.corpus().bugs()),
        nearest_(plan.keep_nearest, side_.bound()) {}

  Result<SearchResult> Run() {
    const TraceSet& sequences = side_.sequences();
    if (sequences.empty()) return SearchResult{};
    if (NeedsEvaluation()) return EvaluateNear();
    const bool every_sequence = plan_.predicate.kind == SetPredicate::Kind::kSubset && sequences.size() > 1;
    for (size_t i = 0; i < sequences.size(); ++i) {
      const bool last = i + 1 == sequences.size();
      OSCOPE_RETURN_IF_ERROR(Pass(sequences[i], /*falling=*/!every_sequence || last));
      if (every_sequence && !last) StartNextSequence();
    }
    return Collect();
  }

 private:
  // INTERSECT? with a count of 1 is decided by the nearest pair, and SUBSET? of the known traces by the nearest pair of
  // each known trace. All others depend on all traces of a bug, so the search only finds the bugs to evaluate.
  bool NeedsEvaluation() const {
    switch (plan_.predicate.kind) {
      case SetPredicate::Kind::kIntersect: return plan_.predicate.count > 1;
      case SetPredicate::Kind::kSubset: return plan_.predicate.left.variable.has_value();
      case SetPredicate::Kind::kJaccard: return true;
    }
    return true;
  }

  Status Pass(const TraceSequence& sequence, bool falling) {
    const RowMatchers matchers = side_.MakeMatchers(sequence);
    std::vector<std::pair<uint32_t, uint32_t>> blocks;  // segment, block
    for (uint32_t s = 0; s < matchers.size(); ++s) {
      for (uint32_t block = 0; block < matchers[s]->blocks(); ++block) blocks.emplace_back(s, block);
    }
    return ForEachInParallel(blocks.size(), 1, query_.context(), [&](size_t i) -> Status {
      const auto [s, block] = blocks[i];
      Local& local = locals_.local();
      matchers[s]->FindNear(block, falling ? nearest_.bound() : side_.bound(), query_.context(), local.scratch);
      const size_t before = local.bugs.size();
      for (const NearRow& near : local.scratch.near)
        Take(query_.corpus().segments()[s].bug(near.row), near.distance, falling, local);
      if (falling && !local.scratch.near.empty()) nearest_.Tighten();
      if (falling && query_.context().partial.watched()) ShowPartial(std::span(local.bugs).subspan(before));
      return {};
    });
  }

  void ShowPartial(std::span<const uint32_t> bugs) const {
    SearchResult matches;
    for (const uint32_t bug : bugs) matches.push_back({bug, best_.of(bug)});
    query_.context().partial.Add(matches);
  }

  struct Local {
    RowMatcher::Scratch scratch;
    std::vector<uint32_t> bugs;  // that were found for the first time
  };

  void Take(uint32_t bug, uint32_t distance, bool falling, Local& local) {
    uint16_t total = static_cast<uint16_t>(distance);
    if (!prior_.empty()) {
      if (prior_[bug] == kFar) return;
      total = std::max(total, prior_[bug]);
    }
    if (total >= best_.of(bug) || side_.IsItself(bug)) return;
    if (best_.of(bug) == kFar && !allows_(bug)) return;
    const std::optional<uint16_t> before = best_.Improve(bug, total);
    if (!before) return;
    if (*before == kFar) local.bugs.push_back(bug);
    if (falling) nearest_.Found(total, *before == kFar ? std::nullopt : std::optional<uint64_t>(*before));
  }

  void StartNextSequence() {
    std::vector<uint16_t> reached(query_.corpus().bugs(), kFar);
    for (Local& local : locals_) {
      for (const uint32_t bug : local.bugs) reached[bug] = best_.of(bug);
      local.bugs.clear();
    }
    prior_ = std::move(reached);
    best_ = BestDistances(query_.corpus().bugs());
  }

  std::vector<uint32_t> FoundBugs() {
    std::vector<uint32_t> bugs;
    for (const Local& local : locals_) bugs.insert(bugs.end(), local.bugs.begin(), local.bugs.end());
    std::sort(bugs.begin(), bugs.end());
    return bugs;
  }

  Result<SearchResult> Collect() {
    SearchResult found;
    for (const Local& local : locals_) {
      for (const uint32_t bug : local.bugs) {
        const uint16_t distance = best_.of(bug);
        if (distance <= nearest_.bound()) found.push_back({bug, distance});
      }
    }
    OSCOPE_RETURN_IF_ERROR(EvaluateItself(found));
    KeepNearest(found);
    std::sort(found.begin(), found.end());
    return found;
  }

  // The bugs that the known traces are of: they do not match themselves, but may match one another.
  Status EvaluateItself(SearchResult& found) {
    for (const uint32_t bug : side_.bugs()) {
      if (!allows_(bug)) continue;
      OSCOPE_ASSIGN_OR_RETURN(const Judgement judgement, Evaluate(bug, side_.bound()));
      if (judgement.holds) found.push_back({bug, judgement.distance.value_or(0)});
    }
    return {};
  }

  void KeepNearest(SearchResult& found) const {
    if (!plan_.keep_nearest || found.size() <= *plan_.keep_nearest) return;
    const auto nearer = [](const BugMatch& a, const BugMatch& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.bug < b.bug;
    };
    const auto end = found.begin() + static_cast<ptrdiff_t>(*plan_.keep_nearest);
    std::nth_element(found.begin(), end, found.end(), nearer);
    found.erase(end, found.end());
  }

  Result<Judgement> Evaluate(uint32_t bug, uint64_t bound) const {
    uint32_t row[bql::kMaxVariables] = {};
    row[plan_.variable] = bug;
    return query_.Evaluate(plan_.predicate, row, bound);
  }

  Result<SearchResult> EvaluateNear() {
    for (const TraceSequence& sequence : side_.sequences()) OSCOPE_RETURN_IF_ERROR(Pass(sequence, /*falling=*/false));
    std::vector<uint32_t> bugs = FoundBugs();
    bugs.insert(bugs.end(), side_.bugs().begin(), side_.bugs().end());
    std::sort(bugs.begin(), bugs.end());
    bugs.erase(std::unique(bugs.begin(), bugs.end()), bugs.end());
    tbb::enumerable_thread_specific<SearchResult> parts;
    OSCOPE_RETURN_IF_ERROR(ForEachInParallel(bugs.size(), 16, query_.context(), [&](size_t i) -> Status {
      if (!allows_(bugs[i])) return {};
      OSCOPE_ASSIGN_OR_RETURN(const Judgement judgement, Evaluate(bugs[i], nearest_.bound()));
      if (!judgement.holds) return {};
      parts.local().push_back({bugs[i], judgement.distance.value_or(0)});
      nearest_.Found(judgement.distance.value_or(0));
      nearest_.Tighten();
      return {};
    }));
    SearchResult found;
    for (const SearchResult& part : parts) found.insert(found.end(), part.begin(), part.end());
    KeepNearest(found);
    std::sort(found.begin(), found.end());
    return found;
  }

  const PreparedQuery& query_;
  const PredicatePlan& plan_;
  const TailSide side_;
  const AllowsBug& allows_;
  BestDistances best_;
  NearestBound nearest_;
  // By bug: the greatest distance to the sequences searched so far; kFar if one of them is too far. Empty at first.
  std::vector<uint16_t> prior_;
  tbb::enumerable_thread_specific<Local> locals_;
};

}  // namespace

Result<SearchResult> SearchTails(const PreparedQuery& query, const PredicatePlan& plan, const AllowsBug& allows) {
  return Search(query, plan, allows).Run();
}

}  // namespace oscope
