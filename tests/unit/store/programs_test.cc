// Every program has a `main`: the attributes of an event are those of the program that the run was of, wherever the run
// goes.
#include <random>

#include "tests/unit/store/store_fixture.h"
#include "tracer/format/byte_source.h"
#include "tracer/format/osct_reader.h"
#include "tracer/format/osct_writer.h"
#include "tracer/model/null_sink.h"

namespace oscope {
namespace {

// The events of a run with all that is known of them, one a line.
using Shown = std::map<RunId, std::string>;

std::string Show(const std::string& name, const SymbolAttributes& attributes) {
  return fmt::format("{} {} {}:{} {} {} {:x}\n", name, attributes.signature, attributes.file, attributes.line,
                     attributes.object, attributes.build_id, attributes.address);
}

class ShowingSink : public NullSink {
 public:
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    symbols_ = &symbols;
    text_ = &shown[run.id];
    return {};
  }
  Status BeginTrace(const TraceHeader&) override {
    *text_ += "trace\n";
    return {};
  }
  Status AddEvents(const EventChunk& chunk) override {
    for (const SymbolId event : chunk.events) *text_ += Show(symbols_->name(event), symbols_->attributes(event));
    return {};
  }

  Shown shown;

 private:
  const SymbolTable* symbols_ = nullptr;
  std::string* text_ = nullptr;
};

Shown ShownBy(const Store& store) {
  ShowingSink sink;
  Must(Must(store.Read()).Send([](const StoredRun&) { return true; }, sink));
  return sink.shown;
}

// The same as one reads a trace after another, a window at a time.
Shown ReadFrom(const Store& store) {
  Shown shown;
  const Snapshot snapshot = Must(store.Read());
  std::vector<RunId> runs;
  Must(snapshot.ForEachRun({}, false, [&](const StoredRun& run) {
    runs.push_back(run.header.id);
    return true;
  }));
  for (const RunId run : runs) {
    shown[run] = "";
    for (const TraceHeader& header : Must(snapshot.Traces(run))) {
      shown[run] += "trace\n";
      for (uint64_t first = 0; first < header.event_count; first += 2) {
        SymbolTable symbols;
        const Trace window =
            Must(snapshot.ReadTrace({run, header.process, header.thread, header.kind}, symbols, first, 2));
        for (const SymbolId event : window.events) shown[run] += Show(symbols.name(event), symbols.attributes(event));
      }
    }
  }
  return shown;
}

// A run of `main` and `helper` of a program that is built from one file.
Run RunOf(uint64_t id, const std::string& program, uint32_t line, SymbolTable& symbols) {
  Run run;
  run.header.id = IdOf(id);
  run.header.project = "demo";
  Trace& trace = run.traces.emplace_back();
  const SymbolAttributes attributes{"int main()", program + ".c", line, "/bin/" + program, "build of " + program, 16};
  SymbolAttributes helper = attributes;
  helper.line += 10;
  trace.events = {symbols.Intern("main", attributes), symbols.Intern("helper", helper),
                  symbols.Intern("main", attributes)};
  trace.FinishHeader();
  return run;
}

TEST(Programs, KeepTheirLinesThroughCompactionMergeAndExport) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Shown expected;
  for (const auto& [id, program, line] :
       {std::tuple{1, "alpha", 3u}, std::tuple{2, "beta", 7u}, std::tuple{3, "alpha", 3u}}) {
    SymbolTable symbols;
    const oscope::Run run = RunOf(static_cast<uint64_t>(id), program, line, symbols);
    const auto ingest = Must(store.BeginIngest({}));
    Must(SendRun(run, symbols, *ingest));
    Must(ingest->Commit());
    for (const SymbolId event : run.traces[0].events) {
      std::string& text = expected[run.header.id];
      if (text.empty()) text = "trace\n";
      text += Show(symbols.name(event), symbols.attributes(event));
    }
  }
  EXPECT_EQ(ShownBy(store), expected) << "as committed";
  Must(store.Compact());
  ASSERT_EQ(Must(store.Read()).manifest().segments.size(), 1u);
  EXPECT_EQ(ShownBy(store), expected) << "compacted";
  EXPECT_EQ(ReadFrom(store), expected) << "read one by one";
  EXPECT_TRUE(Must(store.Check()).problems.empty());

