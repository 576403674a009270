// Makes the sections of a TailTable from the traces of a segment, which come one after another, in chunks.
//
// Of a trace only the tail is kept, so that no trace need fit in memory. The bytes depend on the traces and their order
// alone, not on the order in which names were added: a commit and a rebuild from the tables give the same.
// Threads: one at a time.
//
// Example:
//   const uint32_t read = builder.AddName("net::Socket::read");
//   builder.BeginTrace({.run = id, .event_count = 2});
//   builder.AddEvents(std::vector<uint32_t>{read, read});
//   TailBytes bytes = builder.Finish();
#pragma once

#include <deque>
#include <map>
#include <unordered_map>

#include "index/tails/tail_table.h"
#include "tracer/model/granularity.h"

namespace oscope {

// What a row says of a trace, from its header and its run's.
struct TailTrace {
  RunId run;
  std::string_view project = {}, bug = {};  // an empty bug: the run has none
  uint32_t process = 0, thread = 0;
  TraceKind kind = TraceKind::kExecution;
  Outcome outcome = Outcome::kFailed;
  std::optional<ThreadRef> failing_thread = std::nullopt;  // of the run
  uint64_t event_count = 0;
  std::optional<uint64_t> mark = std::nullopt;  // FailureMark::events
};

struct TailBytes {
  std::string rows, column, names, bugs;
  TailSections views() const { return {rows, column, names, bugs}; }
};

class TailBuilder {
 public:
  // A number for a name, the same for the same name.
  uint32_t AddName(std::string_view name);

  // A run's traces come one after another.
  void BeginTrace(const TailTrace& trace);
  // The next events of the trace, by the numbers of their names.
  void AddEvents(std::span<const uint32_t> events);

  size_t size() const { return rows_.size(); }
  bool complete() const {
    return position_ == (rows_.empty() ? 0 : rows_.back().event_count);
  }  // the last trace has all its events

  bool continues_at(uint64_t first_event) const { return !rows_.empty() && position_ == first_event; }

  // The sections; the builder is empty afterwards.
  TailBytes Finish();

 private:
  struct Name {
    std::string text;
    Granularity granularity;
    bool used = false;
  };
  uint32_t BugNumber(std::string_view project, std::string_view bug);
  bool IsFailingThread(const TailTrace& trace);
  std::vector<uint32_t> RankNames(std::vector<uint32_t>& by_rank) const;
  void SortBugs();

  std::vector<TailRow> rows_;
  std::vector<uint32_t> tails_;  // numbers of names
  std::deque<Name> names_;
  std::unordered_map<std::string_view, uint32_t> numbers_;  // borrows from names_
  std::map<BugKey, uint32_t> bugs_;
  const std::pair<const BugKey, uint32_t>* last_bug_ = nullptr;  // a bug's runs lie together
  uint64_t position_ = 0;                                        // in the trace that is arriving
  bool seen_kind_[2] = {};                                       // in the run that is arriving
};

}  // namespace oscope
