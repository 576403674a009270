#include "cli/run_bugs.h"

#include <gtest/gtest.h>

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
  static Status Send(const File& file, RunSink& sink) {
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
      OSCOPE_RETURN_IF_ERROR(SendRun(run, symbols, sink));
    }
    return {};
  }

  // As the command does it; the text of the error, if there is one.
  std::string Import(const std::vector<File>& files, bool batches = false) {
    const Snapshot known = Must(store_.Read());
    bugs_.emplace(store_, known, batches ? RunBugs::Pass::kGiving : RunBugs::Pass::kLooking, false);
    for (int pass = 0; pass < 2; ++pass) {
      const auto ingest = Must(store_.BeginIngest({}));
      BugGivingSink sink(*ingest, *bugs_);
      for (size_t i = 0; i < files.size(); ++i) {
        bugs_->StartFile(i);
        if (const Status sent = Send(files[i], sink); !sent.ok()) return sent.error().message;
      }
      if (!bugs_->looking() || !bugs_->wanted()) {
        Must(ingest->Commit());
        return "";
      }
      bugs_->StartGiving();
    }
    return "no end";
  }

  std::string BugOf(uint64_t run) {
    SymbolTable symbols;
    return Must(Must(store_.Read()).FindRun(MakeRun({run, "", ""}, symbols).header.id)).value().header.bug;
  }
  size_t Bugs() { return Must(Must(store_.Read()).Bugs()).size(); }

  TemporaryDirectory directory_;
  Store store_ = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
  std::optional<RunBugs> bugs_;
};

TEST_F(ImportOfRuns, JoinsRunsOfOneFailure) {
  ASSERT_EQ(Import({{{}, {{1, "", "f"}}}, {{}, {{2, "", "f"}, {3, "", "g"}, {4, "", ""}}}}), "");
  EXPECT_EQ(BugOf(1), "1");
  EXPECT_EQ(BugOf(2), "1");
  EXPECT_EQ(BugOf(3), "2");
  EXPECT_EQ(BugOf(4), "");
  EXPECT_EQ(bugs_->bugs_made(), 2u);
  ASSERT_EQ(bugs_->links().size(), 3u);
  EXPECT_TRUE(bugs_->links()[0].bug.is_new);
  EXPECT_FALSE(bugs_->links()[1].bug.is_new);
}

TEST_F(ImportOfRuns, AgainAddsNothing) {
  const std::vector<File> files = {{{}, {{1, "", "f"}, {1, "", "f"}}}};
  ASSERT_EQ(Import(files), "");
  EXPECT_EQ(bugs_->links().size(), 1u);
  const uint64_t version = Must(store_.NewestVersion());
  ASSERT_EQ(Import(files), "");
  EXPECT_TRUE(bugs_->links().empty());
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

TEST_F(ImportOfRuns, BatchesFindOutTooLate) {
  EXPECT_NE(Import({{{}, {{1, "", "f"}, {2, "1", ""}}}}, true).find("bug demo-1"), std::string::npos);
  ASSERT_EQ(Import({{{}, {{1, "", "f"}, {3, "", "f"}}}}, true), "");
  EXPECT_EQ(BugOf(3), "1");  // the one that was left is joined
  EXPECT_EQ(Bugs(), 1u);
}

TEST_F(ImportOfRuns, LookingMakesNothing) {
  const Snapshot known = Must(store_.Read());
  RunBugs bugs(store_, known, RunBugs::Pass::kLooking, false);
  const auto ingest = Must(store_.BeginIngest({}));
  BugGivingSink sink(*ingest, bugs);
  Must(Send({{}, {{1, "", "f"}}}, sink));
  EXPECT_TRUE(bugs.wanted());
  EXPECT_EQ(ingest->pending_runs(), 0u);
  EXPECT_EQ(Bugs(), 0u);
}

}  // namespace
}  // namespace oscope::cli
