#include "tracer/model/run.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace oscope {
namespace {

RunHeader SomeRun() {
  RunHeader run;
  run.id = RunId{{1, 2}};
  run.project = "demo";
  return run;
}

TEST(TraceId, AsText) {
  const TraceId id{RunId{{0xab, 0xcd}}, 3, 4'294'967'295u, TraceKind::kStack};
  EXPECT_EQ(ToString(id), "00000000000000ab00000000000000cd/3.4294967295/stack");
}

TEST(Names, ComeBack) {
  for (const Outcome outcome : {Outcome::kPassed, Outcome::kFailed, Outcome::kSignal, Outcome::kTimeout}) {
    EXPECT_EQ(ParseOutcome(OutcomeName(outcome)).value(), outcome);
  }
  for (const TraceKind kind : {TraceKind::kExecution, TraceKind::kStack})
    EXPECT_EQ(ParseTraceKind(TraceKindName(kind)).value(), kind);
  EXPECT_FALSE(ParseOutcome("crashed").ok());
  EXPECT_FALSE(ParseTraceKind("").ok());
}

TEST(ImportedRunId, DependsOnBytesAndOrdinal) {
  EXPECT_EQ(ImportedRunId("abc", 1), ImportedRunId("abc", 1));
  EXPECT_NE(ImportedRunId("abc", 1), ImportedRunId("abc", 2));
  EXPECT_NE(ImportedRunId("abc", 1), ImportedRunId("abd", 1));
}

TEST(ValidateRun, NamesTheRunAndTheField) {
  EXPECT_TRUE(Validate(SomeRun()).ok());
  EXPECT_EQ(Validate(RunHeader{}).error().message, "a run has no id");
  RunHeader run = SomeRun();
  run.project = "";
  EXPECT_EQ(Validate(run).error().message, "run 00000000000000010000000000000002: project is empty");
  run = SomeRun();
  run.bug = "../x";
  EXPECT_EQ(Validate(run).error().code, ErrorCode::kInvalid);
  run = SomeRun();
  run.test = std::string(limits::kMaxNameBytes + 1, 'x');
  EXPECT_EQ(Validate(run).error().code, ErrorCode::kLimit);
  run = SomeRun();
  run.command.resize(limits::kMaxFields + 1);
  EXPECT_EQ(Validate(run).error().code, ErrorCode::kLimit);
}

TEST(ValidateTrace, KeepsTheMarkInsideTheTrace) {
  TraceHeader trace;
  trace.event_count = 3;
  trace.mark = FailureMark{3, "abort"};
  EXPECT_TRUE(Validate(trace).ok());
  trace.mark->events = 4;
  EXPECT_EQ(Validate(trace).error().message, "the failure mark lies at event 4 of 3");
  trace.mark.reset();
  trace.event_count = limits::kMaxTraceEvents + 1;
  EXPECT_EQ(Validate(trace).error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace oscope
