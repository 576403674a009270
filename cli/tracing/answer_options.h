// What is said after a failing run: the answer of the query that is remembered for the test, the usual search at first.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/commands/similar_search.h"
#include "cli/context.h"
#include "tracer/model/run.h"

namespace oscope::cli {

class AnswerOptions {
 public:
  void Register(CLI::App& app);  // --query, --no-query
  // Before the program runs: what is wrong with --query is said now, and the store is read while the program runs.
  Status Start(const Context& context, const Store& store);
  // The similar bugs of a run that is stored; none with --no-query.
  Result<std::optional<SimilarAnswer>> Answer(const Context& context, const RunHeader& run);

 private:
  std::string query_;
  bool none_ = false;
  std::optional<SimilarSearch> search_;
};

}  // namespace oscope::cli
