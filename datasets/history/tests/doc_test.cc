#include <gtest/gtest.h>

#include "quill/doc/markup.h"
#include "quill/doc/outline.h"
#include "quill/doc/render.h"

namespace quill::doc {
namespace {

Document Read(std::string_view text) { return MarkupReader(text).Read(); }

TEST(Markup, ReadsEveryBlock) {
  const Document document = Read(
      "# Title\n\nSome text\nover lines.\n\n- one\n  1. inner\n- two\n\n| a | b |\n| 1 | 2 "
      "|\n\n```\ncode\n```\n");
  ASSERT_EQ(document.blocks().size(), 5u);
  EXPECT_EQ(RenderText(document),
            "Title\n=====\n\nSome text over lines.\n\n- one\n  1. inner\n- two\n\na  b\n-  -\n1  "
            "2\n\n    code\n");
}

TEST(Markup, BlocksNeedNoEmptyLineBetween) {
  EXPECT_EQ(Read("text\n# Title\ntext\n- item\n```\ncode\n").blocks().size(), 5u);
}

TEST(Render, AlignsGrids) {
  Document document;
  Grid& grid = document.Add<Grid>(std::vector<std::string>{"item", "price"});
  grid.AddRow({"tea", "2"});
  grid.AddRow({"croissants", "12"});
  grid.Align(1, layout::Side::kRight);
  EXPECT_EQ(RenderText(document),
            "item        price\n----------  -----\ntea             2\ncroissants     12\n");
}

TEST(Render, ListItemsFillTheirLines) {
  EXPECT_EQ(RenderText(Read("1. alpha beta gamma\n2. x\n   - left\n"), 13),
            "1. alpha beta\n   gamma\n2. x\n  - left\n");
}

TEST(Render, ParagraphsInGreek) {
  const Document document = Read(
      "# Letters\n\nThe first seven, in three groups:\n\n- small ones\n\n"
      "\xce\xb1\xce\xb2\xce\xb3 \xce\xb4\xce\xb5 \xce\xb6\xce\xb7\n");
  const std::string text = RenderText(document, 12);
  EXPECT_NE(text.find("\n\xce\xb1\xce\xb2\xce\xb3 \xce\xb4\xce\xb5 \xce\xb6\xce\xb7\n"),
            std::string::npos);
}

TEST(Render, JustifiedTextWithAnAddress) {
  const Document document =
      Read("# News\n\nWrite\nhttps://www.example.org/contact or call us on any day.\n");
  const std::string text = RenderText(document, 24, true);
  EXPECT_NE(text.find("\nhttps://www.example.org/contact\n"), std::string::npos);
}

TEST(Html, WritesEveryBlock) {
  EXPECT_EQ(RenderHtml(Read("## Part\n\ntext\n\n1. a\n2. b\n\n| x |\n| y |\n")),
            "<h2>Part</h2>\n<p>text</p>\n<ol><li>a</li><li>b</li></ol>\n"
            "<table><tr><th>x</th></tr><tr><td>y</td></tr></table>\n");
}

TEST(Html, EscapesMarks) {
  for (const char* const plain : {"", "words", "a sentence; with signs!", "50 % (half)", "it's"}) {
    EXPECT_EQ(EscapeHtml(plain), plain);
  }
  HtmlRenderer renderer;
  for (size_t level = 1; level <= 6; ++level) {
    Heading(level, "Part " + std::to_string(level)).Accept(renderer);
    Paragraph("text of part " + std::to_string(level)).Accept(renderer);
  }
  Paragraph("a < b & c > \"d\"").Accept(renderer);
  EXPECT_NE(renderer.text().find("<p>a &lt; b &amp; c &gt; &quot;d&quot;</p>"), std::string::npos);
}

TEST(Html, EscapesLimits) {
  for (const char* const plain : {"nothing to do here", "10.5", "(one | two)"}) {
    EXPECT_EQ(EscapeHtml(plain), plain);
  }
  HtmlRenderer renderer;
  Heading(1, "Limits").Accept(renderer);
  for (int guests = 10; guests <= 80; guests += 10) {
    Paragraph("a room for " + std::to_string(guests) + " guests").Accept(renderer);
  }
  Heading(2, "In short").Accept(renderer);
  Paragraph("if x >= 10 and y <= 80").Accept(renderer);
  EXPECT_NE(renderer.text().find("<p>if x &gt;= 10 and y &lt;= 80</p>"), std::string::npos);
}

TEST(Html, CodeStaysReadable) {
  const std::string html = RenderHtml(Read(
      "# Pointers\n\nA pointer may be null:\n\n- look before you use it\n- or have a reference\n\n"
      "```\nif (a < b && *p) {\n}\n```\n"));
  EXPECT_NE(html.find("<pre>if (a &lt; b &amp;&amp; *p) {\n}</pre>"), std::string::npos);
}

TEST(Html, GridsOfOperators) {
  const std::string html = RenderHtml(Read(
      "## Operators\n\n| sign | name | example |\n| + | plus | a + b |\n| * | times | a * b |\n"
      "| < | less | a < b |\n| > | more | a > b |\n"));
  EXPECT_NE(html.find("<td>&lt;</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>a &gt; b</td>"), std::string::npos);
}

TEST(Outline, NumbersSections) {
  const Document document = Read("# A\n\n## B\n\ntext\n\n### C\n\n## D\n");
  EXPECT_EQ(Outline(document).ToText(), "1 A\n  1.1 B\n    1.1.1 C\n  1.2 D\n");
  EXPECT_EQ(Outline(document).NumberOf("D"), "1.2");
  EXPECT_EQ(Outline(document).NumberOf("E"), "");
}

TEST(Outline, ADocumentMayHaveTwoTitles) {
  const Outline outline(
      Read("# First\n\nSome words about it.\n\n## Part\n\n- one\n- two\n\n## Other part\n\n### "
           "Detail\n\n"
           "# Second\n\nMore words.\n"));
  ASSERT_EQ(outline.top().size(), 2u);
  EXPECT_EQ(outline.top()[1]->number, "2");
}

TEST(Outline, EverySeasonMayHaveATitle) {
  const Outline outline(
      Read("# Spring\n\nWe sow.\n\n# Summer\n\n## June\n\nHay.\n\n## August\n\n1. wheat\n2. rye\n"
           "3. oats\n\n# Autumn\n\n| fruit | crates |\n| apples | 12 |\n\n## October\n"));
  ASSERT_EQ(outline.top().size(), 3u);
  EXPECT_EQ(outline.top()[2]->number, "3");
}

TEST(Outline, ASectionMayComeBeforeTheTitle) {
  EXPECT_EQ(Outline(Read("### Note\n\nwords\n\n- list\n- of\n- things\n\n| a | b |\n| 1 | 2 |\n\n"
                         "# Title\n\n## Part\n"))
                .ToText(),
            "1 Note\n2 Title\n  2.1 Part\n");
}

TEST(Outline, ReturnsFromDeepSections) {
  Document document;
  document.Add<Heading>(2, "Start");
  for (size_t level = 3; level < 9; ++level) {
    for (int i = 0; i < 3; ++i) {
      document.Add<Heading>(level, "Detail " + std::to_string(i));
      document.Add<Paragraph>("text");
    }
  }
  document.Add<Heading>(2, "End");
  EXPECT_EQ(Outline(document).NumberOf("End"), "2");
}

}  // namespace
}  // namespace quill::doc
