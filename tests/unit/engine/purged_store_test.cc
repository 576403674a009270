// Stores from which something is gone: after every purge, and where the segment that holds the report of a bug is left
// out of the answers, all engines answer, and alike.
#include <algorithm>

#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"
#include "tests/unit/store/purge_filters.h"

namespace oscope {
namespace {

const std::vector<std::string>& Queries() {
  static const std::vector<std::string> queries = {
      "SELECT b FROM ALL WHERE INTERSECT?(b, \"w\")",
      "SELECT b FROM ALL WHERE INTERSECT?(b[5], `demo-7`[5], 1)",
      "SELECT b FROM ALL WHERE INTERSECT?(b[5], `other-8`[5], 1) && b.status = 'open'",
      "SELECT b, b.title, b.test FROM ALL WHERE b.project LIKE '%'",
      "SELECT b FROM ALL WHERE !INTERSECT?(b, \"1\")",
      "SELECT a, b FROM ALL WHERE INTERSECT?(a, b, 1) && a.test = 't'",
      "SELECT COUNT(b) FROM ALL WHERE b.status != 'closed'"};
  return queries;
}

// What an engine answers, but for which segments it left out: it need not meet all that are damaged.
std::vector<std::string> Answers(FileSystem& fs, const EngineSetting& engine, bool partial) {
  SessionOptions options;
  options.engine = engine.kind;
  options.use_index = engine.use_index;
  options.threads = engine.threads;
  options.skip_damaged = partial;
  Session session = Must(Session::Open(Must(Store::Open(fs, "s", {.skip_damaged = partial})), options));
  std::vector<std::string> lines;
  for (const std::string& query : Queries()) {
    lines.push_back(query);
    for (std::string& line : FullAnswerText(query, session.Execute(query))) {
      if (!line.starts_with("damaged: ")) lines.push_back(std::move(line));
    }
  }
  return lines;
}

// All engines, each in a session of its own. Returns what they answer.
std::vector<std::string> ExpectAlike(FileSystem& fs, bool partial = false) {
  const std::vector<std::string> expected = Answers(fs, AllEngines()[0], partial);
  for (const EngineSetting& engine : AllEngines()) EXPECT_EQ(Answers(fs, engine, partial), expected) << engine.name;
  return expected;
}

bool Tells(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

TEST(PurgedStore, AllEnginesAnswerAlikeAfterEveryPurge) {
  std::set<Purged> seen;  // two filters that take the same leave the same
  for (const PurgeFilter& named : NamedFilters()) {
    for (const PurgeFilter& filter : FiltersLike(named)) {
      if (!seen.insert(MustGo(filter)).second) continue;
      const auto disk = ThePurgeDisk().fs->Kill();
      Store store = Must(Store::Open(*disk, "s"));
      const auto purged = store.Purge(filter);
      if (!purged.ok()) continue;  // the filter that says nothing
      SCOPED_TRACE(ToString(filter));
      ExpectAlike(*disk);
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(seen.size(), 40u);
}

// The segment with the report of a bug is out of use, and runs of the bug are in another one.
class MissingReport : public ::testing::Test {
 protected:
  MissingReport() {
    Store store = Must(Store::Create(fs_, "s"));
    Must(CommitRuns(store, {{1, "7", "w1"}, {2, "8", "w2"}}));
    Must(CommitRuns(store, {{3, "7", "w3"}, {4, "", "w4"}, {5, "9", "w5"}}));
    // Of a bug with a report elsewhere, and without traces.
    Must(CommitChanged(store, {{6, "8", ""}}, [](oscope::Run& run) { run.traces.clear(); }));
    segment_ = Must(store.Read()).manifest().segments[0];
  }
  CrashFileSystem fs_;
  SegmentEntry segment_;
};

// Once, the literal engine ended the process with "map::at", and the other one knew the bug only in queries that ask for
// no field of a report.
TEST_F(MissingReport, OfAQuarantinedSegment) {
  Must(Must(Store::Open(fs_, "s")).Quarantine({segment_.id}, "damaged"));
  for (const bool partial : {false, true}) {
    const std::vector<std::string> answers = ExpectAlike(fs_, partial);
    EXPECT_TRUE(Tells(answers, "demo-7")) << "its traces are there";
    EXPECT_TRUE(Tells(answers, "demo-9"));
    EXPECT_FALSE(Tells(answers, "demo-8")) << "nothing of it is there";
  }
}

TEST_F(MissingReport, OfADamagedTable) {
  const std::string table = fmt::format("s/segments/{}.bugs.parquet", segment_.id);
  Must(fs_.Remove(table));
  Must(WriteDurably(fs_, table, "damaged"));
  const std::vector<std::string> answers = ExpectAlike(fs_, /*partial=*/true);
  EXPECT_TRUE(Tells(answers, "demo-7"));
  EXPECT_TRUE(Tells(answers, "demo-8"));
  EXPECT_TRUE(Tells(answers, "demo-9"));
}

// With neither report nor traces at hand, the index may still know the bug.
TEST_F(MissingReport, OfADamagedSegmentWithAnIndex) {
  for (const TableFile& file : segment_.tables) {
    const std::string table = fmt::format("s/segments/{}.{}.parquet", segment_.id, TableName(file.table));
    Must(fs_.Remove(table));
    Must(WriteDurably(fs_, table, "damaged"));
  }
  SessionOptions options;
  options.engine = EngineKind::kNaive;
  options.skip_damaged = true;
  Session session = Must(Session::Open(Must(Store::Open(fs_, "s", {.skip_damaged = true})), options));
  const StatementResult result = session.Execute("SELECT b FROM ALL WHERE INTERSECT?(b, `demo-8`, d => any)");
  ASSERT_TRUE(result.ok()) << result.error->message;
  EXPECT_TRUE(result.answer->rows.empty()) << "it has no traces";
  EXPECT_EQ(result.answer->damaged.size(), 1u) << "and it is said which segment is left out";
}

}  // namespace
}  // namespace oscope
