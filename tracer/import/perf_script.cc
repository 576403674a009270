// Makes traces of samples. perf interrupts a thread from time to time and prints its call chain, so calls between two
// samples are unknown. From one sample to the next only the frames beyond the common ones are new; these become the
// events of an execution trace, with their depths. The trace is marked partial, because it lacks most calls. The chain
// of the last sample is kept as a stack.
//
// To make each sample an event of its own would be the alternative. It would count how long a function ran, which is of
// no use for comparing what a program did.
#include "tracer/import/perf_script.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/limits.h"
#include "tracer/import/import_batch.h"
#include "tracer/import/perf_sample.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

struct PerfThread {
  uint64_t pid = 0;
  uint64_t tid = 0;
  std::string command;
  uint64_t samples = 0;
  bool has_chains = false;
  std::vector<SymbolId> chain;  // of the last sample, outermost first
  Trace trace;
};

class PerfParser {
 public:
  explicit PerfParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    run_ = &batch_.AddRun();
    for (const std::string_view line : SplitLines(bytes)) {
      ++number_;
      TakeLine(line);
    }
    EndSample();
    Finish();
  }

 private:
  void TakeLine(std::string_view line) {
    if (IsBlank(line)) {
      EndSample();
      header_.reset();
      return;
    }
    if (line.starts_with('#') || Contains(line, "PERF_RECORD_")) return;
    const auto header = ParsePerfHeader(line);
    if (header) {
      EndSample();
      header_ = *header;
      if (const auto place = ParsePerfFrame(header->place)) AddFrame(*place);
    } else if (const auto frame = ParsePerfFrame(line)) {
      AddFrame(*frame);
      ++chain_frames_;
    } else if (!frames_.empty() && IndentOf(line) > 0) {
      AddLocation(Trim(line));
    }
  }

  void AddFrame(const PerfFrame& parsed) {
    seen_frame_ = true;
    if (parsed.in_kernel) return;
    StackFrame& frame = frames_.emplace_back();
    frame.name = parsed.symbol;
    frame.attributes.object = parsed.object;
    frame.line = number_;
  }

  // "spin.c:5", after a frame, for perf script -F srcline.
  void AddLocation(std::string_view location) {
    if (location.ends_with(" (inlined)")) location.remove_suffix(10);
    if (location.starts_with("??") || location.rfind(':') == std::string_view::npos) return;
    ParseLocation(location, frames_.back().attributes);
  }

  void EndSample() {
    const bool is_sample = header_.has_value() || seen_frame_;
    if (is_sample && !frames_.empty()) AddSample();
    frames_.clear();
    chain_frames_ = 0;
    seen_frame_ = false;
  }

  void AddSample() {
    PerfThread& thread = ThreadOf(header_.value_or(PerfHeader()));
    ++thread.samples;
    thread.has_chains |= chain_frames_ > 0;
    if (frames_.size() > limits::kMaxDepth) {
      return batch_.AddLimit(number_, fmt::format("more than {} calls within each other", limits::kMaxDepth));
    }
    std::vector<SymbolId> chain;
    for (const StackFrame& frame : frames_) chain.push_back(SymbolOf(frame));
    std::ranges::reverse(chain);
    for (auto at = std::ranges::mismatch(thread.chain, chain).in2; at != chain.end(); ++at) {
      thread.trace.events.push_back(*at);
      thread.trace.depths.push_back(static_cast<uint32_t>(at - chain.begin()));
    }
    thread.chain = std::move(chain);
  }

  PerfThread& ThreadOf(const PerfHeader& header) {
    const auto [entry, is_new] = by_id_.try_emplace({header.pid, header.tid}, threads_.size());
    if (is_new) {
      PerfThread& thread = threads_.emplace_back();
      thread.pid = header.pid;
      thread.tid = header.tid;
    }
    PerfThread& thread = threads_[entry->second];
    if (!header.command.empty()) thread.command = header.command;
    return thread;
  }

  SymbolId SymbolOf(const StackFrame& frame) {
    key_.assign(frame.name).append("\n").append(frame.attributes.object);
    if (const auto known = symbols_.find(key_); known != symbols_.end()) return known->second;
    is_cxx_ |= Contains(frame.name, "::");
    const std::string event = frame.name.size() > limits::kMaxNameBytes ? frame.name : FrameEvent(frame);
    return symbols_[key_] = batch_.Intern(*run_, frame.line, event, frame.attributes);
  }

  // Processes and threads are numbered by their first sample; the thread whose id is the process's is thread 0.
  void Finish() {
    std::unordered_map<uint64_t, uint32_t> processes;
    std::unordered_map<uint64_t, uint32_t> next_thread;
    for (const PerfThread& thread : threads_) {
      processes.try_emplace(thread.pid, processes.size());
      if (thread.pid != 0 && thread.tid == thread.pid) next_thread[thread.pid] = 1;
    }
    for (PerfThread& thread : threads_) {
      const bool is_main = thread.pid != 0 && thread.tid == thread.pid;
      AddTraces(thread, processes[thread.pid], is_main ? 0 : next_thread[thread.pid]++);
    }
    if (is_cxx_) run_->run.header.language = "c++";
    if (threads_.empty()) batch_.runs().pop_back();
  }

  void AddTraces(PerfThread& thread, uint32_t process, uint32_t number) {
    Trace& trace = thread.trace;
    trace.header.process = process;
    trace.header.thread = number;
    trace.header.thread_name = thread.command;
    trace.header.partial = true;
    trace.header.partial_note = fmt::format("sampled: {} sample{}", thread.samples, thread.samples == 1 ? "" : "s");
    if (!thread.has_chains) trace.depths.clear();
    trace.FinishHeader();
    if (thread.has_chains) {
      Trace stack;
      stack.header.process = process;
      stack.header.thread = number;
      stack.header.thread_name = thread.command;
      stack.header.kind = TraceKind::kStack;
      stack.events = std::move(thread.chain);
      stack.FinishHeader();
      run_->run.traces.push_back(std::move(stack));
    }
    run_->run.traces.push_back(std::move(trace));
  }

  ImportBatch& batch_;
  ImportedRun* run_ = nullptr;
  uint64_t number_ = 0;
  std::optional<PerfHeader> header_;  // of the sample that is being read
  std::vector<StackFrame> frames_;    // its frames, innermost first
  size_t chain_frames_ = 0;           // how many of them are lines of their own
  bool seen_frame_ = false;
  std::map<std::pair<uint64_t, uint64_t>, size_t> by_id_;
  std::vector<PerfThread> threads_;
  std::string key_;
  std::unordered_map<std::string, SymbolId> symbols_;
  bool is_cxx_ = false;
};

class PerfScript final : public Importer {
 public:
  std::string_view name() const override { return "perf"; }
  std::string_view description() const override { return "samples printed by perf script"; }
  std::string_view expected() const override {
    return "samples as 'perf script' prints them, with the fields tid, ip and sym";
  }

  int Sniff(std::string_view head) const override {
    bool after_header = false;
    bool after_blank = true;
    for (const std::string_view line : SplitLines(head.substr(0, kSniffed))) {
      if (line.starts_with('#')) continue;
      if (line.starts_with('\t')) {
        const bool is_frame = ParsePerfFrame(line).has_value();
        if (is_frame && after_header) return 85;
        if (is_frame && after_blank) return 40;
      }
      const auto header = ParsePerfHeader(line);
      if (header && header->has_time && !header->place.empty()) return 85;
      after_header = header.has_value();
      after_blank = IsBlank(line);
    }
    return 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override { PerfParser(batch).Parse(bytes); }

 private:
  static constexpr size_t kSniffed = 64 << 10;
};

}  // namespace

const Importer& PerfScriptImporter() {
  static const PerfScript importer;
  return importer;
}

}  // namespace oscope
