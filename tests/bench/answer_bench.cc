// From the end of a failing test to the answer: a run of a million events is committed to a store of a million traces,
// and the bugs similar to it are asked for, by a process that had time to open the store before.
//
//   build/tests/bench/bench_answer                               1,000,000 traces, a run of 1,000,000 events, 5 times
//   OSCOPE_BENCH_TRACES=100000 OSCOPE_BENCH_EVENTS=1000 OSCOPE_BENCH_RUNS=20 …
//
// Phases, each as wall time and as CPU time of the whole process, medians over the runs, in milliseconds:
//   open     before the program's end: Session::Open and Warm, with the page cache warm
//   commit   the run's events given to an Ingest, and its Commit: everything is on disk
//   reopen   the session reads the new version
//   query    what `oscope trace` asks: the bugs within five edits of the run, then by the methods that ran last; ten
//            bugs of each
//   print    the reports of these, and the last 50 events of both traces of each pair, aligned
//   answer   commit to print
// Of the runs, all in one store, half end like a stored trace but for a few edits, half share no event with any at
// their end: BM_Answer and BM_AnswerOfNothing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "index/store/batching_sink.h"
#include "index/store/store.h"
#include "query/distance/levenshtein.h"
#include "query/run/session.h"
#include "tests/bench/bench_support.h"
#include "tracer/generate/generator.h"

namespace oscope {
namespace {

constexpr uint32_t kSuffix = 50;
constexpr size_t kShown = 10;

struct Time {
  double wall = 0, cpu = 0;
  static Time Now() {
    timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    const auto wall = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration<double, std::milli>(wall).count(),
            static_cast<double>(cpu.tv_sec) * 1e3 + static_cast<double>(cpu.tv_nsec) * 1e-6};
  }
};

// Medians by phase.
class Phases {
 public:
  template <typename Work>
  auto Measure(const std::string& name, const Work& work) {
    const Time start = Time::Now();
    auto result = work();
    Add(name, start, Time::Now());
    return result;
  }
  void Add(const std::string& name, Time start, Time end) {
    wall_[name].push_back(end.wall - start.wall);
    cpu_[name].push_back(end.cpu - start.cpu);
  }
  void Report(benchmark::State& state) const {
    for (const auto& [name, times] : wall_) {
      state.counters[name] = Median(times);
      state.counters[name + "_cpu"] = Median(cpu_.at(name));
    }
  }

