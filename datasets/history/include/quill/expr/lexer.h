// Cuts the text of an expression into tokens.
#pragma once

#include <string>
#include <string_view>

#include "quill/text/cursor.h"

namespace quill::expr {

enum class TokenKind { kNumber, kText, kName, kOperator, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  double number = 0;
  Position position;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : cursor_(text) {}
  // Fails with ParseError; a kEnd token at the end, however often.
  Token Next();

 private:
  Token ReadNumber();
  Token ReadText();
  Token ReadOperator();

  text::Cursor cursor_;
};

}  // namespace quill::expr
