// Every row of the list of a bug's fields comes through everything that goes by the list.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "bql/check/fields.h"
#include "cli/output/json_output.h"
#include "query/semantics/bug_record.h"
#include "tests/unit/fields/distinct.h"
#include "tests/unit/fields/list_rules.h"
#include "tests/unit/fields/text_of.h"
#include "tracer/import/importer.h"
#include "tracer/import/json_lines_writer.h"

namespace oscope {
namespace {

TEST(BugFields, TheListIsInOrder) {
  ExpectNoPlaceTwice(kBugFields);
  ExpectAppendedNumbersAreGood(kBugFields);
}

TEST(BugFields, EveryMemberIsARow) {
  // A member that has no row stays empty in a bug of which all rows are set; so it is found in the layout of the type.
  // A member that is added makes the type larger: give it a row, and this its size.
  const Bug full = FullBug();
  size_t size = sizeof(BugKey::project) + sizeof(BugKey::id);
  for (const BugField& row : kBugFields) {
    std::visit([&](const auto& member) { size += row.text == TextKind::kId ? 0 : sizeof(member.read(full)); },
               row.member);
  }
  // What lies between members is less than the smallest member.
  EXPECT_LT(sizeof(Bug) - size, sizeof(std::optional<int64_t>));
}

TEST(BugFields, ComeBackFromJsonLines) {
  for (const Bug& bug : BugsOfAllRows()) {
    std::string text;
    JsonLinesWriter writer([&](std::string_view bytes) -> Status {
      text += bytes;
      return {};
    });
    Must(writer.AddBug(bug));
    RunCollector back;
    std::vector<ImportProblem> problems;
    Must(FindImporter("jsonl")->Import(text, {}, back, problems));
    ASSERT_EQ(back.bugs.size(), 1u) << text;
    EXPECT_EQ(back.bugs[0], bug) << text;
  }
}

TEST(BugFields, ComeBackFromOsct) {
  for (const Bug& bug : BugsOfAllRows()) {
    Sample sample;
    sample.bugs = {bug};
    const ReadBack back = Read(Write(sample));
    ASSERT_OK(back.status);
    ASSERT_EQ(back.content.bugs.size(), 1u);
    EXPECT_EQ(back.content.bugs[0], bug) << ToText(bug);
  }
}

Bug Stored(Store& store, const Bug& bug) {
  Must(store.EditBug(bug.key, [&](const std::optional<Bug>&) -> Result<Bug> { return bug; }));
  return Must(Must(store.Read()).FindBug(bug.key)).value();
}

TEST(BugFields, ComeBackFromAStore) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const std::vector<Bug> bugs = BugsOfAllRows();
  for (const Bug& bug : bugs) EXPECT_EQ(Stored(store, bug), bug) << ToText(bug);
  // Each was a revision of the same bug, and all are read together here.
  const std::vector<BugRevision> history = Must(Must(store.Read()).History(bugs[0].key));
  ASSERT_EQ(history.size(), bugs.size());
  for (size_t i = 0; i < bugs.size(); ++i) EXPECT_EQ(history[i].bug, bugs[i]) << ToText(bugs[i]);
}

TEST(BugFields, FillTheGapsInAMerge) {
  for (const Bug& bug : BugsOfAllRows()) {
    CrashFileSystem fs;
    Store ours = Must(Store::Create(fs, "ours")), theirs = Must(Store::Create(fs, "theirs"));
    Stored(ours, BareBug());
    Stored(theirs, bug);
    Must(ours.Merge(theirs));
    EXPECT_EQ(Must(Must(ours.Read()).FindBug(bug.key)).value(), bug) << ToText(bug);
  }
}

TEST(BugFields, AreInTheJsonOfTheCommands) {
  const Bug bug = FullBug();
  const cli::Json json = cli::ToJson(bug), bare = cli::ToJson(BareBug());
  for (const BugField& row : kBugFields) {
    SCOPED_TRACE(row.name);
    const cli::Json& object = *row.group == '\0' ? json : json.at(row.group);
    ASSERT_TRUE(object.contains(row.name));
    const std::string expected = std::visit([&](const auto& member) { return TextOf(member.read(bug)); }, row.member);
    const cli::Json& value = object.at(row.name);
    EXPECT_EQ(expected.empty() ? "" : value.get<std::string>(), expected);
    EXPECT_EQ(bare.contains(row.name), row.always_in_json);
  }
  EXPECT_FALSE(bare.contains("fix"));
}

TEST(BugFields, AreKnownToQueriesWhereTheRowSaysSo) {
  const BugRecord record{FullBug(), {}};
  const std::vector<std::string>& known = bql::BuiltInFields();
  for (const BugField& row : kBugFields) {
    SCOPED_TRACE(row.column);
    const bool is_known = std::find(known.begin(), known.end(), row.column) != known.end();
    EXPECT_EQ(is_known, row.bql != 0);
    const std::string expected =
        std::visit([&](const auto& member) { return TextOf(member.read(record.bug)); }, row.member);
    const std::vector<std::string> none, one = {expected};
    EXPECT_EQ(FieldValues(record, row.column), row.bql != 0 ? one : none);
  }
  EXPECT_EQ(bql::TypeOfField("created"), bql::FieldType::kDate);
  EXPECT_EQ(bql::TypeOfField("status"), bql::FieldType::kStatus);
  EXPECT_EQ(bql::TypeOfField("title"), bql::FieldType::kText);
  EXPECT_EQ(bql::TypeOfField("test"), bql::FieldType::kText);
  EXPECT_EQ(bql::TypeOfField("signal"), bql::FieldType::kSignal);
  EXPECT_EQ(bql::TypeOfField("id"), bql::FieldType::kNumberOrText);
  EXPECT_EQ(bql::TypeOfField("mine"), bql::FieldType::kNumberOrText);
  // The order that completion has always shown; new fields may stand between these.
  const std::vector<std::string> always = {"id",      "project",  "status",  "severity", "title",  "reporter",
                                           "created", "resolved", "version", "test",     "signal", "url"};
  std::vector<std::string> order = known;
  std::erase_if(order,
                [&](const std::string& name) { return std::find(always.begin(), always.end(), name) == always.end(); });
  EXPECT_EQ(order, always);
}

TEST(BugFields, OverTheirLimitAreRefused) {
  for (const BugField& row : kBugFields) {
    if (!std::holds_alternative<Member<Bug, std::string>>(row.member)) continue;
    SCOPED_TRACE(row.what);
    Bug bug = BareBug();
    std::string& text = std::get<Member<Bug, std::string>>(row.member).change(bug);
    text.assign(row.limit, 'x');
    EXPECT_OK(Validate(bug));
    text += 'x';
    ASSERT_FALSE(Validate(bug).ok());
    EXPECT_EQ(Validate(bug).error().code, ErrorCode::kLimit);
    EXPECT_NE(Validate(bug).error().message.find(row.what), std::string::npos);
  }
}

TEST(BugFields, AreInTheDocumentation) {
  const std::string lines = ReadSource("docs/formats/jsonl.md"), store = ReadSource("docs/formats/store.md"),
                    language = ReadSource("bql/LANGUAGE.md"), osct = ReadSource("docs/formats/osct.md");
  for (const BugField& row : kBugFields) {
    SCOPED_TRACE(row.column);
    EXPECT_TRUE(HasWord(lines, row.name)) << "docs/formats/jsonl.md";
    EXPECT_TRUE(HasWord(store, row.column)) << "docs/formats/store.md";
    EXPECT_TRUE(row.bql == 0 || HasWord(language, row.name)) << "bql/LANGUAGE.md";
    EXPECT_TRUE(row.appended == 0 || HasWord(osct, row.name)) << "docs/formats/osct.md";
  }
}

}  // namespace
}  // namespace oscope
