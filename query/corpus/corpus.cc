// A corpus is a snapshot with numbers. Segments number their own bugs and names; a query needs one number for a bug
// and one for a name wherever it occurs. So opening merges the sorted lists of bugs of all segments and keeps for each
// segment a table from its numbers to ours. Names are numbered likewise, when the first query compares traces.
//
// Numbers follow the order of keys, and traces are grouped by bug in one flat list (first_trace_ and traces_). That
// makes comparing keys a comparison of integers, and a bug's traces a span.
//
// What is read on demand (fields, reports, selections, names, words) is guarded by a mutex for each kind and kept for
// the next query. A session lives from this: its first query pays, the later ones only compute.
//
// Left out: events are never copied here. Tails stay in the mapped index files; whole traces are read by
// query/operators/whole_sets.cc.
#include "query/corpus/corpus.h"

#include <algorithm>
#include <utility>

#include "index/store/bug_name_table.h"

namespace oscope {
namespace {

bool IsBefore(const BugKey* a, const BugKey* b) { return *a < *b; }

}  // namespace

TraceTraits TraitsOf(const TailRow& row) {
  return {.kind = row.kind,
          .granularity = row.granularity,
          .failing_run = IsFailing(row.outcome),
          .failing_thread = row.failing_thread,
          .thread = row.thread};
}

Result<std::shared_ptr<Corpus>> Corpus::Open(std::shared_ptr<const Snapshot> snapshot, const Options& options) {
  std::shared_ptr<Corpus> corpus(new Corpus);
  corpus->snapshot_ = std::move(snapshot);
  OSCOPE_RETURN_IF_ERROR(corpus->LoadSegments(options.ask));
  // Each segment has its bugs in order: all are merged, two neighbours at a time.
  Keys keys;
  std::vector<size_t> ends = {0};
  for (const Segment& segment : corpus->segments_) {
    for (const BugKey& key : segment.search->tails().bugs()) keys.push_back(&key);
    ends.push_back(keys.size());
  }
  const auto at = [&](size_t i) { return keys.begin() + static_cast<ptrdiff_t>(i); };
  while (ends.size() > 2) {
    std::vector<size_t> merged = {0};
    for (size_t i = 2; i < ends.size(); i += 2) {
      std::inplace_merge(at(ends[i - 2]), at(ends[i - 1]), at(ends[i]), IsBefore);
      merged.push_back(ends[i]);
    }
    if (merged.back() != keys.size()) merged.push_back(keys.size());
    ends = std::move(merged);
  }
  OSCOPE_RETURN_IF_ERROR(options.ask());
  corpus->NumberBugs(std::move(keys));
  corpus->CollectTraces();
  if (options.all_bugs || options.runs) OSCOPE_RETURN_IF_ERROR(corpus->LearnBugs(options.ask));
  if (options.runs) OSCOPE_RETURN_IF_ERROR(corpus->LoadRuns(options.ask));
  return corpus;
}

Status Corpus::LoadSegments(const std::function<Status()>& ask) {
  for (const SegmentEntry& entry : snapshot_->manifest().segments) {
    OSCOPE_RETURN_IF_ERROR(ask());
    OSCOPE_ASSIGN_OR_RETURN(std::shared_ptr<const SegmentSearch> search, snapshot_->Search(entry));
    if (search != nullptr) segments_.push_back({&entry, std::move(search), {}});
  }
  return {};
}

Status Corpus::LoadRuns(const std::function<Status()>& ask) {
  constexpr uint64_t kBetweenQuestions = 256;
  has_runs_ = true;
  failing_runs_.resize(keys_.size());
  uint64_t seen = 0;
  Status asked;
  OSCOPE_RETURN_IF_ERROR(snapshot_->ForEachRun({}, false, [&](const StoredRun& run) {
    if (seen++ % kBetweenQuestions == 0) asked = ask();
    if (!asked.ok()) return false;
    if (run.header.bug.empty()) return true;
    if (const auto bug = Find(BugKey{run.header.project, run.header.bug})) failing_runs_[*bug].Add(run.header);
    return true;
  }));
  return asked;
}

void Corpus::NumberBugs(Keys keys) {
  keys.erase(std::unique(keys.begin(), keys.end(), [](const BugKey* a, const BugKey* b) { return *a == *b; }),
             keys.end());
  keys_ = std::move(keys);
  for (Segment& segment : segments_) NumberBugsOf(segment);
}

void Corpus::NumberBugsOf(Segment& segment) const {
  segment.bug_of.clear();
  const std::span<const BugKey> bugs = segment.search->tails().bugs();
  // Both lists ascend. Where one is much the shorter, each of its bugs is looked up.
  const bool few = bugs.size() < keys_.size() / 16;
  auto at = keys_.begin();
  for (const BugKey& key : bugs) {
    if (few) at = std::lower_bound(at, keys_.end(), &key, IsBefore);
    while (at != keys_.end() && **at < key) ++at;
    const bool known = at != keys_.end() && **at == key;
    segment.bug_of.push_back(known ? static_cast<uint32_t>(at - keys_.begin()) : kNoBug);
  }
}

void Corpus::CollectTraces() {
  first_trace_.assign(keys_.size() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      const uint32_t rows = static_cast<uint32_t>(segments_[s].search->tails().size());
      for (uint32_t row = 0; row < rows; ++row) {
        if (const uint32_t bug = segments_[s].bug(row); bug != kNoBug) visit(bug, TraceRef{s, row});
      }
    }
  };
  for_each([&](uint32_t bug, TraceRef) { ++first_trace_[bug + 1]; });
  for (size_t bug = 0; bug < keys_.size(); ++bug) first_trace_[bug + 1] += first_trace_[bug];
  traces_.resize(first_trace_.back());
  std::vector<uint32_t> next(first_trace_.begin(), first_trace_.end() - 1);
  for_each([&](uint32_t bug, TraceRef trace) { traces_[next[bug]++] = trace; });
}

