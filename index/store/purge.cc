// Deletes for good: afterwards the deleted bytes are in no file of the store.
//
// A purge makes two commits. The first takes the segments of which nothing stays out of the manifest and removes their
// files. It writes no table, so it works on a disk that is full, and makes room for the second, which writes the other
// segments anew without what is deleted. One commit would be simpler, but then the purge that a full disk needs would
// fail for want of space. A purge that is interrupted between the two is half done: what is deleted stays deleted,
// every run still has its report, and the same purge does the rest (purge_plan.cc says what belongs together for that).
// Each part is left out when there is nothing for it to do.
//
// The second commit is not divided further. One segment after another would need less room at a time, but the reports
// that go have parts in several segments, which must go together.
#include <algorithm>
#include <optional>
#include <set>

#include "base/quantity.h"
#include "index/store/failure_index.h"
#include "index/store/purge_plan.h"
#include "index/store/rewrite.h"
#include "index/store/store.h"

namespace oscope {

namespace {

// The settings that remember the numbers of bugs that go; nullopt where they remember them already.
std::optional<StoreSettings> WithNumbersOf(const std::set<BugKey>& bugs, const StoreSettings& settings) {
  StoreSettings changed = settings;
  for (const BugKey& bug : bugs) {
    const std::optional<uint64_t> number = NumberOf(bug.id);
    if (!number) continue;
    uint64_t& next = changed.next_numbers[bug.project];
    next = std::max(next, *number + 1);
  }
  if (changed == settings) return std::nullopt;
  return changed;
}

std::string Counted(uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "2 runs of project Demo, 1 run of project Other and 1 report in 2 segments of 1.5 MiB".
std::string ToText(const PurgePlan::Part& part) {
  std::vector<std::string> counts;
  for (const auto& [project, runs] : part.runs) counts.push_back(Counted(runs, "run") + " of project " + project);
  if (!part.bugs.empty()) counts.push_back(Counted(part.bugs.size(), "report"));
  if (part.attachments != 0) counts.push_back(Counted(part.attachments, "attachment"));
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == counts.size() ? " and " : ", ") + counts[i];
  return fmt::format("{} in {} of {}", text, Counted(part.segments.size(), "segment"),
                     FormatByteSize(BytesOf(part.segments)));
}

class Purger {
 public:
  Purger(std::shared_ptr<StoreState> store, const PurgeSelection& selection)
      : store_(std::move(store)), selection_(selection) {}

  // What Run would do.
  Result<PurgeResult> Try() {
    const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
      OSCOPE_RETURN_IF_ERROR(Plan(base));
      return VersionEdit();
    };
    OSCOPE_ASSIGN_OR_RETURN(result_.version, PublishChange(store_, make, [] {}));
    Count(plan_.dropped);
    Count(plan_.rewritten);
    result_.segments_dropped = plan_.dropped.segments.size();
    result_.segments_rewritten = plan_.rewritten.segments.size();
    return result_;
  }

  Result<PurgeResult> Run() {
    OSCOPE_RETURN_IF_ERROR(Drop());
    if (!plan_.rewritten.segments.empty()) OSCOPE_RETURN_IF_ERROR(Rewrite());
    const uint64_t before = bytes_removed_, after = bytes_written_;
    result_.bytes_freed = before > after ? before - after : 0;
    return result_;
  }

 private:
  Status Plan(const SnapshotState& base) {
    OSCOPE_ASSIGN_OR_RETURN(plan_, MakePurgePlan(base, selection_));
    planned_version_ = base.manifest.version;
    return {};
  }

  void Count(const PurgePlan::Part& part) {
    result_.runs += part.run_count();
    result_.bugs += part.bugs.size();
    result_.attachments += part.attachments;
  }

  // The first commit.
  Status Drop() {
    bool visible = false;
    const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
      OSCOPE_RETURN_IF_ERROR(Plan(base));
      for (size_t i = 0; i < plan_.dropped.segments.size(); ++i) OSCOPE_RETURN_IF_ERROR(store_->Step());
      VersionEdit edit;
      edit.removed = IdsOf(plan_.dropped.segments);
      edit.settings = WithNumbersOf(plan_.dropped.bugs, base.manifest.settings);
      return edit;
    };
    const auto publish = [&] { return PublishChange(store_, make, [] {}, [&] { visible = true; }); };
    Result<uint64_t> version = publish();
    if (!version.ok() && version.error().code == ErrorCode::kIo && !visible && !plan_.dropped.segments.empty()) {
      // A disk may be so full that not even a manifest fits. Old ones without a reader would be removed afterwards
      // anyway, so they are removed now.
      PruneManifests(*store_, planned_version_, 0);
      version = publish();
    }
    if (!version.ok()) return NotDropped(std::move(version).error(), visible);
    result_.version = planned_version_ = *version;
    if (plan_.dropped.segments.empty()) return {};
    dropped_ = std::exchange(plan_.dropped, {});
    Count(dropped_);
    result_.segments_dropped = dropped_.segments.size();
    Remove(dropped_.segments);
    return {};
  }