 private:
  std::map<std::string, std::vector<double>> wall_, cpu_;
};

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

// The events up to the failure of one stored trace.
std::vector<std::string> StoredTail(const Snapshot& snapshot, std::mt19937& random) {
  std::vector<RunId> runs;
  RunFilter failing;
  failing.failing = true;
  const uint64_t skip = random() % 1000;
  Must(snapshot.ForEachRun(failing, false, [&](const StoredRun& run) {
    runs.push_back(run.header.id);
    return runs.size() <= skip;
  }));
  const TraceHeader header = Must(snapshot.Traces(runs.back())).front();
  SymbolTable symbols;
  const Trace trace = Must(snapshot.ReadTrace({runs.back(), header.process, header.thread, header.kind}, symbols));
  std::vector<std::string> names;
  const size_t marked = header.mark ? header.mark->events : trace.events.size();
  for (size_t i = 0; i < marked; ++i) names.push_back(symbols.name(trace.events[i]));
  return names;
}

// A failing run: events of a made-up program with loops, then `tail`, then what its framework does after the failure.
oscope::Run MakeRun(const std::vector<std::string>& tail, uint64_t events, std::mt19937& random, SymbolTable& symbols) {
  oscope::Run run;
  run.header.id = {{(uint64_t{random()} << 32) | random(), (uint64_t{random()} << 32) | random()}};
  run.header.project = "bench";
  run.header.test = "bench.answer";
  run.header.failing_thread = ThreadRef{};
  Trace& trace = run.traces.emplace_back();
  std::vector<SymbolId> names;
  for (int i = 0; i < 2000; ++i)
    names.push_back(symbols.Intern("app::Module" + std::to_string(i / 20) + "::step" + std::to_string(i)));
  uint32_t depth = 0;
  while (trace.events.size() + tail.size() < events) {
    const size_t body = random() % names.size(), length = 1 + random() % 8;
    for (size_t repeat = 1 + random() % 16; repeat > 0; --repeat) {
      for (size_t i = 0; i < length; ++i) trace.events.push_back(names[(body + i) % names.size()]);
    }
  }
  for (const std::string& name : tail) trace.events.push_back(symbols.Intern(name));
  for (size_t i = 0; i < trace.events.size(); ++i) {
    depth = std::min<uint32_t>(60, random() % 2 == 0 ? depth + 1 : depth - std::min(depth, 1u));
    trace.depths.push_back(depth);
  }
  trace.header.mark = FailureMark{trace.events.size(), "abort"};
  for (int i = 0; i < 200; ++i) {
    trace.events.push_back(symbols.Intern("framework::report" + std::to_string(i)));
    trace.depths.push_back(1);
  }
  trace.FinishHeader();
  return run;
}

void Ask(benchmark::State& state, bool near) {
  const std::string& path = StorePath();
  Phases phases;
  std::mt19937 random(near ? 42 : 43);
  size_t rows = 0;
  const uint64_t runs = FromEnvironment("OSCOPE_BENCH_RUNS", 5),
                 events = FromEnvironment("OSCOPE_BENCH_EVENTS", 1'000'000);
  for (auto _ : state) {
    for (uint64_t i = 0; i < runs; ++i) {
      Store store = Must(Store::Open(PosixFileSystem(), path));
      std::vector<std::string> tail;
      if (near) {
        tail = StoredTail(Must(Must(Store::Open(PosixFileSystem(), path)).Read()), random);
        for (int edits = 0; edits < 4; ++edits)
          tail[tail.size() - 1 - random() % kSuffix] = "app::edited" + std::to_string(edits);
      } else {
        for (uint32_t k = 0; k < kSuffix; ++k) tail.push_back("app::odd" + std::to_string(random()));
      }
      SymbolTable symbols;
      const oscope::Run run = MakeRun(tail, events, random, symbols);
      Session session = phases.Measure("open", [&] {
        Session opened = Must(Session::Open(store.Share(), {}));
        opened.Warm();
        return opened;
      });
      session.options().default_limit = kShown;

      const Time end_of_test = Time::Now();
      phases.Measure("commit", [&] {
        const auto ingest = Must(store.BeginIngest({}));
        Must(SendRun(run, symbols, *ingest));
        return Must(ingest->Commit());
      });
      phases.Measure("reopen", [&] {
        Must(session.Refresh());
        return 0;
      });
      const StatementResult result = phases.Measure("query", [&] {
        session.SetParameter("tbug", "run/" + ToString(run.header.id));
        StatementResult found = session.Execute("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[50], b.failing[50], 5)");
        StatementResult farther =
            session.Execute("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[100], b.failing[100], 800) DISTANCE recent");
        OSCOPE_CHECK(found.ok() && farther.ok());
        std::move(farther.answer->rows.begin(), farther.answer->rows.end(), std::back_inserter(found.answer->rows));
        return found;
      });
      const size_t equal = phases.Measure("print", [&] {
        std::vector<BugKey> keys;
        for (const AnswerRow& row : result.answer->rows) keys.push_back(row.bugs[0]);
        std::string table;
        for (const Bug& bug : Must(session.Reports(keys))) table += bug.title + bug.fix.note;
        size_t events_compared = table.size();
        for (const AnswerRow& row : result.answer->rows) {
          const std::vector<std::string> ours = Must(session.Suffix(row.pair->ours, kSuffix)),
                                         theirs = Must(session.Suffix(*row.pair->theirs, kSuffix));
          std::map<std::string, uint32_t> ids;
          const auto number = [&](const std::vector<std::string>& names) {
            std::vector<uint32_t> numbers;
            for (const std::string& name : names)
              numbers.push_back(ids.try_emplace(name, static_cast<uint32_t>(ids.size())).first->second);
            return numbers;
          };
          const std::vector<uint32_t> a = number(ours), b = number(theirs);
          events_compared += Must(Align(a, b)).size();
        }
        return events_compared;
      });
      phases.Add("answer", end_of_test, Time::Now());
      benchmark::DoNotOptimize(equal);
      OSCOPE_CHECK(!near || !result.answer->rows.empty());
      rows += result.answer->rows.size();
    }
  }
  phases.Report(state);
  state.counters["rows"] = static_cast<double>(rows) / static_cast<double>(runs);
}

void BM_Answer(benchmark::State& state) { Ask(state, true); }
void BM_AnswerOfNothing(benchmark::State& state) { Ask(state, false); }

BENCHMARK(BM_Answer)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_AnswerOfNothing)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace oscope

BENCHMARK_MAIN();
