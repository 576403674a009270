// Reads any bytes as a recording: first the sites up to a line "events", then the words of one chunk. The run that comes of it is sent, so
// that names, depths, failures and values are made of what the fuzzer finds.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tests/unit/raw/raw_bytes.h"
#include "tracer/record/thread_events.h"

namespace oscope {
namespace {

void Read(std::string_view bytes) {
  constexpr std::string_view kSeparator = "events\n";
  const size_t split = bytes.find(kSeparator);
  raw::SiteTable sites;
  if (!sites.Add(bytes.substr(0, split)).ok() || split == std::string_view::npos) return;
  bytes.remove_prefix(split + kSeparator.size());
  std::vector<uint32_t> words(std::min<size_t>(bytes.size() / 4, 1 << 16));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  raw::RawBytes file;
  file.Add(words);
  const Result<raw::ProcessRecording> recording = raw::ProcessRecording::Parse(file.File());
  OSCOPE_CHECK(recording.ok());

  TraceSettings settings;
  settings.values = {"*"};
  // Objects are fuzzed by a target of their own.
  for (raw::Object& object : sites.objects) object.path = "[none]";
  SymbolTable symbols;
  ObjectCache objects;
  const std::vector<KeepRule> rules = EffectiveRules(settings);
  SiteNames names(sites, settings, rules, objects, symbols);
  FailureFinder finder(names);
  const ProcessSummary summary = Summarise(*recording, names, finder);
  for (const auto& [thread, count] : summary.events) {
    RunCollector collector;
    RunHeader run;
    run.id = RunId{{1, 1}};
    run.project = "p";
    OSCOPE_CHECK(collector.BeginRun(run, symbols).ok());
    TraceHeader trace;
    trace.thread = thread;
    trace.event_count = count;
    trace.has_depths = trace.has_outcomes = trace.has_values = true;
    OSCOPE_CHECK(collector.BeginTrace(trace).ok());
    OSCOPE_CHECK(SendThread(*recording, names, thread, summary, true, collector).ok());
    OSCOPE_CHECK(collector.runs.back().traces.back().events.size() == count);
  }
}

}  // namespace
}  // namespace oscope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  oscope::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
