// A corpus: one version of a store as queries see it. Bugs are numbers, traces are rows of the segments' indexes, and
// event names are ids. A session keeps one in memory.
//
// Bugs are numbered in the order of their keys, so that numbers compare as keys do. At first only the bugs that have
// traces are known; a search therefore reads no reports except those that it shows. A field of all bugs is read as a
// column when a query first asks for it. When a later version of the store only has more segments, Reopen reads only
// these.
// Errors:  those of Snapshot. A function with an `ask` parameter calls it often; when it returns an error, the work
//          ends and the error is returned unchanged.
// Threads: const functions may be called from any thread, also at the same time. What they build on demand is built
//          once and kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/store/segment_search.h"
#include "index/store/snapshot.h"
#include "query/corpus/field_column.h"
#include "query/semantics/bug_record.h"
#include "query/semantics/event_names.h"
#include "query/semantics/make_metric.h"
#include "query/semantics/recent_methods.h"
#include "query/semantics/trace_selection.h"
#include "query/similarity/frame_word_counter.h"

namespace oscope {

// Where a trace is: a row of a segment's TailTable.
struct TraceRef {
  uint32_t segment = 0;
  uint32_t row = 0;
};

TraceTraits TraitsOf(const TailRow& row);

// The traces, of all bugs, that are taken by an expression whose first operator is a suffix. Each trace has at least one
// event. For each bug the choice between executions and stacks has already been made.
struct SelectedTraces {
  std::vector<std::vector<uint8_t>> rows;  // by segment and row: CodeOf its kind when it is taken, else 0
  static uint8_t CodeOf(TraceKind kind) { return static_cast<uint8_t>(1 + static_cast<uint8_t>(kind)); }
  bool Has(TraceRef trace) const { return rows[trace.segment][trace.row] != 0; }
};

struct BugKeyView;  // index/store/bug_name_table.h

class Corpus {
 public:
  struct Options {
    bool all_bugs = false;  // also number the bugs without traces
    bool runs = false;      // also load the tests and signals of the failing runs; implies all_bugs
    // Called before every segment and after every few hundred runs while the corpus is opened. An error ends the opening.
    std::function<Status()> ask = [] { return Status(); };
  };
  static Result<std::shared_ptr<Corpus>> Open(std::shared_ptr<const Snapshot> snapshot, const Options& options);
  // Does the same as Open, faster if it can: when `old` (a corpus of the same open store, or null) is held by nobody
  // else and the new version only has more segments, these are added to `old`, which is returned. After an error `old`
  // is as it was.
  static Result<std::shared_ptr<Corpus>> Reopen(const std::shared_ptr<Corpus>& old,
                                                std::shared_ptr<const Snapshot> snapshot, const Options& options);

  const Snapshot& snapshot() const { return *snapshot_; }
  // The same snapshot, to reopen this version with other options.
  std::shared_ptr<const Snapshot> shared_snapshot() const { return snapshot_; }

  struct Segment {
    const SegmentEntry* entry = nullptr;
    std::shared_ptr<const SegmentSearch> search;
    std::vector<uint32_t> bug_of;  // the table's bugs -> ours
    // The corpus's number of the bug of a row; kNoBug when its run has none.
    uint32_t bug(uint32_t row) const {
      const uint32_t local = search->tails().rows()[row].bug;
      return local == kNoBug ? kNoBug : bug_of[local];
    }
  };
  const std::vector<Segment>& segments() const { return segments_; }
  uint64_t traces() const { return traces_.size(); }  // that belong to a bug
  const TailRow& row(TraceRef trace) const { return segments_[trace.segment].search->tails().rows()[trace.row]; }
  TraceId IdOf(TraceRef trace) const;

