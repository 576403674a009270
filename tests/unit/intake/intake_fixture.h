// A store that takes in failing runs by the rule, and what became of them.
#pragma once

#include <gtest/gtest.h>

#include "index/intake/failure_rule.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {

class Intake : public testing::Test {
 protected:
  static RunHeader Failing(const std::string& test, const std::string& fingerprint) {
    RunHeader run;
    run.project = "demo";
    run.test = test;
    run.failure.message = "a.cc:3\nExpected equality of these values:\n  1\n  2";
    run.version = "v1";
    run.failure.fingerprint = fingerprint;
    return run;
  }

  static Status SendFailing(const RunHeader& header, RunSink& sink) {
    SymbolTable symbols;
    oscope::Run run = MakeRun({header.id.value.low, header.bug, "ab"}, symbols);
    run.header = header;
    return SendRun(run, symbols, sink);
  }

  // Commits a run with a new id.
  Result<IngestResult> Take(RunHeader run,
                            const FailureRuleOptions& options = {.reopen = false, .without_fingerprint = true}) {
    run.id = RunId{{1, ++last_run_}};
    OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store_.BeginIngest({.rule = FailureRule(options)}));
    OSCOPE_RETURN_IF_ERROR(SendFailing(run, *ingest));
    return ingest->Commit();
  }
  // What was decided of it.
  RunDecision For(const RunHeader& run,
                  const FailureRuleOptions& options = {.reopen = false, .without_fingerprint = true}) {
    const IngestResult result = Must(Take(run, options));
    if (result.decisions.size() == 1) return result.decisions[0].decision;
    return {.fate = run.bug.empty() ? RunFate::kUnlinked : RunFate::kNamed, .bug = {run.project, run.bug}};
  }

  void PurgeRun(uint64_t run) {
    PurgeFilter filter;
    filter.runs = {RunId{{1, run}}};
    Must(store_.Purge(filter));
  }
  Bug Stored(const BugKey& key) { return Must(Must(store_.Read()).FindBug(key)).value(); }
  size_t Bugs() { return Must(Must(store_.Read()).Bugs()).size(); }
  std::string BugOf(uint64_t run) { return Must(Must(store_.Read()).FindRun(RunId{{1, run}})).value().header.bug; }
  void SetStored(const BugKey& key, BugStatus status) {
    Must(store_.EditBug(key, [&](const std::optional<Bug>& there) -> Result<Bug> {
      Bug changed = *there;
      SetStatus(changed, status, 5);
      return changed;
    }));
  }
  void Add(const std::string& id, const std::string& test, BugStatus status) {
    Must(store_.EditBug({"demo", id}, [&](const std::optional<Bug>&) -> Result<Bug> {
      Bug bug;
      bug.key = {"demo", id};
      bug.title = id;
      bug.custom = {{"fingerprint", "f"}, {"test", test}};
      SetStatus(bug, status, 5);
      return bug;
    }));
  }

  TemporaryDirectory directory_;
  Store store_ = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
  uint64_t last_run_ = 0;
};

}  // namespace oscope
