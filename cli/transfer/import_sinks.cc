// The sinks that an import is made of, each with one task: filling in options, watching for cancellation, counting for
// a dry run.
#include "cli/transfer/import_sinks.h"

#include <algorithm>

namespace oscope::cli {

Status FillingSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  filled_ = run;
  const auto fill = [](std::string& field, const std::string& value) {
    if (field.empty()) field = value;
  };
  fill(filled_.project, options_.project);
  fill(filled_.bug, options_.bug);
  fill(filled_.test, options_.test);
  fill(filled_.version, options_.version);
  fill(filled_.language, options_.language);
  if (options_.outcome) filled_.outcome = *options_.outcome;
  if (options_.outcome && !IsFailing(filled_.outcome)) {
    filled_.failing_thread.reset();
    filled_.failure.ForgetWhatWentWrong();
  }
  return ForwardingSink::BeginRun(filled_, symbols);
}

Status FillingSink::BeginTrace(const TraceHeader& trace) {
  if (!options_.outcome || IsFailing(*options_.outcome) || !trace.mark) return ForwardingSink::BeginTrace(trace);
  TraceHeader unmarked = trace;
  unmarked.mark.reset();
  return ForwardingSink::BeginTrace(unmarked);
}

Status WatchedSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  OSCOPE_RETURN_IF_ERROR(cancel_.Check());
  return ForwardingSink::BeginRun(run, symbols);
}

Status WatchedSink::AddEvents(const EventChunk& chunk) {
  OSCOPE_RETURN_IF_ERROR(cancel_.Check());
  progress_.Add(chunk.events.size());
  return ForwardingSink::AddEvents(chunk);
}

Status CountingSink::AddBug(const Bug& bug) {
  bugs_.insert_or_assign(bug.key, bug);
  return {};
}

Status CountingSink::BeginRun(const RunHeader& run, const SymbolTable&) {
  Seen seen;
  seen.run = run;
  for (RunInput& input : seen.run.inputs) input.bytes.clear();
  std::optional<RunPlace> stored;
  if (snapshot_ != nullptr) {
    OSCOPE_ASSIGN_OR_RETURN(stored, snapshot_->PlaceOf(run.id));
  }
  seen.known = stored.has_value() || !ids_.insert(run.id).second;
  seen.known ? ++result.runs_known : ++result.runs_added;
  runs.push_back(std::move(seen));
  return {};
}

Status CountingSink::AddAttachment(const Attachment& attachment) {
  bool known = !attachments_.insert(attachment.header).second;
  if (!known && snapshot_ != nullptr) {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> stored,
                            snapshot_->Attachments(attachment.header.owner));
    known = std::ranges::any_of(stored, [&](const StoredAttachment& one) { return one.header == attachment.header; });
  }
  known ? ++result.attachments_known : ++result.attachments_added;
  return {};
}

Status CountingSink::Finish(const BugRule& rule) {
  KnownBugs bugs(snapshot_);
  std::vector<BugKey> keys;
  std::vector<const RunHeader*> headers;
  std::vector<Seen*> asked;
  for (const auto& [key, bug] : bugs_) keys.push_back(key);
  for (Seen& seen : runs) {
    if (seen.known) continue;
    if (!seen.run.bug.empty()) keys.push_back({seen.run.project, seen.run.bug});
    headers.push_back(&seen.run);
    asked.push_back(&seen);
  }
  OSCOPE_RETURN_IF_ERROR(bugs.Load(keys));
  if (rule) OSCOPE_RETURN_IF_ERROR(bugs.LoadWithFailure(headers));
  for (const auto& [key, bug] : bugs_) OSCOPE_RETURN_IF_ERROR(bugs.Put(bug, ""));
  OSCOPE_ASSIGN_OR_RETURN(std::vector<RunDecision> decisions, DecideRuns(headers, rule, "", bugs));
  std::set<BugKey> made;
  for (size_t i = 0; i < asked.size(); ++i) {
    // If the store does not know a failure, each of its runs is reported with a new bug, not only the first.
    if (decisions[i].fate == RunFate::kNew) made.insert(decisions[i].bug);
    if (decisions[i].fate == RunFate::kJoined && made.contains(decisions[i].bug)) decisions[i].fate = RunFate::kNew;
    asked[i]->decision = std::move(decisions[i]);
  }
  result.bugs_added = bugs.added();
  result.bugs_changed = bugs.changed();
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
