// What is written in a shell: its colours, its rows on the screen, and the history that it goes to.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/shell/highlight.h"
#include "cli/shell/history.h"
#include "cli/shell/input_screen.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

// A letter a byte: K keyword, Q quoted, N number, P parameter, C comment, E error, a dot what is plain.
std::string Styles(std::string_view text) {
  std::string letters;
  for (const TextStyle style : Highlight(text)) letters += ".KQNPCE"[static_cast<size_t>(style)];
  return letters;
}

TEST(ShellHighlight, Words) {
  EXPECT_EQ(Styles(""), "");
  EXPECT_EQ(Styles("select b from Ini"), "KKKKKK...KKKK....");
  EXPECT_EQ(Styles("selects"), ".......");
  EXPECT_EQ(Styles("b.all all"), "......KKK");
  EXPECT_EQ(Styles(" all"), ".KKK");
  EXPECT_EQ(Styles("all"), "KKK");
  EXPECT_EQ(Styles("12 1x b1"), "NN......");
  EXPECT_EQ(Styles(":len"), "PPPP");
}

TEST(ShellHighlight, EveryKeyword) {
  for (const std::string word :
       {"SELECT",  "FROM",   "ALL",   "WHERE", "AND",       "OR",      "NOT",   "DISTANCE", "ORDER",
        "BY",      "ASC",    "DESC",  "LIMIT", "OFFSET",    "WITH",    "SELF",  "COUNT",    "EXPLAIN",
        "ANALYZE", "CREATE", "QUERY", "AS",    "CALL",      "SHOW",    "DROP",  "QUERIES",  "LIKE",
        "IN",      "IS",     "NULL",  "PROJ",  "INTERSECT", "JACCARD", "SUBSET"}) {
    EXPECT_EQ(Styles(word), std::string(word.size(), 'K')) << word;
  }
}

// The question mark belongs to the words that ask, and to no other.
TEST(ShellHighlight, Predicates) {
  EXPECT_EQ(Styles("INTERSECT?("), "KKKKKKKKKK.");
  EXPECT_EQ(Styles("jaccard?("), "KKKKKKKK.");
  EXPECT_EQ(Styles("SUBSET?("), "KKKKKKK.");
  EXPECT_EQ(Styles("INTERSECT ?"), "KKKKKKKKK..");
  EXPECT_EQ(Styles("PROJ?("), "KKKK..");
}

TEST(ShellHighlight, QuotesAndComments) {
  EXPECT_EQ(Styles("'a' \"b\""), "QQQ.QQQ");
  EXPECT_EQ(Styles("'a"), "EE");
  EXPECT_EQ(Styles("b -- all\nall"), "..CCCCCCCKKK");
  EXPECT_EQ(Styles("-- x"), "CCCC");
  EXPECT_EQ(Styles("b --"), "..CC");
}

TEST(ShellHighlight, Brackets) {
  EXPECT_EQ(Styles("([])"), "....");
  EXPECT_EQ(Styles(")"), "E");
  EXPECT_EQ(Styles("(])"), ".E.");
  EXPECT_EQ(Styles("[)]"), ".E.");
  EXPECT_EQ(Styles("(;)"), "..E");
  EXPECT_EQ(Styles("()[])"), "....E");
}

TEST(ShellHighlight, CommandsOfTheShell) {
  EXPECT_EQ(Styles(".mode all"), "KKKKK....");
  EXPECT_EQ(Styles(".mode"), "KKKKK");
  EXPECT_EQ(Styles(".mode\tall"), "KKKKK....");
  EXPECT_EQ(Styles(" .all"), ".....");
}

InputScreen Laid(std::string_view text, size_t cursor, size_t width, bool colours = false) {
  return LayOut({"> ", "+ ", text, cursor}, Highlight(text), Palette(colours), width);
}

using Rows = std::vector<std::string>;
using Place = std::pair<size_t, size_t>;
Place CursorOf(const InputScreen& screen) { return {screen.cursor_row, screen.cursor_column}; }

TEST(ShellScreen, OneRow) {
  EXPECT_EQ(Laid("", 0, 80).rows, Rows{"> "});
  EXPECT_EQ(CursorOf(Laid("", 0, 80)), Place(0, 2));
  EXPECT_EQ(Laid("abc", 1, 80).rows, Rows{"> abc"});
  EXPECT_EQ(CursorOf(Laid("abc", 0, 80)), Place(0, 2));
  EXPECT_EQ(CursorOf(Laid("abc", 1, 80)), Place(0, 3));
  EXPECT_EQ(CursorOf(Laid("abc", 3, 80)), Place(0, 5));
}

