// The largest statements that the limits allow, of every shape: each is answered, or refused with a readable number of
// errors, long before half a minute is over. Work that grows with the square of a statement's length would take hours
// here; how fast the rest is, tests/bench says.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "query/run/session.h"
#include "tests/bql/case_store.h"
#include "tests/support/watched_file_system.h"

namespace oscope {
namespace {

constexpr int kBugs = 12;

std::string Content() {
  std::string text;
  for (int i = 0; i < kBugs; ++i) {
    text += fmt::format(R"({{"type":"bug","project":"P{}","id":"{}","title":"t","custom":{{"team{}":"x"}}}})", i % 5, i,
                        i % 3) +
            "\n";
    text += fmt::format(R"({{"type":"run","id":"{:032x}","project":"P{}","bug":"{}",)", i + 1, i % 5, i) +
            fmt::format(R"("traces":[{{"events":["open{}","read","close"]}}]}})", i) + "\n";
  }
  return text;
}

// As many units as fit.
template <typename Unit>
std::string Filled(const std::string& head, const std::string& separator, const std::string& tail, const Unit& unit) {
  const size_t most = bql::SyntaxLimits{}.bytes - tail.size();
  std::string text = head;
  for (size_t i = 0;; ++i) {
    const std::string next = (i == 0 ? "" : separator) + unit(i);
    if (text.size() + next.size() > most) return text + tail;
    text += next;
  }
}

std::string Times(size_t count, std::string_view text) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

class LargeStatement : public testing::Test {
 protected:
  LargeStatement() : store_(*CaseStore::FromTexts({Content()})) {}

  Session Open() {
    SessionOptions options;
    options.threads = 2;
    options.limits.time = std::chrono::seconds(30);
    return *Session::Open(*Store::Open(fs_, store_.Open()->path()), options);
  }

  void Run(const std::string& statement) {
    ASSERT_LE(statement.size(), bql::SyntaxLimits{}.bytes);
    SCOPED_TRACE(statement.substr(0, 100));
    Session session = Open();
    const StatementResult result = session.Execute(statement);
    if (result.ok()) return;
    EXPECT_EQ(result.error->code, ErrorCode::kInvalid) << result.error->message;
    EXPECT_LE(result.diagnostics.size(), bql::kMaxDiagnostics + 1);
    EXPECT_FALSE(result.diagnostics.empty());
    EXPECT_FALSE(bql::RenderDiagnostics(statement, result.diagnostics).empty());
  }
  // `unit` takes a number.
  void RunChain(const std::string& head, const std::string& unit, const std::string& separator,
                const std::string& tail = "") {
    Run(Filled(head, separator, tail, [&](size_t i) { return fmt::format(fmt::runtime(unit), i); }));
  }

