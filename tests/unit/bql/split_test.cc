#include "bql/syntax/split.h"

#include <gtest/gtest.h>

namespace oscope::bql {
namespace {

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const StatementText& statement : SplitStatements(text)) texts.emplace_back(statement.text);
  return texts;
}

using Strings = std::vector<std::string>;

TEST(SplitStatements, EndsEachAtASemicolon) {
  EXPECT_EQ(Texts("a; b ;c"), (Strings{"a", "b", "c"}));
  EXPECT_EQ(Texts(""), Strings{});
  EXPECT_EQ(Texts(" ;; -- nothing\n;"), Strings{});
}

TEST(SplitStatements, PassesOverQuotesCommentsAndRegularExpressions) {
  EXPECT_EQ(Texts("a ';' b; c"), (Strings{"a ';' b", "c"}));
  EXPECT_EQ(Texts("a 'it''s;' \";\" `;`; c"), (Strings{"a 'it''s;' \";\" `;`", "c"}));
  EXPECT_EQ(Texts("a -- ; x ' \n b; c"), (Strings{"a -- ; x ' \n b", "c"}));
  EXPECT_EQ(Texts("PROJ(b, /x;y/); c"), (Strings{"PROJ(b, /x;y/)", "c"}));
  EXPECT_EQ(Texts("PROJ(b, !/x\\/;y/); c"), (Strings{"PROJ(b, !/x\\/;y/)", "c"}));
  EXPECT_EQ(Texts("PROJ(b, org/apache/*); x/y"), (Strings{"PROJ(b, org/apache/*)", "x/y"}));
}

TEST(SplitStatements, SaysWhetherTheLastIsFinished) {
  const auto statements = SplitStatements("a;\n  b ");
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_TRUE(statements[0].finished);
  EXPECT_FALSE(statements[1].finished);
  EXPECT_EQ(statements[1].offset, 5u);
  EXPECT_FALSE(statements[1].open_quote);
  EXPECT_TRUE(SplitStatements("a 'b; c").front().open_quote);
}

}  // namespace
}  // namespace oscope::bql
