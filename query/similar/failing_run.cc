// Decides which query is asked after a failing run, by the table in the header. A remembered query that cannot be
// asked any more, because it was dropped, must not cost the answer: the usual search is made instead, and the reason
// is returned with the answer. So is the reason why a query could not be remembered.
#include "query/similar/failing_run.h"

#include <string>
#include <utility>

#include "query/run/saved_queries.h"
#include "query/similar/found_bugs.h"
#include "query/similar/remembered_query.h"

namespace oscope {
namespace {

// The statement that asks a query about the run at hand.
Result<std::string> StatementOf(const StoreSettings& settings, std::string_view query) {
  return CallAboutBugAtHand(ReadSavedQueries(settings), query);
}

Result<SimilarAnswer> BySavedQuery(Session& session, const RunHeader& run, const std::string& query,
                                   std::string_view statement, const SimilarOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, AskForBugs(session, SubjectName(run.id), statement, options.limit));
  answer.query = query;
  // The run may stand on either side of the query's predicate.
  for (SimilarBug& bug : answer.bugs) {
    if (bug.theirs && bug.theirs->run == run.id) std::swap(bug.ours, bug.theirs);
  }
  return WithAlignments(session, options.suffix, std::move(answer));
}

// The usual search, and what is remembered is forgotten, whether or not there is an answer.
FailingRunAnswer ForgetAndAnswer(const GetSession& get_session, Store& store, const RunHeader& run,
                                 const SimilarOptions& options) {
  Status forgotten = RememberQuery(store, run, "");
  Result<Session*> session = get_session();
  return {.similar = session.ok() ? FindSimilar(**session, run.id, options) : std::move(session).error(),
          .by_memory = false,
          .memory_unusable = {},
          .memory_unchanged = std::move(forgotten)};
}

FailingRunAnswer AnswerNamed(Session& session, Store& store, const StoreSettings& settings, const RunHeader& run,
                             const std::string& query, const SimilarOptions& options) {
  const Result<std::string> statement = StatementOf(settings, query);
  if (!statement.ok()) return {.similar = statement.error()};
  FailingRunAnswer answer{.similar = BySavedQuery(session, run, query, *statement, options)};
  if (answer.similar.ok()) answer.memory_unchanged = RememberQuery(store, run, query);
  return answer;
}

FailingRunAnswer AnswerRemembered(Session& session, const Store& store, const StoreSettings& settings,
                                  const RunHeader& run, const SimilarOptions& options) {
  const Result<std::string> query = RememberedQuery(store, run);
  if (!query.ok()) return {.similar = query.error()};
  if (query->empty()) return {.similar = FindSimilar(session, run.id, options)};
  const Result<std::string> statement = StatementOf(settings, *query);
  if (statement.ok()) return {.similar = BySavedQuery(session, run, *query, *statement, options), .by_memory = true};
  return {.similar = FindSimilar(session, run.id, options), .memory_unusable = statement.error()};
}

}  // namespace

Status CheckQueryForRuns(const Store& store, std::string_view query) {
  if (query.empty() || query == kUsualSearch) return {};
  OSCOPE_ASSIGN_OR_RETURN(const StoreSettings settings, store.Settings());
  OSCOPE_RETURN_IF_ERROR(StatementOf(settings, query));
  return {};
}

FailingRunAnswer AnswerFailingRun(const GetSession& get_session, Store& store, const RunHeader& run,
                                  std::string_view query, const SimilarOptions& options) {
  if (query == kUsualSearch) return ForgetAndAnswer(get_session, store, run, options);
  const Result<Session*> session = get_session();
  if (!session.ok()) return {.similar = session.error()};
  if (const Status read = (*session)->Refresh(); !read.ok()) return {.similar = read.error()};
  const Result<StoreSettings> settings = store.Settings();
  if (!settings.ok()) return {.similar = settings.error()};
  if (query.empty()) return AnswerRemembered(**session, store, *settings, run, options);
  return AnswerNamed(**session, store, *settings, run, std::string(query), options);
}

}  // namespace oscope
