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
  const Document document = Read("\xce\xb1\xce\xb2\xce\xb3 \xce\xb4\xce\xb5 \xce\xb6\xce\xb7\n");
  EXPECT_EQ(RenderText(document, 10),
            "\xce\xb1\xce\xb2\xce\xb3 \xce\xb4\xce\xb5 \xce\xb6\xce\xb7\n");
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
  EXPECT_EQ(EscapeHtml("a < b & c > \"d\""), "a &lt; b &amp; c &gt; &quot;d&quot;");
}

TEST(Html, CodeStaysReadable) {
  EXPECT_EQ(RenderHtml(Read("```\nif (a < b && *p) {\n}\n```\n")),
            "<pre>if (a &lt; b &amp;&amp; *p) {\n}</pre>\n");
}

TEST(Html, GridsOfOperators) {
  const std::string html = RenderHtml(Read("| sign | name |\n| < | less |\n| > | more |\n"));
  EXPECT_NE(html.find("<td>&lt;</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>&gt;</td>"), std::string::npos);
}

TEST(Outline, NumbersSections) {
  const Document document = Read("# A\n\n## B\n\ntext\n\n### C\n\n## D\n");
  EXPECT_EQ(Outline(document).ToText(), "1 A\n  1.1 B\n    1.1.1 C\n  1.2 D\n");
  EXPECT_EQ(Outline(document).NumberOf("D"), "1.2");
  EXPECT_EQ(Outline(document).NumberOf("E"), "");
}

TEST(Outline, ADocumentMayHaveTwoTitles) {
  const Outline outline(Read("# First\n\n# Second\n"));
  ASSERT_EQ(outline.top().size(), 2u);
  EXPECT_EQ(outline.top()[1]->number, "2");
}

TEST(Outline, ASectionMayComeBeforeTheTitle) {
  EXPECT_EQ(Outline(Read("### Note\n\nwords\n\n- list\n\n# Title\n\n## Part\n")).ToText(),
            "1 Note\n2 Title\n  2.1 Part\n");
}

TEST(Outline, ReturnsFromDeepSections) {
  Document document;
  document.Add<Heading>(2, "Start");
  document.Add<Heading>(4, "Detail");
  document.Add<Paragraph>("text");
  document.Add<Heading>(2, "End");
  EXPECT_EQ(Outline(document).NumberOf("End"), "2");
}

}  // namespace
}  // namespace quill::doc
