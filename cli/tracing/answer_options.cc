#include "cli/tracing/answer_options.h"

#include "query/similar/remembered_query.h"

namespace oscope::cli {

Status CheckAnswerQuery(const Store& store, std::string_view query) {
  return query.empty() || query == kUsualSearch ? Status() : SimilarSearch::CheckQuery(store, query);
}

Result<SimilarAnswer> AnswerFailingRun(const Context& context, SimilarSearch& search, Store& store,
                                       const RunHeader& run, std::string_view query, const SimilarOptions& options,
                                       std::string& note) {
  if (query == kUsualSearch) {
    const Status forgotten = RememberQuery(store, run, "");
    if (!forgotten.ok())
      context.Warn("the query that is remembered for this test is not forgotten: {}", forgotten.error().message);
    return search.OfRun(context, run.id, options);
  }
  Result<SimilarAnswer> answer = search.OfFailingRun(context, run, query, options);
  if (answer.ok() && query.empty() && !answer->query.empty()) {
    note = fmt::format("by the query {}, which is remembered for this test; --query {} forgets it", answer->query,
                       kUsualSearch);
  }
  return answer;
}

void AnswerOptions::Register(CLI::App& app) {
  app.add_option(
         "--query", query_,
         "The saved query to ask if the command fails, remembered for this test; usual: forget it, and search as usual")
      ->option_text("NAME");
  app.add_flag("--no-query", none_, "Ask nothing");
}

Status AnswerOptions::Start(const Context& context, const Store& store) {
  if (none_) return {};
  OSCOPE_RETURN_IF_ERROR(CheckAnswerQuery(store, query_));
  store_ = store.Share();
  search_ = SimilarSearch::Start(context, store.Share());
  return {};
}

Result<std::optional<SimilarAnswer>> AnswerOptions::Answer(const Context& context, const RunHeader& run,
                                                           std::string& note) {
  if (!search_) return std::optional<SimilarAnswer>();
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, AnswerFailingRun(context, *search_, *store_, run, query_, {}, note));
  return std::optional(std::move(answer));
}

}  // namespace oscope::cli
