// JsonLinesWriter: the pair of the jsonl importer; writes all that comes as JSON lines
// (docs/formats/jsonl.md).
//
// A bug or a run is a line; a trace is a "trace" line with its first chunk of events and an
// "events" line for each further one, so that no trace need fit in memory. Symbol attributes are
// written where an event first occurs in a run. Reading back gives the same bugs, run headers,
// trace headers, events and parallel lists.
//
// Example:
//   JsonLinesWriter writer([&](std::string_view line) { out << line; return Status(); });
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tracer/model/run_sink.h"

namespace oscope {

class JsonLinesWriter : public RunSink {
 public:
  // Takes one line with its "\n" each time; its error ends the stream.
  using Output = std::function<Status(std::string_view)>;
  explicit JsonLinesWriter(Output output) : output_(std::move(output)) {}

  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;
  Status AddEvents(const EventChunk& chunk) override;
  Status EndTrace() override;
  Status EndRun() override;
  // A large one is several lines.
  Status AddAttachment(const Attachment& attachment) override;

 private:
  void AppendEvent(std::string& json, SymbolId id);

  Output output_;
  const SymbolTable* symbols_ = nullptr;
  // The attributes that a bare text stands for: those that it was last written with in this run.
  std::optional<SymbolId>& DescribedAs(SymbolId id);

  // The number of a symbol's text in one run. The entries of former runs are known by the run's number, so that a run
  // costs what it has and not what the table of symbols has.
  struct TextInRun {
    uint64_t run = 0;
    uint32_t number = 0;
  };
  uint64_t run_ = 0;              // the number of the run that is written; the first is 1
  std::vector<TextInRun> texts_;  // by symbol
  std::unordered_map<std::string_view, uint32_t> text_numbers_;
  std::vector<std::optional<SymbolId>> described_;  // by number of the text
  std::string trace_line_;                          // of a trace whose first events have not come
};

}  // namespace oscope
