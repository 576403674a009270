// Which bugs a failure belongs to, and which number the next bug of a project gets: two sections of the index beside a
// segment.
//
// Two failures are the same when project, what ran (tracer/model/test_identity.h) and fingerprint are. The index is
// made from runs as they are linked: a run that a person moved to another bug moves its failure along, and a failing
// run that belongs to no bug is listed with none. A report that tells a failure in its custom fields `test` and
// `fingerprint` is listed too; it counts where no run is left to tell. Without the index a failing test would have to
// read every report.
//
// On disk:   docs/formats/index.md, sections FAIL and NUMB.
// Threads:   immutable; may be read from any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "index/store/index_file.h"
#include "index/store/manifest.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

// Sixteen bytes for project, what ran and fingerprint.
Hash128 FailureHash(std::string_view project, std::string_view test, std::string_view fingerprint);
// Of a run; nullopt when it did not fail, or has no fingerprint: such a failure is like no other.
std::optional<Hash128> FailureHash(const RunHeader& run);
// Returns the failure that a report has in its fields; nullopt when it has none.
std::optional<Hash128> FailureHash(const Bug& bug);
// As earlier releases would have named what ran; nullopt where that is the same.
std::optional<Hash128> FormerFailureHash(const RunHeader& run);

// What ran, cut to the length that a bug's custom field `test` has.
std::string TestOfFailure(const RunHeader& run);

// The number that a bug's id is; nullopt when it is none, or so large that no number follows.
std::optional<uint64_t> NumberOf(std::string_view id);

class FailureIndex {
 public:
  // kNotFound when the file lacks a section (another release wrote it), kCorrupt when one is damaged.
  static Result<std::shared_ptr<const FailureIndex>> Make(std::shared_ptr<const IndexFile> file);

  struct Owner {
    std::string_view bug;    // an id in the failure's project; empty: a run that belongs to no bug
    bool by_report = false;  // a report says so; else a run
  };
  std::vector<Owner> Owners(Hash128 failure) const;
  // One more than the largest number that a bug of the project has, or the bug of a run, in this segment; 1 when there
  // is none.
  uint64_t NextNumber(std::string_view project) const;

 private:
  static constexpr size_t kHeaderBytes = 8, kEntryBytes = 32;
  Hash128 HashAt(size_t i) const;
  Status CheckEntries() const;
  Status ReadNumbers(std::string_view section);

  std::shared_ptr<const IndexFile> file_;
  size_t entries_ = 0;
  std::string_view failures_;
  std::map<std::string, uint64_t, std::less<>> next_;  // by project
};

// Makes the two sections. The same runs and reports give the same bytes in any order.
class FailureSections {
 public:
  void AddRun(const RunHeader& run);
  void AddReport(const Bug& bug);
  std::vector<IndexSection> Finish() const;

 private:
  void AddNumber(const std::string& project, std::string_view id);

  std::set<std::tuple<Hash128, bool, std::string>> owners_;  // failure, by_report, bug
  std::map<std::string, uint64_t> next_;
  BugKey last_;  // whose number was counted last
};

// From the tables of a segment.
Result<std::vector<IndexSection>> RebuildFailureSections(const StoreFiles& files, const SegmentEntry& entry);

}  // namespace oscope
