#include "cli/tracing/answer_options.h"

#include "cli/text.h"

namespace oscope::cli {

void AnswerOptions::Register(CLI::App& app) {
  app.add_option("--query", query_, "The saved query to ask if the command fails; remembered for this test (at first: suffix)")
      ->option_text("NAME");
  app.add_flag("--no-query", none_, "Ask nothing");
}

Status AnswerOptions::Start(const Context& context, const Store& store) {
  if (none_) return {};
  search_ = SimilarSearch::Start(context, store.Share());
  return query_.empty() ? Status() : search_->CheckQuery(query_);
}

Status AnswerOptions::Answer(const Context& context, const RunHeader& run) {
  if (!search_) return {};
  OSCOPE_ASSIGN_OR_RETURN(const SimilarAnswer answer, search_->OfFailingRun(context, run, query_, {}));
  PrintSimilar(context, answer, {.to_stderr = true, .explain = false, .subject = ShortId(run.id)});
  return {};
}

}  // namespace oscope::cli
