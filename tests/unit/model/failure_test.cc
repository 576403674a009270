#include "tracer/model/failure.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/limits.h"
#include "tracer/model/run.h"

namespace oscope {
namespace {

TEST(FailureKind, NamesAreReadBack) {
  for (int i = 0; i < kFailureKinds; ++i) {
    const auto kind = static_cast<FailureKind>(i);
    EXPECT_EQ(*ParseFailureKind(FailureKindName(kind)), kind) << i;
  }
  EXPECT_EQ(FailureKindName(FailureKind::kSanitizer), "sanitizer report");
  EXPECT_EQ(ParseFailureKind("crash").error().message,
            "'crash': a failure is one of unknown, signal, abort, assertion, exception, uncaught exception, test "
            "failure, exit, time-out, sanitizer report");
}

TEST(FailureKind, IsToldByTheReasonOfAMark) {
  EXPECT_EQ(KindOfReason("SIGSEGV"), FailureKind::kSignal);
  EXPECT_EQ(KindOfReason("signal 64"), FailureKind::kSignal);
  EXPECT_EQ(KindOfReason("abort"), FailureKind::kAbort);
  EXPECT_EQ(KindOfReason("assertion"), FailureKind::kAssertion);
  EXPECT_EQ(KindOfReason("throw"), FailureKind::kException);
  EXPECT_EQ(KindOfReason("terminate"), FailureKind::kTerminate);
  EXPECT_EQ(KindOfReason("test failure"), FailureKind::kTestFailure);
  EXPECT_EQ(KindOfReason("exit"), FailureKind::kExit);
  EXPECT_EQ(KindOfReason("time-out"), FailureKind::kTimeout);
  EXPECT_EQ(KindOfReason("stop"), FailureKind::kUnknown);
  EXPECT_EQ(KindOfReason(""), FailureKind::kUnknown);
}

TEST(FailureOfRun, OneThatPassedHasNone) {
  RunHeader run;
  run.id = RunId{{1, 2}};
  run.project = "demo";
  run.outcome = Outcome::kPassed;
  run.failure.exit_code = 0;
  run.failure.message = "skipped 3 cases";
  EXPECT_TRUE(Validate(run).ok()) << "how it ended is no failure";
  for (const auto& change :
       {+[](Failure& failure) { failure.kind = FailureKind::kExit; },
        +[](Failure& failure) { failure.place.function = "f"; }, +[](Failure& failure) { failure.place.line = 3; },
        +[](Failure& failure) { failure.fingerprint = "00"; }}) {
    RunHeader changed = run;
    change(changed.failure);
    EXPECT_EQ(Validate(changed).error().code, ErrorCode::kInvalid);
    changed.failure.ForgetWhatWentWrong();
    EXPECT_EQ(changed, run);
    change(changed.failure);
    changed.outcome = Outcome::kTimeout;
    EXPECT_TRUE(Validate(changed).ok());
  }
}

// --- the custom fields of earlier releases ---

TEST(FailureInCustom, IsTakenFromThereAndPutBack) {
  const CustomFields fields = {{"fingerprint", "00ff"}, {"host", "ci-7"}, {"where", "src/a b.cc:12"}};
  CustomFields custom = fields;
  Failure failure;
  TakeFromCustom(custom, failure);
  EXPECT_EQ(failure.fingerprint, "00ff");
  EXPECT_EQ(failure.place, (FailurePlace{"src/a b.cc", 12, ""}));
  EXPECT_EQ(custom, (CustomFields{{"host", "ci-7"}}));
  EXPECT_EQ(WithFailureFields(custom, failure), fields);
  EXPECT_EQ(WithFailureFields(custom, Failure{}), custom);
}

TEST(FailureInCustom, WhatIsNoPlaceStays) {
  for (const std::string where : {"", "kitchen", "a.cc:", "a.cc:x", "a.cc:07", "a.cc:4294967296", "a.cc:3 ", ":0"}) {
    CustomFields custom = {{"where", where}};
    Failure failure;
    TakeFromCustom(custom, failure);
    EXPECT_EQ(custom, (CustomFields{{"where", where}})) << where;
    EXPECT_TRUE(failure.place.empty()) << where;
  }
  for (const std::string where : {":12", "a.cc:0", "C:/x.cc:7", "a.cc:4294967295"}) {
    CustomFields custom = {{"where", where}};
    Failure failure;
    TakeFromCustom(custom, failure);
    EXPECT_TRUE(custom.empty()) << where;
    EXPECT_EQ(WithFailureFields({}, failure), (CustomFields{{"where", where}}));
  }
}

TEST(FailureInCustom, WhatTheFailureHasAlreadyIsNotReplaced) {
  CustomFields custom = {{"fingerprint", "theirs"}, {"where", "theirs.cc:1"}};
  const CustomFields before = custom;
  Failure failure;
  failure.fingerprint = "ours";
  failure.place = {"ours.cc", 2, "f"};
  TakeFromCustom(custom, failure);
  EXPECT_EQ(custom, before);
  EXPECT_EQ(failure.fingerprint, "ours");
  EXPECT_EQ(failure.place.file, "ours.cc");
  EXPECT_EQ(WithFailureFields(custom, failure), before);
}

TEST(FailureInCustom, WhatIsTooLongForItStays) {
  CustomFields custom = {{"fingerprint", std::string(limits::kMaxNameBytes + 1, 'f')}};
  Failure failure;
  TakeFromCustom(custom, failure);
  EXPECT_EQ(custom.size(), 1u);
  EXPECT_EQ(failure, Failure{});
}

TEST(FailureInCustom, OfAPassingRunIsNobodysButTheUsers) {
  RunHeader run;
  run.outcome = Outcome::kPassed;
  run.custom = {{"fingerprint", "00ff"}, {"where", "a.cc:1"}};
  const RunHeader before = run;
  TakeFailureFromCustom(run);
  EXPECT_EQ(run, before);
  run.outcome = Outcome::kFailed;
  TakeFailureFromCustom(run);
  EXPECT_TRUE(run.custom.empty());
}

TEST(Signals, HaveNames) {
  EXPECT_EQ(SignalName(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(SignalName(64), "signal 64");
}

}  // namespace
}  // namespace oscope
