#include "cli/tracing/answer_options.h"

namespace oscope::cli {

void AnswerOptions::Register(CLI::App& app) {
  app.add_option("--query", query_, "The saved query to ask if the command fails; remembered for this test (at first: suffix)")
      ->option_text("NAME");
  app.add_flag("--no-query", none_, "Ask nothing");
}

Status AnswerOptions::Start(const Context& context, const Store& store) {
  if (none_) return {};
  if (!query_.empty()) OSCOPE_RETURN_IF_ERROR(SimilarSearch::CheckQuery(store, query_));
  search_ = SimilarSearch::Start(context, store.Share());
  return {};
}

Result<std::optional<SimilarAnswer>> AnswerOptions::Answer(const Context& context, const RunHeader& run) {
  if (!search_) return std::optional<SimilarAnswer>();
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, search_->OfFailingRun(context, run, query_, {}));
  return std::optional(std::move(answer));
}

}  // namespace oscope::cli
