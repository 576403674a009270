// Finds out which bugs there are beside those with traces, where each bug's newest report is, and reads columns of
// fields. No report is decoded: names and places come from the index, fields from single Parquet columns.
#include <algorithm>

#include "index/store/bug_name_table.h"
#include "query/corpus/corpus.h"

namespace oscope {

// Walks over the names of all segments. A bug with traces in the same segment is found beside its traces, as both lists
// have the order of keys; any other by bisection.
Result<ReportPlaces> Corpus::FindReports(const std::function<Status()>& ask, std::vector<BugKey>& unknown) const {
  ReportPlaces places(keys_.size());
  std::vector<uint64_t> newest(keys_.size());
  const std::vector<SegmentEntry>& entries = snapshot_->manifest().segments;
  auto traced = segments_.begin();
  for (uint32_t s = 0; s < entries.size(); ++s) {
    OSCOPE_RETURN_IF_ERROR(ask());
    const bool is_traced = traced != segments_.end() && traced->entry == &entries[s];
    std::span<const BugKey> beside;
    std::span<const uint32_t> numbers;
    if (is_traced) {
      beside = traced->search->tails().bugs();
      numbers = traced->bug_of;
      ++traced;
    }
    OSCOPE_ASSIGN_OR_RETURN(const auto names, snapshot_->NamesOfBugs(entries[s]));
    if (names == nullptr) continue;
    size_t next = 0;
    for (uint32_t i = 0; i < names->size(); ++i) {
      const BugKeyView key = names->key(i);
      while (next < beside.size() && ViewOf(beside[next]) < key) ++next;
      std::optional<uint32_t> bug;
      if (next < beside.size() && ViewOf(beside[next]) == key) {
        bug = numbers[next];
      } else {
        bug = Find(key);
      }
      if (!bug) {
        unknown.push_back(key.ToKey());
        continue;
      }
      // Of two that have the same number the first counts.
      if (places[*bug].segment != ReportPlace::kNone && names->revision(i) <= newest[*bug]) continue;
      places[*bug] = {s, names->row(i)};
      newest[*bug] = names->revision(i);
    }
  }
  return places;
}

Status Corpus::LearnBugs(const std::function<Status()>& ask) {
  if (knows_all_bugs_) return {};
  std::vector<BugKey> unknown;
  OSCOPE_ASSIGN_OR_RETURN(ReportPlaces places, FindReports(ask, unknown));
  knows_all_bugs_ = true;
  const std::lock_guard lock(fields_mutex_);
  fields_.clear();
  places_.reset();
  if (unknown.empty()) {
    places_ = std::make_shared<const ReportPlaces>(std::move(places));
    return {};
  }
  std::sort(unknown.begin(), unknown.end());
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  Keys more;
  for (BugKey& key : unknown) more.push_back(&untraced_.emplace_back(std::move(key)));
  AddKeys(more);
  // Those of what was kept that go by the numbers of bugs.
  read_records_.clear();
  return {};
}

Result<std::shared_ptr<const FieldColumn>> Corpus::Field(const std::string& field,
                                                         const std::function<Status()>& ask) const {
  const std::lock_guard lock(fields_mutex_);
  if (const auto known = fields_.find(field); known != fields_.end()) return known->second;
  if (places_ == nullptr) {
    std::vector<BugKey> unknown;
    OSCOPE_ASSIGN_OR_RETURN(ReportPlaces places, FindReports(ask, unknown));
    places_ = std::make_shared<const ReportPlaces>(std::move(places));
  }
  const std::vector<SegmentEntry>& entries = snapshot_->manifest().segments;
  std::vector<std::shared_ptr<const BugColumn>> columns(entries.size());
  bool is_time = false;
  for (size_t s = 0; s < entries.size(); ++s) {
    OSCOPE_RETURN_IF_ERROR(ask());
    // One without names is left out, and no place is in it.
    OSCOPE_ASSIGN_OR_RETURN(const auto names, snapshot_->NamesOfBugs(entries[s]));
    if (names == nullptr) continue;
    OSCOPE_ASSIGN_OR_RETURN(columns[s], snapshot_->FieldOfBugs(entries[s], field));
    is_time = columns[s]->is_time();
  }
  return fields_.emplace(field, std::make_shared<const FieldColumn>(places_, std::move(columns), is_time))
      .first->second;
}

}  // namespace oscope
