// The two readings of a process's records (see recorded_run.cc): Summariser counts and collects, Sender produces
// events.
//
// Both see the records of all threads in the order in which they were written and pick what they need;
// ProcessRecording::Visit calls them. A function's result is recorded long after its entry, but an event is sent once
// and complete. So the first reading remembers each result under the number of its event, and the second adds it there.
// This is the only part whose memory grows with the recording, and it is limited to kMaxResults for each process;
// results beyond that are counted and reported as dropped.
//
// Call depths are not recorded. They are computed from the stack pointer at each entry (CallDepths), which also gets
// exceptions and longjmp right: both leave functions without a return that could be recorded.
#include "tracer/record/thread_events.h"

#include <algorithm>

#include "base/limits.h"
#include "tracer/record/value_text.h"

namespace oscope {
namespace {

constexpr uint64_t kMaxResults = 1'000'000;  // of a process: they are kept in memory between the two readings

bool IsAtOrBelow(uint32_t frame, uint32_t stack_pointer) {
  // Only the low 32 bits are known. The sign of the difference is right even if a stack crosses 4 GiB.
  return static_cast<int32_t>(frame - stack_pointer) <= 0;
}

// The current thread, and how many events each has had.
class EventCounter {
 public:
  void SetThread(uint32_t thread) {
    if (current_ != nullptr && thread == thread_) return;
    thread_ = thread;
    current_ = &positions_[thread];
  }
  uint32_t thread() const { return thread_; }
  FailureFinder::Position position() const { return current_ == nullptr ? FailureFinder::Position{} : *current_; }
  void Add() { ++current_->events; }
  void AddEntry() {
    ++current_->events;
    ++current_->entries;
  }
  std::map<uint32_t, uint64_t> events() const {
    std::map<uint32_t, uint64_t> events;
    for (const auto& [thread, position] : positions_) events[thread] = position.events;
    return events;
  }

 private:
  uint32_t thread_ = 0;
  FailureFinder::Position* current_ = nullptr;
  std::map<uint32_t, FailureFinder::Position> positions_;
};

class Summariser {
 public:
  Summariser(SiteNames& names, FailureFinder& failure, ProcessSummary& summary)
      : names_(names), failure_(failure), summary_(summary) {}

  void OnThread(uint32_t thread) {
    counter_.SetThread(thread);
    last_symbol_ = SiteNames::kLeftOut;
  }
  void OnEntry(uint32_t site, uint32_t) {
    const uint32_t symbol = names_.Event(site);
    if (symbol == SiteNames::kLeftOut) return;
    counter_.AddEntry();
    last_symbol_ = symbol;
  }
  void OnBranch(uint32_t site, bool) { Count(names_.Event(site)); }
  void OnStatement(uint32_t site) { Count(names_.Event(site)); }
  void OnInstruction(uint32_t site) { Count(names_.Event(site)); }

  void OnExtended(raw::ExtendedRecord& record) {
    switch (record.type()) {
      case OSC_RAW_VALUES: OnValues(record); break;
      case OSC_RAW_RESULT: OnResult(record); break;
      case OSC_RAW_CHOP: summary_.chopped = true; break;
      default: failure_.OnRecord(counter_.thread(), counter_.position(), record); break;
    }
  }

  void Finish() {
    summary_.events = counter_.events();
    summary_.last_thread = counter_.thread();
  }

 private:
  struct Call {
    uint32_t site;
    uint32_t stack_pointer;
    uint64_t event;
  };

  void Count(uint32_t symbol) {
    if (symbol == SiteNames::kLeftOut) return;
    counter_.Add();
    last_symbol_ = symbol;
  }

  void OnValues(raw::ExtendedRecord& record) {
    const uint32_t site = record.Word(), stack_pointer = record.Word();
    // Between chop points there are values without their entry.
    if (record.bad() || last_symbol_ == SiteNames::kLeftOut || names_.Event(site) != last_symbol_) return;
    std::vector<Call>& calls = calls_[counter_.thread()];
    while (!calls.empty() && IsAtOrBelow(calls.back().stack_pointer, stack_pointer)) calls.pop_back();
    calls.push_back({site, stack_pointer, counter_.position().events - 1});
  }

  void OnResult(raw::ExtendedRecord& record) {
    const uint32_t site = record.Word(), stack_pointer = record.Word(), how = record.Word();
    RecordedValue value{.bits = record.Wide(), .text = record.Text()};
    if (record.bad()) return;
    std::vector<Call>& calls = calls_[counter_.thread()];
    const auto call = std::find_if(calls.rbegin(), calls.rend(), [&](const Call& one) {
      return one.site == site && one.stack_pointer == stack_pointer;
    });
    if (call == calls.rend()) return;
    if (results_ == kMaxResults) {
      ++summary_.results_dropped;
    } else {
      ++results_;
      summary_.results[counter_.thread()][call->event] =
          how == 0 ? ProcessSummary::Result{" = " + ValueText(value), EventOutcome::kReturned}
                   : ProcessSummary::Result{{}, EventOutcome::kThrew};
    }
    calls.erase(std::next(call).base(), calls.end());
  }

