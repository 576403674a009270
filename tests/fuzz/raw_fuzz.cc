// Reads any bytes as a recording: first the sites up to a line "events", then the words of one chunk. The run that
// comes of it is sent, so that names, depths, failures and values are made of what the fuzzer finds.
#include <cstring>

#include "tests/fuzz/fuzz_target.h"
#include "tests/unit/raw/raw_bytes.h"
#include "tracer/record/thread_events.h"

namespace oscope {

std::string DescribeInput(std::string_view bytes) {
  constexpr std::string_view kSeparator = "events\n";
  const size_t split = bytes.find(kSeparator);
  raw::SiteTable sites;
  if (const Status added = sites.Add(bytes.substr(0, split)); !added.ok()) return DescribeError(added.error());
  std::string description =
      fmt::format("{} objects, {} sites, {} notes", sites.objects.size(), sites.sites.size(), sites.notes.size());
  if (split == std::string_view::npos) return description;
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
  description += fmt::format("; {} chunks broken", summary.broken);
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
    const Trace& sent = collector.runs.back().traces.back();
    OSCOPE_CHECK(sent.events.size() == count);
    OSCOPE_CHECK(sent.depths.size() == count && sent.outcomes.size() == count && sent.values.size() == count);
    description += fmt::format("; thread {}:", thread);
    for (size_t i = 0; i < sent.events.size(); ++i) {
      description += fmt::format(" {}{}{}", collector.symbols.name(sent.events[i]),
                                 sent.depths[i] == 0 ? "" : fmt::format("@{}", sent.depths[i]), sent.values[i]);
    }
  }
  if (const auto failure = finder.failure()) {
    OSCOPE_CHECK(!failure->reason.empty());
    description += fmt::format("; failed at {} of thread {}: {} '{}'", failure->events, failure->thread,
                               failure->reason, failure->message);
  }
  return description;
}

}  // namespace oscope
