// The whole suffix query, text in and ranked rows with titles out, hot, against rapidfuzz-cpp over the same traces. One
// thread each.
//
//   build/tests/bench/bench_query                              1,000,000 traces, 100 queries, LIMIT 50, at d = 10 and d
//   = 30
//   OSCOPE_BENCH_TRACES=5000000 build/tests/bench/bench_query  the same over five million
//   OSCOPE_BENCH_QUERIES=5 … for a quick look
//
// The peer has its cached scorer with the bound as cutoff, over ids that were mapped to the query's own 8-bit alphabet
// before its clock starts: its fairest form. Its fifty nearest bugs must be ours, at the same distances, or the program
// aborts. Figures are medians of the thread's time over the queries, so that other work on the machine counts little;
// no result is kept from one query to the next.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <rapidfuzz/distance/Levenshtein.hpp>

#include "index/store/batching_sink.h"
#include "index/store/segment_search.h"
#include "index/store/store.h"
#include "query/run/session.h"
#include "tests/bench/bench_support.h"
#include "tracer/generate/generator.h"

namespace oscope {
namespace {

constexpr uint32_t kLength = 50;
constexpr uint32_t kSharedEvents = 35;
constexpr size_t kLimit = 50;

double ResidentMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

// Gives every trace the same last events up to its failure: those of the first.
void ShareTails(RunCollector& collected, std::vector<std::string>& shared) {
  for (oscope::Run& run : collected.runs) {
    for (Trace& trace : run.traces) {
      const size_t marked = trace.header.mark ? trace.header.mark->events : trace.events.size();
      if (marked < kSharedEvents) continue;
      if (shared.empty()) {
        for (size_t i = marked - kSharedEvents; i < marked; ++i)
          shared.push_back(collected.symbols.name(trace.events[i]));
      }
      for (size_t i = 0; i < kSharedEvents; ++i)
        trace.events[marked - kSharedEvents + i] = collected.symbols.Intern(shared[i]);
    }
  }
}

std::string MakeStore(bool share_tails) {
  const std::string path = Work().path(share_tails ? "shared" : "usual");
  Store store = Must(Store::Create(PosixFileSystem(), path));
  GenerateOptions options;
  options.traces = FromEnvironment("OSCOPE_BENCH_TRACES", 1'000'000);
  options.length = kLength;
  Generator generator = Must(Generator::Make(options));
  const auto sink = Must(BatchingSink::Open(store, 100'000));
  std::vector<std::string> shared;
  while (true) {
    if (!share_tails) {
      if (!Must(generator.SendNextBug(*sink))) break;
      continue;
    }
    RunCollector collected;
    if (!Must(generator.SendNextBug(collected))) break;
    ShareTails(collected, shared);
    for (const Bug& bug : collected.bugs) Must(sink->AddBug(bug));
    for (const oscope::Run& run : collected.runs) Must(SendRun(run, collected.symbols, *sink));
  }
  Must(sink->Finish());
  return path;
}

// The failing traces' suffixes of a store, in one alphabet.
struct PeerData {
  std::vector<BugKey> bugs;
  std::vector<uint32_t> bug_of;  // by trace
  std::vector<uint32_t> events;  // kLength a trace
  std::vector<uint32_t> lone;    // the traces of bugs that have one: the queries
  uint32_t names = 0;

  size_t traces() const { return bug_of.size(); }
};

PeerData ReadPeerData(const Snapshot& snapshot) {
  PeerData data;
  std::map<BugKey, uint32_t> number;
  std::map<std::string, uint32_t, std::less<>> ids;
  for (const SegmentEntry& entry : snapshot.manifest().segments) {
    const auto search = Must(snapshot.Search(entry));
    const TailTable& tails = search->tails();
    std::vector<uint32_t> id_of;
    for (uint32_t id = 0; id < tails.names(); ++id) {
      id_of.push_back(ids.try_emplace(std::string(tails.name(id)), static_cast<uint32_t>(ids.size())).first->second);
    }
    for (size_t row = 0; row < tails.size(); ++row) {
      const TailRow& tail = tails.rows()[row];
      if (tail.bug == kNoBug || !IsFailing(tail.outcome) || !tail.failing_thread) continue;
      const auto [at, fresh] = number.try_emplace(tails.bugs()[tail.bug], static_cast<uint32_t>(number.size()));
      if (fresh) data.bugs.push_back(at->first);
      std::vector<uint32_t> events;
      tails.AppendTail(row, kLength, events);
      OSCOPE_CHECK(events.size() == kLength);
      for (const uint32_t event : events) data.events.push_back(id_of[event]);
      data.bug_of.push_back(at->second);
    }
  }
  data.names = static_cast<uint32_t>(ids.size());
  std::vector<uint32_t> count(data.bugs.size());
  for (const uint32_t bug : data.bug_of) ++count[bug];
  for (uint32_t trace = 0; trace < data.traces(); ++trace) {
    if (count[data.bug_of[trace]] == 1) data.lone.push_back(trace);
  }
  return data;
}

struct Match {
  uint64_t distance;
  BugKey bug;
  auto operator<=>(const Match&) const = default;
};

// The nearest bugs by the peer; `milliseconds` is what its scorer took.
std::vector<Match> SearchWithPeer(const PeerData& data, uint32_t query_trace, uint32_t bound, double& milliseconds) {
  const uint32_t* query_events = &data.events[size_t{query_trace} * kLength];
  std::vector<uint8_t> code(data.names);
  uint8_t codes = 0;
  for (uint32_t i = 0; i < kLength; ++i) {
    if (code[query_events[i]] == 0) code[query_events[i]] = ++codes;
  }
  std::vector<uint8_t> mapped(data.events.size());
  for (size_t i = 0; i < mapped.size(); ++i) mapped[i] = code[data.events[i]];
  const uint8_t* query = &mapped[size_t{query_trace} * kLength];
  std::vector<int64_t> distances(data.traces());

  const double start = ThreadMilliseconds();
  const rapidfuzz::CachedLevenshtein<uint8_t> scorer(query, query + kLength);
  for (size_t trace = 0; trace < distances.size(); ++trace) {
    const uint8_t* row = &mapped[trace * kLength];
    distances[trace] = static_cast<int64_t>(scorer.distance(row, row + kLength, bound));
  }
  milliseconds = ThreadMilliseconds() - start;

  std::vector<uint64_t> best(data.bugs.size(), UINT64_MAX);
  for (size_t trace = 0; trace < distances.size(); ++trace) {
    if (distances[trace] > bound || data.bug_of[trace] == data.bug_of[query_trace]) continue;
    uint64_t& known = best[data.bug_of[trace]];
    known = std::min(known, static_cast<uint64_t>(distances[trace]));
  }
  std::vector<Match> matches;
  for (size_t bug = 0; bug < best.size(); ++bug) {
    if (best[bug] != UINT64_MAX) matches.push_back({best[bug], data.bugs[bug]});
  }
  std::sort(matches.begin(), matches.end());
  if (matches.size() > kLimit) matches.resize(kLimit);
  return matches;
}

std::vector<Match> SearchWithSession(Session& session, const BugKey& bug, uint32_t bound, double& milliseconds) {
  session.SetParameter("tbug", ToString(bug));
  const std::string text = "SELECT b FROM ALL WHERE SUBSET?(tbug.failing[" + std::to_string(kLength) + "], b.failing[" +
                           std::to_string(kLength) + "], " + std::to_string(bound) + ") LIMIT " +
                           std::to_string(kLimit);
  const double start = ThreadMilliseconds();
  const StatementResult result = session.Execute(text);
  milliseconds = ThreadMilliseconds() - start;
  if (!result.ok()) std::fprintf(stderr, "bench: %s\n", result.error->message.c_str());
  OSCOPE_CHECK(result.ok());
  std::vector<Match> matches;
  for (const AnswerRow& row : result.answer->rows) {
    OSCOPE_CHECK(std::holds_alternative<std::string>(row.cells.back()));  // the title
    matches.push_back({*row.distance, row.bugs[0]});
  }
  return matches;
}

struct Subject {
  explicit Subject(bool share_tails)
      : path(MakeStore(share_tails)),
        data(ReadPeerData(Must(Must(Store::Open(PosixFileSystem(), path)).Read()))),
        before(ResidentMegabytes()) {
    SessionOptions options;
    options.threads = 1;
    options.preload = true;
    session.emplace(Must(Session::Open(Must(Store::Open(PosixFileSystem(), path)), options)));
  }
  std::string path;
  PeerData data;
  double before;
  std::optional<Session> session;
};

void CompareQueries(benchmark::State& state, Subject& subject) {
  const uint32_t bound = static_cast<uint32_t>(state.range(0));
  std::mt19937 random(42);
  std::vector<double> ours, peers;
  size_t rows = 0;
  for (auto _ : state) {
    const size_t queries = FromEnvironment("OSCOPE_BENCH_QUERIES", 100);
    for (size_t i = 0; i < queries; ++i) {
      const uint32_t trace = subject.data.lone[random() % subject.data.lone.size()];
      double our_time = 0, peer_time = 0;
      const std::vector<Match> expected = SearchWithPeer(subject.data, trace, bound, peer_time);
      const std::vector<Match> found =
          SearchWithSession(*subject.session, subject.data.bugs[subject.data.bug_of[trace]], bound, our_time);
      OSCOPE_CHECK(found == expected);
      ours.push_back(our_time);
      peers.push_back(peer_time);
      rows += found.size();
    }
  }
  state.counters["ours_ms"] = Median(ours);
  state.counters["peer_ms"] = Median(peers);
  state.counters["times_faster"] = Median(peers) / Median(ours);
  state.counters["rows"] = static_cast<double>(rows) / static_cast<double>(ours.size());
  state.counters["session_MB"] = ResidentMegabytes() - subject.before;
}

Subject& Usual() {
  static Subject subject(false);
  return subject;
}
Subject& Shared() {
  static Subject subject(true);
  return subject;
}

void BM_SuffixQuery(benchmark::State& state) { CompareQueries(state, Usual()); }
void BM_SuffixQueryOnSharedTails(benchmark::State& state) { CompareQueries(state, Shared()); }

// What a new process pays: opens the store, answers one query of one row, reads what it needs from disk (which the
// system may have cached).
void BM_OneRowFromNothing(benchmark::State& state) {
  Subject& subject = Usual();
  std::mt19937 random(7);
  for (auto _ : state) {
    Session session = Must(Session::Open(Must(Store::Open(PosixFileSystem(), subject.path)), {}));
    session.SetParameter(
        "tbug",
        ToString(subject.data.bugs[subject.data.bug_of[subject.data.lone[random() % subject.data.lone.size()]]]));
    const StatementResult result =
        session.Execute("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[50], b.failing[50], 30) LIMIT 1");
    OSCOPE_CHECK(result.ok());
  }
}

// The same question answered from Parquet alone.
void BM_WithoutTheIndex(benchmark::State& state) {
  Subject& subject = Usual();
  SessionOptions options;
  options.use_index = false;
  Session session = Must(Session::Open(Must(Store::Open(PosixFileSystem(), subject.path)), options));
  session.SetParameter("tbug", ToString(subject.data.bugs[subject.data.bug_of[subject.data.lone[0]]]));
  for (auto _ : state) {
    OSCOPE_CHECK(session.Execute("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[50], b.failing[50], 10) LIMIT 50").ok());
  }
}

// The lengths of the thesis's table 3.2 and beyond, over traces of 300 events: the index keeps 256.
void BM_SuffixLength(benchmark::State& state) {
  static const std::string path = [] {
    std::string made = Work().path("longer");
    Store store = Must(Store::Create(PosixFileSystem(), made));
    GenerateOptions options;
    options.traces = FromEnvironment("OSCOPE_BENCH_TRACES", 1'000'000) / 20;
    options.length = 300;
    Generator generator = Must(Generator::Make(options));
    const auto sink = Must(BatchingSink::Open(store, 10'000));
    while (Must(generator.SendNextBug(*sink))) {
    }
    Must(sink->Finish());
    return made;
  }();
  SessionOptions options;
  options.threads = 1;
  options.preload = true;
  Session session = Must(Session::Open(Must(Store::Open(PosixFileSystem(), path)), options));
  const std::string length = std::to_string(state.range(0));
  const std::string text =
      "SELECT b FROM ALL WHERE SUBSET?(tbug.failing[" + length + "], b.failing[" + length + "], 10) LIMIT 50";
  session.SetParameter("tbug", "synthetic-1");
  OSCOPE_CHECK(session.Execute(text).ok());
  uint32_t bug = 1;
  for (auto _ : state) {
    session.SetParameter("tbug", "synthetic-" + std::to_string(bug++));
    OSCOPE_CHECK(session.Execute(text).ok());
  }
}

// All pairs of near bugs among 20,000 traces.
void BM_Join(benchmark::State& state) {
  static const std::string path = [] {
    std::string made = Work().path("join");
    Store store = Must(Store::Create(PosixFileSystem(), made));
    GenerateOptions options;
    options.traces = 20'000;
    options.length = kLength;
    Generator generator = Must(Generator::Make(options));
    const auto sink = Must(BatchingSink::Open(store, 20'000));
    while (Must(generator.SendNextBug(*sink))) {
    }
    Must(sink->Finish());
    return made;
  }();
  Session session = Must(Session::Open(Must(Store::Open(PosixFileSystem(), path)), {}));
  size_t rows = 0;
  for (auto _ : state) {
    const StatementResult result = session.Execute(
        "SELECT a, b FROM ALL WHERE INTERSECT?(a.failing[50], b.failing[50], " + std::to_string(state.range(0)) + ")");
    OSCOPE_CHECK(result.ok());
    rows = result.answer->rows.size();
  }
  state.counters["pairs"] = static_cast<double>(rows);
}

BENCHMARK(BM_SuffixQuery)->ArgName("d")->Arg(10)->Arg(30)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SuffixQueryOnSharedTails)->ArgName("d")->Arg(10)->Arg(30)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SuffixLength)
    ->ArgName("len")
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Arg(256)
    ->Arg(300)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Join)->ArgName("d")->Arg(10)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_OneRowFromNothing)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_WithoutTheIndex)->Iterations(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace oscope

BENCHMARK_MAIN();
