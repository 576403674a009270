#include "tests/unit/store/store_fixture.h"

#include <cstdlib>

#include "index/store/store_files.h"

namespace oscope {

RunId IdOf(uint64_t run) { return RunId{{run * 0x9e3779b97f4a7c15u, run}}; }

Run MakeRun(const WordRun& word, SymbolTable& symbols) {
  Run run;
  run.header.id = IdOf(word.id);
  run.header.project = "demo";
  run.header.bug = word.bug;
  run.header.test = "test";
  run.header.failure.message = "failed: " + word.word;
  Trace& trace = run.traces.emplace_back();
  for (const char letter : word.word) trace.events.push_back(symbols.Intern(std::string(1, letter)));
  trace.header.mark = FailureMark{trace.events.size(), "abort"};
  trace.FinishHeader();
  return run;
}

Status AddRuns(RunSink& sink, const std::vector<WordRun>& words) {
  SymbolTable symbols;
  for (const WordRun& word : words) OSCOPE_RETURN_IF_ERROR(SendRun(MakeRun(word, symbols), symbols, sink));
  return {};
}

Result<IngestResult> CommitRuns(Store& store, const std::vector<WordRun>& words) {
  OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
  OSCOPE_RETURN_IF_ERROR(AddRuns(*ingest, words));
  return ingest->Commit();
}

Result<IngestResult> CommitChanged(Store& store, const std::vector<WordRun>& words,
                                   const std::function<void(Run&)>& change) {
  SymbolTable symbols;
  OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
  for (const WordRun& word : words) {
    Run run = MakeRun(word, symbols);
    change(run);
    OSCOPE_RETURN_IF_ERROR(SendRun(run, symbols, *ingest));
  }
  return ingest->Commit();
}

std::set<uint64_t> RunsIn(const Snapshot& snapshot) {
  RunCollector all;
  const Status sent = snapshot.Send([](const StoredRun&) { return true; }, all);
  EXPECT_TRUE(sent.ok()) << sent.error().message;
  std::set<uint64_t> ids;
  for (const Run& run : all.runs) {
    EXPECT_TRUE(ids.insert(run.header.id.value.low).second) << "run " << run.header.id.value.low << " is there twice";
    std::string word;
    for (const Trace& trace : run.traces) {
      for (const SymbolId event : trace.events) word += all.symbols.name(event);
    }
    EXPECT_EQ(run.header.failure.message, "failed: " + word);
  }
  return ids;
}

std::set<uint64_t> RunsIn(const Store& store) {
  const Snapshot snapshot = Must(store.Read());
  return RunsIn(snapshot);
}

std::string WordOf(const Snapshot& snapshot, uint64_t run) {
  SymbolTable symbols;
  const Trace trace = Must(snapshot.ReadTrace({IdOf(run), 0, 0, TraceKind::kExecution}, symbols));
  std::string word;
  for (const SymbolId event : trace.events) word += symbols.name(event);
  return word;
}

RunCollector Everything(const Store& store) {
  const Snapshot snapshot = Must(store.Read());
  RunCollector all;
  Must(snapshot.Send([](const StoredRun&) { return true; }, all));
  std::sort(all.runs.begin(), all.runs.end(), [](const Run& a, const Run& b) { return a.header.id < b.header.id; });
  std::ranges::sort(all.attachments, {}, &Attachment::header);
  return all;
}

std::string SampleDifference(Sample expected, const Store& store) {
  std::sort(expected.runs.begin(), expected.runs.end(),
            [](const Run& a, const Run& b) { return a.header.id < b.header.id; });
  std::sort(expected.bugs.begin(), expected.bugs.end(), [](const Bug& a, const Bug& b) { return a.key < b.key; });
  std::ranges::sort(expected.attachments, {}, &Attachment::header);
  return Difference(expected, Everything(store));
}

void MakeOlder(FileSystem& fs, const std::string& path) {
  const StoreFiles files(fs, path);
  Manifest manifest = Must(LoadManifest(files, Must(ListManifests(files)).back()));
  OSCOPE_CHECK(manifest.groups.empty());
  for (SegmentEntry& segment : manifest.segments) {
    for (TableFile& table : segment.tables) table.version = 1;
  }
  ++manifest.version;
  Must(WriteDurably(fs, files.ManifestFile(manifest.version), EncodeManifestRoot(manifest)));
  Must(fs.SyncDirectory(files.Directory("manifests")));
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "oscope-test-XXXXXX").string();
  OSCOPE_CHECK(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace oscope
