#include "tracer/model/bug.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace oscope {
namespace {

Bug SomeBug() {
  Bug bug;
  bug.key = {"Beanutils", "342"};
  return bug;
}

TEST(BugKey, IsWrittenWithItsProject) { EXPECT_EQ(ToString(BugKey{"Beanutils", "342"}), "Beanutils-342"); }

TEST(BugStatus, NamesComeBack) {
  for (const BugStatus status : {BugStatus::kOpen, BugStatus::kReopened, BugStatus::kResolved, BugStatus::kClosed}) {
    EXPECT_EQ(ParseBugStatus(BugStatusName(status)).value(), status);
  }
  EXPECT_FALSE(ParseBugStatus("fixed").ok());
}

TEST(ValidateId, TakesWhatIsSafeEverywhere) {
  for (const char* id : {"342", "Beanutils", "a.b_c+d#e@f:g-h", "A1"}) EXPECT_TRUE(ValidateId("id", id).ok()) << id;
}

TEST(ValidateId, RefusesWhatIsNot) {
  const std::string_view bad[] = {"",
                                  "../../etc/passwd",
                                  "%2e%2e",
                                  "a/b",
                                  "a\\b",
                                  "..",
                                  "a..b",
                                  ".a",
                                  "-a",
                                  "a b",
                                  "<script>",
                                  "a\x1b",
                                  "\xe2\x80\xae",
                                  std::string_view("a\0b", 3)};
  for (const std::string_view id : bad) EXPECT_EQ(ValidateId("id", id).error().code, ErrorCode::kInvalid) << id;
  EXPECT_EQ(ValidateId("id", std::string(limits::kMaxIdBytes + 1, 'a')).error().code, ErrorCode::kLimit);
}

TEST(ValidateBug, NamesTheBugAndTheField) {
  EXPECT_TRUE(Validate(SomeBug()).ok());
  Bug bug = SomeBug();
  bug.title = std::string(limits::kMaxNameBytes + 1, 'x');
  EXPECT_EQ(Validate(bug).error().message, "bug Beanutils-342: title: 65537 is over the limit of 65536");
  bug = SomeBug();
  bug.duplicates = {{"Beanutils", "../1"}};
  EXPECT_EQ(Validate(bug).error().code, ErrorCode::kInvalid);
  bug = SomeBug();
  bug.comments.resize(limits::kMaxFields + 1);
  EXPECT_EQ(Validate(bug).error().code, ErrorCode::kLimit);
  bug = SomeBug();
  bug.custom[""] = "x";
  EXPECT_EQ(Validate(bug).error().code, ErrorCode::kInvalid);
  bug = SomeBug();
  bug.status = static_cast<BugStatus>(9);
  EXPECT_EQ(Validate(bug).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace oscope
