// The options that `query` and `shell` share, and the session they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/answer/result_printer.h"
#include "cli/context/context.h"
#include "query/run/session.h"

namespace oscope::cli {

class Options;

class QueryOptions {
 public:
  void Register(Options& options);

  // The store at hand: for writing where that may be (CREATE QUERY does), else for reading.
  Result<Session> OpenSession(const Context& context) const;
  // --mode; with --json that is json, else a table.
  Result<OutputMode> Mode(const Context& context) const;

  const std::string& output() const { return output_; }
  bool timer() const { return timer_; }

 private:
  Result<SessionOptions> MakeSessionOptions(const Context& context) const;
  Status SetParameters(const Context& context, Session& session) const;

  std::string engine_ = "threads";
  unsigned threads_ = 0;
  bool no_index_ = false;
  std::vector<std::string> parameters_;
  std::string bug_, run_;
  std::string mode_;
  std::optional<uint64_t> max_rows_, max_query_bytes_, max_nesting_, max_pattern_bytes_, max_pattern_states_;
  std::string max_memory_, max_time_;
  std::string output_;
  bool timer_ = false;
};

// A session on the store at hand with nothing asked for in particular.
Result<Session> OpenSession(const Context& context, SessionOptions options);

// A bug as a parameter's value: "Ini-1" for "Ini-1", or for "1" where that is clear; or a run, "run/1f2e…" for
// "run/1f2e". kNotFound offers the nearest.
Result<std::string> ResolveBugName(const Context& context, std::string_view text);

}  // namespace oscope::cli
