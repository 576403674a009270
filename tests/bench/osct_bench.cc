// .osct against zstd of the text form, one event name a line: encoding and decoding speed, and bytes for each event.
//
// The events are those of a made-up program: a random call grammar with loops and branches, walked from random entry
// points.
// Example: bench_osct --benchmark_counters_tabular=true
#include <benchmark/benchmark.h>
#include <zstd.h>

#include <random>
#include <set>

#include "tracer/format/osct_reader.h"
#include "tracer/format/osct_writer.h"
#include "tracer/model/content_hash.h"
#include "tracer/model/null_sink.h"

namespace oscope {
namespace {

constexpr size_t kEvents = 1'000'000;

struct Call {
  uint32_t callee;
  uint32_t percent;  // how often the branch to it is taken
  uint32_t repeats;  // at most, of the loop around it
};

// Methods with larger numbers are called by those with smaller ones; the last are leaves that everybody uses.
std::vector<std::vector<Call>> MakeGrammar(uint32_t methods, std::mt19937_64& random) {
  const auto below = [&](uint64_t limit) { return static_cast<uint32_t>(random() % limit); };
  std::vector<std::vector<Call>> bodies(methods);
  for (uint32_t i = 0; i + 60 < methods; ++i) {
    for (uint32_t calls = 1 + below(6); calls > 0; --calls) {
      const uint32_t callee = below(3) != 0 ? i + 1 + below(std::min(methods - i - 1, 400u)) : methods - 1 - below(50);
      bodies[i].push_back({callee, below(2) != 0 ? 100 : 20 + below(70), below(5) == 0 ? 2 + below(16) : 1});
    }
  }
  return bodies;
}

std::string MethodName(uint32_t i) {
  static const char* const kScopes[] = {"net",    "json", "store",     "util::text",
                                        "render", "auth", "db::query", "std::__detail"};
  static const char* const kNouns[] = {"Socket", "Buffer", "Parser", "Token",   "Index", "Segment", "Cursor", "Session",
                                       "Node",   "Table",  "Writer", "Visitor", "Cache", "Record",  "Stream", "Pool"};
  static const char* const kVerbs[] = {"read", "write", "parse", "next", "find", "insert", "update", "flush"};
  return fmt::format("{}::{}{}::{}{}", kScopes[i / 1024 % 8], kNouns[i / 8 % 16], kNouns[i / 128 % 16], kVerbs[i % 8],
                     i % 3 == 0 ? kNouns[i * 7 % 16] : "");
}

Run WalkGrammar(uint32_t methods, bool depths, SymbolTable& symbols) {
  std::mt19937_64 random(5);
  const std::vector<std::vector<Call>> bodies = MakeGrammar(methods, random);
  std::vector<SymbolId> ids;
  for (uint32_t i = 0; i < methods; ++i) ids.push_back(symbols.Append(MethodName(i)));

  struct Frame {
    uint32_t method;
    size_t next_call;
    uint32_t repeats_left;
  };
  Run run;
  run.header.id = RunId{{1, 1}};
  run.header.project = "bench";
  Trace& trace = run.traces.emplace_back();
  std::vector<Frame> stack;
  const auto enter = [&](uint32_t method) {
    trace.events.push_back(ids[method]);
    if (depths) trace.depths.push_back(static_cast<uint32_t>(stack.size()));
    stack.push_back({method, 0, 0});
  };
  while (trace.events.size() < kEvents) {
    if (stack.empty()) enter(static_cast<uint32_t>(random() % (methods * 9 / 10)));
    Frame& frame = stack.back();
    const std::vector<Call>& body = bodies[frame.method];
    if (frame.repeats_left == 0) {
      // An entry point's tree could hold more events than we want of one.
      if (frame.next_call == body.size() || stack.size() > 12) {
        stack.pop_back();
        continue;
      }
      const Call& call = body[frame.next_call++];
      if (random() % 100 < call.percent) frame.repeats_left = 1 + static_cast<uint32_t>(random() % call.repeats);
      continue;
    }
    --frame.repeats_left;
    enter(body[frame.next_call - 1].callee);
  }
  trace.FinishHeader();
  return run;
}

// The same events as many traces of 60, as a store of stacks has them.
Run CutIntoTraces(const Run& run) {
  Run cut;
  cut.header = run.header;
  for (size_t begin = 0; begin + 60 <= kEvents; begin += 60) {
    Trace& trace = cut.traces.emplace_back();
    trace.header.thread = static_cast<uint32_t>(begin / 60);
    const auto first = run.traces[0].events.begin() + static_cast<ptrdiff_t>(begin);
    trace.events.assign(first, first + 60);
    trace.FinishHeader();
  }
  return cut;
}

enum Shape : int64_t { kOneTrace, kOneTraceWithDepths, kManyTraces };

struct Workload {
  explicit Workload(const benchmark::State& state) {
    run = WalkGrammar(static_cast<uint32_t>(state.range(0)), state.range(1) == kOneTraceWithDepths, symbols);
    for (const SymbolId event : run.traces[0].events) text += symbols.name(event) + "\n";
    if (state.range(1) == kManyTraces) run = CutIntoTraces(run);
  }
  SymbolTable symbols;
  Run run;
  std::string text;
};

std::string Encode(const Workload& workload) {
  std::string bytes;
  OsctWriter writer([&](std::string_view more) -> Status { return bytes += more, Status(); });
  OSCOPE_CHECK(SendRun(workload.run, workload.symbols, writer).ok() && writer.Finish().ok());
  return bytes;
}

void Count(benchmark::State& state, size_t bytes) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kEvents));
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["bits/event"] = 8.0 * static_cast<double>(bytes) / kEvents;
}

