// Our distance search against rapidfuzz-cpp, in one process on the same data: the kernel alone, with the sketch before
// it, on suffixes that all end alike, and on long traces. One thread each.
//
// The peer is its cached scorer with the bound as cutoff, over ids that were mapped to the query's own 8-bit alphabet
// before the clock starts: its fairest form. Both must find the same rows at the same distances, or the program aborts.
// Queries are rows of a fixed seed; the figures are medians over the queries, of the thread's time, so that other work
// on the machine counts little.
// Example: bench_distance --benchmark_filter=Search        OSCOPE_BENCH_QUERIES=5 for a quick look (100 by default)
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <rapidfuzz/distance/Levenshtein.hpp>

#include "index/sketch/sketch.h"
#include "query/distance/long_kernel.h"
#include "query/distance/short_kernel.h"
#include "tests/bench/bench_support.h"
#include "tracer/generate/generator.h"
#include "tracer/model/null_sink.h"

namespace oscope {
namespace {

constexpr uint32_t kLength = 50;
constexpr uint64_t kRows = 1'000'000;
constexpr uint32_t kSharedEvents = 35;
constexpr uint64_t kLongTraces = 2'000;
constexpr size_t kBlockRows = 4096;

// The events up to the mark of every trace.
class MarkedEvents : public NullSink {
 public:
  Status BeginTrace(const TraceHeader& header) override {
    marked_ = header.mark ? header.mark->events : header.event_count;
    traces.emplace_back();
    return {};
  }
  Status AddEvents(const EventChunk& chunk) override {
    for (const SymbolId event : chunk.events) {
      if (traces.back().size() < marked_) traces.back().push_back(static_cast<uint32_t>(event));
    }
    return {};
  }

  std::vector<std::vector<uint32_t>> traces;

 private:
  uint64_t marked_ = 0;
};

// Suffixes as a segment has them, and their sketch.
struct ShortData {
  explicit ShortData(uint32_t shared_events) {
    GenerateOptions options;
    options.traces = kRows;
    options.length = kLength;
    Result<Generator> generator = Generator::Make(options);
    OSCOPE_CHECK(generator.ok());
    MarkedEvents events;
    while (*generator->SendNextBug(events)) {
      for (const std::vector<uint32_t>& trace : events.traces) Append(trace);
      events.traces.clear();
    }
    const std::vector<uint16_t> tail(column.end() - shared_events, column.end());
    for (const RowTail& row : rows) {
      if (row.length >= shared_events)
        std::copy(tail.begin(), tail.end(), column.begin() + static_cast<ptrdiff_t>(row.end - shared_events));
    }
    for (uint32_t id = 0; id < generator->symbols().size(); ++id)
      hashes.push_back(SketchHash(generator->symbols().name(SymbolId{id})));
    SketchBuilder builder(rows.size(), hashes);
    for (const RowTail& row : rows) builder.AddRow(Events(row));
    sketch_bytes = builder.Finish();
    mapped.resize(column.size());
  }

  void Append(const std::vector<uint32_t>& trace) {
    const size_t length = std::min<size_t>(trace.size(), kLength);
    column.insert(column.end(), trace.end() - static_cast<ptrdiff_t>(length), trace.end());
    rows.push_back({column.size(), static_cast<uint32_t>(length)});
  }
  std::span<const uint16_t> Events(const RowTail& row) const {
    return std::span(column).subspan(row.end - row.length, row.length);
  }
  uint32_t names() const { return static_cast<uint32_t>(hashes.size()); }

