// Synthetic bugs and runs in any number, from a seed: the same on every machine.
//
// Traces:    60 % are copies of a base trace with a few edits, 40 % are fresh walks of a random call grammar. There are
//            900 bases for a million traces (16 at least).
// Bugs:      1 to 5 runs each, or traces / bugs when a number is asked for. A bug's failing runs are copies of one base
//            (its family) or all fresh. Half of the bugs are resolved and say how.
// Runs:      one trace each; a failing run has a mark. A fifth of the failing ones go on after it with one shutdown
//            sequence that all share. A few percent pass.
// Answers:   bugs and runs of a family have the custom field "family"; a copy's "edits" is no less than the Levenshtein
//            distance of its events up to the mark from those of its base, so that two runs of a family are within the
//            sum of their edits.
// Threads:   a Generator belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "tracer/generate/call_grammar.h"
#include "tracer/model/run_sink.h"

namespace oscope {

struct GenerateOptions {
  uint64_t traces = 1'000'000;
  uint64_t bugs = 0;            // 0: as many as bugs of 1 to 5 runs give
  uint32_t length = 50;         // events up to the mark
  bool thesis_lengths = false;  // 2 to 50,012 with mean 5,431 instead (trace_lengths.h)
  uint32_t names = 20'000;
  uint32_t max_edits = 10;
  bool depths = false;
  uint64_t seed = 1;
  std::string project = "synthetic";
};

struct GenerateStats {
  uint64_t bugs = 0, runs = 0, events = 0;
  uint64_t copies = 0, passing = 0;
  // Of the events up to the mark.
  uint64_t marked_events = 0;
  uint32_t shortest = UINT32_MAX, longest = 0;
  double mean_length() const { return runs == 0 ? 0 : static_cast<double>(marked_events) / static_cast<double>(runs); }
};

class Generator {
 public:
  // Fails with kInvalid or kLimit when an option is out of range. Makes the names, the grammar and the bases.
  static Result<Generator> Make(const GenerateOptions& options);

  // Sends the next bug and its runs. False when all are sent.
  Result<bool> SendNextBug(RunSink& sink);

  const GenerateStats& stats() const { return stats_; }
  const SymbolTable& symbols() const { return symbols_; }
  size_t families() const { return bases_.size(); }
  const Trace& base(size_t family) const { return bases_[family]; }

 private:
  explicit Generator(const GenerateOptions& options);

  uint64_t RunsOfBug(uint64_t bug, Random& random) const;
  Bug MakeBug(uint64_t bug, bool copied, uint32_t family, Random& random) const;
  void FillHeader(uint64_t bug);
  void FillCopy(uint32_t family, Random& random);
  void FillFresh(uint32_t length, Random& random);
  void Replace(size_t position, Random& random);
  void InsertBefore(size_t position, Random& random);
  void Delete(size_t position, Random& random);
  void MarkFailure(Random& random);
  Trace& trace() { return run_.traces.front(); }

  GenerateOptions options_;
  Hash128 identity_;
  CallGrammar grammar_;
  SymbolTable symbols_;
  std::vector<SymbolId> shutdown_;
  std::vector<Trace> bases_;
  uint64_t next_bug_ = 0;
  GenerateStats stats_;
  Run run_;  // the one being made; kept for its memory
};

}  // namespace oscope
