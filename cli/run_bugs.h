// The bugs of the runs that an import brings: each failing run without one gets that of its failure (failure_bug.h).
//
// Bugs are made one by one, before the runs are committed together. So that nothing is left of files that turn out to
// be damaged, and no number is given that a later file uses, all files are read once before (`kLooking`), and again
// when there is something to give (`kGiving`). An import in batches has committed some runs before it has seen the
// others: it gives at once. A file that brings bug reports says itself which runs are theirs: its runs stay as they
// are. So do runs that the store has.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "cli/failure_bug.h"
#include "cli/import_sinks.h"

namespace oscope::cli {

class RunBugs {
 public:
  enum class Pass : uint8_t { kLooking, kGiving };

  // The store and the snapshot of it, which tells the runs that are known, outlive this.
  RunBugs(Store& store, const Snapshot& known, Pass pass, bool reopen)
      : store_(store), known_(known), pass_(pass), reopen_(reopen) {}

  void StartFile(size_t file) { file_ = file; }
  void StartGiving() { pass_ = Pass::kGiving; }

  // What the files say, in their order.
  Status SeeReport(const BugKey& bug);
  Result<std::string> BugOf(const RunHeader& run);  // its own while it is looked only

  bool looking() const { return pass_ == Pass::kLooking; }
  bool wanted() const { return wanted_; }  // a run seen so far asks for a bug

  struct Link {
    RunId run;
    BugOfFailure bug;
  };
  const std::vector<Link>& links() const { return links_; }  // in the order of the runs
  uint64_t bugs_made() const { return bugs_made_; }

 private:
  void Reserve(const BugKey& bug);
  Status CheckNotMade(const BugKey& bug) const;
  Result<BugKey> Give(const RunHeader& run);

  Store& store_;
  const Snapshot& known_;
  Pass pass_;
  const bool reopen_;
  bool wanted_ = false;
  size_t file_ = 0;
  std::set<size_t> with_reports_;                  // files
  std::map<std::string, uint64_t> first_numbers_;  // by project: beyond all that the files name
  std::map<std::tuple<std::string, std::string, std::string, std::string>, BugKey>
      given_;                          // by project, named bug, test and fingerprint
  std::map<RunId, std::string> runs_;  // what each got: a run may come twice
  std::set<BugKey> made_;              // with numbers that nobody named
  uint64_t bugs_made_ = 0;
  std::vector<Link> links_;
};

// Asks RunBugs for each run. What is wanted when it only looks makes a second reading needed: from then on it hands
// nothing on.
class BugGivingSink : public RunSink {
 public:
  BugGivingSink(RunSink& next, RunBugs& bugs) : next_(&next), bugs_(bugs) {}
  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override { return next_->BeginTrace(trace); }
  Status AddEvents(const EventChunk& chunk) override { return next_->AddEvents(chunk); }
  Status EndTrace() override { return next_->EndTrace(); }
  Status EndRun() override { return next_->EndRun(); }

 private:
  RunSink* next_;
  RunBugs& bugs_;
  LookingSink nothing_;
};

}  // namespace oscope::cli
