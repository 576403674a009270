// The examples of bql/LANGUAGE.md are queries: those in ```bql blocks are right, those in ```bql-error blocks are not,
// and the lines after the query there are what is told.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "bql/check/check.h"
#include "bql/syntax/split.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

struct Block {
  std::string language, text;
  int line = 0;
};

std::vector<Block> BlocksOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), "", number});
      inside = !inside;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

class LanguageTest : public ::testing::Test {
 protected:
  LanguageTest() {
    context_.parameters = {{"tbug", "b1"},       {"len", "50"}, {"distance", "10"}, {"alpha", "'escapeJava'"},
                           {"project", "Rhino"}, {"a", "open"}};
  }
  const std::string path_ = OSCOPE_SOURCE_DIR "/bql/LANGUAGE.md";
  ListCatalog catalog_;
  CheckContext context_;
};

TEST_F(LanguageTest, ExamplesAreRight) {
  int statements = 0;
  for (const Block& block : BlocksOf(path_)) {
    if (block.language != "bql") continue;
    for (const StatementText& statement : SplitStatements(block.text)) {
      const CheckedStatement checked = Compile(statement.text, catalog_, context_);
      EXPECT_TRUE(checked.ok()) << "LANGUAGE.md:" << block.line << "\n"
                                << RenderDiagnostics(statement.text, checked.diagnostics);
      ++statements;
    }
  }
  EXPECT_GT(statements, 60);
}

TEST_F(LanguageTest, WrongExamplesAreToldOfAsShown) {
  int examples = 0;
  for (const Block& block : BlocksOf(path_)) {
    if (block.language != "bql-error") continue;
    const size_t end = block.text.find('\n');
    const std::string query = block.text.substr(0, end);
    EXPECT_EQ(RenderShort(query, Compile(query, catalog_, context_).diagnostics), block.text.substr(end + 1))
        << "LANGUAGE.md:" << block.line;
    ++examples;
  }
  EXPECT_GT(examples, 8);
}

}  // namespace
}  // namespace oscope::bql
