// Sends a whole run in chunks, and collects chunks into whole runs. The collector translates symbols into a table of
// its own, since the sender's table is only borrowed until the run ends; 0 in translation_ means "not yet translated".
#include "tracer/model/run_sink.h"

#include <algorithm>

#include "base/limits.h"

namespace oscope {
namespace {

template <typename T>
std::span<const T> Stretch(const std::vector<T>& list, size_t begin, size_t count) {
  return list.empty() ? std::span<const T>() : std::span(list).subspan(begin, count);
}

template <typename T>
void Append(std::vector<T>& list, std::span<const T> more) {
  list.insert(list.end(), more.begin(), more.end());
}

Status SendTrace(const Trace& trace, RunSink& sink) {
  const size_t count = trace.events.size();
  const auto fits = [&](const auto& list) { return list.empty() || list.size() == count; };
  if (!fits(trace.depths) || !fits(trace.outcomes) || !fits(trace.values)) {
    return Invalid("a trace's parallel lists differ in length from its {} events", count);
  }
  OSCOPE_RETURN_IF_ERROR(sink.BeginTrace(trace.header));
  for (size_t begin = 0; begin < count; begin += limits::kChunkEvents) {
    const size_t length = std::min(limits::kChunkEvents, count - begin);
    OSCOPE_RETURN_IF_ERROR(
        sink.AddEvents({Stretch(trace.events, begin, length), Stretch(trace.depths, begin, length),
                        Stretch(trace.outcomes, begin, length), Stretch(trace.values, begin, length)}));
  }
  return sink.EndTrace();
}

}  // namespace

Status SendRun(const Run& run, const SymbolTable& symbols, RunSink& sink) {
  OSCOPE_RETURN_IF_ERROR(sink.BeginRun(run.header, symbols));
  for (const Trace& trace : run.traces) OSCOPE_RETURN_IF_ERROR(SendTrace(trace, sink));
  return sink.EndRun();
}

Status RunCollector::AddBug(const Bug& bug) {
  bugs.push_back(bug);
  return {};
}

Status RunCollector::BeginRun(const RunHeader& run, const SymbolTable& theirs) {
  source_ = &theirs;
  if (source_uid_ != theirs.uid()) translation_.clear();
  source_uid_ = theirs.uid();
  runs.push_back({run, {}});
  return {};
}

Status RunCollector::BeginTrace(const TraceHeader& trace) {
  runs.back().traces.emplace_back().header = trace;
  return {};
}

Status RunCollector::AddEvents(const EventChunk& chunk) {
  Trace& trace = runs.back().traces.back();
  for (const SymbolId event : chunk.events) {
    if (!source_->contains(event)) {
      return Invalid("event {} has no symbol", static_cast<uint32_t>(event));
    }
    trace.events.push_back(Translate(event));
  }
  Append(trace.depths, chunk.depths);
  Append(trace.outcomes, chunk.outcomes);
  Append(trace.values, chunk.values);
  return {};
}

Status RunCollector::EndTrace() { return {}; }

Status RunCollector::EndRun() {
  source_ = nullptr;
  return {};
}

Status RunCollector::AddAttachment(const Attachment& attachment) {
  attachments.push_back(attachment);
  return {};
}

SymbolId RunCollector::Translate(SymbolId theirs) {
  const auto index = static_cast<uint32_t>(theirs);
  if (index >= translation_.size()) translation_.resize(source_->size());
  uint32_t& ours = translation_[index];
  if (ours == 0) {
    ours = static_cast<uint32_t>(symbols.Intern(source_->name(theirs), source_->attributes(theirs))) + 1;
  }
  return static_cast<SymbolId>(ours - 1);
}

bool SameEvents(const Trace& a, const SymbolTable& a_symbols, const Trace& b, const SymbolTable& b_symbols) {
  return std::ranges::equal(
      a.events, b.events, [&](SymbolId left, SymbolId right) { return a_symbols.name(left) == b_symbols.name(right); });
}

}  // namespace oscope
