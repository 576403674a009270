// The interface's own promises: options, detection, and how problems are told.
#include "tracer/import/importer.h"

#include <gtest/gtest.h>

#include <set>

namespace oscope {
namespace {

struct Imported {
  Status status;
  RunCollector collected;
  std::vector<ImportProblem> problems;
};

Imported Import(std::string_view name, std::string_view text, const ImportOptions& options = {.project = "P"}) {
  Imported imported;
  imported.status = FindImporter(name)->Import(text, options, imported.collected, imported.problems);
  return imported;
}

TEST(Importer, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const Importer* importer : AllImporters()) {
    EXPECT_TRUE(names.insert(importer->name()).second);
    EXPECT_EQ(FindImporter(importer->name()), importer);
    EXPECT_FALSE(importer->description().empty());
  }
  EXPECT_EQ(names.size(), 11u);
  EXPECT_EQ(FindImporter("nosuch"), nullptr);
}

TEST(Importer, UnknownTextIsDetectedByItsExtensionOrNotAtAll) {
  EXPECT_EQ(DetectImporter("hello world\n", "notes.txt"), nullptr);
  EXPECT_EQ(DetectImporter("", "empty"), nullptr);
  EXPECT_EQ(DetectImporter("hello world\n", "stacks.folded")->name(), "collapsed");
  EXPECT_EQ(DetectImporter("[]", "trace.json")->name(), "chrome");
}

TEST(Importer, OptionsFillInWhatTheTextDoesNotSay) {
  const ImportOptions options{.project = "P", .bug = "7", .test = "T", .version = "v1", .language = "java"};
  const auto imported = Import("thesis", "# bug: 9\nM a/B c ()V\n", options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
  const RunHeader& header = imported.collected.runs.at(0).header;
  EXPECT_EQ(header.project, "P");
  EXPECT_EQ(header.bug, "9");
  EXPECT_EQ(header.test, "T");
  EXPECT_EQ(header.version, "v1");
}

TEST(Importer, AnOutcomeGivenReplacesTheTexts) {
  const auto imported = Import("gdb", "#0  f () at a.c:1\n", {.project = "P", .outcome = Outcome::kPassed});
  ASSERT_TRUE(imported.status.ok());
  EXPECT_EQ(imported.collected.runs.at(0).header.outcome, Outcome::kPassed);
  EXPECT_FALSE(imported.collected.runs.at(0).traces.at(0).header.mark);
  EXPECT_FALSE(imported.collected.runs.at(0).header.failing_thread);
}

TEST(Importer, TheSameTextGivesTheSameRuns) {
  const std::string text = "#0  f () at a.c:1\n";
  EXPECT_EQ(Import("gdb", text).collected.runs.at(0).header.id, ImportedRunId(text, 0));
}

TEST(Importer, ATextWithoutATraceSaysWhatWasExpected) {
  for (const Importer* importer : AllImporters()) {
    const auto imported = Import(importer->name(), "");
    ASSERT_FALSE(imported.status.ok()) << importer->name();
    EXPECT_EQ(imported.status.error().code, ErrorCode::kInvalid);
    EXPECT_NE(imported.status.error().message.find(importer->expected()), std::string::npos);
  }
}

TEST(Importer, AProjectIsNeeded) {
  const auto imported = Import("gdb", "#0  f () at a.c:1\n", {});
  ASSERT_FALSE(imported.status.ok());
  EXPECT_NE(imported.status.error().message.find("project"), std::string::npos);
}

TEST(Importer, IdsThatEscapeAPathAreRefused) {
  EXPECT_FALSE(Import("thesis", "# bug: ../../etc/passwd\nM a/B c ()V\n").status.ok());
  EXPECT_FALSE(Import("gdb", "#0  f () at a.c:1\n", {.project = "%2e%2e"}).status.ok());
}

TEST(Importer, ManyProblemsAreCountedNotKept) {
  std::string text = "main;f 1\n";
  for (int i = 0; i < 150; ++i) text += "no count\n";
  const auto imported = Import("collapsed", text);
  ASSERT_FALSE(imported.status.ok());
  ASSERT_EQ(imported.problems.size(), kMaxImportProblems + 1);
  EXPECT_EQ(imported.problems[0].line, 2u);
  EXPECT_EQ(imported.problems.back().message, "and 50 more");
  EXPECT_TRUE(imported.collected.runs.empty());
}

}  // namespace
}  // namespace oscope