  Store merged = Must(Store::Create(fs, "t"));
  Must(merged.Merge(store));
  EXPECT_EQ(ShownBy(merged), expected) << "merged";

  std::string osct;
  OsctWriter writer([&](std::string_view bytes) {
    osct += bytes;
    return Status();
  });
  Must(Must(store.Read()).Send([](const StoredRun&) { return true; }, writer));
  Must(writer.Finish());
  Store imported = Must(Store::Create(fs, "u"));
  {
    const auto ingest = Must(imported.BeginIngest({}));
    Must(ReadOsct(*MemorySource(osct), *ingest));
    Must(ingest->Commit());
  }
  EXPECT_EQ(ShownBy(imported), expected) << "exported and imported";
}

TEST(Programs, OneCommitOfSeveralKeepsThemApart) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const auto ingest = Must(store.BeginIngest({}));
  SymbolTable alpha, beta;
  Must(SendRun(RunOf(1, "alpha", 3, alpha), alpha, *ingest));
  Must(SendRun(RunOf(2, "beta", 7, beta), beta, *ingest));
  Must(ingest->Commit());
  const Shown shown = ShownBy(store);
  EXPECT_NE(shown.at(IdOf(1)).find("main int main() alpha.c:3"), std::string::npos);
  EXPECT_NE(shown.at(IdOf(2)).find("main int main() beta.c:7"), std::string::npos);
}

// Whatever events have which attributes, in whichever runs, sources and sizes.
TEST(Programs, RandomAttributesComeBackAsTheyWere) {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    Shown expected;
    uint64_t next_run = 1;
    for (uint32_t commit = 0; commit < 3; ++commit) {
      const auto ingest = Must(store.BeginIngest({.spill_events = below(3) == 0 ? 6u : 1000u}));
      SymbolTable shared;
      const uint32_t runs = 1 + below(4);
      for (uint32_t r = 0; r < runs; ++r) {
        SymbolTable own;
        SymbolTable& symbols = below(2) == 0 ? own : shared;
        oscope::Run run;
        run.header.id = IdOf(next_run++);
        run.header.project = "demo";
        std::string& text = expected[run.header.id];
        const uint32_t traces = below(3);
        for (uint32_t t = 0; t < traces; ++t) {
          Trace& trace = run.traces.emplace_back();
          trace.header.thread = t;
          text += "trace\n";
          const uint32_t events = below(12);
          for (uint32_t e = 0; e < events; ++e) {
            SymbolAttributes attributes;
            if (below(4) != 0) attributes.object = std::string(1, static_cast<char>('A' + below(3)));
            if (below(2) != 0) attributes.build_id = std::to_string(below(2));
            if (below(2) != 0) attributes.line = 1 + below(3);
            if (below(4) == 0) attributes.file = "f";
            const std::string name(1, static_cast<char>('a' + below(4)));
            trace.events.push_back(symbols.Intern(name, attributes));
            text += Show(name, attributes);
          }
          trace.FinishHeader();
        }
        Must(SendRun(run, symbols, *ingest));
      }
      Must(ingest->Commit());
    }
    ASSERT_EQ(ShownBy(store), expected);
    ASSERT_EQ(ReadFrom(store), expected);
    Must(store.Compact());
    ASSERT_EQ(ShownBy(store), expected) << "compacted";
    MakeOlder(fs, "s");
    Store again = Must(Store::Open(fs, "s"));
    Must(again.Upgrade());
    ASSERT_EQ(ShownBy(again), expected) << "upgraded";
    ASSERT_TRUE(Must(again.Check()).problems.empty());
  }
}

}  // namespace
}  // namespace oscope
