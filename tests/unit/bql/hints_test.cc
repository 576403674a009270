#include "bql/syntax/hints.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "bql/syntax/parse.h"

namespace oscope::bql {
namespace {

// `|` marks the cursor (the last one in the text).
SyntaxHints At(std::string text) {
  const size_t cursor = text.rfind('|');
  text.erase(cursor, 1);
  return HintsAt(text, static_cast<uint32_t>(cursor));
}

bool HasKeyword(const SyntaxHints& hints, std::string_view keyword) {
  return std::find(hints.keywords.begin(), hints.keywords.end(), keyword) != hints.keywords.end();
}

TEST(Hints, OfferStatementsAtTheBeginning) {
  EXPECT_TRUE(HasKeyword(At("|"), "SELECT"));
  EXPECT_TRUE(HasKeyword(At("SEL|"), "SELECT"));
  EXPECT_TRUE(HasKeyword(At("SHOW QUERIES; |"), "CALL"));
  EXPECT_EQ(At("SHOW QUERIES; SEL|").replace_begin, 14u);
}

TEST(Hints, OfferProjectsAfterFrom) {
  EXPECT_TRUE(At("SELECT b FROM |").projects);
  EXPECT_TRUE(At("SELECT b FROM Rhino, Co|").projects);
  EXPECT_TRUE(HasKeyword(At("SELECT b FROM Rhino |"), "WHERE"));
}

TEST(Hints, OfferPredicatesAndVariablesInWhere) {
  EXPECT_TRUE(HasKeyword(At("SELECT bug WHERE |"), "INTERSECT?("));
  EXPECT_TRUE(HasKeyword(At("SELECT bug WHERE bug.id = 'x' AND S|"), "SUBSET?("));
  EXPECT_EQ(At("SELECT a, b WHERE |").variables, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(HasKeyword(At("SELECT b WHERE b.id = 'x' |"), "ORDER BY"));
}

TEST(Hints, OfferFieldsAfterADot) {
  EXPECT_TRUE(At("SELECT b WHERE b.|").fields);
  EXPECT_TRUE(At("SELECT b WHERE b.sta|").fields);
  EXPECT_TRUE(At("SELECT b.|").fields);
  EXPECT_TRUE(HasKeyword(At("SELECT b WHERE SUBSET?(b.|"), "failing"));
}

TEST(Hints, OfferBugsInPredicates) {
  EXPECT_TRUE(At("SELECT b WHERE SUBSET?(|").bugs);
  EXPECT_TRUE(At("SELECT b WHERE SUBSET?(b, b5|").bugs);
  EXPECT_TRUE(At("SELECT b WHERE SUBSET?(b, `Rhi|").bugs);
  EXPECT_TRUE(HasKeyword(At("SELECT b WHERE INTERSECT?(b, \"x\", |"), "n => "));
}

TEST(Hints, OfferEventsInQuotes) {
  const SyntaxHints hints = At("SELECT b WHERE SUBSET?(b, \"open net::Soc|");
  EXPECT_TRUE(hints.events);
  EXPECT_EQ(hints.replace_begin, 32u);
  EXPECT_FALSE(At("SELECT b WHERE b.title = \"op|").events);
  EXPECT_TRUE(At("SELECT b WHERE SUBSET?(PROJ(b, \"re|").events);
  EXPECT_TRUE(HasKeyword(At("SELECT b WHERE SUBSET?(PROJ(b, st|"), "stack"));
}

TEST(Hints, OfferMetricsQueriesAndParameters) {
  EXPECT_TRUE(At("SELECT b WHERE b.id = 'x' DISTANCE |").metrics);
  EXPECT_TRUE(At("CALL suf|").saved_queries);
  EXPECT_TRUE(At("DROP QUERY |").saved_queries);
  EXPECT_TRUE(At("SELECT b WHERE SUBSET?(b[:l|").parameters);
}

// What holds wherever the cursor stands: the word to replace ends there and holds no blank, and only the text before it
// counts.
void ExpectSound(std::string_view text, uint32_t cursor) {
  const SyntaxHints hints = HintsAt(text, cursor);
  const auto end = static_cast<uint32_t>(std::min<size_t>(cursor, text.size()));
  const std::string_view before = text.substr(0, end);
  ASSERT_LE(hints.replace_begin, end) << text << " at " << cursor;
  EXPECT_EQ(before.substr(hints.replace_begin).find_first_of(" \t\n,()"), std::string_view::npos)
      << text << " at " << cursor;
  EXPECT_TRUE(std::is_sorted(hints.keywords.begin(), hints.keywords.end())) << text << " at " << cursor;
  EXPECT_EQ(std::adjacent_find(hints.keywords.begin(), hints.keywords.end()), hints.keywords.end())
      << text << " at " << cursor;
  for (const std::string& variable : hints.variables)
    EXPECT_NE(before.find(variable), std::string_view::npos) << variable << " is in no SELECT of " << text;
  const SyntaxHints again = HintsAt(before, end);
  EXPECT_EQ(again.keywords, hints.keywords);
  EXPECT_EQ(again.variables, hints.variables);
  EXPECT_EQ(again.replace_begin, hints.replace_begin);
  EXPECT_EQ((std::vector{again.projects, again.bugs, again.events, again.fields, again.metrics, again.saved_queries,
                         again.parameters}),
            (std::vector{hints.projects, hints.bugs, hints.events, hints.fields, hints.metrics, hints.saved_queries,
                         hints.parameters}));
}

TEST(Hints, StandAnyTextAndCursor) {
  for (const char* text : {"", "(((", ")))", "'", "\"", "`", ":", "SELECT ( , ) . ; ? ??",
                           "SELECT a, b FROM ALL WHERE SUBSET?(a[:len], \"x -> y\")"}) {
    for (uint32_t cursor = 0; cursor < 60; ++cursor) ExpectSound(text, cursor);
    ExpectSound(text, UINT32_MAX);
  }
  std::mt19937 random(3);
  const std::string_view pieces[] = {"SELECT ", "b",         ", ",        "FROM ", "ALL ",  "WHERE ", "SUBSET?(",
                                     "PROJ(",   ")",         "\"",        "'x' ",  "b.",    "title ", "; ",
                                     ":",       "DISTANCE ", "ORDER BY ", "CALL ", "-- c\n"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
    ExpectSound(text, static_cast<uint32_t>(random() % (text.size() + 2)));
  }
}

// A keyword that is offered at the beginning of a statement is one that the grammar takes there, and a word that is not
// offered is not.
TEST(Hints, OfferWhatTheGrammarTakes) {
  const std::pair<std::string, std::string> statements[] = {{"SELECT", " b WHERE b.id = 'x'"},
                                                            {"EXPLAIN", " SELECT b WHERE b.id = 'x'"},
                                                            {"SHOW QUERIES", ""},
                                                            {"DROP QUERY", " q"},
                                                            {"CALL", " q()"},
                                                            {"CREATE QUERY", " q AS SELECT b WHERE b.id = 'x'"}};
  std::vector<std::string> taken;
  for (const auto& [keyword, rest] : statements) {
    EXPECT_TRUE(ParseStatement(keyword + rest).ok())
        << keyword << rest << "\n"
        << RenderShort(keyword + rest, ParseStatement(keyword + rest).diagnostics);
    taken.push_back(keyword);
  }
  std::sort(taken.begin(), taken.end());
  EXPECT_EQ(At("|").keywords, taken);
  for (const std::string& tail : At("SELECT b WHERE b.id = 'x' |").keywords) {
    static const std::map<std::string, std::string> kRests = {
        {"DISTANCE", " lcs"}, {"LIMIT", " 1"},        {"OFFSET", " 1"},     {"ORDER BY", " distance"},
        {"WITH SELF", ""},    {"AND", " b.id = 'y'"}, {"OR", " b.id = 'y'"}};
    const auto rest = kRests.find(tail);
    if (rest == kRests.end()) continue;  // an operator of a field, which has one here
    const std::string text = "SELECT b WHERE b.id = 'x' " + tail + rest->second;
    EXPECT_TRUE(ParseStatement(text).ok()) << text << "\n" << RenderShort(text, ParseStatement(text).diagnostics);
  }
}

}  // namespace
}  // namespace oscope::bql