  SiteNames& names_;
  FailureFinder& failure_;
  ProcessSummary& summary_;
  EventCounter counter_;
  uint32_t last_symbol_ = SiteNames::kLeftOut;  // of this thread, since it was switched to
  std::map<uint32_t, std::vector<Call>> calls_;
  uint64_t results_ = 0;
};

class Sender {
 public:
  Sender(SiteNames& names, uint32_t thread, const ProcessSummary& summary, bool with_values, RunSink& sink)
      : names_(names), thread_(thread), with_values_(with_values), sink_(sink) {
    if (const auto found = summary.results.find(thread); found != summary.results.end()) results_ = &found->second;
    events_.reserve(limits::kChunkEvents);
    depths_.reserve(limits::kChunkEvents);
  }

  void OnThread(uint32_t thread) { active_ = thread == thread_; }

  void OnEntry(uint32_t site, uint32_t stack_pointer) {
    if (!active_) return;
    const uint32_t symbol = names_.Event(site);
    if (symbol == SiteNames::kLeftOut) return;
    Add(symbol, depths_now_.Enter(stack_pointer, names_.FunctionNumber(site)));
  }
  void OnBranch(uint32_t site, bool taken) { AddInside(site, names_.Branch(site, taken)); }
  void OnStatement(uint32_t site) { AddInside(site, names_.Event(site)); }
  void OnInstruction(uint32_t site) { AddInside(site, names_.Event(site)); }

  void OnExtended(raw::ExtendedRecord& record) {
    if (!active_ || !with_values_ || record.type() != OSC_RAW_VALUES || !status_.ok()) return;
    const uint32_t site = record.Word();
    const RecordedFunction* function = names_.FunctionOf(site);
    record.Word();  // the stack pointer
    const uint32_t count = record.Word();
    std::vector<RecordedValue> arguments;
    for (uint32_t i = 0; i < count && !record.bad(); ++i) {
      const uint64_t bits = record.Wide();
      arguments.push_back({bits, record.Text()});
    }
    // The record follows its entry, which may have gone out with a full chunk only if nothing held it back: see Add.
    if (record.bad() || function == nullptr || values_.empty() ||
        names_.Event(site) != static_cast<uint32_t>(events_.back()))
      return;
    values_.back() = ArgumentsText(function->method, function->signature, arguments) + values_.back();
  }

  Status Finish() {
    Flush();
    return std::move(status_);
  }

 private:
  void AddInside(uint32_t site, uint32_t symbol) {
    if (active_ && symbol != SiteNames::kLeftOut) Add(symbol, depths_now_.Inside(names_.FunctionNumber(site)));
  }

  void Add(uint32_t symbol, uint32_t depth) {
    // Before the event is added, not after: its values may still come.
    if (events_.size() == limits::kChunkEvents) Flush();
    events_.push_back(static_cast<SymbolId>(symbol));
    depths_.push_back(std::min(depth, limits::kMaxDepth - 1));
    if (with_values_) AddResult();
    ++sent_;
  }

  void AddResult() {
    values_.emplace_back();
    outcomes_.push_back(EventOutcome::kNone);
    if (results_ == nullptr) return;
    if (const auto result = results_->find(sent_); result != results_->end()) {
      values_.back() = result->second.text;
      outcomes_.back() = result->second.outcome;
    }
  }

  void Flush() {
    if (events_.empty()) return;
    if (status_.ok())
      status_ = sink_.AddEvents({.events = events_, .depths = depths_, .outcomes = outcomes_, .values = values_});
    events_.clear();
    depths_.clear();
    outcomes_.clear();
    values_.clear();
  }

  SiteNames& names_;
  uint32_t thread_;
  bool with_values_;
  RunSink& sink_;
  const std::unordered_map<uint64_t, ProcessSummary::Result>* results_ = nullptr;
  bool active_ = false;
  CallDepths depths_now_;
  uint64_t sent_ = 0;
  Status status_;
  std::vector<SymbolId> events_;
  std::vector<uint32_t> depths_;
  std::vector<EventOutcome> outcomes_;
  std::vector<std::string> values_;
};

}  // namespace

uint32_t CallDepths::Enter(uint32_t stack_pointer, uint32_t function) {
  while (!frames_.empty() && IsAtOrBelow(frames_.back().stack_pointer, stack_pointer)) frames_.pop_back();
  const auto depth = static_cast<uint32_t>(frames_.size());
  frames_.push_back({stack_pointer, function});
  return depth;
}

uint32_t CallDepths::Inside(uint32_t function) {
  // A deeper call that has returned since left its frame behind.
  for (size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].function != function) continue;
    frames_.resize(i + 1);
    break;
  }
  return static_cast<uint32_t>(frames_.size());
}

ProcessSummary Summarise(const raw::ProcessRecording& recording, SiteNames& names, FailureFinder& failure) {
  ProcessSummary summary;
  Summariser summariser(names, failure, summary);
  summary.broken = recording.Visit(summariser);
  summariser.Finish();
  return summary;
}

Status SendThread(const raw::ProcessRecording& recording, SiteNames& names, uint32_t thread,
                  const ProcessSummary& summary, bool with_values, RunSink& sink) {
  Sender sender(names, thread, summary, with_values, sink);
  recording.Visit(sender);
  return sender.Finish();
}

}  // namespace oscope
