// What ChromeTraceWriter writes, the importer of Chrome traces reads.
#include <gtest/gtest.h>

#include "tests/unit/export/sample_runs.h"
#include "tests/unit/export/string_file.h"
#include "tracer/export/chrome_trace_writer.h"
#include "tracer/generate/generator.h"
#include "tracer/import/chrome_trace.h"

namespace oscope {
namespace {

RunCollector ExportAndImport(const oscope::Run& run, const SymbolTable& symbols) {
  StringFile file;
  ChromeTraceWriter writer(file);
  EXPECT_TRUE(SendRun(run, symbols, writer).ok());
  EXPECT_TRUE(writer.Finish().ok());
  RunCollector read;
  ImportOptions options;
  options.project = "Tiny";
  std::vector<ImportProblem> problems;
  const Status status = ChromeTraceImporter().Import(file.text, options, read, problems);
  EXPECT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(read.runs.size(), 1u);
  return read;
}

TEST(ChromeRoundTrip, EventsDepthsAndThreadsComeBack) {
  SymbolTable symbols;
  const oscope::Run run = NestedRun(symbols);
  const RunCollector read = ExportAndImport(run, symbols);
  ASSERT_EQ(read.runs[0].traces.size(), run.traces.size());
  for (size_t i = 0; i < run.traces.size(); ++i) {
    const Trace& trace = read.runs[0].traces[i];
    EXPECT_TRUE(SameEvents(run.traces[i], symbols, trace, read.symbols));
    EXPECT_EQ(trace.depths, run.traces[i].depths);
    EXPECT_EQ(trace.header.thread, run.traces[i].header.thread);
  }
}

TEST(ChromeRoundTrip, AWalkOfSixThousandCallsComesBack) {
  GenerateOptions options;
  options.traces = 1;
  options.length = 6000;
  options.depths = true;
  Result<Generator> generator = Generator::Make(options);
  ASSERT_TRUE(generator.ok());
  oscope::Run run;
  run.header.project = "synthetic";
  run.traces.push_back(generator->base(0));
  const RunCollector read = ExportAndImport(run, generator->symbols());
  EXPECT_TRUE(SameEvents(run.traces[0], generator->symbols(), read.runs[0].traces[0], read.symbols));
  EXPECT_EQ(read.runs[0].traces[0].depths, run.traces[0].depths);
}

TEST(ChromeRoundTrip, AMarkAddsNoEvent) {
  SymbolTable symbols;
  oscope::Run run = NestedRun(symbols);
  run.traces[0].header.mark = FailureMark{3, "abort"};
  const RunCollector read = ExportAndImport(run, symbols);
  EXPECT_TRUE(SameEvents(run.traces[0], symbols, read.runs[0].traces[0], read.symbols));
}

}  // namespace
}  // namespace oscope
