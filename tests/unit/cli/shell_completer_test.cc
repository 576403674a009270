// What the shell offers at the cursor, at each place of a statement or a command, and when an input is complete.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/options/options.h"
#include "cli/session/own_statement.h"
#include "cli/shell/completer.h"
#include "cli/shell/dot_commands.h"
#include "cli/shell/shell.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

using Names = std::vector<std::string>;

class ShellCompleter : public testing::Test {
 protected:
  ShellCompleter() {
    const std::unique_ptr<Ingest> ingest = Must(store_.BeginIngest({}));
    for (const Bug& bug : {Named("demo", "1"), Named("demo", "a#b"), Named("Other", "2")}) Must(ingest->AddBug(bug));
    Must(ingest->Commit());
    Must(CommitRuns(store_, {{1, "1", "abc"}, {2, "a#b", "abd"}}));
    session_.emplace(Must(Session::Open(store_.Share(), {})));
  }
  static Bug Named(const std::string& project, const std::string& id) {
    Bug bug;
    bug.key = {project, id};
    bug.title = "a bug";
    return bug;
  }

  // What is offered where `|` stands.
  Completions At(std::string text) {
    const size_t cursor = text.find('|');
    text.erase(cursor, 1);
    return Complete(*session_, text, cursor);
  }
  Names Offered(const std::string& text) { return At(text).candidates; }

  TemporaryDirectory directory_;
  Store store_ = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
  std::optional<Session> session_;
};

TEST_F(ShellCompleter, Keywords) {
  EXPECT_EQ(Offered("sel|"), Names{"SELECT"});
  EXPECT_EQ(At("sel|").begin, 0u);
  EXPECT_EQ(Offered("SELECT b fr|"), Names{"FROM"});
  EXPECT_EQ(At("SELECT b fr|").begin, 9u);
  EXPECT_EQ(Offered("selx|"), Names{});
}

TEST_F(ShellCompleter, NamesOfTheStore) {
  EXPECT_EQ(Offered("SELECT b FROM de|"), Names{"demo"});
  EXPECT_EQ(Offered("SELECT b FROM o|"), Names{"Other"});
  EXPECT_EQ(Offered("SELECT b FROM demo WHERE INTERSECT?(b, demo-|"), (Names{"`demo-a#b`", "demo-1"}));
  EXPECT_EQ(Offered("SELECT b FROM demo WHERE INTERSECT?(b, demo-a|"), Names{"`demo-a#b`"});
  // In backquotes, which are replaced with what stands in them.
  for (const char* text :
       {"SELECT b FROM demo WHERE INTERSECT?(b, `demo-a|", "SELECT b FROM demo WHERE INTERSECT?(b, `demo-a#|"}) {
    EXPECT_EQ(Offered(text), Names{"`demo-a#b`"}) << text;
    EXPECT_EQ(At(text).begin, 39u) << text;
  }
  EXPECT_EQ(Offered("SELECT b FROM demo WHERE INTERSECT?(b, `demo-|"), (Names{"`demo-a#b`", "demo-1"}));
  EXPECT_EQ(Offered("SELECT b FROM demo WHERE b.tit|"), Names{"title"});
  EXPECT_EQ(Offered("CALL suf|"), Names{"suffix("});
  session_->SetParameter("length", "1");
  session_->SetParameter("last", "1");
  EXPECT_EQ(Offered("SELECT b FROM demo WHERE INTERSECT?(b, :l|"), (Names{"last", "length"}));
  EXPECT_EQ(At("CALL suffix(:l|").begin, 13u);
}

// Another statement before the cursor says nothing of the one that the cursor is in, and neither does one behind it.
TEST_F(ShellCompleter, OnlyTheStatementAtHand) {
  EXPECT_EQ(Offered("SHOW QUERIES; sel|"), Names{"SELECT"});
  EXPECT_EQ(At("SHOW QUERIES; sel|").begin, 14u);
  EXPECT_EQ(Offered("SHOW QUERIES;sel|"), Names{"SELECT"});
  EXPECT_EQ(At("SHOW QUERIES;sel|").begin, 13u);
  EXPECT_EQ(Offered("sel|; SHOW QUERIES"), Names{"SELECT"});
  EXPECT_EQ(Offered("SELECT b FROM de| WHERE b.id = ';'"), Names{"demo"});
}

TEST_F(ShellCompleter, CommandsOfTheShell) {
  Names all;
  for (const DotCommand& command : DotCommands()) all.emplace_back(command.name);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (Names{".bug", ".exit", ".explain", ".help", ".last", ".mode", ".output", ".param", ".projects",
                        ".queries", ".read", ".timer"}));
  EXPECT_EQ(Offered(".|"), all);
  EXPECT_EQ(Offered(".EX|"), (Names{".exit", ".explain"}));
  EXPECT_EQ(At(".mo|de csv").begin, 0u);
  EXPECT_EQ(Offered(".mo|de csv"), Names{".mode"});
  EXPECT_EQ(Offered(".help |"), all);
  EXPECT_EQ(Offered(".help .q|"), Names{".queries"});
  EXPECT_EQ(Offered(".nothing |"), Names{});
  EXPECT_EQ(Offered(".queries |"), Names{});
  EXPECT_EQ(Offered(".explain sel|"), Names{});
}

