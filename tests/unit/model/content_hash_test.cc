#include "tracer/model/content_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace oscope {
namespace {

Run SomeRun(SymbolTable& symbols) {
  oscope::Run run;
  run.header.id = RunId{{1, 2}};
  run.header.project = "demo";
  run.header.command = {"a", "b"};
  run.header.inputs = {{"-", "bytes"}};
  run.header.custom = {{"key", "value"}};
  for (uint32_t thread = 0; thread < 2; ++thread) {
    Trace& trace = run.traces.emplace_back();
    trace.header.thread = thread;
    trace.header.mark = FailureMark{5, "abort"};
    for (int i = 0; i < 700; ++i) trace.events.push_back(symbols.Intern(fmt::format("f{}", i * 7 % 11)));
    trace.depths.assign(700, 3);
    trace.outcomes.assign(700, EventOutcome::kReturned);
    trace.values.assign(700, "v");
    trace.FinishHeader();
  }
  return run;
}

Hash128 HashInChunks(ContentHasher& hasher, const Run& run, const SymbolTable& symbols, size_t chunk) {
  hasher.Begin(run.header);
  for (const Trace& trace : run.traces) {
    hasher.BeginTrace(trace.header);
    for (size_t i = 0; i < trace.events.size(); i += chunk) {
      const size_t count = std::min(chunk, trace.events.size() - i);
      hasher.AddEvents({std::span(trace.events).subspan(i, count), std::span(trace.depths).subspan(i, count),
                        std::span(trace.outcomes).subspan(i, count), std::span(trace.values).subspan(i, count)},
                       symbols);
    }
    hasher.EndTrace();
  }
  return hasher.Digest();
}

TEST(ContentHasher, DoesNotDependOnChunksOrNumbering) {
  SymbolTable symbols;
  const oscope::Run run = SomeRun(symbols);
  ContentHasher hasher;
  const Hash128 whole = HashInChunks(hasher, run, symbols, 1'000);
  for (const size_t chunk : {1, 7, 256, 257, 699}) EXPECT_EQ(HashInChunks(hasher, run, symbols, chunk), whole);

  SymbolTable renumbered;
  for (int i = 20; i >= 0; --i) renumbered.Intern(fmt::format("f{}", i));
  EXPECT_EQ(HashInChunks(hasher, SomeRun(renumbered), renumbered, 100), whole);
}

TEST(ContentHasher, SeesATableGrow) {
  SymbolTable symbols;
  const oscope::Run run = SomeRun(symbols);
  ContentHasher hasher;
  HashInChunks(hasher, run, symbols, 100);
  oscope::Run longer = SomeRun(symbols);
  longer.traces[1].events.back() = symbols.Intern("new");
  ContentHasher fresh;
  EXPECT_EQ(HashInChunks(hasher, longer, symbols, 100), HashInChunks(fresh, longer, symbols, 100));
}

TEST(ContentHasher, CoversEveryFieldButTheBug) {
  SymbolTable symbols;
  const oscope::Run run = SomeRun(symbols);
  ContentHasher hasher;
  const Hash128 original = HashInChunks(hasher, run, symbols, 100);

  oscope::Run linked = SomeRun(symbols);
  linked.header.bug = "342";
  EXPECT_EQ(HashInChunks(hasher, linked, symbols, 100), original);

  const std::function<void(oscope::Run&)> changes[] = {
      [](oscope::Run& r) { r.header.id.value.low ^= 1; },
      [](oscope::Run& r) { r.header.project = "x"; },
      [](oscope::Run& r) { r.header.test = "x"; },
      [](oscope::Run& r) { r.header.version = "x"; },
      [](oscope::Run& r) { r.header.language = "x"; },
      [](oscope::Run& r) { r.header.recorder = "x"; },
      [](oscope::Run& r) { r.header.command = {"ab"}; },
      [](oscope::Run& r) { r.header.inputs[0].bytes = "x"; },
      [](oscope::Run& r) { r.header.started_ns = 0; },
      [](oscope::Run& r) { r.header.duration_ns = 0; },
      [](oscope::Run& r) { r.header.outcome = Outcome::kPassed; },
      [](oscope::Run& r) { r.header.failure.exit_code = 0; },
      [](oscope::Run& r) { r.header.failure.signal = 0; },
      [](oscope::Run& r) { r.header.failure.message = "x"; },
      [](oscope::Run& r) { r.header.failure.kind = FailureKind::kExit; },
      [](oscope::Run& r) { r.header.failure.place.file = "x"; },
      [](oscope::Run& r) { r.header.failure.place.line = 1; },
      [](oscope::Run& r) { r.header.failure.place.function = "x"; },
      [](oscope::Run& r) { r.header.failure.fingerprint = "x"; },
      [](oscope::Run& r) { r.header.failing_thread = ThreadRef{}; },
      [](oscope::Run& r) { r.header.incomplete = true; },
      [](oscope::Run& r) { r.header.custom["x"] = ""; },
      [](oscope::Run& r) { r.header.repeat.directory = "x"; },
      [](oscope::Run& r) { r.header.repeat.revision = "x"; },
      [](oscope::Run& r) { r.header.repeat.changes = "x"; },
      [](oscope::Run& r) { r.header.repeat.selection.runner = "x"; },
      [](oscope::Run& r) { r.header.repeat.selection.framework = "x"; },
      [](oscope::Run& r) { r.header.repeat.selection.filter = "x"; },
      [](oscope::Run& r) { r.header.repeat.expected.exit_code = 0; },
      [](oscope::Run& r) { r.header.repeat.expected.fails = true; },
      [](oscope::Run& r) { r.header.repeat.expected.output = {"x"}; },
      [](oscope::Run& r) { r.header.repeat.expected.forbidden_output = {"x"}; },
      [](oscope::Run& r) { r.header.repeat.builds = {{"x", "", {}}}; },
      [](oscope::Run& r) { r.header.repeat.builds = {{"", "x", {}}}; },
      [](oscope::Run& r) { r.header.repeat.builds = {{"", "", {"x"}}}; },
      [](oscope::Run& r) { r.header.repeat.not_kept = {{"x", ""}}; },
      [](oscope::Run& r) { r.header.repeat.not_kept = {{"", "x"}}; },
      [](oscope::Run& r) { r.traces.pop_back(); },
      [](oscope::Run& r) { r.traces[0].header.process = 1; },
      [](oscope::Run& r) { r.traces[0].header.thread = 9; },
      [](oscope::Run& r) { r.traces[0].header.kind = TraceKind::kStack; },
      [](oscope::Run& r) { r.traces[0].header.thread_name = "x"; },
      [](oscope::Run& r) { r.traces[0].header.mark.reset(); },
      [](oscope::Run& r) { r.traces[0].header.mark->events = 6; },
      [](oscope::Run& r) { r.traces[0].header.mark->reason = "x"; },
      [](oscope::Run& r) { r.traces[0].header.partial = true; },
      [](oscope::Run& r) { r.traces[0].header.partial_note = "x"; },
      [](oscope::Run& r) { r.traces[0].header.has_values = false; },
      [](oscope::Run& r) { std::swap(r.traces[0].events[0], r.traces[0].events[1]); },
      [](oscope::Run& r) { r.traces[0].depths[3] = 4; },
      [](oscope::Run& r) { r.traces[0].outcomes[3] = EventOutcome::kThrew; },
      [](oscope::Run& r) { r.traces[1].values[699] = "w"; },
  };
  std::vector<Hash128> hashes = {original};
  for (const auto& change : changes) {
    oscope::Run changed = SomeRun(symbols);
    change(changed);
    hashes.push_back(HashInChunks(hasher, changed, symbols, 100));
  }
  std::ranges::sort(hashes);
  EXPECT_EQ(std::ranges::adjacent_find(hashes), hashes.end());
}

}  // namespace
}  // namespace oscope
