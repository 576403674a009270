#include "cli/transfer/import_rule.h"

#include <gtest/gtest.h>

#include "index/intake/failure_rule.h"
#include "index/store/batching_sink.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

// A file of an import: bug reports, and runs by id, bug and fingerprint.
struct File {
  std::vector<std::string> reports;
  struct Run {
    uint64_t id;
    std::string bug, fingerprint;
  };
  std::vector<Run> runs;
};

class ImportOfRuns : public testing::Test {
 protected:
  Status Send(const File& file, RunSink& sink) const {
    for (const std::string& id : file.reports) {
      Bug bug;
      bug.key = {"demo", id};
      bug.title = "reported";
      OSCOPE_RETURN_IF_ERROR(sink.AddBug(bug));
    }
    SymbolTable symbols;
    for (const File::Run& one : file.runs) {
      oscope::Run run = MakeRun({one.id, one.bug, "ab"}, symbols);
      if (!one.fingerprint.empty()) run.header.failure.fingerprint = one.fingerprint;
      if (!title_.empty()) run.header.custom["title"] = title_;
      OSCOPE_RETURN_IF_ERROR(SendRun(run, symbols, sink));
    }
    return {};
  }

  // As the command does it; the text of the error, if there is one.
  std::string Import(const std::vector<File>& files, uint64_t batch = 0) {
    ImportRule rule(false);
    const auto sink = Must(BatchingSink::Open(store_, batch, UINT64_MAX, rule.Options("ada", "imported")));
    rule.Follow([&]() -> const IngestResult& { return sink->so_far(); });
    RuleFeedingSink feeding(*sink, rule);
    for (size_t i = 0; i < files.size(); ++i) {
      rule.StartFile(i);
      if (const Status sent = Send(files[i], feeding); !sent.ok()) return sent.error().message;
    }
    Result<IngestResult> result = sink->Finish();
    if (!result.ok()) return result.error().message;
    result_ = *result;
    return "";
  }

  std::string BugOf(uint64_t run) {
    SymbolTable symbols;
    return Must(Must(store_.Read()).FindRun(MakeRun({run, "", ""}, symbols).header.id)).value().header.bug;
  }
  size_t Bugs() { return Must(Must(store_.Read()).Bugs()).size(); }

  TemporaryDirectory directory_;
  Store store_ = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
  IngestResult result_;
  std::string title_;  // of all runs
};

TEST_F(ImportOfRuns, JoinsRunsOfOneFailure) {
  ASSERT_EQ(Import({{{}, {{1, "", "f"}}}, {{}, {{2, "", "f"}, {3, "", "g"}, {4, "", ""}}}}), "");
  EXPECT_EQ(BugOf(1), "1");
  EXPECT_EQ(BugOf(2), "1");
  EXPECT_EQ(BugOf(3), "2");
  EXPECT_EQ(BugOf(4), "");
  EXPECT_EQ(result_.bugs_added, 2u);
  ASSERT_EQ(result_.decisions.size(), 3u);
  EXPECT_EQ(result_.decisions[0].decision.fate, RunFate::kNew);
  EXPECT_EQ(result_.decisions[1].decision.fate, RunFate::kJoined);
  EXPECT_EQ(result_.decisions[2].decision.fate, RunFate::kNew);
  EXPECT_EQ(Must(store_.NewestVersion()), 2u) << "one commit for the bugs and the runs";
}

TEST_F(ImportOfRuns, AgainAddsNothing) {
  const std::vector<File> files = {{{}, {{1, "", "f"}, {1, "", "f"}}}};
  ASSERT_EQ(Import(files), "");
  EXPECT_EQ(result_.decisions.size(), 1u);
  const uint64_t version = Must(store_.NewestVersion());
  ASSERT_EQ(Import(files), "");
  EXPECT_TRUE(result_.decisions.empty());
  EXPECT_EQ(Must(store_.NewestVersion()), version);
}

TEST_F(ImportOfRuns, AFileWithReportsSaysItself) {
  ASSERT_EQ(Import({{{"1"}, {{1, "1", "f"}, {2, "", "f"}}}, {{}, {{3, "", "g"}}}}), "");
  EXPECT_EQ(BugOf(1), "1");
  EXPECT_EQ(BugOf(2), "");
  EXPECT_EQ(BugOf(3), "2");  // not the number that the first file's report has
  EXPECT_EQ(Must(Must(store_.Read()).FindBug({"demo", "1"}))->title, "reported");
}

TEST_F(ImportOfRuns, NumbersThatFilesNameAreNotGiven) {
  ASSERT_EQ(Import({{{}, {{1, "", "f"}}}, {{}, {{2, "1", ""}, {3, "8", ""}}}}), "");
  EXPECT_EQ(BugOf(1), "9");
  EXPECT_EQ(BugOf(2), "1");
  EXPECT_EQ(BugOf(3), "8");
}

TEST_F(ImportOfRuns, RunsThatNameABugTeach) {
  ASSERT_EQ(Import({{{}, {{1, "", "f"}, {2, "8", "f"}}}}), "");
  EXPECT_EQ(BugOf(1), "8") << "in whatever order they come";
  EXPECT_EQ(Bugs(), 1u);
}

// A bug that runs name themselves is no number that was given.
TEST_F(ImportOfRuns, BatchesMayNameABugThatAnEarlierOneMade) {
  title_ = "a title";
  ASSERT_EQ(Import({{{}, {{1, "12", "f"}, {2, "12", "f"}}}, {{"12"}, {{3, "12", "f"}}}}, 1), "");
  EXPECT_EQ(BugOf(3), "12");
  EXPECT_EQ(Bugs(), 1u);
}

TEST_F(ImportOfRuns, AReportInTheSameCommitOwnsItsFailure) {
  const auto ingest = Must(store_.BeginIngest({.rule = FailureRule()}));
  Bug bug;
  bug.key = {"demo", "5"};
  bug.custom = {{"test", "test"}, {"fingerprint", "f"}};
  Must(ingest->AddBug(bug));
  Must(Send({{}, {{1, "", "f"}}}, *ingest));
  Must(ingest->Commit());
  EXPECT_EQ(BugOf(1), "5");
}

TEST_F(ImportOfRuns, BatchesFindOutTooLate) {
  EXPECT_NE(Import({{{}, {{1, "", "f"}, {2, "1", ""}}}}, 1).find("bug demo-1"), std::string::npos);
  ASSERT_EQ(Import({{{}, {{1, "", "f"}, {3, "", "f"}}}}, 1), "");
  EXPECT_EQ(BugOf(3), "1");  // the one that was left is joined
  EXPECT_EQ(Bugs(), 1u);
  EXPECT_NE(Import({{{}, {{4, "", "g"}}}, {{"2"}, {{5, "2", ""}}}}, 1).find("bug demo-2"), std::string::npos)
      << "a report neither";
  EXPECT_EQ(Must(Must(store_.Read()).FindBug({"demo", "2"}))->title, "test: failed: ab");
}

}  // namespace
}  // namespace oscope::cli
