// Names and fields of bugs in a large store: which bug a name means, whether a bug or a run is known, and counts, filters
// and orders by a field.
//
//   build/tests/bench/bench_names                                  1,000,000 traces of some 333,000 bugs: about a minute
//   OSCOPE_BENCH_TRACES=60000 build/tests/bench/bench_names
//
// "Cold" opens the store first, as a new process does, with its files in the page cache; "hot" asks an open one again.
// Batches are of 200,000 look-ups, what an import of as many runs asks. Real time counts.
#include <benchmark/benchmark.h>

#include <random>

#include "index/store/batching_sink.h"
#include "index/store/store.h"
#include "query/run/session.h"
#include "tests/bench/bench_support.h"
#include "tracer/generate/generator.h"

namespace oscope {
namespace {

constexpr size_t kBatch = 200'000;

const std::string& StorePath() {
  static const std::string path = [] {
    std::string made = Work().path("store");
    Store store = Must(Store::Create(PosixFileSystem(), made));
    GenerateOptions options;
    options.traces = FromEnvironment("OSCOPE_BENCH_TRACES", 1'000'000);
    Generator generator = Must(Generator::Make(options));
    const auto sink = Must(BatchingSink::Open(store, 100'000));
    while (Must(generator.SendNextBug(*sink))) {
    }
    Must(sink->Finish());
    return made;
  }();
  return path;
}

Store OpenStore() { return Must(Store::Open(PosixFileSystem(), StorePath())); }

// Some bugs of the store, from all over it.
const std::vector<BugKey>& SomeBugs() {
  static const std::vector<BugKey> bugs = [] {
    std::vector<BugKey> all = Must(Must(OpenStore().Read()).BugKeys());
    std::shuffle(all.begin(), all.end(), std::mt19937_64(1));
    all.resize(std::min<size_t>(all.size(), 1000));
    return all;
  }();
  return bugs;
}

enum class Name { kBareId, kFull, kUnknown };

std::string NameOf(const BugKey& bug, Name name) {
  switch (name) {
    case Name::kBareId: return bug.id;
    case Name::kFull: return ToString(bug);
    case Name::kUnknown: break;
  }
  return bug.id + "x";
}

void Resolve(benchmark::State& state, Name name, bool cold) {
  Store store = OpenStore();
  Snapshot snapshot = Must(store.Read());
  size_t next = 0;
  (void)snapshot.ResolveBug(NameOf(SomeBugs()[0], name));
  for (auto _ : state) {
    const std::string text = NameOf(SomeBugs()[next++ % SomeBugs().size()], name);
    if (cold) {
      store = OpenStore();
      snapshot = Must(store.Read());
    }
    const Result<BugKey> found = snapshot.ResolveBug(text);
    OSCOPE_CHECK(found.ok() == (name != Name::kUnknown));
  }
}
BENCHMARK_CAPTURE(Resolve, bare_id_hot, Name::kBareId, false)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Resolve, full_name_hot, Name::kFull, false)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Resolve, unknown_with_suggestions_hot, Name::kUnknown, false)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Resolve, bare_id_cold, Name::kBareId, true)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Resolve, full_name_cold, Name::kFull, true)->UseRealTime()->Unit(benchmark::kMillisecond);

// Half of the look-ups are of what is there.
void HasBugBatch(benchmark::State& state) {
  const Snapshot snapshot = Must(OpenStore().Read());
  for (auto _ : state) {
    size_t known = 0;
    for (size_t i = 0; i < kBatch; ++i) {
      BugKey key = SomeBugs()[i % SomeBugs().size()];
      if (i % 2 == 0) key.id += "x";
      known += Must(snapshot.HasBug(key)) ? 1 : 0;
    }
    OSCOPE_CHECK(known == kBatch / 2);
  }
}
BENCHMARK(HasBugBatch)->UseRealTime()->Unit(benchmark::kMillisecond);

void PlaceOfBatch(benchmark::State& state) {
  const Snapshot snapshot = Must(OpenStore().Read());
  std::vector<RunId> runs;
  uint64_t seen = 0;
  Must(snapshot.ForEachRun({}, false, [&](const StoredRun& run) {
    if (seen++ % 5 == 0) runs.push_back(run.header.id);
    return runs.size() < kBatch / 2;
  }));
  std::shuffle(runs.begin(), runs.end(), std::mt19937_64(1));
  for (auto _ : state) {
    size_t known = 0;
    for (size_t i = 0; i < kBatch; ++i) {
      RunId run = runs[i / 2 % runs.size()];
      if (i % 2 == 0) run.value.low ^= 1;
      known += Must(snapshot.PlaceOf(run)).has_value() ? 1 : 0;
    }
    OSCOPE_CHECK(known == kBatch / 2);
  }
}
BENCHMARK(PlaceOfBatch)->UseRealTime()->Unit(benchmark::kMillisecond);

void Ask(Session& session, const char* query) {
  const StatementResult result = session.Execute(query);
  if (result.error) std::fprintf(stderr, "bench: %s\n", result.error->message.c_str());
  OSCOPE_CHECK(result.ok() && result.answer && !result.answer->rows.empty());
}

void Fields(benchmark::State& state, const char* query, bool cold) {
  std::optional<Session> session = Must(Session::Open(OpenStore(), {}));
  Ask(*session, query);
  for (auto _ : state) {
    if (cold) {
      state.PauseTiming();
      session.reset();
      state.ResumeTiming();
      session = Must(Session::Open(OpenStore(), {}));
    }
    Ask(*session, query);
  }
}
// What opening costs a cold query before it is asked.
void OpenSession(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Must(Session::Open(OpenStore(), {})).parameters().size());
}
BENCHMARK(OpenSession)->UseRealTime()->Unit(benchmark::kMillisecond);

constexpr const char* kStatus = "SELECT COUNT(b) FROM ALL WHERE b.status = 'open'";
constexpr const char* kTitle = "SELECT COUNT(b) FROM ALL WHERE b.title LIKE '%12%'";
constexpr const char* kCreated = "SELECT COUNT(b) FROM ALL WHERE b.created >= 2024-01-02";
constexpr const char* kCustom = "SELECT COUNT(b) FROM ALL WHERE b.family = '7'";
constexpr const char* kOrder = "SELECT b FROM ALL WHERE b.severity IS NULL ORDER BY b.created DESC LIMIT 10";
BENCHMARK_CAPTURE(Fields, count_status_hot, kStatus, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Fields, count_title_like_hot, kTitle, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Fields, count_created_hot, kCreated, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Fields, count_custom_hot, kCustom, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Fields, order_by_created_hot, kOrder, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Fields, count_status_cold, kStatus, true)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Fields, count_title_like_cold, kTitle, true)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Fields, count_custom_cold, kCustom, true)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace oscope

BENCHMARK_MAIN();
