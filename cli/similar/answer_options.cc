#include "cli/similar/answer_options.h"

#include "cli/options/options.h"
#include "cli/session/query_progress.h"
#include "cli/session/similar_session.h"
#include "query/similar/failing_run.h"
#include "query/similar/remembered_query.h"

namespace oscope::cli {

Result<SimilarAnswer> AnswerAboutRun(const Context& context, SessionOpening& opening, Store& store,
                                     const RunHeader& run, std::string_view query, const SimilarOptions& options,
                                     std::string& note) {
  std::optional<ShownProgress> progress;
  const auto get_session = [&]() -> Result<Session*> {
    OSCOPE_ASSIGN_OR_RETURN(Session* const session, opening.Ready());
    progress.emplace(*session, context.quiet());
    return session;
  };
  FailingRunAnswer answer = AnswerFailingRun(get_session, store, run, query, options);
  progress.reset();
  if (!answer.memory_unusable.ok()) {
    context.Note("the query that is remembered for this test cannot be asked: {}",
                 answer.memory_unusable.error().message);
  }
  if (!answer.memory_unchanged.ok()) {
    context.Warn("{}: {}",
                 query == kUsualSearch ? "the query that is remembered for this test is not forgotten"
                                       : "the query is not remembered",
                 answer.memory_unchanged.error().message);
  }
  if (answer.similar.ok() && answer.by_memory) {
    note = fmt::format("by the query {}, which is remembered for this test; --query {} forgets it",
                       answer.similar->query, kUsualSearch);
  }
  return std::move(answer.similar);
}

void AnswerOptions::Register(Options& options) {
  options
      .Add("--query", query_,
           "The saved query to ask if the command fails, remembered for this test; usual: forget it, and search as "
           "usual")
      .Value("NAME");
  options.AddFlag("--no-query", none_, "Ask nothing");
}

Status AnswerOptions::Start(const Context& context, const Store& store) {
  if (none_) return {};
  OSCOPE_RETURN_IF_ERROR(CheckQueryForRuns(store, query_));
  store_ = store.Share();
  opening_ = StartSession(context, store.Share(), Readiness::kWarm);
  return {};
}

Result<std::optional<SimilarAnswer>> AnswerOptions::Answer(const Context& context, const RunHeader& run,
                                                           std::string& note) {
  if (!opening_) return std::optional<SimilarAnswer>();
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, AnswerAboutRun(context, *opening_, *store_, run, query_, {}, note));
  return std::optional(std::move(answer));
}

}  // namespace oscope::cli
