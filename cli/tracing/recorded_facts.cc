#include "cli/tracing/recorded_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "tracer/model/event.h"
#include "tracer/model/null_sink.h"

namespace oscope::cli {
namespace {

// The innermost frame of the stack trace: its last event.
class InnermostFrame : public NullSink {
 public:
  Status BeginRun(const RunHeader&, const SymbolTable& symbols) override {
    symbols_ = &symbols;
    return {};
  }
  Status BeginTrace(const TraceHeader& trace) override {
    is_stack_ = trace.kind == TraceKind::kStack;
    return {};
  }
  Status AddEvents(const EventChunk& chunk) override {
    if (is_stack_ && !chunk.events.empty()) method_ = ParseEvent(symbols_->name(chunk.events.back())).owner;
    return {};
  }
  const std::string& method() const { return method_; }

 private:
  const SymbolTable* symbols_ = nullptr;
  bool is_stack_ = false;
  std::string method_;
};

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

std::optional<SourcePlace> FailurePlace(const RecordedRun& run) {
  const auto there = run.header().custom.find("where");
  if (there == run.header().custom.end()) return std::nullopt;
  // "src/parse.cc:12", as the recorder writes it.
  const std::string& where = there->second;
  const size_t colon = where.rfind(':');
  SourcePlace place{where.substr(0, colon), 0};
  if (colon != std::string::npos) std::from_chars(where.data() + colon + 1, where.data() + where.size(), place.line);
  return place;
}

std::string FailureInWords(const RecordedRun& run) {
  const std::string& message = run.header().message;
  if (message.empty() || message != FailureReason(run)) return message;
  InnermostFrame frame;
  if (!run.Send(frame).ok() || frame.method().empty()) return message;
  const std::optional<SourcePlace> place = FailurePlace(run);
  const std::string in = fmt::format("{} in {}", message, frame.method());
  if (!place || place->file.empty()) return in;
  return fmt::format("{} ({}:{})", in, std::filesystem::path(place->file).filename().string(), place->line);
}

bool HasStatements(const RecordedRun& run) {
  StatementFinder finder;
  (void)run.Send(finder);  // its error says that it has seen enough
  return finder.found();
}

}  // namespace oscope::cli
