#include "cli/tracing/recorded_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "tracer/model/event.h"
#include "tracer/model/null_sink.h"

namespace oscope::cli {
namespace {

// By the names, which come before all events: then it ends the sending.
class StatementFinder : public NullSink {
 public:
  Status BeginRun(const RunHeader&, const SymbolTable& symbols) override {
    for (size_t i = 0; i < symbols.size() && !found_; ++i) {
      found_ = ParseEvent(symbols.name(static_cast<SymbolId>(i))).granularity == Granularity::kStatement;
    }
    return Cancelled("enough");
  }
  bool found() const { return found_; }

 private:
  bool found_ = false;
};

}  // namespace

std::string FailureReason(const RecordedRun& run) {
  const auto marked =
      std::ranges::find_if(run.traces(), [](const TraceHeader& trace) { return trace.mark.has_value(); });
  return marked == run.traces().end() ? "" : marked->mark->reason;
}

std::optional<SourcePlace> PlaceOf(const Failure& failure) {
  if (!failure.place.has_line()) return std::nullopt;
  return SourcePlace{failure.place.file, failure.place.line};
}

std::string FailureInWords(const RecordedRun& run) {
  const Failure& failure = run.header().failure;
  if (failure.message.empty() || failure.message != FailureReason(run) || failure.place.function.empty())
    return failure.message;
  const std::string in = fmt::format("{} in {}", failure.message, failure.place.function);
  if (failure.place.file.empty()) return in;
  return fmt::format("{} ({}:{})", in, std::filesystem::path(failure.place.file).filename().string(),
                     failure.place.line);
}

bool HasStatements(const RecordedRun& run) {
  StatementFinder finder;
  (void)run.Send(finder);  // its error says that it has seen enough
  return finder.found();
}

}  // namespace oscope::cli
