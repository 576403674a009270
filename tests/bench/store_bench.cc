// The store's figures: ingest from .osct in durable batches, small commits, opening, one trace by id, and a scan
// against plain Arrow.
//
//   build/tests/bench/bench_store                                  all of them, at full size: about ten minutes
//   OSCOPE_BENCH_SCALE=0.01 build/tests/bench/bench_store          the same at a hundredth of the size
//
// Everything lies in a directory under $TMPDIR that is removed at the end. Real time is what counts: commits wait for
// the disk.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <benchmark/benchmark.h>
#include <parquet/arrow/reader.h>
#include <parquet/properties.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "index/store/batching_sink.h"
#include "index/store/store.h"
#include "tests/bench/bench_support.h"
#include "tracer/format/osct_reader.h"
#include "tracer/format/osct_writer.h"
#include "tracer/generate/generator.h"

namespace oscope {
namespace {

uint64_t Scaled(uint64_t full) {
  const char* scale = std::getenv("OSCOPE_BENCH_SCALE");
  return std::max<uint64_t>(
      100, static_cast<uint64_t>(static_cast<double>(full) * (scale == nullptr ? 1.0 : std::atof(scale))));
}

std::string OsctFile(const std::string& name, const GenerateOptions& options) {
  const std::string path = Work().path(name);
  if (std::filesystem::exists(path)) return path;
  const auto file = Must(PosixFileSystem().Create(path));
  OsctWriter writer(*file);
  Generator generator = Must(Generator::Make(options));
  while (Must(generator.SendNextBug(writer))) {
  }
  Must(writer.Finish());
  Must(file->Close());
  return path;
}

IngestResult IngestFile(Store& store, const std::string& osct, uint64_t batch) {
  const auto file = Must(PosixFileSystem().Open(osct));
  const auto source = FileSource(*file);
  const auto sink = Must(BatchingSink::Open(store, batch));
  Must(ReadOsct(*source, *sink, {}));
  return Must(sink->Finish());
}

double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}
// Forgets the peak so far, where the kernel lets a process do that.
void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

void Report(benchmark::State& state, const Store& store, const IngestResult& result) {
  const StoreStats stats = Must(store.Read()).Stats();
  state.counters["traces/s"] =
      benchmark::Counter(static_cast<double>(result.traces_added), benchmark::Counter::kIsRate);
  state.counters["events/s"] =
      benchmark::Counter(static_cast<double>(result.events_added), benchmark::Counter::kIsRate);
  state.counters["bytes/trace"] = static_cast<double>(stats.bytes) / static_cast<double>(stats.traces);
  state.counters["peak_MB"] = PeakMegabytes();
  state.counters["segments"] = static_cast<double>(stats.segments);
}

GenerateOptions Million() {
  GenerateOptions options;
  options.traces = Scaled(1'000'000);
  options.length = 60;
  return options;
}

void IngestMillion(benchmark::State& state) {
  const std::string osct = OsctFile("million.osct", Million());
  for (auto _ : state) {
    state.PauseTiming();
    const std::string path = Work().path("million");
    std::filesystem::remove_all(path);
    Store store = Must(Store::Create(PosixFileSystem(), path));
    ResetPeak();
    state.ResumeTiming();
    const IngestResult result = IngestFile(store, osct, static_cast<uint64_t>(state.range(0)));
    state.PauseTiming();
    Report(state, store, result);
    state.ResumeTiming();
  }
}
BENCHMARK(IngestMillion)->Arg(10'000)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

void IngestThesisLengths(benchmark::State& state) {
  GenerateOptions options;
  options.traces = Scaled(20'000);
  options.thesis_lengths = true;
  const std::string osct = OsctFile("thesis.osct", options);
  for (auto _ : state) {
    state.PauseTiming();
    const std::string path = Work().path("thesis");
    std::filesystem::remove_all(path);
    Store store = Must(Store::Create(PosixFileSystem(), path));
    ResetPeak();
    state.ResumeTiming();
    const IngestResult result = IngestFile(store, osct, 1000);
    state.PauseTiming();
    Report(state, store, result);
    state.ResumeTiming();
  }
}
BENCHMARK(IngestThesisLengths)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

void SingleCommits(benchmark::State& state) {
  const std::string path = Work().path("single");
  std::filesystem::remove_all(path);
  Store store = Must(Store::Create(PosixFileSystem(), path));
  GenerateOptions options;
  options.traces = 100'000;
  options.bugs = options.traces;
  options.length = 60;
  Generator generator = Must(Generator::Make(options));
  const auto ingest = Must(store.BeginIngest({}));
  for (auto _ : state) {
    Must(generator.SendNextBug(*ingest).ok() ? Status() : Status(Invalid("no more")));
    Must(ingest->Commit());
    Must(store.CompactIfNeeded());
  }
  state.counters["commits/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(SingleCommits)->MinTime(5)->UseRealTime()->Unit(benchmark::kMillisecond);

// What a commit cannot do without on this disk: one small file, written, synced and named.
void DiskSync(benchmark::State& state) {
  FileSystem& fs = PosixFileSystem();
  const std::string directory = Work().path("sync");
  Must(fs.MakeDirectory(directory));
  uint64_t n = 0;
  for (auto _ : state) {
    const std::string path = fmt::format("{}/{}", directory, n++);
    Must(WriteDurably(fs, path + ".tmp", "x"));
    Must(fs.Rename(path + ".tmp", path));
    Must(fs.SyncDirectory(directory));
  }
}
BENCHMARK(DiskSync)->UseRealTime()->Unit(benchmark::kMillisecond);

const std::string& LargeStore() {
  static const std::string path = [] {
    const std::string made = Work().path("large");
    Store store = Must(Store::Create(PosixFileSystem(), made));
    GenerateOptions options;
    options.traces = Scaled(5'000'000);
    Generator generator = Must(Generator::Make(options));
    const auto sink = Must(BatchingSink::Open(store, 100'000));
    while (Must(generator.SendNextBug(*sink))) {
    }
    Must(sink->Finish());
    return made;
  }();
  return path;
}

void OpenLarge(benchmark::State& state) {
  const std::string& path = LargeStore();
  for (auto _ : state) {
    const Store store = Must(Store::Open(PosixFileSystem(), path));
    const Snapshot snapshot = Must(store.Read());
    benchmark::DoNotOptimize(snapshot.version());
  }
  const StoreStats stats = Must(Must(Store::Open(PosixFileSystem(), path)).Read()).Stats();
  state.counters["traces"] = static_cast<double>(stats.traces);
  state.counters["segments"] = static_cast<double>(stats.segments);
}
BENCHMARK(OpenLarge)->UseRealTime()->Unit(benchmark::kMillisecond);

std::vector<RunId> SomeRuns(const Snapshot& snapshot, size_t wanted) {
  std::vector<RunId> runs;
  uint64_t seen = 0;
  Must(snapshot.ForEachRun({}, false, [&](const StoredRun& run) {
    if (++seen % 9973 == 0) runs.push_back(run.header.id);
    return runs.size() < wanted;
  }));
  if (runs.empty())
    Must(snapshot.ForEachRun({}, false,
                             [&](const StoredRun& run) { return runs.push_back(run.header.id), runs.size() < 10; }));
  std::shuffle(runs.begin(), runs.end(), std::mt19937_64(1));
  return runs;
}

void ReadOneTrace(benchmark::State& state) {
  const Store store = Must(Store::Open(PosixFileSystem(), LargeStore()));
  const Snapshot snapshot = Must(store.Read());
  const std::vector<RunId> runs = SomeRuns(snapshot, 400);
  size_t next = 0;
  for (auto _ : state) {
    SymbolTable symbols;
    const Trace trace = Must(snapshot.ReadTrace({runs[next++ % runs.size()], 0, 0, TraceKind::kExecution}, symbols));
    benchmark::DoNotOptimize(trace.events.data());
  }
}
BENCHMARK(ReadOneTrace)->UseRealTime()->Unit(benchmark::kMillisecond);

const std::string& MillionStore() {
  static const std::string path = [] {
    const std::string made = Work().path("scan");
    Store store = Must(Store::Create(PosixFileSystem(), made));
    IngestFile(store, OsctFile("million.osct", Million()), 100'000);
    return made;
  }();
  return path;
}

void Scan(benchmark::State& state, const ScanColumns& columns, bool first_read) {
  const std::string& path = MillionStore();
  Store store = Must(Store::Open(PosixFileSystem(), path));
  uint64_t events = 0;
  for (auto _ : state) {
    if (first_read) {
      state.PauseTiming();
      store = Must(Store::Open(PosixFileSystem(), path));
      state.ResumeTiming();
    }
    const Snapshot snapshot = Must(store.Read());
    Must(snapshot.ScanTraces(columns, [&](const TraceBatch& batch) -> Status {
      events += batch.codes.size();
      return {};
    }));
  }
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(Scan, events_only, ScanColumns{false, false, false}, false)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Scan, events_only_with_sha256, ScanColumns{false, false, false}, true)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Scan, all_columns, ScanColumns{}, false)->UseRealTime()->Unit(benchmark::kMillisecond);

// The peer: the same files through Arrow's own reader, row group by row group, with the dictionary kept or as plain
// text.
void PlainArrow(benchmark::State& state, bool dictionary, const std::vector<std::string>& columns) {
  const std::string& path = MillionStore();
  const Store store = Must(Store::Open(PosixFileSystem(), path));
  const Snapshot snapshot = Must(store.Read());
  uint64_t events = 0;
  for (auto _ : state) {
    for (const SegmentEntry& segment : snapshot.manifest().segments) {
      if (segment.Find(Table::kTraces) == nullptr) continue;
      const auto file = *arrow::io::MemoryMappedFile::Open(
          fmt::format("{}/segments/{}.traces.parquet", path, segment.id), arrow::io::FileMode::READ);
      parquet::ReaderProperties reader_properties;
      reader_properties.set_page_checksum_verification(true);
      auto parquet_reader = parquet::ParquetFileReader::Open(file, reader_properties);
      std::vector<int> wanted;
      for (int i = 0; i < parquet_reader->metadata()->num_columns(); ++i) {
        const std::string root = parquet_reader->metadata()->schema()->Column(i)->path()->ToDotVector()[0];
        if (std::find(columns.begin(), columns.end(), root) != columns.end()) wanted.push_back(i);
      }
      parquet::ArrowReaderProperties properties;
      properties.set_use_threads(false);
      for (const int column : wanted) {
        if (dictionary && parquet_reader->metadata()->schema()->Column(column)->path()->ToDotVector()[0] == "events")
          properties.set_read_dictionary(column, true);
      }
      auto reader =
          *parquet::arrow::FileReader::Make(arrow::default_memory_pool(), std::move(parquet_reader), properties);
      for (int group = 0; group < reader->num_row_groups(); ++group) {
        const std::shared_ptr<arrow::Table> table = *reader->ReadRowGroup(group, wanted);
        for (const auto& chunk : table->GetColumnByName("events")->chunks()) {
          events += static_cast<uint64_t>(static_cast<const arrow::ListArray&>(*chunk).values()->length());
        }
      }
    }
  }
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}
const std::vector<std::string> kAllColumns = {"run_id",      "project",     "bug",   "test",  "outcome",
                                              "process",     "thread",      "kind",  "chunk", "first_event",
                                              "event_count", "mark_events", "events"};
BENCHMARK_CAPTURE(PlainArrow, events_only, true, {"events"})->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(PlainArrow, events_as_text, false, {"events"})->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(PlainArrow, all_columns, true, kAllColumns)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace oscope

BENCHMARK_MAIN();
