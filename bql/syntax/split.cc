// Cuts a text into statements with the token scanner, so that a `;` in a quote, a comment or a regular expression does
// not end one.
#include "bql/syntax/split.h"

#include "bql/syntax/scan.h"

namespace oscope::bql {

std::vector<StatementText> SplitStatements(std::string_view text) {
  std::vector<StatementText> statements;
  TokenScanner scanner(text);
  bool started = false;
  size_t begin = 0, end = 0;
  bool open_quote = false;
  const auto finish = [&](bool finished) {
    if (started)
      statements.push_back({text.substr(begin, end - begin), static_cast<uint32_t>(begin), finished, open_quote});
    started = false;
  };
  for (Token token = scanner.Next(); token.kind != Token::Kind::kEnd; token = scanner.Next()) {
    if (token.In(text) == ";") {
      finish(true);
      continue;
    }
    if (!started) begin = token.begin;
    started = true;
    end = token.end;
    open_quote = !token.closed;
  }
  finish(false);
  return statements;
}

}  // namespace oscope::bql
