// Keeps the recorded run of a failed test: in the store, in a file, or not at all. The store is opened and the query
// checked before the tests run, because a mistake should not be found out after an hour. A run that cannot be kept is
// reported with its test, and the other tests go on.
#include "cli/testing/run_keeper.h"

#include <fmt/core.h>

#include <cctype>
#include <filesystem>
#include <utility>

#include "cli/context/resolve.h"
#include "cli/output/text.h"
#include "cli/session/similar_session.h"
#include "cli/similar/answer_options.h"
#include "cli/tracing/traced_run.h"
#include "index/intake/failure_rule.h"
#include "query/similar/failing_run.h"

namespace oscope::cli {
namespace {

constexpr size_t kSimilarShown = 3;
constexpr uint32_t kSuffix = 50;

}  // namespace

std::string FileNameOf(const RunHeader& run) {
  constexpr size_t kLongest = 100;
  std::string name;
  for (const char byte : run.test.substr(0, kLongest)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '.' || byte == '_' || byte == '-';
    name += plain && !(name.empty() && byte == '.') ? byte : '_';
  }
  return fmt::format("{}-{}.osct", name, ShortId(run.id));
}

Status RunKeeper::Prepare(const Context& context, KeepOptions options) {
  options_ = std::move(options);
  if (!options_.directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options_.directory, error);
    if (error) return IoError(error.value(), "make directory", options_.directory);
  } else if (!options_.nothing) {
    Result<Store> store = context.OpenStore(Access::kWrite);
    if (!store.ok() && store.error().code == ErrorCode::kNotFound) {
      return NotFound("{}; or write files with --output DIR", store.error().message);
    }
    if (!store.ok()) return std::move(store).error();
    store_ = *std::move(store);
    OSCOPE_RETURN_IF_ERROR(CheckQueryForRuns(*store_, options_.query));
  }
  return {};
}

void RunKeeper::StartAsking(const Context& context) {
  if (store_ && !options_.no_query) opening_ = StartSession(context, store_->Share(), Readiness::kWarm);
}

Status RunKeeper::Keep(const Context& context, RecordedRun& run, TestResult& result) {
  result.events = run.events();
  result.fingerprint = run.fingerprint();
  if (!options_.directory.empty()) return WriteToFile(run, result);
  if (!store_) return {};
  const BugRule rule = FailureRule({.reopen = options_.reopen, .without_fingerprint = true});
  OSCOPE_ASSIGN_OR_RETURN(result.bug, StoreRun(*store_, run, rule));
  result.run = run.header().id;
  return opening_ ? Ask(context, run.header(), result) : Status();
}

Status RunKeeper::WriteToFile(const RecordedRun& run, TestResult& result) const {
  const std::string file = options_.directory + "/" + FileNameOf(run.header());
  OSCOPE_RETURN_IF_ERROR(WriteRun(file, run));
  result.run = run.header().id;
  result.file = file;
  return {};
}

Status RunKeeper::Ask(const Context& context, const RunHeader& run, TestResult& result) {
  std::string note;
  Result<SimilarAnswer> similar = AnswerAboutRun(context, *opening_, *store_, run, options_.query,
                                                 {.suffix = kSuffix, .distance = {}, .limit = kSimilarShown}, note);
  if (similar.ok()) {
    result.similar = *std::move(similar);
    if (!note.empty()) result.notes.push_back(std::move(note));
  } else if (similar.error().code == ErrorCode::kCancelled) {
    return std::move(similar).error();
  } else {
    result.notes.push_back("similar bugs could not be searched: " + similar.error().message);
  }
  return {};
}

void RunKeeper::Finish(const Context& context) {
  if (store_) Settle(context, *store_);
}

}  // namespace oscope::cli
