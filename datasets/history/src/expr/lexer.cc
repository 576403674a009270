#include "quill/expr/lexer.h"

#include <cstdlib>

#include "quill/text/strings.h"

namespace quill::expr {

Token Lexer::Next() {
  cursor_.SkipBlanks(true);
  const Position position = cursor_.position();
  Token token;
  if (cursor_.AtEnd()) {
    token.kind = TokenKind::kEnd;
  } else if (text::IsDigit(cursor_.Peek())) {
    token = ReadNumber();
  } else if (text::IsLetter(cursor_.Peek())) {
    token.kind = TokenKind::kName;
    token.text = cursor_.TakeWhile(text::IsNameCharacter);
  } else if (cursor_.Peek() == '"') {
    token = ReadText();
  } else {
    token = ReadOperator();
  }
  token.position = position;
  return token;
}

Token Lexer::ReadNumber() {
  Token token;
  token.kind = TokenKind::kNumber;
  token.text = cursor_.TakeWhile(text::IsDigit);
  if (cursor_.Peek() == '.' && text::IsDigit(cursor_.Peek(1))) {
    token.text += cursor_.Next();
    token.text += cursor_.TakeWhile(text::IsDigit);
  }
  token.number = std::strtod(token.text.c_str(), nullptr);
  return token;
}

Token Lexer::ReadText() {
  Token token;
  token.kind = TokenKind::kText;
  cursor_.Expect('"');
  while (!cursor_.Consume('"')) {
    cursor_.Consume('\\');
    token.text += cursor_.Next();
  }
  return token;
}

Token Lexer::ReadOperator() {
  Token token;
  token.kind = TokenKind::kOperator;
  for (const std::string_view both : {"&&", "||", "==", "!=", "<=", ">="}) {
    if (cursor_.Consume(both)) {
      token.text = both;
      return token;
    }
  }
  constexpr std::string_view kSingle = "+-*/%^!<>?:(),";
  if (kSingle.find(cursor_.Peek()) == std::string_view::npos) cursor_.Fail("unknown operator");
  token.text = cursor_.Next();
  return token;
}

}  // namespace quill::expr