  // --- bugs ---
  uint32_t bugs() const { return static_cast<uint32_t>(keys_.size()); }
  const BugKey& key(uint32_t bug) const { return *keys_[bug]; }
  std::optional<uint32_t> Find(const BugKey& key) const;
  std::optional<uint32_t> Find(const BugKeyView& key) const;
  std::vector<std::string> projects() const;  // of the bugs that are known
  bool HasProject(std::string_view project) const;
  std::span<const TraceRef> TracesOf(uint32_t bug) const;  // in order of segments and rows
  // Returns the traces of a run, whether or not it has a bug. Empty when the store has no trace of the run.
  Result<std::vector<TraceRef>> TracesOfRun(RunId run) const;
  bool knows_all_bugs() const { return knows_all_bugs_; }
  bool has_runs() const { return has_runs_; }
  const FailingRuns& failing_runs(uint32_t bug) const { return failing_runs_[bug]; }  // with has_runs()
  // Returns a field of all known bugs; not `id`, `project`, `test` or `signal`, which are not part of the report. The
  // column is kept. Fails with kCorrupt when it cannot be read. `ask` is called before every segment.
  Result<std::shared_ptr<const FieldColumn>> Field(const std::string& field, const std::function<Status()>& ask) const;
  // Returns the report of one bug, and keeps it, so that it need not be read again to be shown.
  Result<BugRecord> ReadRecord(uint32_t bug) const;

  // --- choice ---
  // Returns the traces that a selection takes. They are kept for the next query with the same selection.
  std::shared_ptr<const SelectedTraces> Select(const TraceSelection& selection) const;

  // --- events ---
  // Builds what the next three functions return, segment by segment, and calls `ask` before each. If it was not called,
  // those functions build it themselves and cannot be stopped.
  Status BuildNames(const std::function<Status()>& ask) const;
  const EventNames& names() const;                            // of all traces
  std::span<const uint32_t> NamesOf(uint32_t segment) const;  // the table's ids -> ours
  const EventStatistics& statistics() const;
  std::shared_ptr<const MethodWeights> methods() const;  // of names(); kept
  WordStatistics WordsOfStacks() const;                  // counted once

 private:
  using Keys = std::vector<const BugKey*>;  // of the segments' tables, or of untraced_
  struct Names {
    EventNames names;
    std::vector<std::vector<uint32_t>> of_segment;
    EventStatistics statistics;
  };
  Corpus() = default;
  Status LoadSegments(const std::function<Status()>& ask);
  // Numbers the bugs without traces too. After an error the corpus is as it was.
  Status LearnBugs(const std::function<Status()>& ask);
  // Returns where the reports of the known bugs are, and puts the keys of the bugs that are not known into `unknown`,
  // some of them more than once.
  Result<ReportPlaces> FindReports(const std::function<Status()>& ask, std::vector<BugKey>& unknown) const;
  Status LoadRuns(const std::function<Status()>& ask);
  void NumberBugs(Keys keys);
  void NumberBugsOf(Segment& segment) const;
  void CollectTraces();
  const Names& BuiltNames() const;
  void AddNames(const Segment& segment) const;
  void AddWords(const Segment& segment) const;
  void Choose(const TraceSelection& selection, uint32_t bug, SelectedTraces& made) const;
  // Adds the segments of a later version. Returns false when that version is not this one with more segments at the
  // end.
  Result<bool> Advance(std::shared_ptr<const Snapshot> snapshot, const Options& options);
  void AddKeys(const Keys& more);
  void AddTraces(size_t first_segment);
  void AdvanceSelections(size_t first_segment, std::span<const uint32_t> touched);

  std::shared_ptr<const Snapshot> snapshot_;
  std::vector<Segment> segments_;
  Keys keys_;
  std::deque<BugKey> untraced_;  // keys of bugs that no segment has traces of; it does not move them
  bool knows_all_bugs_ = false;
  bool has_runs_ = false;
  std::vector<FailingRuns> failing_runs_;  // by bug
  std::vector<uint32_t> first_trace_;      // of each bug, in traces_; one more at the end
  std::vector<TraceRef> traces_;

  mutable std::mutex fields_mutex_;
  mutable std::shared_ptr<const ReportPlaces> places_;  // none: to be found
  mutable std::map<std::string, std::shared_ptr<const FieldColumn>> fields_;
  mutable std::mutex names_mutex_;
  mutable std::atomic<bool> names_built_ = false;
  mutable Names names_;
  mutable std::mutex selections_mutex_;
  mutable std::vector<std::pair<TraceSelection, std::shared_ptr<SelectedTraces>>> selections_;
  mutable std::mutex words_mutex_;
  mutable std::optional<FrameWordCounter> words_;
  mutable std::optional<WordStatistics> frozen_words_;
  mutable std::mutex methods_mutex_;
  mutable Methods methods_;
  mutable std::shared_ptr<const MethodWeights> method_weights_;  // none: to be worked out
  mutable std::mutex read_mutex_;
  mutable std::map<uint32_t, BugRecord> read_records_;
};

}  // namespace oscope
