// From what a user typed to what the store has, and the bugs that commands make.
#include "cli/context/resolve.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/cancel.h"
#include "cli/options/options.h"
#include "index/intake/failure_rule.h"
#include "index/store/failure_index.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

class Resolving : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(directory_.path(name)) << text;
    return directory_.path(name);
  }
  void AddBug(const std::string& project, const std::string& id) {
    Bug bug;
    bug.key = {project, id};
    bug.title = "t";
    Must(store_.ChangeBugs([&](KnownBugs& bugs) { return bugs.Put(bug, ""); }));
  }

  Options root_;
  Context context_{root_};
  TemporaryDirectory directory_;
  Store store_ = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
};

TEST_F(Resolving, AFileIsReadUpToTheBound) {
  const std::string path = Write("text", "12345");
  EXPECT_EQ(Must(ReadInput(path, 5, {})), "12345");
  const Result<std::string> larger = ReadInput(path, 4, {});
  ASSERT_FALSE(larger.ok());
  EXPECT_EQ(larger.error().code, ErrorCode::kLimit);
  EXPECT_EQ(larger.error().message, path + ": larger than 4 bytes");
  EXPECT_EQ(Must(ReadInput(Write("empty", ""), 0, {})), "");
  // More than one reading takes.
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(Must(ReadInput(Write("large", large), 3 << 20, {})), large);
  EXPECT_FALSE(ReadInput(directory_.path("large"), (3 << 20) - 1, {}).ok());
}