TEST_F(ShellCompleter, ArgumentsOfCommands) {
  EXPECT_EQ(Offered(".mode |"), (Names{"csv", "json", "jsonlines", "markdown", "table", "vertical"}));
  EXPECT_EQ(Offered(".mode JS|"), (Names{"json", "jsonlines"}));
  EXPECT_EQ(At(".mode \t js|").begin, 8u);
  EXPECT_EQ(At(".mode\tjs|").begin, 6u);
  EXPECT_EQ(At(".mode |").begin, 6u);
  EXPECT_EQ(Offered(".timer |"), (Names{"off", "on"}));
  // A command has no quotes.
  EXPECT_EQ(Offered(".bug demo-|"), (Names{"demo-1", "demo-a#b"}));
}

TEST_F(ShellCompleter, Files) {
  const std::string top = directory_.path("files");
  std::filesystem::create_directories(top + "/deep");
  std::ofstream(top + "/data.bql") << "x";
  std::ofstream(top + "/Data") << "x";
  EXPECT_EQ(Offered(".read " + top + "/|"), (Names{top + "/Data", top + "/data.bql", top + "/deep/"}));
  EXPECT_EQ(Offered(".read " + top + "/d|"), (Names{top + "/data.bql", top + "/deep/"}));
  EXPECT_EQ(Offered(".output " + top + "/da|"), Names{top + "/data.bql"});
  EXPECT_EQ(Offered(".read " + top + "/nowhere/|"), Names{});
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(top);
  EXPECT_EQ(Offered(".read de|"), Names{"deep/"});
  EXPECT_EQ(Offered(".read |"), (Names{"Data", "data.bql", "deep/"}));
  std::filesystem::current_path(before);
}

TEST(ShellCommonPrefix, OfAll) {
  EXPECT_EQ(CommonPrefix({}), "");
  EXPECT_EQ(CommonPrefix({"abc"}), "abc");
  EXPECT_EQ(CommonPrefix({"abc", "abd"}), "ab");
  EXPECT_EQ(CommonPrefix({"ab", "abd"}), "ab");
  EXPECT_EQ(CommonPrefix({"abd", "ab", "a"}), "a");
  EXPECT_EQ(CommonPrefix({"x", "y"}), "");
  // Two characters that share their first byte.
  EXPECT_EQ(CommonPrefix({"a\xc3\xa4", "a\xc3\xb6"}), "a");
  EXPECT_EQ(CommonPrefix({"a\xe6\xbc\xa2", "a\xe6\xbc\xa3"}), "a");
  EXPECT_EQ(CommonPrefix({"a\xc3\xa4x", "a\xc3\xa4y"}), "a\xc3\xa4");
}

TEST(ShellInput, CompleteOrNot) {
  for (const char* text :
       {"", "  \n", ".mode", " \t.mode csv", "SELECT b;", "SELECT b; SHOW QUERIES;", "SELECT b; \n", "SELECT ';' ;"}) {
    EXPECT_TRUE(IsCompleteInput(text)) << text;
  }
  for (const char* text : {"SELECT b", "SELECT b; SHOW", "SHOW; \n.mode", "SELECT ';'", "SELECT b -- ;"})
    EXPECT_FALSE(IsCompleteInput(text)) << text;
}

TEST_F(ShellCompleter, AStatementOfOurOwn) {
  Options root;
  Context context(root);
  context.options.quiet = true;
  const Result<Answer> answer = RunOwnStatement(context, *session_, "SELECT COUNT(b) FROM demo WHERE b.id = '1'");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->rows.size(), 1u);
  EXPECT_FALSE(session_->options().on_progress);
  const Result<Answer> wrong = RunOwnStatement(context, *session_, "SELECT b FROM nowhere WHERE b.id = '1'");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(wrong.error().message, "1:15: unknown project 'nowhere'\n");
  const Result<Answer> none = RunOwnStatement(context, *session_, "EXPLAIN SELECT b WHERE b.id = '1'");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "EXPLAIN SELECT b WHERE b.id = '1': gave no answer");
}

TEST(ShellExitCodes, OfErrors) {
  for (const ErrorCode code :
       {ErrorCode::kInvalid, ErrorCode::kNotFound, ErrorCode::kConflict, ErrorCode::kLimit, ErrorCode::kUnsupported}) {
    EXPECT_EQ(StatementExitCode(code), 3);
  }
  EXPECT_EQ(StatementExitCode(ErrorCode::kCancelled), 130);
  for (const ErrorCode code : {ErrorCode::kCorrupt, ErrorCode::kIo, ErrorCode::kBusy})
    EXPECT_EQ(StatementExitCode(code), 1);
}

}  // namespace
}  // namespace oscope::cli
