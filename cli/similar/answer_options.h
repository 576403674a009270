// What is said after a failing run: the answer of the query that is remembered for the test, the usual search at first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/context/context.h"
#include "query/run/session_opening.h"
#include "query/similar/similar_answer.h"
#include "query/similar/similar_search.h"
#include "tracer/model/run.h"

namespace oscope::cli {

class Options;

// AnswerFailingRun of query/similar, with a progress bar. What it tells of the memory goes to stderr. `note`, when
// something is to be said: that a query was asked only because it is remembered.
Result<SimilarAnswer> AnswerAboutRun(const Context& context, SessionOpening& opening, Store& store,
                                     const RunHeader& run, std::string_view query, const SimilarOptions& options,
                                     std::string& note);

class AnswerOptions {
 public:
  void Register(Options& options);  // --query, --no-query
  // Before the program runs: what is wrong with --query is said now, and the store is read while the program runs.
  Status Start(const Context& context, const Store& store);
  // The similar bugs of a run that is stored; none with --no-query. `note` as above.
  Result<std::optional<SimilarAnswer>> Answer(const Context& context, const RunHeader& run, std::string& note);

 private:
  std::string query_;
  bool none_ = false;
  std::optional<Store> store_;
  std::optional<SessionOpening> opening_;
};

}  // namespace oscope::cli
