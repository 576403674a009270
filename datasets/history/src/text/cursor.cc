#include "quill/text/cursor.h"

namespace quill::text {

char Cursor::Peek(size_t ahead) const {
  return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0';
}

char Cursor::Next() {
  if (AtEnd()) Fail("unexpected end");
  const char passed = text_[offset_++];
  if (passed == '\n') {
    ++position_.line;
    position_.column = 1;
  } else {
    ++position_.column;
  }
  return passed;
}

bool Cursor::Consume(char wanted) {
  if (AtEnd() || text_[offset_] != wanted) return false;
  Next();
  return true;
}

bool Cursor::Consume(std::string_view wanted) {
  if (text_.substr(offset_, wanted.size()) != wanted) return false;
  for (size_t i = 0; i < wanted.size(); ++i) Next();
  return true;
}

void Cursor::Expect(char wanted) {
  if (!Consume(wanted)) Fail(std::string("expected '") + wanted + "'");
}

void Cursor::SkipBlanks(bool lines) {
  TakeWhile(
      [lines](char c) { return c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r')); });
}

std::string_view Cursor::TakeLine() {
  return TakeWhile([](char c) { return c != '\n'; });
}

void Cursor::Fail(const std::string& what) const { throw ParseError(what, position_); }

}  // namespace quill::text
