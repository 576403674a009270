#include "tracer/export/collapsed_stack_writer.h"

#include <gtest/gtest.h>

#include "tests/unit/export/sample_runs.h"
#include "tests/unit/export/string_file.h"

namespace oscope {
namespace {

TEST(CollapsedStackWriter, CountsTheEventsOfEachPathAndAStackOnce) {
  SymbolTable symbols;
  StringFile file;
  CollapsedStackWriter writer(file);
  for (const oscope::Run& run : {NestedRun(symbols), NestedRun(symbols), StackRun(symbols), FlatRun(symbols)}) {
    ASSERT_TRUE(SendRun(run, symbols, writer).ok());
  }
  ASSERT_TRUE(writer.Finish().ok());
  EXPECT_EQ(file.text,
            "main 2\nmain;parse 2\nmain;parse;read 4\nmain;check 2\nworker 4\nworker;poll 2\n"
            "main;parse;a,b \xff 1\nopen 1\nread 1\nclose 1\n");
}

TEST(CollapsedStackWriter, RefusesPathsThatWouldFillADisk) {
  SymbolTable symbols;
  oscope::Run run;
  Trace trace;
  for (uint32_t depth = 0; depth <= CollapsedStackWriter::kMaxPathFrames; ++depth) {
    trace.events.push_back(symbols.Intern("f"));
    trace.depths.push_back(depth);
  }
  trace.FinishHeader();
  run.traces.push_back(trace);
  StringFile file;
  CollapsedStackWriter writer(file);
  const Status status = SendRun(run, symbols, writer);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace oscope
