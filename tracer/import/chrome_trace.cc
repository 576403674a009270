// Sorts each thread's events by time and rebuilds calls from them. The format allows three spellings of a call: a begin
// and an end (B, E), or an interval with its duration (X), also mixed. Intervals that begin at the same time are
// ordered by duration, since the longer one is the outer call; begins and ends at the same time stay in the order of
// the text, which is all that is known about them.
//
// Threads and processes are numbered by their first event. A thread whose number is that of its process is thread 0, as
// on Linux.
#include "tracer/import/chrome_trace.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/limits.h"
#include "tracer/import/chrome_events.h"
#include "tracer/import/import_batch.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

struct ChromeThread {
  std::string process;
  std::string thread;
  std::string name;
  double first_us = 0;
  std::vector<ChromeEvent*> events;  // B, E and X
};

using ThreadKey = std::pair<std::string, std::string>;

class ChromeTraceParser {
 public:
  explicit ChromeTraceParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    read_ = ReadChromeEvents(bytes, batch_);
    std::map<ThreadKey, ChromeThread> threads;
    std::map<ThreadKey, std::string> thread_names;
    for (ChromeEvent& event : read_.events) {
      if (event.phase == 'M') {
        Metadata(event, thread_names);
      } else if (event.phase != 'E' && read_.names[event.name].empty()) {
        batch_.AddProblem(event.line, "an event without its name");
      } else if (!event.time_us) {
        batch_.AddProblem(event.line, "an event without its time, 'ts'");
      } else {
        threads[{event.process, event.thread}].events.push_back(&event);
      }
    }
    std::vector<ChromeThread> ordered;
    for (auto& [key, thread] : threads) {
      std::tie(thread.process, thread.thread) = key;
      thread.name = thread_names[key];
      SortByTime(thread);
      ordered.push_back(std::move(thread));
    }
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const ChromeThread& a, const ChromeThread& b) { return a.first_us < b.first_us; });
    if (!ordered.empty()) AddRun(ordered);
  }

 private:
  void Metadata(const ChromeEvent& event, std::map<ThreadKey, std::string>& thread_names) {
    const std::string& what = read_.names[event.name];
    if (what == "thread_name") thread_names[{event.process, event.thread}] = event.argument;
    if (what == "process_name") process_names_[event.process] = event.argument;
  }

  // By time; at one time as written, except that of intervals the longer one is the outer one.
  static void SortByTime(ChromeThread& thread) {
    auto& events = thread.events;
    std::stable_sort(events.begin(), events.end(),
                     [](const ChromeEvent* a, const ChromeEvent* b) { return *a->time_us < *b->time_us; });
    for (size_t begin = 0; begin < events.size();) {
      size_t end = begin + 1;
      const auto same = [&](const ChromeEvent* event) {
        return event->phase == 'X' && event->time_us == events[begin]->time_us;
      };
      while (events[begin]->phase == 'X' && end < events.size() && same(events[end])) ++end;
      std::stable_sort(events.begin() + static_cast<ptrdiff_t>(begin), events.begin() + static_cast<ptrdiff_t>(end),
                       [](const ChromeEvent* a, const ChromeEvent* b) { return a->duration_us > b->duration_us; });
      begin = end;
    }
    thread.first_us = *events[0]->time_us;
  }

  void AddRun(const std::vector<ChromeThread>& threads) {
    ImportedRun& imported = batch_.AddRun();
    std::unordered_map<std::string, uint32_t> processes;
    std::unordered_map<std::string, uint32_t> next_thread;
    for (const ChromeThread& thread : threads) processes.emplace(thread.process, processes.size());
    const auto is_main = [](const ChromeThread& thread) { return thread.thread == thread.process; };
    for (const ChromeThread& thread : threads) {
      if (is_main(thread)) next_thread[thread.process] = 1;
    }
    for (const ChromeThread& thread : threads) {
      Trace trace;
      trace.header.process = processes[thread.process];
      trace.header.thread = is_main(thread) ? 0 : next_thread[thread.process]++;
      trace.header.thread_name = thread.name;
      if (thread.name.empty() && trace.header.thread == 0) trace.header.thread_name = process_names_[thread.process];
      trace.header.partial = read_.unclosed;
      if (read_.unclosed) trace.header.partial_note = "the list of events is not closed";
      AddEntries(thread, imported, trace);
      trace.FinishHeader();
      if (!trace.events.empty()) imported.run.traces.push_back(std::move(trace));
    }
    if (imported.run.traces.empty()) batch_.runs().pop_back();
  }

  struct Open {
    char phase;
    uint32_t name;
    double end_us;  // of an X
  };

  void AddEntries(const ChromeThread& thread, ImportedRun& imported, Trace& trace) {
    std::vector<Open> open;
    for (const ChromeEvent* event : thread.events) {
      while (!open.empty() && open.back().phase == 'X' && open.back().end_us <= *event->time_us) open.pop_back();
      if (event->phase == 'E') {
        Close(*event, open);
        continue;
      }
      if (open.size() >= limits::kMaxDepth) {
        return batch_.AddLimit(event->line, fmt::format("more than {} calls within each other", limits::kMaxDepth));
      }
      trace.depths.push_back(static_cast<uint32_t>(open.size()));
      trace.events.push_back(SymbolOf(*event, imported));
      open.push_back({event->phase, event->name, *event->time_us + event->duration_us});
    }
  }

  void Close(const ChromeEvent& event, std::vector<Open>& open) {
    const bool matches =
        !open.empty() && open.back().phase == 'B' && (event.name == 0 || event.name == open.back().name);
    if (matches) return open.pop_back();
    const std::string& name = read_.names[event.name];
    batch_.AddProblem(event.line, fmt::format("E of '{}' at {} without its B", name.substr(0, 100), *event.time_us));
  }

  SymbolId SymbolOf(const ChromeEvent& event, ImportedRun& imported) {
    const auto known = symbols_.find(event.name);
    if (known != symbols_.end()) return known->second;
    const std::string& name = read_.names[event.name];
    StackFrame frame;
    frame.name = name;
    const std::string text = name.size() > limits::kMaxNameBytes ? name : FrameEvent(frame);
    return symbols_[event.name] = batch_.Intern(imported, event.line, text);
  }

  ImportBatch& batch_;
  ChromeEvents read_;
  std::unordered_map<std::string, std::string> process_names_;
  std::unordered_map<uint32_t, SymbolId> symbols_;
};

class ChromeTrace final : public Importer {
 public:
  std::string_view name() const override { return "chrome"; }
  std::string_view description() const override {
    return "Chrome trace JSON (B, E and X events; Perfetto, uftrace dump --chrome)";
  }
  std::string_view expected() const override {
    return "a JSON array of events, or an object with \"traceEvents\", that has B or X events";
  }

  int Sniff(std::string_view head) const override {
    const std::string_view text = Trim(head.substr(0, 4096));
    if (!text.starts_with('[') && !text.starts_with('{')) return 0;
    return Contains(head, "\"traceEvents\"") || Contains(head, "\"ph\"") ? 90 : 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override {
    if (!IsBlank(bytes)) ChromeTraceParser(batch).Parse(bytes);
  }
};

}  // namespace

const Importer& ChromeTraceImporter() {
  static const ChromeTrace importer;
  return importer;
}

}  // namespace oscope