  // The second commit. When another writer came between, it takes whatever the filter selects now.
  Status Rewrite() {
    bool visible = false;
    std::vector<SegmentEntry> written;
    const auto discard = [&] {
      RemoveSegmentFiles(store_->files, written);
      written.clear();
    };
    const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
      discard();
      if (base.manifest.version != planned_version_) OSCOPE_RETURN_IF_ERROR(Plan(base));
      const RewriteRules rules{
          [&](StoredRun& run) { return !selection_.Selects(run) || plan_.spared.contains(run.header.id); },
          [&](const BugRevision& revision) { return !plan_.rewritten.bugs.contains(revision.bug.key); },
          [&](const AttachmentHeader& attachment) { return !plan_.detached.contains(attachment.owner); }};
      OSCOPE_ASSIGN_OR_RETURN(written, RewriteSegments(*store_, plan_.rewritten.segments, rules, base.manifest.ranges,
                                                       CompactOptions().target_events));
      VersionEdit edit;
      edit.added = written;
      edit.removed = IdsOf(plan_.rewritten.segments);
      for (std::string& id : IdsOf(plan_.dropped.segments)) edit.removed.push_back(std::move(id));
      std::set<BugKey> bugs = plan_.rewritten.bugs;
      bugs.insert(plan_.dropped.bugs.begin(), plan_.dropped.bugs.end());
      edit.settings = WithNumbersOf(bugs, base.manifest.settings);
      return edit;
    };
    Result<uint64_t> version = PublishChange(store_, make, discard, [&] { visible = true; });
    if (!version.ok()) return Unfinished(std::move(version).error(), visible);
    result_.version = *version;
    Count(plan_.dropped);
    Count(plan_.rewritten);
    result_.segments_dropped += plan_.dropped.segments.size();
    result_.segments_rewritten = plan_.rewritten.segments.size();
    bytes_written_ = BytesOf(written);
    std::vector<SegmentEntry> replaced = std::move(plan_.dropped.segments);
    replaced.insert(replaced.end(), plan_.rewritten.segments.begin(), plan_.rewritten.segments.end());
    if (!replaced.empty()) Remove(replaced);
    return {};
  }

  void Remove(const std::vector<SegmentEntry>& segments) {
    bytes_removed_ += BytesOf(segments);
    result_.files_pinned += RemoveReplaced(*store_, segments, result_.version).pinned;
  }

  // The error of the first commit, with what is known of its effect.
  Error NotDropped(Error error, bool visible) const {
    if (visible) {
      error.message += fmt::format("; perhaps deleted: {}; purge again to be sure", ToText(plan_.dropped));
    } else if (error.code == ErrorCode::kIo && !plan_.dropped.segments.empty()) {
      error.message += "; nothing is deleted; purge again, with a little more room if the disk is full";
    }
    return error;
  }

  // The error of the second commit, with what is deleted in spite of it and what is not.
  Error Unfinished(Error error, bool visible) const {
    constexpr size_t kNamed = 10;
    if (error.code == ErrorCode::kCancelled && dropped_.segments.empty()) return error;
    const std::vector<SegmentEntry>& segments = plan_.rewritten.segments;
    std::string names;
    for (size_t i = 0; i < std::min(segments.size(), kNamed); ++i) names += (i == 0 ? "" : ", ") + segments[i].id;
    if (segments.size() > kNamed) names += fmt::format(" and {} more", segments.size() - kNamed);
    error.message += fmt::format("; deleted: {}; {}: {} that could not be rewritten ({}); purge again for the rest{}",
                                 dropped_.segments.empty() ? "nothing" : ToText(dropped_),
                                 visible ? "perhaps left" : "left", ToText(plan_.rewritten), names,
                                 error.code == ErrorCode::kIo ? ", with more room if the disk is full" : "");
    return error;
  }

  const std::shared_ptr<StoreState> store_;
  const PurgeSelection& selection_;
  PurgePlan plan_;
  uint64_t planned_version_ = 0;
  PurgePlan::Part dropped_;  // by the first commit
  uint64_t bytes_removed_ = 0, bytes_written_ = 0;
  PurgeResult result_;
};

}  // namespace

Result<PurgeResult> Store::Purge(const PurgeFilter& filter, bool dry_run) {
  const PurgeSelection selection(filter);
  if (!selection.SelectsAnything()) return Invalid("a purge needs a filter that says what to delete");
  Purger purger(state_, selection);
  return dry_run ? purger.Try() : purger.Run();
}

}  // namespace oscope
