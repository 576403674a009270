// Every field that has a limit: what is as long as it may be is taken, one more is refused and named.
#include <gtest/gtest.h>

#include "tests/unit/model/sized_fields.h"

namespace oscope {
namespace {

template <typename T>
void ExpectLimits(const T& small, const std::vector<SizedField<T>>& fields) {
  ASSERT_TRUE(Validate(small).ok());
  for (const SizedField<T>& field : fields) {
    T header = small;
    field.resize(header, field.limit);
    const Status at_limit = Validate(header);
    EXPECT_TRUE(at_limit.ok()) << field.name << ": " << (at_limit.ok() ? "" : at_limit.error().message);
    field.resize(header, field.limit + 1);
    const Status beyond = Validate(header);
    ASSERT_FALSE(beyond.ok()) << field.name;
    EXPECT_EQ(beyond.error().code, ErrorCode::kLimit) << field.name;
    EXPECT_NE(beyond.error().message.find(field.name), std::string::npos) << beyond.error().message;
    EXPECT_LT(beyond.error().message.size(), 300u) << field.name;
  }
}

TEST(ModelLimits, OfBugs) { ExpectLimits(SmallBug(), SizedFieldsOfBugs()); }
TEST(ModelLimits, OfRuns) { ExpectLimits(SmallRun(), SizedFieldsOfRuns()); }
TEST(ModelLimits, OfTraces) { ExpectLimits(TraceHeader(), SizedFieldsOfTraces()); }

TEST(ModelLimits, WhatIsNeitherAKindNorAnOutcomeIsRefused) {
  TraceHeader trace;
  trace.kind = static_cast<TraceKind>(2);
  EXPECT_EQ(Validate(trace).error().message, "trace kind 2 is unknown");
  RunHeader run = SmallRun();
  run.outcome = static_cast<Outcome>(4);
  EXPECT_NE(Validate(run).error().message.find("outcome 4 is unknown"), std::string::npos);
  Bug bug = SmallBug();
  bug.status = static_cast<BugStatus>(4);
  EXPECT_NE(Validate(bug).error().message.find("status 4 is unknown"), std::string::npos);
}

TEST(ModelLimits, CustomFieldsHaveNames) {
  RunHeader run = SmallRun();
  run.custom[""] = "x";
  EXPECT_EQ(Validate(run).error().code, ErrorCode::kInvalid);
  EXPECT_NE(Validate(run).error().message.find("a custom field has no name"), std::string::npos);
}

TEST(ModelLimits, IdsOfDuplicatesAreChecked) {
  Bug bug = SmallBug();
  bug.duplicates = {{"../x", "1"}};
  EXPECT_EQ(Validate(bug).error().code, ErrorCode::kInvalid);
  bug.duplicates = {{"demo", ""}};
  EXPECT_EQ(Validate(bug).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace oscope
