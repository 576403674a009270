// Writes runs as B and E events. Everything is streamed; only the process ids of the run at hand are kept.
#include "tracer/export/chrome_trace_writer.h"

#include <iterator>

namespace oscope {

Status ChromeTraceWriter::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  pids_.clear();
  return CallSink::BeginRun(run, symbols);
}

void ChromeTraceWriter::BeginRecord() {
  output_.text() += started_ ? ",\n" : "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  started_ = true;
}

void ChromeTraceWriter::WriteName(std::string_view kind, std::string_view name) {
  BeginRecord();
  fmt::format_to(std::back_inserter(output_.text()),
                 R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", kind, pid_, tid_,
                 QuoteJson(name));
}

void ChromeTraceWriter::WriteMark(uint64_t at) {
  BeginRecord();
  fmt::format_to(std::back_inserter(output_.text()), R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{}}})",
                 pid_, tid_, at, QuoteJson("failure: " + mark_->reason));
}

Status ChromeTraceWriter::BeginThread(const TraceHeader& trace) {
  const auto [place, is_new] = pids_.try_emplace(trace.process, last_pid_ + 1);
  last_pid_ += is_new;
  pid_ = place->second;
  tid_ = trace.thread + (trace.kind == TraceKind::kStack ? kStackTid : 1);
  if (is_new) WriteName("process_name", fmt::format("{} process {}", RunLabel(run()), trace.process));
  WriteName("thread_name", ThreadLabel(trace));
  mark_ = trace.mark;
  return {};
}

Status ChromeTraceWriter::Enter(SymbolId symbol, uint64_t at) {
  BeginRecord();
  fmt::format_to(std::back_inserter(output_.text()), R"({{"ph":"B","pid":{},"tid":{},"ts":{},"name":{}}})", pid_, tid_,
                 at, names_.Of(symbols(), symbol));
  if (mark_ && mark_->events == at + 1) WriteMark(at);
  return output_.FlushIfLarge();
}

Status ChromeTraceWriter::Leave(SymbolId, uint64_t at) {
  BeginRecord();
  fmt::format_to(std::back_inserter(output_.text()), R"({{"ph":"E","pid":{},"tid":{},"ts":{}}})", pid_, tid_, at);
  return output_.FlushIfLarge();
}

Status ChromeTraceWriter::EndThread(uint64_t) { return {}; }

Status ChromeTraceWriter::Finish() {
  output_.text() += started_ ? "\n]}\n" : "{\"traceEvents\":[]}\n";
  return output_.Flush();
}

}  // namespace oscope