  std::vector<uint16_t> column;
  std::vector<RowTail> rows;
  std::vector<uint64_t> hashes;
  std::string sketch_bytes;
  std::vector<uint8_t> mapped;  // the column in the query's alphabet, for the peer
};

using Found = std::vector<std::pair<uint32_t, uint16_t>>;  // row, distance

Found SearchAll(const ShortData& data, Sequence query, uint32_t bound) {
  const ShortQuery short_query(query, data.names(), bound);
  Found found;
  std::vector<uint16_t> distances(kBlockRows);
  for (size_t first = 0; first < data.rows.size(); first += kBlockRows) {
    const auto rows = std::span(data.rows).subspan(first, std::min(kBlockRows, data.rows.size() - first));
    DistancesWithin<uint16_t>(short_query, data.column, rows, bound, std::span(distances).first(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (distances[i] <= bound) found.emplace_back(static_cast<uint32_t>(first + i), distances[i]);
    }
  }
  return found;
}

Found SearchSketchFirst(const ShortData& data, const SketchView& sketch, Sequence query, uint32_t bound) {
  std::vector<uint64_t> hashes;
  for (const uint32_t event : query) hashes.push_back(data.hashes[event]);
  std::vector<uint32_t> survivors;
  Survivors(sketch, SketchQuery(hashes, kLength), 0, data.rows.size(), bound, survivors);
  std::vector<RowTail> rows;
  for (const uint32_t row : survivors) rows.push_back(data.rows[row]);
  std::vector<uint16_t> distances(rows.size());
  DistancesWithin<uint16_t>(ShortQuery(query, data.names(), bound), data.column, rows, bound, distances);
  Found found;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (distances[i] <= bound) found.emplace_back(survivors[i], distances[i]);
  }
  return found;
}

// The peer's query in its own alphabet; maps the rows too.
std::vector<uint8_t> MapForPeer(ShortData& data, Sequence query) {
  std::vector<uint8_t> code_of(data.names()), codes;
  uint8_t next = 1;
  for (const uint32_t event : query) {
    if (code_of[event] == 0) code_of[event] = next++;
    codes.push_back(code_of[event]);
  }
  for (size_t i = 0; i < data.column.size(); ++i) data.mapped[i] = code_of[data.column[i]];
  return codes;
}

Found SearchWithPeer(const ShortData& data, const std::vector<uint8_t>& query, uint32_t bound) {
  const rapidfuzz::CachedLevenshtein<uint8_t> scorer(query);
  Found found;
  for (uint32_t i = 0; i < data.rows.size(); ++i) {
    const uint8_t* end = data.mapped.data() + data.rows[i].end;
    const size_t distance = scorer.distance(end - data.rows[i].length, end, bound);
    if (distance <= bound) found.emplace_back(i, static_cast<uint16_t>(distance));
  }
  return found;
}

void ReportRatio(benchmark::State& state, const std::vector<double>& ours, const std::vector<double>& peers,
                 uint64_t found) {
  state.counters["ours_ms"] = Median(ours);
  state.counters["rapidfuzz_ms"] = Median(peers);
  state.counters["times_faster"] = Median(peers) / Median(ours);
  state.counters["found"] = static_cast<double>(found) / static_cast<double>(ours.size());
}

template <typename Search>
void CompareShort(benchmark::State& state, ShortData& data, const Search& search) {
  const uint32_t bound = static_cast<uint32_t>(state.range(0));
  for (auto _ : state) {
    Random random(7, 0);
    std::vector<double> ours, peers;
    uint64_t found_rows = 0;
    for (size_t i = 0; i < FromEnvironment("OSCOPE_BENCH_QUERIES", 100); ++i) {
      const RowTail& row = data.rows[random.Below(static_cast<uint32_t>(data.rows.size()))];
      const std::vector<uint32_t> query(data.Events(row).begin(), data.Events(row).end());
      const std::vector<uint8_t> peer_query = MapForPeer(data, query);
      const double start = ThreadMilliseconds();
      const Found found = search(data, query, bound);
      const double middle = ThreadMilliseconds();
      const Found expected = SearchWithPeer(data, peer_query, bound);
      peers.push_back(ThreadMilliseconds() - middle);
      ours.push_back(middle - start);
      OSCOPE_CHECK(found == expected);
      found_rows += found.size();
    }
    ReportRatio(state, ours, peers, found_rows);
  }
}

ShortData& UsualData() {
  static ShortData data(0);
  return data;
}

void BM_KernelAlone(benchmark::State& state) { CompareShort(state, UsualData(), SearchAll); }

void BM_SketchAndKernel(benchmark::State& state) {
  ShortData& data = UsualData();
  const SketchView sketch = *SketchView::Make(std::as_bytes(std::span(data.sketch_bytes)), data.rows.size());
  CompareShort(state, data, [&](const ShortData& rows, Sequence query, uint32_t bound) {
    return SearchSketchFirst(rows, sketch, query, bound);
  });
}

// Every suffix ends with the same events: the sketch keeps what the front does not rule out.
void BM_KernelOnSharedTails(benchmark::State& state) {
  static ShortData data(kSharedEvents);
  CompareShort(state, data, SearchAll);
}

const std::vector<std::vector<uint32_t>>& LongTraces() {
  static const std::vector<std::vector<uint32_t>> traces = [] {
    GenerateOptions options;
    options.traces = kLongTraces;
    options.thesis_lengths = true;
    Result<Generator> generator = Generator::Make(options);
    OSCOPE_CHECK(generator.ok());
    MarkedEvents events;
    while (*generator->SendNextBug(events)) {
    }
    return events.traces;
  }();
  return traces;
}

void BM_LongTraces(benchmark::State& state) {
  const uint64_t bound = static_cast<uint64_t>(state.range(0));
  const std::vector<std::vector<uint32_t>>& traces = LongTraces();
  for (auto _ : state) {
    Random random(7, 1);
    std::vector<double> ours, peers;
    uint64_t found = 0;
    for (size_t i = 0; i < std::min<size_t>(FromEnvironment("OSCOPE_BENCH_QUERIES", 100), bound > 1000 ? 5 : 20); ++i) {
      // Of about the mean length, as a query that many traces can be near to.
      const std::vector<uint32_t>* query = &traces[random.Below(static_cast<uint32_t>(traces.size()))];
      while (query->size() < 4'000 || query->size() > 7'000)
        query = &traces[random.Below(static_cast<uint32_t>(traces.size()))];
      std::vector<uint32_t> mine, theirs;
      double start = ThreadMilliseconds();
      const LongQuery long_query(*query);
      for (const std::vector<uint32_t>& trace : traces) {
        const std::optional<uint32_t> distance = long_query.DistanceWithin(trace, bound);
        mine.push_back(distance.value_or(UINT32_MAX));
      }
      ours.push_back(ThreadMilliseconds() - start);
      start = ThreadMilliseconds();
      const rapidfuzz::CachedLevenshtein<uint32_t> scorer(*query);
      for (const std::vector<uint32_t>& trace : traces) {
        const size_t distance = scorer.distance(trace, bound);
        theirs.push_back(distance <= bound ? static_cast<uint32_t>(distance) : UINT32_MAX);
      }
      peers.push_back(ThreadMilliseconds() - start);
      OSCOPE_CHECK(mine == theirs);
      found +=
          static_cast<uint64_t>(std::count_if(mine.begin(), mine.end(), [](uint32_t d) { return d != UINT32_MAX; }));
    }
    ReportRatio(state, ours, peers, found);
  }
}

BENCHMARK(BM_KernelAlone)->ArgName("d")->Arg(10)->Arg(30)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SketchAndKernel)->ArgName("d")->Arg(10)->Arg(30)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_KernelOnSharedTails)->ArgName("d")->Arg(10)->Arg(30)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LongTraces)->ArgName("d")->Arg(50)->Arg(500)->Arg(5000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace oscope

BENCHMARK_MAIN();
