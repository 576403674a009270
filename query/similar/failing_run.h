// What is said after a failing run: the answer of the query that the user names, or that is remembered for the run's
// test, or else of the usual search.
//
//   query named     asked            then
//   none            what is remembered for the test; nothing is: the usual search
//   "usual"         the usual search                   what was remembered is forgotten
//   another         that query                         it is remembered, once it has been answered
//
// Threads: those of the session and the store.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "index/store/store.h"
#include "query/run/session.h"
#include "query/similar/similar_answer.h"
#include "query/similar/similar_search.h"
#include "tracer/model/run.h"

namespace oscope {

// Whether a query can be asked about a run, found out without a search: a saved query's name, or its name and arguments
// (CallAboutBugAtHand of query/run/saved_queries.h). `usual` and none always can. Fails with kInvalid or kNotFound,
// which tell what is wrong with it, or when the store's settings cannot be read.
Status CheckQueryForRuns(const Store& store, std::string_view query);

struct FailingRunAnswer {
  // Fails as the query does, or the session.
  Result<SimilarAnswer> similar;
  // The query was asked because it is remembered, and not because it was named now.
  bool by_memory = false;
  // Why the query that is remembered could not be asked; the usual search was made in its place.
  Status memory_unusable = {};
  // Why the query could not be remembered, or with `usual` not forgotten. The answer is valid in any case.
  Status memory_unchanged = {};
};

// Gives the session to ask; called at most once. It may wait until the session is open, or fail.
using GetSession = std::function<Result<Session*>()>;

// The answer about a run that is stored, by the table above. `store` is the one that the session reads, or a share.
FailingRunAnswer AnswerFailingRun(const GetSession& get_session, Store& store, const RunHeader& run,
                                  std::string_view query, const SimilarOptions& options);

}  // namespace oscope