TEST(ShellScreen, WrapsAtTheWidth) {
  EXPECT_EQ(Laid("abc", 0, 5).rows, Rows{"> abc"});
  EXPECT_EQ(Laid("abcd", 0, 5).rows, (Rows{"> abc", "d"}));
  EXPECT_EQ(CursorOf(Laid("abcd", 3, 5)), Place(1, 0));
  EXPECT_EQ(CursorOf(Laid("abcd", 4, 5)), Place(1, 1));
  // The cursor cannot stand behind the last column.
  EXPECT_EQ(Laid("abc", 3, 5).rows, (Rows{"> abc", ""}));
  EXPECT_EQ(CursorOf(Laid("abc", 3, 5)), Place(1, 0));
  EXPECT_EQ(CursorOf(Laid("ab", 2, 5)), Place(0, 4));
  // A width that is none is two columns.
  EXPECT_EQ(Laid("ab", 0, 0).rows, (Rows{"> ", "ab"}));
  EXPECT_EQ(Laid("ab", 0, 1).rows, (Rows{"> ", "ab"}));
  EXPECT_EQ(Laid("ab", 0, 3).rows, (Rows{"> a", "b"}));
}

TEST(ShellScreen, LinesHaveAPromptEach) {
  EXPECT_EQ(Laid("a\nb\n", 4, 80).rows, (Rows{"> a", "+ b", "+ "}));
  EXPECT_EQ(CursorOf(Laid("a\nb\n", 4, 80)), Place(2, 2));
  EXPECT_EQ(CursorOf(Laid("a\nb\n", 1, 80)), Place(0, 3));
  EXPECT_EQ(CursorOf(Laid("a\nb\n", 2, 80)), Place(1, 2));
}

TEST(ShellScreen, WideAndStrangeCharacters) {
  EXPECT_EQ(Laid("\xe6\xbc\xa2x", 3, 80).rows, Rows{"> \xe6\xbc\xa2x"});
  EXPECT_EQ(CursorOf(Laid("\xe6\xbc\xa2x", 3, 80)), Place(0, 4));
  // It does not fit into what is left of the row.
  EXPECT_EQ(Laid("a\xe6\xbc\xa2", 0, 4).rows, (Rows{"> a", "\xe6\xbc\xa2"}));
  EXPECT_EQ(Laid("\x1b\t\xff", 0, 80).rows, Rows{"> \\x1b\\t\\xff"});
  EXPECT_EQ(CursorOf(Laid("\x1b"
                          "a",
                          1, 80)),
            Place(0, 6));
}

TEST(ShellScreen, ColoursAreWholeInEachRow) {
  const Palette on(true);
  const std::string bold(on.bold), blue(on.blue), reset(on.reset), green(on.green);
  EXPECT_EQ(Laid("all x", 0, 80, true).rows, Rows{bold + "> " + reset + blue + "all" + reset + " x"});
  EXPECT_EQ(Laid("all", 0, 4, true).rows, (Rows{bold + "> " + reset + blue + "al" + reset, blue + "l" + reset}));
  EXPECT_EQ(Laid("'a\nb'", 0, 80, true).rows,
            (Rows{bold + "> " + reset + green + "'a" + reset, bold + "+ " + reset + green + "b'" + reset}));
}

TEST(ShellScreen, EveryStyleHasItsColour) {
  const Palette on(true);
  const std::pair<TextStyle, std::string_view> colours[] = {
      {TextStyle::kPlain, ""},       {TextStyle::kKeyword, on.blue},      {TextStyle::kQuoted, on.green},
      {TextStyle::kNumber, on.cyan}, {TextStyle::kParameter, on.magenta}, {TextStyle::kComment, on.dim},
      {TextStyle::kError, on.red}};
  for (const auto& [style, colour] : colours) {
    const InputScreen screen = LayOut({">", "", "x", 0}, {style}, on, 80);
    const std::string end(colour.empty() ? std::string_view() : on.reset);
    EXPECT_EQ(screen.rows, Rows{std::string(on.bold) + ">" + std::string(on.reset) + std::string(colour) + "x" + end});
  }
}

class ShellHistory : public testing::Test {
 protected:
  std::string Text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  static mode_t ModeOf(const std::string& path) {
    struct stat status{};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }

  TemporaryDirectory directory_;
  std::string path_ = directory_.path("history");
};

TEST_F(ShellHistory, WhatIsAddedIsReadBack) {
  const Rows entries = {"a", "two\nlines", "back\\slash\\n", "\\", "a"};
  {
    History history = Must(History::Open(path_));
    EXPECT_TRUE(history.entries().empty());
    for (const std::string& entry : entries) EXPECT_OK(history.Add(entry));
    EXPECT_EQ(history.entries(), entries);
  }
  EXPECT_EQ(Text(), "a\ntwo\\nlines\nback\\\\slash\\\\n\n\\\\\na\n");
  EXPECT_EQ(Must(History::Open(path_)).entries(), entries);
  EXPECT_EQ(ModeOf(path_), 0600u);
}

TEST_F(ShellHistory, TheSameAgainAndNothingAreNotAdded) {
  History history = Must(History::Open(path_));
  EXPECT_OK(history.Add(""));
  EXPECT_FALSE(std::filesystem::exists(path_));
  for (const char* entry : {"a", "a", "b", "", "b", "a"}) EXPECT_OK(history.Add(entry));
  EXPECT_EQ(Text(), "a\nb\na\n");
  History again = Must(History::Open(path_));
  EXPECT_OK(again.Add("a"));
  EXPECT_EQ(Text(), "a\nb\na\n");
}

