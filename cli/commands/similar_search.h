// The search for similar bugs: of a bug, of a run, of a failing run with the query that is remembered for its test.
//
// Usual search: executions by the shipped `suffix`, and what is farther away by the methods that ran last; stacks by
// the words of their frames. The store is opened and made warm in the background, so that a command which runs a
// program first finds it ready: what the same process commits meanwhile, through the store given or a share of it,
// costs little more. Ends its work soon when it is dropped.
// Threads: one at a time.
//
// Example:
//   SimilarSearch search = SimilarSearch::Start(context, store.Share());
//   … run the program, commit the run …
//   OSCOPE_ASSIGN_OR_RETURN(const SimilarAnswer answer, search.OfFailingRun(context, run, query, {}));
//   PrintSimilar(context, answer, {.to_stderr = true, .explain = false, .subject = ShortId(run.id)});
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/similar_answer.h"
#include "cli/context.h"
#include "query/run/session.h"

namespace oscope::cli {

// How near a bug must be. Without a number of its own, bugs that are not near follow.
struct SimilarDistance {
  bool any = false;  // all that share an event
  std::optional<uint32_t> edits;
};

// What is compared where there are both executions and stacks.
enum class CompareFirst : uint8_t { kExecutions, kStacks };

struct SimilarOptions {
  uint32_t suffix = 50;  // of executions; stacks are compared whole
  SimilarDistance distance;
  size_t limit = 10;  // bugs; 0 is all
  CompareFirst first = CompareFirst::kExecutions;
};

// Whether the background also does what only the first search would have to: worth it when that is not asked for at
// once.
enum class Readiness : uint8_t { kOpen, kWarm };

class SimilarSearch {
 public:
  // Returns at once; what goes wrong is told by the first search.
  static SimilarSearch Start(const Context& context, Store store, Readiness readiness = Readiness::kWarm);
  // The same on the store at hand. There need not be one: then every search is kNotFound.
  static SimilarSearch Start(const Context& context);

  SimilarSearch(SimilarSearch&&) noexcept;
  SimilarSearch& operator=(SimilarSearch&&) noexcept;
  ~SimilarSearch();

  // kInvalid or kNotFound when --query cannot be asked about a run (CallAboutBugAtHand of query/run/saved_queries.h).
  // Waits for nothing.
  static Status CheckQuery(const Store& store, std::string_view query);

  Result<SimilarAnswer> OfBug(const Context& context, const BugKey& bug, const SimilarOptions& options);
  Result<SimilarAnswer> OfRun(const Context& context, RunId run, const SimilarOptions& options);

  // By `query`, which is then remembered for the run's project and test; an empty one is the one that is remembered,
  // else the usual search. Of a query that is remembered and cannot be asked any more a note tells, and the usual
  // search follows.
  Result<SimilarAnswer> OfFailingRun(const Context& context, const RunHeader& run, std::string_view query,
                                     const SimilarOptions& options);

 private:
  struct Opening {
    std::optional<Store> store;
    Status error;  // why there is none
    std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
    std::future<Result<Session>> session;
  };
  explicit SimilarSearch(Opening opening) : opening_(std::move(opening)) {}
  void Stop();
  // Waits until it is open, and reads the newest version.
  Result<Session*> Ready();
  Result<SimilarAnswer> Usual(const Context& context, Session& session, ComparableKinds kinds,
                              const SimilarOptions& options);
  Result<SimilarAnswer> ByStacks(const Context& context, Session& session, const SimilarOptions& options);
  Result<SimilarAnswer> Ask(const Context& context, Session& session, std::string_view statement, size_t limit);
  static Status Align(Session& session, const SimilarOptions& options, SimilarAnswer& answer);
  static Status FindCommonMethods(Session& session, SimilarAnswer& answer);

  Opening opening_;
  std::optional<Session> session_;
};

}  // namespace oscope::cli
