// The plain search by suffix: every failing trace of a store against those of the bug at hand, one after another.
//
// Compared are the last events up to the failure mark (without one: up to the end) of the failing thread's trace; of every trace of the
// run where the failing thread is not known. Stacks are compared with stacks, executions with executions.
// A later engine gives the same answers faster.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/store/snapshot.h"

namespace oscope::cli {

struct Suffix {
  TraceId trace;
  std::vector<uint32_t> events;  // ids of SuffixQuery::Find
};

class SuffixQuery {
 public:
  // The failing traces of a bug: its executions, else its stacks. kNotFound when it has none.
  static Result<SuffixQuery> OfBug(const Snapshot& snapshot, const BugKey& bug, uint32_t length);
  // Those of one run, whatever its outcome.
  static Result<SuffixQuery> OfRun(const Snapshot& snapshot, const RunHeader& run, uint32_t length);

  const std::vector<Suffix>& suffixes() const { return suffixes_; }  // different ones, one at least
  uint32_t length() const { return length_; }
  TraceKind kind() const { return suffixes_.front().trace.kind; }
  // The bug at hand is no answer to itself.
  const BugKey& self() const { return self_; }

  // Events of the query count from 1; any other is 0, since it is equal to none of them.
  uint32_t Find(std::string_view event) const;

 private:
  SuffixQuery(BugKey self, uint32_t length) : self_(std::move(self)), length_(length) {}
  Status AddRun(const Snapshot& snapshot, const RunHeader& run);
  void PreferExecutions();

  BugKey self_;
  uint32_t length_;
  std::vector<Suffix> suffixes_;
  std::unordered_map<std::string, uint32_t> ids_;
};

struct SimilarBug {
  BugKey bug;
  uint32_t distance = 0;
  TraceId ours;    // the pair that is nearest
  TraceId theirs;
};

struct SimilarBugs {
  std::vector<SimilarBug> bugs;  // nearest first, then by key
  uint64_t traces = 0;           // that were compared
};

// The `limit` (0: all) nearest other bugs within `max_distance` of the query; without one, of those that share any event with it.
Result<SimilarBugs> FindSimilar(const Snapshot& snapshot, const SuffixQuery& query, std::optional<uint32_t> max_distance,
                                size_t limit);

// The last `length` events of a trace up to its mark, as names.
Result<std::vector<std::string>> ReadSuffix(const Snapshot& snapshot, const TraceId& trace, uint32_t length);

}  // namespace oscope::cli
