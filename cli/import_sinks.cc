#include "cli/import_sinks.h"

#include <map>
#include <tuple>

#include "cli/failure_bug.h"

namespace oscope::cli {

Status FillingSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  RunHeader filled = run;
  const auto fill = [](std::string& field, const std::string& value) {
    if (field.empty()) field = value;
  };
  fill(filled.project, options_.project);
  fill(filled.bug, options_.bug);
  fill(filled.test, options_.test);
  fill(filled.version, options_.version);
  fill(filled.language, options_.language);
  if (options_.outcome) filled.outcome = *options_.outcome;
  if (options_.outcome && !IsFailing(filled.outcome)) {
    filled.failing_thread.reset();
    filled.failure.ForgetWhatWentWrong();
  }
  return ForwardingSink::BeginRun(filled, symbols);
}

Status FillingSink::BeginTrace(const TraceHeader& trace) {
  if (!options_.outcome || IsFailing(*options_.outcome) || !trace.mark) return ForwardingSink::BeginTrace(trace);
  TraceHeader unmarked = trace;
  unmarked.mark.reset();
  return ForwardingSink::BeginTrace(unmarked);
}

Status WatchedSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  OSCOPE_RETURN_IF_ERROR(CheckCancelled());
  return ForwardingSink::BeginRun(run, symbols);
}

Status WatchedSink::AddEvents(const EventChunk& chunk) {
  OSCOPE_RETURN_IF_ERROR(CheckCancelled());
  progress_.Add(chunk.events.size());
  return ForwardingSink::AddEvents(chunk);
}

Status CountingSink::CountBug(const BugKey& key, const Bug* bug) {
  if (!bugs_.insert(key).second) return {};
  std::optional<Bug> stored;
  if (snapshot_ != nullptr) {
    OSCOPE_ASSIGN_OR_RETURN(stored, snapshot_->FindBug(key));
  }
  if (!stored) {
    ++result.bugs_added;
  } else if (bug != nullptr && *stored != *bug) {
    ++result.bugs_changed;
  }
  return {};
}

Status CountingSink::AddBug(const Bug& bug) {
  with_reports_.insert(file_);
  return CountBug(bug.key, &bug);
}

Status CountingSink::BeginRun(const RunHeader& run, const SymbolTable&) {
  Seen seen;
  seen.run = run;
  seen.file = file_;
  for (RunInput& input : seen.run.inputs) input.bytes.clear();
  std::optional<StoredRun> stored;
  if (snapshot_ != nullptr) {
    OSCOPE_ASSIGN_OR_RETURN(stored, snapshot_->FindRun(run.id));
  }
  seen.known = stored.has_value() || !ids_.insert(run.id).second;
  seen.known ? ++result.runs_known : ++result.runs_added;
  runs.push_back(std::move(seen));
  return run.bug.empty() ? Status() : CountBug({run.project, run.bug}, nullptr);
}

Status CountingSink::FindBugs(bool reopen) {
  std::map<std::tuple<std::string, std::string, std::string>, std::optional<BugKey>> found;
  for (Seen& seen : runs) {
    if (seen.known || !seen.run.bug.empty() || !AsksForBug(seen.run) || with_reports_.contains(seen.file)) continue;
    const RunFailure failure = FailureOf(seen.run);
    const auto [bug, is_first] = found.try_emplace({failure.project, failure.test, failure.fingerprint});
    if (is_first && snapshot_ != nullptr) {
      OSCOPE_ASSIGN_OR_RETURN(const KnownBugs known, BugsWithFailure(*snapshot_, failure));
      bug->second = known.open || !reopen ? known.open : known.resolved;
    }
    seen.would_join = bug->second;
    seen.new_bug = !bug->second;
    if (is_first && seen.new_bug) ++result.bugs_added;
  }
  return {};
}

Status CountingSink::BeginTrace(const TraceHeader&) {
  if (!runs.back().known) ++result.traces_added;
  return {};
}

Status CountingSink::AddEvents(const EventChunk& chunk) {
  if (!runs.back().known) result.events_added += chunk.events.size();
  return {};
}

}  // namespace oscope::cli
