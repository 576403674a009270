// The bugs of the version that a change builds on, with what the change itself has made of them so far.
//
// Whoever decides something about bugs inside a commit asks here: a rule that gives failing runs their bugs, a command
// that adds one with the next number, an edit of two bugs at once. Since the commit is decided anew whenever another
// writer was faster, what is read here is what the commit is published on top of, and nothing can come between.
// Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "index/store/snapshot.h"

namespace oscope {

class KnownBugs {
 public:
  // Of a snapshot, which must outlive it; nullptr: there are none.
  explicit KnownBugs(const Snapshot* snapshot);
  explicit KnownBugs(const SnapshotState& version);

  // The newest revision, or what was put in its place; null: there is no such bug. It stays where it is until a bug of
  // this key is put.
  Result<const Bug*> Find(const BugKey& key);
  // Reads many at once, so that Find and WithFailure need not read one after another.
  Status Load(std::span<const BugKey> keys);

  // The bugs that a failing run's failure belongs to (failure_index.h), the newest number first: those that have a run
  // with it, among them the runs of this change that were learnt. Where no run has it, those whose report tells of it,
  // among them reports that were put. Each stays as Find says.
  Result<std::vector<const Bug*>> WithFailure(const RunHeader& run);
  // As Load, for all bugs that WithFailure would give for one of these.
  Status LoadWithFailure(std::span<const RunHeader* const> runs);

  // One more than the largest number that an id of the project is; numbers that were put count.
  Result<uint64_t> NextNumber(const std::string& project);

  // A new bug, or a new revision of one. What equals the newest revision changes nothing. kInvalid or kLimit when the
  // bug is not valid. `why` is for people.
  Status Put(Bug bug, std::string why);

  // A run of this change belongs to this bug (or, with an empty id, to none).
  void Learn(const RunHeader& run, const std::string& bug);

  // The revisions that were put, by key, moved out: nothing else may be asked afterwards. `edited_ns` and `by` are what
  // each of them says.
  std::vector<BugRevision> Changes(int64_t edited_ns, const std::string& by) &&;
  uint64_t added() const;    // among them: new bugs
  uint64_t changed() const;  // and new revisions of others

 private:
  struct Entry {
    uint64_t revision = 0;      // of `stored`; 0: the version has no such bug
    std::optional<Bug> stored;  // the newest revision
    std::optional<Bug> put;
    std::string why;
  };
  struct Owners {
    std::vector<BugKey> keys;
    bool by_report = false;  // as some revision of these has said; else as runs are linked
  };
  Result<Owners> OwnersOf(const RunHeader& run);
  Status LoadOwners(const std::set<Hash128>& failures);
  Result<Entry*> Get(const BugKey& key);
  static const Bug* Newest(const Entry& entry) {
    const std::optional<Bug>& newest = entry.put ? entry.put : entry.stored;
    return newest ? &*newest : nullptr;
  }

  const SnapshotState* version_ = nullptr;
  std::map<BugKey, Entry> bugs_;
  std::map<std::string, uint64_t> next_;  // by project
  // What the version says of the failures that were asked for: ids of bugs, by runs and by reports.
  struct Stored {
    std::set<std::string> by_runs, by_reports;
  };
  std::map<Hash128, Stored> owners_;
  std::map<Hash128, std::set<std::string>> told_;    // by reports of this change
  std::map<Hash128, std::set<std::string>> learnt_;  // ids of bugs, by failure
};

// What a rule says of a failing run.
enum class RunFate : uint8_t {
  kUnlinked,  // it belongs to no bug
  kNamed,     // to the bug that it names itself
  kJoined,    // to a bug that is there
  kNew,       // to one that is made for it
  kReopened,  // joined a bug that was resolved, which is reopened
};
struct RunDecision {
  RunFate fate = RunFate::kUnlinked;
  BugKey bug = {};                      // its id is empty when the run belongs to none
  std::optional<BugKey> resolved = {};  // a resolved bug had this failure before: is it back?
};

// Decides which bug a run belongs to, and puts the bugs that it makes or changes. Called inside the commit, again when
// another writer was faster, for every run that is not stored yet: those that name a bug first, since their numbers are
// taken and they teach whose their failures are; each kind in the order in which they came.
using BugRule = std::function<Result<RunDecision>(const RunHeader& run, KnownBugs& bugs)>;

// Asks the rule about new runs, and puts a bug for each one that only a run names: open, titled by the failure's
// message. Without a rule every run has the bug that it names. Returns what was decided, in the order of the runs.
Result<std::vector<RunDecision>> DecideRuns(std::span<const RunHeader* const> runs, const BugRule& rule,
                                            const std::string& why, KnownBugs& bugs);

}  // namespace oscope
