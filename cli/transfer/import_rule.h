// The rule by which the runs of an import get their bugs: that of every failing run (index/intake/failure_rule.h), but
// for the runs of a file that brings bug reports. Such a file says itself which runs are theirs.
//
// An import in batches has committed some runs before it has seen the others. So a number that it gave to a bug may
// turn out to be that of another bug in a later batch; this is refused, for the two would be mixed up.
// Threads: one thread reports the files while another one commits.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "index/store/store.h"
#include "tracer/model/forwarding_sink.h"

namespace oscope::cli {

class ImportRule {
 public:
  explicit ImportRule(bool reopen);

  // What the files say, in their order.
  void StartFile(size_t file);
  void SeeReport();
  void SeeRun(const RunHeader& run);

  // The rule, and the refusal of a report that has the number of a bug which was made. This must outlive the commits.
  IngestOptions Options(const std::string& by, const std::string& why);
  BugRule rule();

  // What earlier batches have made, as BatchingSink::so_far returns it.
  void Follow(std::function<const IngestResult&()> committed) { committed_ = std::move(committed); }

 private:
  bool HasReports(RunId run) const;  // the file that the run came from
  Status CheckNotMade(const BugKey& bug);

  const BugRule rule_;
  mutable std::mutex mutex_;
  size_t file_ = 0;
  std::set<size_t> with_reports_;  // files
  std::map<RunId, size_t> runs_;   // the file that each failing run came from first
  std::function<const IngestResult&()> committed_;
  size_t seen_ = 0;        // of its decisions
  std::set<BugKey> made_;  // by earlier batches, with numbers that the store chose
};

// Tells the rule what passes.
class RuleFeedingSink : public ForwardingSink {
 public:
  RuleFeedingSink(RunSink& next, ImportRule& rule) : ForwardingSink(next), rule_(rule) {}
  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;

 private:
  ImportRule& rule_;
};

}  // namespace oscope::cli