TEST_F(ShellHistory, AFileThatAnotherHandWrote) {
  Write("a\n\n\nb\\");
  EXPECT_EQ(Must(History::Open(path_)).entries(), (Rows{"a", "b\\"}));
  Write("c\\xd\\n");
  EXPECT_EQ(Must(History::Open(path_)).entries(), (Rows{"cxd\n"}));
}

// Two shells add to one file: each keeps what the other wrote.
TEST_F(ShellHistory, TwoShells) {
  History one = Must(History::Open(path_)), other = Must(History::Open(path_));
  EXPECT_OK(one.Add("a"));
  EXPECT_OK(other.Add("b"));
  EXPECT_OK(one.Add("c"));
  EXPECT_EQ(Must(History::Open(path_)).entries(), (Rows{"a", "b", "c"}));
}

TEST_F(ShellHistory, TheOldestGoWhenThereAreTwiceTooMany) {
  std::string most;
  for (size_t i = 0; i < 2 * History::kMaxEntries; ++i) most += "e\\n" + std::to_string(i) + "\n";
  Write(most);
  chmod(path_.c_str(), 0644);
  EXPECT_EQ(Must(History::Open(path_)).entries().size(), 2 * History::kMaxEntries);
  EXPECT_EQ(Text(), most);
  Write(most + "last\n");
  const History history = Must(History::Open(path_));
  ASSERT_EQ(history.entries().size(), History::kMaxEntries);
  EXPECT_EQ(history.entries().front(), "e\n" + std::to_string(History::kMaxEntries + 1));
  EXPECT_EQ(history.entries().back(), "last");
  EXPECT_EQ(Must(History::Open(path_)).entries(), history.entries());
  EXPECT_EQ(ModeOf(path_), 0600u);
}

TEST_F(ShellHistory, DirectoriesAreMadeForItsOwnerAlone) {
  path_ = directory_.path("state/oscope/history");
  History history = Must(History::Open(path_));
  EXPECT_FALSE(std::filesystem::exists(directory_.path("state")));
  EXPECT_OK(history.Add("a"));
  EXPECT_EQ(Text(), "a\n");
  EXPECT_EQ(ModeOf(directory_.path("state/oscope")), 0700u);
}

// A directory that was there stays as it is.
TEST_F(ShellHistory, ADirectoryThatIsThereIsNotChanged) {
  std::filesystem::create_directory(directory_.path("state"));
  chmod(directory_.path("state").c_str(), 0755);
  path_ = directory_.path("state/history");
  History history = Must(History::Open(path_));
  EXPECT_OK(history.Add("a"));
  EXPECT_EQ(ModeOf(directory_.path("state")), 0755u);
}

TEST_F(ShellHistory, WithoutAPathItIsKeptInMemory) {
  History history = Must(History::Open(""));
  EXPECT_OK(history.Add("a"));
  EXPECT_OK(history.Add("b"));
  EXPECT_EQ(history.entries(), (Rows{"a", "b"}));
}

TEST_F(ShellHistory, WhatCannotBeReadOrWrittenIsTold) {
  std::filesystem::create_directory(path_);
  EXPECT_FALSE(History::Open(path_).ok());
  Write("");
  std::filesystem::remove(path_);
  // It cannot be opened: what should be its directory is a file.
  const std::string file = directory_.path("file");
  std::ofstream(file) << "x";
  History nowhere = Must(History::Open(directory_.path("not/there")));
  std::ofstream(directory_.path("not")) << "x";
  const Status opened = nowhere.Add("a");
  ASSERT_FALSE(opened.ok());
  EXPECT_TRUE(opened.error().message.starts_with("open ")) << opened.error().message;
  // The device is reached through a link, and is full.
  const std::string full = directory_.path("full");
  History history = Must(History::Open(full));
  std::filesystem::create_symlink("/dev/full", full);
  const Status written = history.Add("a");
  ASSERT_FALSE(written.ok());
  EXPECT_TRUE(written.error().message.starts_with("write ")) << written.error().message;
}

TEST_F(ShellHistory, WhereItIs) {
  const auto with = [](const char* own, const char* state, const char* home) {
    for (const auto& [name, value] :
         {std::pair{"OSCOPE_HISTORY", own}, std::pair{"XDG_STATE_HOME", state}, std::pair{"HOME", home}}) {
      value == nullptr ? unsetenv(name) : setenv(name, value, 1);
    }
    return HistoryPath();
  };
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  EXPECT_EQ(with("/own", "/state", "/home"), "/own");
  EXPECT_EQ(with("", "/state", "/home"), "/state/oscope/history");
  EXPECT_EQ(with(nullptr, "/state", "/home"), "/state/oscope/history");
  EXPECT_EQ(with(nullptr, "", "/home"), "/home/.local/state/oscope/history");
  EXPECT_EQ(with(nullptr, nullptr, nullptr), "");
  EXPECT_EQ(with(nullptr, nullptr, ""), "");
  with(nullptr, nullptr, home.c_str());
}

}  // namespace
}  // namespace oscope::cli
