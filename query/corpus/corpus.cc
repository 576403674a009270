#include "query/corpus/corpus.h"

#include <algorithm>
#include <utility>

#include "base/cancel.h"
#include "query/semantics/words_metric.h"

namespace oscope {

TraceTraits TraitsOf(const TailRow& row) {
  return {.kind = row.kind,
          .granularity = row.granularity,
          .failing_run = IsFailing(row.outcome),
          .failing_thread = row.failing_thread,
          .thread = row.thread};
}

Result<std::shared_ptr<const Corpus>> Corpus::Open(std::shared_ptr<const Snapshot> snapshot, const Options& options) {
  std::shared_ptr<Corpus> corpus(new Corpus);
  corpus->snapshot_ = std::move(snapshot);
  OSCOPE_RETURN_IF_ERROR(corpus->LoadSegments());
  if (options.reports || options.runs) {
    OSCOPE_RETURN_IF_ERROR(corpus->LoadReports(options.runs));
  } else {
    std::vector<BugKey> keys;
    for (const Segment& segment : corpus->segments_) {
      const std::span<const BugKey> bugs = segment.search->tails().bugs();
      keys.insert(keys.end(), bugs.begin(), bugs.end());
    }
    corpus->NumberBugs(std::move(keys));
  }
  corpus->CollectTraces();
  return std::shared_ptr<const Corpus>(std::move(corpus));
}

Status Corpus::LoadSegments() {
  for (const SegmentEntry& entry : snapshot_->manifest().segments) {
    OSCOPE_RETURN_IF_ERROR(CheckCancelled());
    OSCOPE_ASSIGN_OR_RETURN(std::shared_ptr<const SegmentSearch> search, snapshot_->Search(entry));
    if (search != nullptr) segments_.push_back({&entry, std::move(search), {}});
  }
  return {};
}

Status Corpus::LoadReports(bool runs) {
  OSCOPE_ASSIGN_OR_RETURN(std::vector<Bug> bugs, snapshot_->Bugs());
  std::vector<BugKey> keys;
  keys.reserve(bugs.size());
  for (const Bug& bug : bugs) keys.push_back(bug.key);
  NumberBugs(std::move(keys));
  records_.resize(keys_.size());
  for (Bug& bug : bugs) records_[*Find(bug.key)].bug = std::move(bug);
  has_reports_ = true;
  if (!runs) return {};
  has_runs_ = true;
  return snapshot_->ForEachRun({}, false, [&](const StoredRun& run) {
    if (run.header.bug.empty()) return true;
    if (const auto bug = Find({run.header.project, run.header.bug})) records_[*bug].AddRun(run.header);
    return true;
  });
}

void Corpus::NumberBugs(std::vector<BugKey> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  keys_ = std::move(keys);
  for (Segment& segment : segments_) {
    // Both lists ascend.
    auto at = keys_.begin();
    for (const BugKey& key : segment.search->tails().bugs()) {
      while (at != keys_.end() && *at < key) ++at;
      // A segment that is damaged may hold the report of a bug whose traces are here.
      const bool known = at != keys_.end() && *at == key;
      segment.bug_of.push_back(known ? static_cast<uint32_t>(at - keys_.begin()) : kNoBug);
    }
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
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (at == keys_.end() || *at != key) return std::nullopt;
  return static_cast<uint32_t>(at - keys_.begin());
}

std::vector<std::string> Corpus::projects() const {
  std::vector<std::string> projects;
  for (auto at = keys_.begin(); at != keys_.end();) {
    projects.push_back(at->project);
    at = std::upper_bound(at, keys_.end(), projects.back(),
                          [](std::string_view last, const BugKey& key) { return last < std::string_view(key.project); });
  }
  return projects;
}

bool Corpus::HasProject(std::string_view project) const {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), project,
                                   [](const BugKey& key, std::string_view wanted) { return key.project < wanted; });
  return at != keys_.end() && at->project == project;
}

std::span<const TraceRef> Corpus::TracesOf(uint32_t bug) const {
  return std::span(traces_).subspan(first_trace_[bug], first_trace_[bug + 1] - first_trace_[bug]);
}

Result<std::vector<TraceRef>> Corpus::TracesOfRun(RunId run) const {
  std::vector<TraceRef> traces;
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<RunPlace> place, snapshot_->PlaceOf(run));
  if (!place || !place->trace_row) return traces;
  const auto at = std::find_if(segments_.begin(), segments_.end(), [&](const Segment& one) { return one.entry == place->segment; });
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
  BugRecord record;
  OSCOPE_ASSIGN_OR_RETURN(std::optional<Bug> found, snapshot_->FindBug(keys_[bug]));
  if (found) {
    record.bug = *std::move(found);
  } else {
    record.bug.key = keys_[bug];
  }
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
  for (uint32_t bug = 0; bug < bugs(); ++bug) {
    uint32_t first_kind = UINT32_MAX;
    for (const TraceRef trace : TracesOf(bug)) {
      const TraceTraits traits = TraitsOf(row(trace));
      if (row(trace).event_count > 0 && selection.Admits(traits)) first_kind = std::min(first_kind, selection.Rank(traits));
    }
    if (first_kind == UINT32_MAX) continue;
    for (const TraceRef trace : TracesOf(bug)) {
      const TraceTraits traits = TraitsOf(row(trace));
      if (!selection.Admits(traits) || selection.Rank(traits) != first_kind) continue;
      made->rows[trace.segment][trace.row] = SelectedTraces::Mark(traits.kind);
      ++made->count;
    }
  }
  if (selections_.size() == kKept) selections_.erase(selections_.begin());
  selections_.emplace_back(selection, made);
  return made;
}

void Corpus::BuildNames() const {
  std::call_once(names_once_, [&] {
    for (const Segment& segment : segments_) {
      const TailTable& tails = segment.search->tails();
      std::vector<uint32_t>& ours = names_of_.emplace_back();
      ours.reserve(tails.names());
      for (uint32_t id = 0; id < tails.names(); ++id) ours.push_back(names_.Intern(tails.name(id)));
      statistics_.traces += tails.size();
      statistics_.traces_with_event.resize(names_.size());
      for (uint32_t id = 0; id < tails.names(); ++id) {
        statistics_.traces_with_event[ours[id]] += tails.traces_with_name()[id];
      }
    }
  });
}

const EventNames& Corpus::names() const {
  BuildNames();
  return names_;
}

std::span<const uint32_t> Corpus::NamesOf(uint32_t segment) const {
  BuildNames();
  return names_of_[segment];
}

WordStatistics Corpus::WordsOfStacks() const {
  StackWords words;
  std::vector<uint32_t> events;
  std::vector<std::string_view> frames;
  for (const Segment& segment : segments_) {
    const TailTable& tails = segment.search->tails();
    for (size_t row = 0; row < tails.size(); ++row) {
      if (tails.rows()[row].kind != TraceKind::kStack) continue;
      events.clear();
      frames.clear();
      tails.AppendTail(row, kTailEvents, events);
      for (const uint32_t event : events) frames.push_back(tails.name(event));
      words.Add(frames);
    }
  }
  return words.Freeze();
}

const EventStatistics& Corpus::statistics() const {
  BuildNames();
  return statistics_;
}

}  // namespace oscope