std::optional<uint32_t> Corpus::Find(const BugKey& key) const {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), &key, IsBefore);
  if (at == keys_.end() || **at != key) return std::nullopt;
  return static_cast<uint32_t>(at - keys_.begin());
}

std::optional<uint32_t> Corpus::Find(const BugKeyView& key) const {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), key, [](const BugKey* known, const BugKeyView& wanted) {
    return ViewOf(*known) < wanted;
  });
  if (at == keys_.end() || ViewOf(**at) != key) return std::nullopt;
  return static_cast<uint32_t>(at - keys_.begin());
}

std::vector<std::string> Corpus::projects() const {
  std::vector<std::string> projects;
  for (auto at = keys_.begin(); at != keys_.end();) {
    projects.push_back((*at)->project);
    at = std::upper_bound(at, keys_.end(), projects.back(), [](std::string_view last, const BugKey* key) {
      return last < std::string_view(key->project);
    });
  }
  return projects;
}

bool Corpus::HasProject(std::string_view project) const {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), project,
                                   [](const BugKey* key, std::string_view wanted) { return key->project < wanted; });
  return at != keys_.end() && (*at)->project == project;
}

std::span<const TraceRef> Corpus::TracesOf(uint32_t bug) const {
  return std::span(traces_).subspan(first_trace_[bug], first_trace_[bug + 1] - first_trace_[bug]);
}

Result<std::vector<TraceRef>> Corpus::TracesOfRun(RunId run) const {
  std::vector<TraceRef> traces;
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<RunPlace> place, snapshot_->PlaceOf(run));
  if (!place || !place->trace_row) return traces;
  const auto at =
      std::find_if(segments_.begin(), segments_.end(), [&](const Segment& one) { return one.entry == place->segment; });
  if (at == segments_.end()) return traces;
  const std::span<const TailRow> rows = at->search->tails().rows();
  // A trace is one row here and one or more in the table, so the first is not after the table's.
  size_t row = std::min<size_t>(*place->trace_row + size_t{1}, rows.size());
  while (row > 0 && rows[row - 1].run != run) --row;
  while (row > 0 && rows[row - 1].run == run) --row;
  for (; row < rows.size() && rows[row].run == run; ++row) {
    traces.push_back({static_cast<uint32_t>(at - segments_.begin()), static_cast<uint32_t>(row)});
  }
  return traces;
}

TraceId Corpus::IdOf(TraceRef trace) const {
  const TailRow& found = row(trace);
  return {found.run, found.process, found.thread, found.kind};
}

Result<BugRecord> Corpus::ReadRecord(uint32_t bug) const {
  constexpr size_t kKept = 1000;
  {
    const std::lock_guard lock(read_mutex_);
    if (const auto known = read_records_.find(bug); known != read_records_.end()) return known->second;
  }
  BugRecord record;
  OSCOPE_ASSIGN_OR_RETURN(std::optional<Bug> found, snapshot_->FindBug(key(bug)));
  if (found) {
    record.bug = *std::move(found);
  } else {
    record.bug.key = key(bug);
  }
  const std::lock_guard lock(read_mutex_);
  if (read_records_.size() == kKept) read_records_.clear();
  read_records_.emplace(bug, record);
  return record;
}