  CaseStore store_;
  WatchedFileSystem fs_{PosixFileSystem()};
};

constexpr const char* kWhere = "SELECT b FROM ALL WHERE ";

TEST_F(LargeStatement, ManyArguments) {
  RunChain(std::string(kWhere) + "INTERSECT?(b, \"read\", ", "q{} => 1", ", ", ")");
  RunChain(std::string(kWhere) + "INTERSECT?(b, \"read\", ", "{}", ",", ")");
  RunChain("CALL suffix(", "q{} => 1", ", ", ")");
  RunChain("CALL suffix(", "{}", ",", ")");
  RunChain("CREATE QUERY q(", "p{}", ",", ") AS SELECT b WHERE b.nothing = 1");
  RunChain(std::string(kWhere) + "INTERSECT?(b, 1) DISTANCE u(", "'{}'", ",", ")");
}

TEST_F(LargeStatement, ManyFields) {
  RunChain(kWhere, "b.id = {}", " || ");
  RunChain(kWhere, "b.team1 = {}", " || ");
  RunChain(kWhere, "b.f{} = 1", " || ");
  RunChain(kWhere, "v{}.id = 1", " ||\n");
  RunChain(kWhere, "b.id = :p{}", "||");
  RunChain(kWhere, "b.created > 'x{}'", "||");
  RunChain(std::string(kWhere) + "b.status IN (", "'s{}'", ",", ")");
  RunChain("SELECT a, b FROM ALL WHERE ", "a.id = {0} || b.id = {0}", "||");
}

TEST_F(LargeStatement, ManyNames) {
  RunChain(kWhere, "INTERSECT?(b,zz{})", "||");
  RunChain(kWhere, "INTERSECT?(b,P1-zz{})", "||");
  RunChain(std::string(kWhere) + "INTERSECT?(b,", "zz{}", "|", ")");
  RunChain("SELECT b FROM ", "q{}", ",", " WHERE b.id = 1");
  RunChain("SELECT ", "v{}", ",", " FROM ALL WHERE v1.id = 1");
  RunChain("SELECT ", "b.x{}", ",", " FROM ALL WHERE b.id = 1");
  RunChain(std::string(kWhere) + "INTERSECT?(PROJ(b,\"", "nm{}", ",", "\"),1)");
  Run(Filled(kWhere, "||", "", [](size_t i) {
    std::string names;
    for (int j = 0; j < 500; ++j) names += fmt::format(" nm{}", i * 500 + static_cast<size_t>(j));
    return "INTERSECT?(b,\"" + names + "\")";
  }));
}

TEST_F(LargeStatement, LongNames) {
  const size_t bytes = bql::SyntaxLimits{}.bytes - 100;
  Run(std::string(kWhere) + "INTERSECT?(b," + Times(bytes / 2, "a-") + "a)");
  Run(std::string(kWhere) + "INTERSECT?(b,`" + Times(bytes / 2, "a-") + "a`)");
  Run(std::string(kWhere) + "INTERSECT?(b," + std::string(bytes, 'a') + ")");
  Run(std::string(kWhere) + "b." + std::string(bytes, 'a') + " = 1");
  Run(std::string(kWhere) + "b.title = '" + Times(bytes / 2, "''"));
}

TEST_F(LargeStatement, ManyPredicates) {
  RunChain(std::string("EXPLAIN ") + kWhere, "SUBSET?(b[{}],1)", "||", " || SUBSET?(b[0],1)");
  RunChain(std::string("EXPLAIN ") + kWhere, "INTERSECT?(b[9],1[9],{})", "||");
  RunChain(kWhere, "INTERSECT?(b[9],1[9],{})", "&&", " && b.id = 1 LIMIT 1");
}

TEST_F(LargeStatement, DeepAndLong) {
  const size_t bytes = bql::SyntaxLimits{}.bytes - 100;
  RunChain(std::string(kWhere) + Times(190, "("), "b.id={}", "||", Times(190, "||b.id=1)"));
  RunChain(std::string(kWhere) + "INTERSECT?(b," + Times(150, "("), "1", "|", Times(150, "|2)") + ")");
  Run(std::string(kWhere) + Times(bytes, "!") + "b.id=1");
  Run(std::string(kWhere) + "INTERSECT?(b" + Times(bytes / 3, "[1]") + ",1)");
  Run(std::string(kWhere) + "INTERSECT?(" + Times(bytes / 3, "[1]") + "b,1)");
}

TEST_F(LargeStatement, WhatTheParserRefuses) {
  const size_t bytes = bql::SyntaxLimits{}.bytes - 100;
  RunChain(kWhere, "INTERSECT?(", "&&");
  RunChain(kWhere, "(b.id", "&&");
  RunChain(kWhere, "b.title=\"`'", "||");
  RunChain(kWhere, "INTERSECT?(PROJ(b,/", "||");
  RunChain(std::string(kWhere) + "b.id=1 ", "LIMIT 1", " ");
  Run(std::string(kWhere) + Times(bytes / 2, "&&"));
  Run(std::string(kWhere) + Times(bytes, "("));
}

// --- how often the store is read ---

TEST_F(LargeStatement, ReadsTheTableOfReportsAFewTimes) {
  for (const char* unit : {"b.team1 = {}", "b.f{} = 1", "INTERSECT?(b, P1-zz{})", "INTERSECT?(b, zz{})"}) {
    Session session = Open();
    size_t opened = 0;
    fs_.BeforeEach([&](const FileOperation& operation) -> Status {
      const bool table = operation.path.ends_with(".bugs.parquet") || operation.path.ends_with(".runs.parquet");
      if (operation.kind == FileOperation::Kind::kOpen && table) ++opened;
      return {};
    });
    std::string statement = kWhere;
    for (int i = 0; i < 500; ++i) statement += (i == 0 ? "" : " || ") + fmt::format(fmt::runtime(unit), i);
    session.Execute(statement);
    fs_.BeforeEach([](const FileOperation&) -> Status { return {}; });
    EXPECT_LE(opened, 8u) << unit;
  }
}

}  // namespace
}  // namespace oscope