void BM_OsctEncode(benchmark::State& state) {
  const Workload workload(state);
  size_t size = 0;
  for (auto _ : state) size = Encode(workload).size();
  Count(state, size);
  std::set<SymbolId> distinct;
  for (const Trace& trace : workload.run.traces) distinct.insert(trace.events.begin(), trace.events.end());
  state.counters["distinct"] = static_cast<double>(distinct.size());
}

class CountingSink : public NullSink {
 public:
  Status AddEvents(const EventChunk& chunk) override {
    events += chunk.events.size();
    return {};
  }
  uint64_t events = 0;
};

void BM_OsctDecode(benchmark::State& state) {
  const std::string bytes = Encode(Workload(state));
  for (auto _ : state) {
    CountingSink sink;
    OSCOPE_CHECK(ReadOsct(*MemorySource(bytes), sink).ok());
    benchmark::DoNotOptimize(sink.events);
  }
  Count(state, bytes.size());
}

void BM_ZstdTextEncode(benchmark::State& state) {
  const Workload workload(state);
  std::string out(ZSTD_compressBound(workload.text.size()), '\0');
  size_t size = 0;
  for (auto _ : state) size = ZSTD_compress(out.data(), out.size(), workload.text.data(), workload.text.size(), 3);
  Count(state, size);
}

void BM_ZstdTextDecode(benchmark::State& state) {
  const Workload workload(state);
  std::string compressed(ZSTD_compressBound(workload.text.size()), '\0');
  compressed.resize(ZSTD_compress(compressed.data(), compressed.size(), workload.text.data(), workload.text.size(), 3));
  std::string out(workload.text.size(), '\0');
  for (auto _ : state) {
    OSCOPE_CHECK(ZSTD_decompress(out.data(), out.size(), compressed.data(), compressed.size()) == out.size());
  }
  Count(state, compressed.size());
}

void BM_ContentHash(benchmark::State& state) {
  const Workload workload(state);
  ContentHasher hasher;
  for (auto _ : state) {
    hasher.Begin(workload.run.header);
    for (const Trace& trace : workload.run.traces) {
      hasher.BeginTrace(trace.header);
      hasher.AddEvents({trace.events, trace.depths, {}, {}}, workload.symbols);
      hasher.EndTrace();
    }
    benchmark::DoNotOptimize(hasher.Digest());
  }
  Count(state, 0);
  state.counters["traces/s"] = benchmark::Counter(static_cast<double>(state.iterations() * workload.run.traces.size()),
                                                  benchmark::Counter::kIsRate);
}

void Shapes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"methods", "shape"})->Unit(benchmark::kMillisecond);
  for (const int64_t methods : {200, 2'000, 20'000}) bench->Args({methods, kOneTrace});
  bench->Args({2'000, kOneTraceWithDepths})->Args({2'000, kManyTraces});
}
BENCHMARK(BM_OsctEncode)->Apply(Shapes);
BENCHMARK(BM_OsctDecode)->Apply(Shapes);
BENCHMARK(BM_ZstdTextEncode)->Apply(Shapes);
BENCHMARK(BM_ZstdTextDecode)->Apply(Shapes);
BENCHMARK(BM_ContentHash)->Apply(Shapes);

}  // namespace
}  // namespace oscope