TEST_F(Resolving, WhatIsNoFileIsToldApart) {
  EXPECT_EQ(ReadInput(directory_.path("nowhere"), 1, {}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ReadInput(directory_.path("store"), 1, {}).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(ReadInput(Write("file", "") + "/x", 1, {}).error().code, ErrorCode::kIo);
}

TEST_F(Resolving, ReadingStopsWhenAsked) {
  const std::string path = Write("text", "12345");
  CancelSource source;
  source.Cancel();
  const Result<std::string> read = ReadInput(path, 5, source.token());
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kCancelled);
}

TEST_F(Resolving, ARunThatIsNamedTwiceIsOne) {
  Must(CommitRuns(store_, {{1, "7", "a"}, {2, "7", "b"}}));
  const Snapshot snapshot = Must(store_.Read());
  SymbolTable symbols;
  const std::string first = ToString(MakeRun({1, "", ""}, symbols).header.id),
                    second = ToString(MakeRun({2, "", ""}, symbols).header.id);
  const std::vector<RunId> runs = Must(ResolveRuns(snapshot, {second, first, second}));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(ToString(runs[0]), second);
  EXPECT_EQ(ToString(runs[1]), first);
  EXPECT_EQ(ResolveRuns(snapshot, {first, "ffff"}).error().code, ErrorCode::kNotFound);
}

TEST_F(Resolving, IdsAreChecked) {
  EXPECT_TRUE(CheckId("bug", "a").ok());
  EXPECT_EQ(CheckId("bug", "").error().message, "bug: the name is empty");
  EXPECT_EQ(CheckId("bug", "a b").error().code, ErrorCode::kInvalid);
  // What is shown of a long one is cut.
  EXPECT_LT(CheckId("bug", std::string(5000, '/')).error().message.size(), 300u);
}

TEST_F(Resolving, TheProjectMustBeThere) {
  AddBug("demo", "1");
  const Snapshot snapshot = Must(store_.Read());
  EXPECT_TRUE(CheckProject(context_, snapshot).ok());
  context_.options.project = "demo";
  EXPECT_TRUE(CheckProject(context_, snapshot).ok());
  context_.options.project = "dmeo";
  EXPECT_EQ(CheckProject(context_, snapshot).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(CheckProject(context_, snapshot).error().message, "project dmeo: not in this store (did you mean 'demo'?)");
  context_.options.project = "a/b";
  EXPECT_EQ(CheckProject(context_, snapshot).error().code, ErrorCode::kInvalid);
}

TEST_F(Resolving, TheProjectAtHandDecidesWhichBugIsMeant) {
  AddBug("demo", "1");
  AddBug("other", "1");
  const Snapshot snapshot = Must(store_.Read());
  context_.options.project = "other";
  EXPECT_EQ(ToString(Must(ResolveBug(context_, snapshot, "1"))), "other-1");
  context_.options.project = "third";
  EXPECT_EQ(ResolveBug(context_, snapshot, "1").error().code, ErrorCode::kConflict);
}

TEST(ABugsNumber, HasOneAfterIt) {
  EXPECT_EQ(NumberOf("0"), 0u);
  EXPECT_EQ(NumberOf("12"), 12u);
  EXPECT_EQ(NumberOf("18446744073709551614"), UINT64_MAX - 1);
  for (const char* none : {"", "x", "12x", "x12", "-1", " 1", "18446744073709551615", "18446744073709551616"})
    EXPECT_EQ(NumberOf(none), std::nullopt) << none;
}

TEST(ABugsStatus, SetsWhenItWasResolved) {
  Bug bug;
  SetStatus(bug, BugStatus::kResolved, 3);
  ASSERT_TRUE(bug.resolved_ns);
  bug.resolved_ns = 5;
  SetStatus(bug, BugStatus::kClosed, 3);
  EXPECT_EQ(bug.status, BugStatus::kClosed);
  EXPECT_EQ(bug.resolved_ns, 5);
  SetStatus(bug, BugStatus::kReopened, 3);
  EXPECT_EQ(bug.status, BugStatus::kReopened);
  EXPECT_FALSE(bug.resolved_ns);
  SetStatus(bug, BugStatus::kOpen, 3);
  EXPECT_FALSE(bug.resolved_ns);
}

TEST_F(Resolving, NewBugsGetTheNextNumber) {
  const auto next = [&] {
    const Snapshot snapshot = Must(store_.Read());
    return Must(KnownBugs(&snapshot).NextNumber("demo"));
  };
  EXPECT_EQ(next(), 1u);
  AddBug("demo", "41");
  AddBug("demo", "x99");
  AddBug("other", "77");
  EXPECT_EQ(next(), 42u);
  // Another writer takes the number while this one makes its own.
  bool first = true;
  std::string id;
  Must(store_.ChangeBugs([&](KnownBugs& bugs) -> Status {
    OSCOPE_ASSIGN_OR_RETURN(const uint64_t number, bugs.NextNumber("demo"));
    if (std::exchange(first, false)) AddBug("demo", "42");
    Bug bug;
    bug.key = {"demo", id = std::to_string(number)};
    OSCOPE_RETURN_IF_ERROR(bugs.Put(bug, ""));
    EXPECT_EQ(Must(bugs.NextNumber("demo")), number + 1) << "what was put counts";
    return {};
  }));
  EXPECT_EQ(id, "43");
}

TEST_F(Resolving, ANamedBugIsOneThatIsThereOrOneToMake) {
  AddBug("other", "7");
  const Snapshot snapshot = Must(store_.Read());
  EXPECT_EQ(ToString(Must(NamedBug(&snapshot, "demo", "other-7"))), "other-7");
  EXPECT_EQ(Must(NamedBug(&snapshot, "demo", "7")), (BugKey{"other", "7"})) << "only one project has it";
  EXPECT_EQ(Must(NamedBug(&snapshot, "demo", "8")), (BugKey{"demo", "8"}));
  EXPECT_EQ(Must(NamedBug(nullptr, "demo", "demo-8")), (BugKey{"demo", "8"}));
  EXPECT_EQ(Must(NamedBug(nullptr, "demo", "other-8")), (BugKey{"demo", "other-8"}));
  EXPECT_EQ(NamedBug(nullptr, "demo", "demo-").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(NamedBug(nullptr, "demo", "../x").error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace oscope::cli