std::shared_ptr<const SelectedTraces> Corpus::Select(const TraceSelection& selection) const {
  constexpr size_t kKept = 8;
  const std::lock_guard lock(selections_mutex_);
  for (const auto& [known, traces] : selections_) {
    if (known == selection) return traces;
  }
  auto made = std::make_shared<SelectedTraces>();
  for (const Segment& segment : segments_) made->rows.emplace_back(segment.search->tails().size());
  for (uint32_t bug = 0; bug < bugs(); ++bug) Choose(selection, bug, *made);
  if (selections_.size() == kKept) selections_.erase(selections_.begin());
  selections_.emplace_back(selection, made);
  return made;
}

void Corpus::Choose(const TraceSelection& selection, uint32_t bug, SelectedTraces& made) const {
  uint32_t first_kind = UINT32_MAX;
  for (const TraceRef trace : TracesOf(bug)) {
    const TraceTraits traits = TraitsOf(row(trace));
    if (row(trace).event_count > 0 && selection.Admits(traits))
      first_kind = std::min(first_kind, selection.Rank(traits));
  }
  for (const TraceRef trace : TracesOf(bug)) {
    const TraceTraits traits = TraitsOf(row(trace));
    // What has no event up to its failure is no trace: nothing is near it, however few events the other has.
    const bool taken = row(trace).tail_length > 0 && selection.Admits(traits) && selection.Rank(traits) == first_kind;
    made.rows[trace.segment][trace.row] = taken ? SelectedTraces::CodeOf(traits.kind) : 0;
  }
}

void Corpus::AddNames(const Segment& segment) const {
  const TailTable& tails = segment.search->tails();
  std::vector<uint32_t>& ours = names_.of_segment.emplace_back();
  ours.reserve(tails.names());
  for (uint32_t id = 0; id < tails.names(); ++id) ours.push_back(names_.names.Intern(tails.name(id)));
  names_.statistics.traces += tails.size();
  names_.statistics.traces_with_event.resize(names_.names.size());
  for (uint32_t id = 0; id < tails.names(); ++id)
    names_.statistics.traces_with_event[ours[id]] += tails.traces_with_name()[id];
}

// What was built before an error stays, and the next call goes on from there.
Status Corpus::BuildNames(const std::function<Status()>& ask) const {
  if (names_built_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(names_mutex_);
  if (names_built_.load(std::memory_order_relaxed)) return {};
  for (size_t s = names_.of_segment.size(); s < segments_.size(); ++s) {
    OSCOPE_RETURN_IF_ERROR(ask());
    AddNames(segments_[s]);
  }
  names_built_.store(true, std::memory_order_release);
  return {};
}

const Corpus::Names& Corpus::BuiltNames() const {
  OSCOPE_CHECK(BuildNames([] { return Status(); }).ok());
  return names_;
}

const EventNames& Corpus::names() const { return BuiltNames().names; }
std::span<const uint32_t> Corpus::NamesOf(uint32_t segment) const { return BuiltNames().of_segment[segment]; }
const EventStatistics& Corpus::statistics() const { return BuiltNames().statistics; }

std::shared_ptr<const MethodWeights> Corpus::methods() const {
  const std::lock_guard lock(methods_mutex_);
  if (!method_weights_) {
    methods_.Extend(names());
    method_weights_ = std::make_shared<MethodWeights>(methods_.Weigh(statistics()));
  }
  return method_weights_;
}

// As StackWords counts: the last kTailEvents frames of every stack.
void Corpus::AddWords(const Segment& segment) const {
  const TailTable& tails = segment.search->tails();
  words_->BeginTable([&tails](uint32_t event) { return tails.name(event); });
  std::vector<uint32_t> frames;
  for (size_t row = 0; row < tails.size(); ++row) {
    if (tails.rows()[row].kind != TraceKind::kStack) continue;
    frozen_words_.reset();
    frames.clear();
    tails.AppendTail(row, kTailEvents, frames);
    words_->AddStack(frames);
  }
}

WordStatistics Corpus::WordsOfStacks() const {
  const std::lock_guard lock(words_mutex_);
  if (!words_) {
    words_.emplace();
    for (const Segment& segment : segments_) AddWords(segment);
  }
  if (!frozen_words_) frozen_words_ = words_->Freeze();
  return *frozen_words_;
}

}  // namespace oscope
