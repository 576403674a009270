#include "tests/unit/tails/tail_traces.h"

#include <algorithm>

#include "tracer/model/event.h"

namespace oscope {

std::vector<std::string> PlainTrace::Last(size_t length) const {
  const auto end = events.begin() + static_cast<ptrdiff_t>(mark.value_or(events.size()));
  return {end - std::min<ptrdiff_t>(static_cast<ptrdiff_t>(length), end - events.begin()), end};
}

namespace {

std::string RandomName(std::mt19937_64& random, size_t names) {
  const uint64_t number = random() % names;
  switch (number % 5) {
    case 0: return StatementEvent(fmt::format("f{}", number), "x = 1;");
    case 1: return BlockEvent(fmt::format("f{}", number), number);
    case 2: return InstructionEvent(fmt::format("OP{}", number));
    case 3: return ClassEvent(fmt::format("k{}", number));
    default: return fmt::format("m{}", number);
  }
}

PlainTrace RandomTrace(std::mt19937_64& random, size_t max_events, size_t names) {
  PlainTrace trace;
  // Few names in most traces, so that some have one granularity alone.
  std::vector<std::string> some;
  for (uint64_t i = random() % 8; i < 8; ++i) some.push_back(RandomName(random, names));
  for (uint64_t i = random() % (max_events + 1); i > 0; --i) {
    trace.events.push_back(random() % 16 == 0 && names > 8 ? RandomName(random, names) : some[random() % some.size()]);
  }
  if (random() % 2 == 0) trace.mark = random() % (trace.events.size() + 1);
  return trace;
}

}  // namespace

std::vector<PlainTrace> RandomTraces(std::mt19937_64& random, size_t runs, size_t max_events, size_t names) {
  std::vector<PlainTrace> traces;
  for (size_t r = 0; r < runs; ++r) {
    const std::string bug = random() % 4 == 0 ? "" : fmt::format("{}", random() % (runs / 2 + 1));
    std::optional<ThreadRef> failing;
    if (random() % 2 == 0)
      failing = ThreadRef{static_cast<uint32_t>(random() % 2), static_cast<uint32_t>(random() % 3)};
    const auto outcome = static_cast<Outcome>(random() % 4);
    const std::string project = random() % 3 == 0 ? "other" : "demo";
    for (uint32_t thread = 0; thread <= random() % 3; ++thread) {
      PlainTrace trace = RandomTrace(random, max_events, names);
      trace.run = {{random() % 3, r}};
      if (thread > 0) trace.run = traces.back().run;
      trace.project = project;
      trace.bug = bug;
      trace.process = static_cast<uint32_t>(random() % 2);
      trace.thread = thread;
      trace.kind = static_cast<TraceKind>(random() % 2);
      trace.outcome = outcome;
      trace.failing_thread = failing;
      traces.push_back(std::move(trace));
    }
  }
  return traces;
}

TailBytes BuildTails(const std::vector<PlainTrace>& traces, std::mt19937_64& random) {
  TailBuilder builder;
  std::vector<std::string> names;
  for (const PlainTrace& trace : traces) names.insert(names.end(), trace.events.begin(), trace.events.end());
  names.push_back("added, and never used");
  std::shuffle(names.begin(), names.end(), random);
  for (const std::string& name : names) builder.AddName(name);
  for (const PlainTrace& trace : traces) {
    builder.BeginTrace({trace.run, trace.project, trace.bug, trace.process, trace.thread, trace.kind, trace.outcome,
                        trace.failing_thread, trace.events.size(), trace.mark});
    std::vector<uint32_t> numbers;
    for (const std::string& event : trace.events) numbers.push_back(builder.AddName(event));
    for (size_t done = 0; done < numbers.size();) {
      const size_t take = std::min<size_t>(numbers.size() - done, 1 + random() % 400);
      builder.AddEvents(std::span(numbers).subspan(done, take));
      done += take;
    }
  }
  return builder.Finish();
}

}  // namespace oscope
