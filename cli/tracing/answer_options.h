// What is said after a failing run: the answer of the query that is remembered for the test, the usual search at first.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/similar_search.h"
#include "cli/context.h"
#include "tracer/model/run.h"

namespace oscope::cli {

// Whether --query can be asked about a run: SimilarSearch::CheckQuery. `usual` and nothing always can.
Status CheckAnswerQuery(const Store& store, std::string_view query);

// SimilarSearch::OfFailingRun, and the query `usual`: what is remembered for the test is forgotten, and the usual
// search follows. `note`, when something is to be said: that a query was asked only because it is remembered.
Result<SimilarAnswer> AnswerFailingRun(const Context& context, SimilarSearch& search, Store& store,
                                       const RunHeader& run, std::string_view query, const SimilarOptions& options,
                                       std::string& note);

class AnswerOptions {
 public:
  void Register(CLI::App& app);  // --query, --no-query
  // Before the program runs: what is wrong with --query is said now, and the store is read while the program runs.
  Status Start(const Context& context, const Store& store);
  // The similar bugs of a run that is stored; none with --no-query. `note` as above.
  Result<std::optional<SimilarAnswer>> Answer(const Context& context, const RunHeader& run, std::string& note);

 private:
  std::string query_;
  bool none_ = false;
  std::optional<Store> store_;
  std::optional<SimilarSearch> search_;
};

}  // namespace oscope::cli
