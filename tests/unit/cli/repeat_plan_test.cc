// The lines that repeat a run, and what is said to be missing.
#include "cli/repeat/repeat_plan.h"

#include <gtest/gtest.h>

#include "base/subprocess.h"
#include "cli/repeat/shell_quote.h"

namespace oscope::cli {
namespace {

using Lines = std::vector<std::string>;

const std::string kRevision(40, 'a'), kOther(40, 'b');
const std::string kDigest(64, '1');
const WorkingTree kHere{"/src/my parser", kRevision, ""};
const std::string kId = "00000000000000010000000000000002";

RunHeader Recorded() {
  RunHeader run;
  run.id = RunId{{1, 2}};
  run.project = "demo";
  run.command = {"./parser_test", "bad file.txt"};
  run.repeat.directory = "build/tests";
  run.repeat.revision = kRevision;
  return run;
}

std::optional<std::string> BuildIdOfAFile(const std::string& path) {
  if (path == "/gone") return std::nullopt;
  return path == "/plain" ? "" : "ab12";
}

RepeatPlan Plan(const RunHeader& run, const std::optional<WorkingTree>& here = kHere) {
  return PlanRepeat(run, "/src/my parser/.oscope", here, BuildIdOfAFile);
}

TEST(RepeatPlan, OfATracedRun) {
  const RepeatPlan plan = Plan(Recorded());
  EXPECT_EQ(plan.commands, (Lines{"cd '/src/my parser/build/tests'", "./parser_test 'bad file.txt'"}));
  EXPECT_EQ(plan.missing, Lines{});
}

TEST(RepeatPlan, WithInputs) {
  RunHeader run = Recorded();
  run.inputs = {{"bad file.txt", "x"}};
  const std::string from = "oscope show run " + kId + " ", store = " --store '/src/my parser/.oscope'";
  EXPECT_EQ(Plan(run).commands,
            (Lines{"cd '/src/my parser/build/tests'", from + "--restore" + store, "./parser_test 'bad file.txt'"}));
  run.inputs.push_back({"-", "y"});
  EXPECT_EQ(Plan(run).commands.back(), from + "--input -" + store + " | ./parser_test 'bad file.txt'");
  run.inputs = {{"-", "y"}};
  EXPECT_EQ(Plan(run).commands.size(), 2u) << "there is no file to restore";
}

TEST(RepeatPlan, OfATestCase) {
  RunHeader run = Recorded();
  run.repeat.selection = {"ctest", "GoogleTest", "Parse.Empty"};
  EXPECT_EQ(Plan(run).commands.back(), "GTEST_FILTER=Parse.Empty ./parser_test 'bad file.txt' < /dev/null");
  run.repeat.selection = {"ctest", "Boost.Test", "parse/it's empty"};
  EXPECT_EQ(Plan(run).commands.back(),
            "BOOST_TEST_RUN_FILTERS='parse/it'\\''s empty' ./parser_test 'bad file.txt' < /dev/null");
  run.repeat.selection = {"junit", "", ""};
  EXPECT_EQ(Plan(run).commands.back(), "./parser_test 'bad file.txt' < /dev/null");
  EXPECT_EQ(Plan(run).missing, Lines{});
  run.repeat.selection = {"ctest", "LaterTest", "x"};
  EXPECT_EQ(Plan(run).missing, Lines{"only x of it ran; this release does not know how LaterTest selects that"});
}

TEST(RepeatPlan, WithoutItsCommand) {
  RunHeader run = Recorded();
  run.command.clear();
  EXPECT_EQ(Plan(run).commands, Lines{});
  EXPECT_EQ(Plan(run).missing, Lines{"its command was not kept, and so it cannot be repeated"});
}

TEST(RepeatPlan, OfARunThatTellsNothing) {
  RunHeader run = Recorded();
  run.repeat = {};
  EXPECT_EQ(Plan(run).commands, Lines{"./parser_test 'bad file.txt'"});
  EXPECT_EQ(Plan(run).missing,
            (Lines{"the directory in which it ran is not known", "the revision that it was built from is not known"}));
  run.version = "v7";
  EXPECT_EQ(Plan(run).missing.back(), "the revision that it was built from is not known, only its version, v7");
}

TEST(RepeatPlan, WhatWasNotKept) {
  RunHeader run = Recorded();
  run.command.push_back("--token=***");
  run.repeat.not_kept = {{"input", "large.bin"},  {"input", "-"},         {"variable", "A"}, {"variable", "B"},
                         {"fixture", "database"}, {"later kind", "name"}, {"inputs", ""}};
  EXPECT_EQ(Plan(run).missing,
            (Lines{"parts of its command that looked secret were masked: put them back in place of ***",
                   "large.bin was too large to be kept: it must have the contents that it had",
                   "its standard input was too large to be kept whole", "later kind name was not kept",
                   "its input files and its standard input were not kept (--no-input): they must have the contents "
                   "that they had",
                   "its test runner set A, B in the environment; the values were not kept",
                   "its test runner ran database before it, which set up what it needs"}));
}

TEST(RepeatPlan, ProgramsThatWereBuiltAnewOrAreGone) {
  RunHeader run = Recorded();
  run.repeat.builds = {{"/same", "ab12", {}}, {"/unknown", "", {}}};
  EXPECT_EQ(Plan(run).missing, Lines{});
  run.repeat.builds = {{"/other", "cd34", {}}, {"/gone", "ab12", {}}, {"/plain", "ab12", {}}};
  EXPECT_EQ(Plan(run).missing,
            (Lines{"/other is another build than the one that ran: its build id was cd34, and is ab12",
                   "/gone is not there: it had the build id ab12",
                   "/plain is another build than the one that ran: its build id was ab12, and is none"}));
}

TEST(RepeatPlan, WhatIsCheckedOutHere) {
  const std::string with_changes = "it was built with uncommitted changes (digest 111111111111), which were not kept";
  const std::string another =
      fmt::format("it was built from revision {}, and {} is checked out here", kRevision, kOther);
  RunHeader run = Recorded();
  EXPECT_EQ(Plan(run, WorkingTree{"/r", kOther, ""}).missing, Lines{another});
  EXPECT_EQ(Plan(run, WorkingTree{"/r", kRevision, kDigest}).missing,
            Lines{"it was built without uncommitted changes, and there are some here"});
  run.repeat.changes = kDigest;
  EXPECT_EQ(Plan(run).missing, Lines{with_changes});
  EXPECT_EQ(Plan(run, WorkingTree{"/r", kRevision, kDigest}).missing, Lines{}) << "the same changes are here";
  EXPECT_EQ(Plan(run, WorkingTree{"/r", kOther, kDigest}).missing, (Lines{another, with_changes}));
  EXPECT_EQ(Plan(run, std::nullopt).missing.back(), with_changes);
  run.repeat.changes = kUnknownChanges;
  EXPECT_EQ(Plan(run, WorkingTree{"/r", kRevision, std::string(kUnknownChanges)}).missing,
            Lines{"it was built with uncommitted changes, which were not kept"});
}

TEST(RepeatPlan, OutsideOfARepository) {
  RunHeader run = Recorded();
  EXPECT_EQ(Plan(run, std::nullopt).commands[0], "cd build/tests");
  EXPECT_EQ(Plan(run, std::nullopt).missing, Lines{"it ran in build/tests of its repository, but this directory is in "
                                                   "no repository: change to the repository's root first"});
  run.repeat.directory = ".";
  EXPECT_EQ(Plan(run, std::nullopt).commands.size(), 1u);
  EXPECT_EQ(Plan(run).commands[0], "cd '/src/my parser'");
  run.repeat.directory = "-x";
  EXPECT_EQ(Plan(run, std::nullopt).commands[0], "cd ./-x");
}

// A real shell is the oracle.
TEST(ShellQuote, AShellReadsTheSameWords) {
  const Lines words = {"a b", "it's", "",    "$HOME", "*",  "a\nb", "\\", "\"",
                       "`x`", "-n",   "a;b", "~",     "#x", "\xff", "a=b"};
  Lines command = {"/usr/bin/printf", "%s\\0"};
  command.insert(command.end(), words.begin(), words.end());
  SubprocessOptions options;
  options.argv = {"/bin/sh", "-c", ShellLine(command)};
  const Result<SubprocessOutput> output = RunSubprocess(options);
  ASSERT_TRUE(output.ok());
  std::string expected;
  for (const std::string& word : words) expected += word + '\0';
  EXPECT_EQ(output->out, expected) << output->err;
  EXPECT_EQ(ShellLine({"a=b", "c=d"}), "'a=b' c=d") << "the first would be an assignment";
}

// Nothing that a stranger wrote becomes a command of the script.
TEST(RepeatPlan, AScriptHasOneCommentForEachSentence) {
  RepeatPlan plan{{"true"}, {"evil\nrm -rf x was not kept", "two"}};
  EXPECT_EQ(ScriptOf(plan), "# evil\\nrm -rf x was not kept\n# two\nset -e\ntrue\n");
}

}  // namespace
}  // namespace oscope::cli
