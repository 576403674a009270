#include "bql/syntax/hints.h"

#include <gtest/gtest.h>

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

TEST(Hints, StandAnyTextAndCursor) {
  for (const char* text : {"", "(((", ")))", "'", "\"", "`", ":", "SELECT ( , ) . ; ? ??"}) {
    for (uint32_t cursor = 0; cursor < 30; ++cursor) HintsAt(text, cursor);
  }
}

}  // namespace
}  // namespace oscope::bql
