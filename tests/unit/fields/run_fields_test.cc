// Every row of the list of a run's fields comes through everything that goes by the list.
#include <gtest/gtest.h>

#include "cli/output/json_output.h"
#include "tests/unit/fields/distinct.h"
#include "tests/unit/fields/list_rules.h"
#include "tests/unit/fields/text_of.h"
#include "tracer/import/importer.h"
#include "tracer/import/json_lines_writer.h"
#include "tracer/model/content_hash.h"

namespace oscope {
namespace {

TEST(RunFields, TheListIsInOrder) {
  ExpectNoPlaceTwice(kRunFields);
  ExpectAppendedNumbersAreGood(kRunFields);
}

TEST(RunFields, ARowSaysWhichColumnsOfTheTableBroughtIt) {
  EXPECT_GE(TableVersion(Table::kRuns), 2u) << "what went wrong came with version 2";
  EXPECT_EQ(TableVersionOf(kRunFields, 3), 3u) << "a column of the store's own is newer";
}

TEST(RunFields, EveryMemberIsARow) {
  // A member that is added makes the type larger than its rows; what lies between members is less than that.
  const RunHeader run;
  size_t size = sizeof(run.repeat);  // which is stored by hand
  for (const RunField& row : kRunFields) {
    std::visit([&](const auto& member) { size += sizeof(member.read(run)); }, row.member);
  }
  EXPECT_LT(sizeof(RunHeader) - size, sizeof(std::string));
}

Sample SampleOf(const RunHeader& header) {
  Sample sample;
  oscope::Run& run = sample.runs.emplace_back();
  run.header = header;
  Trace& trace = run.traces.emplace_back();
  trace.events = {sample.symbols.Intern("main")};
  trace.FinishHeader();
  return sample;
}

TEST(RunFields, ComeBackFromJsonLines) {
  for (const RunHeader& run : RunsOfAllRows()) {
    std::string text;
    JsonLinesWriter writer([&](std::string_view bytes) -> Status {
      text += bytes;
      return {};
    });
    Must(Send(SampleOf(run), writer));
    RunCollector back;
    std::vector<ImportProblem> problems;
    Must(FindImporter("jsonl")->Import(text, {}, back, problems));
    ASSERT_EQ(back.runs.size(), 1u) << text;
    EXPECT_EQ(back.runs[0].header, run) << text;
  }
}

TEST(RunFields, ComeBackFromOsct) {
  for (const RunHeader& run : RunsOfAllRows()) {
    const ReadBack back = Read(Write(SampleOf(run)));
    ASSERT_OK(back.status);
    ASSERT_EQ(back.content.runs.size(), 1u);
    EXPECT_EQ(back.content.runs[0].header, run) << ToText(run);
  }
}

Status Ingest(Store& store, const RunHeader& run) {
  OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
  OSCOPE_RETURN_IF_ERROR(Send(SampleOf(run), *ingest));
  OSCOPE_RETURN_IF_ERROR(ingest->Commit());
  return {};
}

TEST(RunFields, ComeBackFromAStoreAndFromOneThatIsMerged) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s")), merged = Must(Store::Create(fs, "m"));
  const std::vector<RunHeader> runs = RunsOfAllRows();
  for (const RunHeader& run : runs) Must(Ingest(store, run));
  Must(merged.Merge(store));
  for (const Store* read : {&store, &merged}) {
    const Snapshot snapshot = Must(read->Read());
    for (const RunHeader& run : runs) {
      const std::optional<StoredRun> found = Must(snapshot.FindRun(run.id));
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->header, run) << ToText(run);
    }
    size_t whole = 0;
    Must(snapshot.ForEachRun({}, false, [&](const StoredRun& run) {
      RunHeader expected = runs[run.header.id.value.low - 1];
      expected.inputs.clear();
      EXPECT_EQ(run.header, expected) << "without inputs: " << ToText(run.header);
      EXPECT_EQ(run.trace_count, 1u);
      EXPECT_EQ(run.event_count, 1u);
      ++whole;
      return true;
    }));
    EXPECT_EQ(whole, runs.size());
  }
}

TEST(RunFields, ChangeTheHashOfTheContent) {
  // All but the bug, which is not what the run did, and the id, which is the same here.
  const auto hash = [](RunHeader run) {
    run.id = RunId{{1, 1}};
    ContentHasher hasher;
    hasher.Begin(run);
    return hasher.Digest();
  };
  const Hash128 bare = hash(BareRun());
  for (const RunField& row : kRunFields) {
    RunHeader run = BareRun();
    SetDistinct(1, row, run);
    const std::string_view name = row.name;
    const bool counts = name != "bug" && name != "id";
    EXPECT_EQ(hash(run) != bare, counts) << row.name;
  }
}

TEST(RunFields, AreInTheJsonOfTheCommands) {
  const RunHeader run = RunsOfAllRows()[1];
  const cli::Json json = cli::ToJson(run), bare = cli::ToJson(BareRun());
  for (const RunField& row : kRunFields) {
    SCOPED_TRACE(row.name);
    const cli::Json& object = *row.group == '\0' ? json : json.at(row.group);
    ASSERT_TRUE(object.contains(row.name));
    const std::string expected = std::visit([&](const auto& member) { return TextOf(member.read(run)); }, row.member);
    EXPECT_EQ(expected.empty() ? "" : object.at(row.name).get<std::string>(), expected);
    EXPECT_EQ(bare.contains(row.name), row.always_in_json && *row.group == '\0');
  }
  EXPECT_FALSE(bare.contains("failure"));
  EXPECT_EQ(cli::ToJson(run, true).at("inputs")[0].at("base64"), "AP8=");
  EXPECT_FALSE(json.at("inputs")[0].contains("base64"));
}

TEST(RunFields, OverTheirLimitAreRefused) {
  for (const RunField& row : kRunFields) {
    if (!std::holds_alternative<Member<RunHeader, std::string>>(row.member)) continue;
    SCOPED_TRACE(row.what);
    RunHeader run = BareRun();
    std::string& text = std::get<Member<RunHeader, std::string>>(row.member).change(run);
    text.assign(row.limit, 'x');
    EXPECT_OK(Validate(run));
    text += 'x';
    ASSERT_FALSE(Validate(run).ok());
    EXPECT_EQ(Validate(run).error().code, ErrorCode::kLimit);
    EXPECT_NE(Validate(run).error().message.find(row.what), std::string::npos) << Validate(run).error().message;
  }
}

TEST(RunFields, AreInTheDocumentation) {
  const std::string lines = ReadSource("docs/formats/jsonl.md"), store = ReadSource("docs/formats/store.md"),
                    osct = ReadSource("docs/formats/osct.md");
  for (const RunField& row : kRunFields) {
    SCOPED_TRACE(row.name);
    EXPECT_TRUE(HasWord(lines, row.name)) << "docs/formats/jsonl.md";
    EXPECT_TRUE(row.column == nullptr || HasWord(store, row.column)) << "docs/formats/store.md";
    EXPECT_TRUE(row.appended == 0 || HasWord(osct, row.name)) << "docs/formats/osct.md";
  }
}

}  // namespace
}  // namespace oscope
