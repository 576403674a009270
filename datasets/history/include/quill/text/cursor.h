// A place in a text that moves forward and knows its line and column. The text must outlive it.
#pragma once

#include <string>
#include <string_view>

#include "quill/error.h"

namespace quill::text {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool AtEnd() const { return offset_ == text_.size(); }
  size_t offset() const { return offset_; }
  Position position() const { return position_; }

  // The character `ahead` of here; '\0' past the end.
  char Peek(size_t ahead = 0) const;
  // Moves over one character; fails at the end.
  char Next();
  // Moves over `wanted` if the text goes on with it.
  bool Consume(char wanted);
  bool Consume(std::string_view wanted);
  // The same, but fails if it does not.
  void Expect(char wanted);
  // Moves over blanks; over line ends too if `lines`.
  void SkipBlanks(bool lines);
  // Moves to the end of the line (not over it) and returns what was passed.
  std::string_view TakeLine();

  // Moves as long as `accepts` says yes, and returns what was passed.
  template <typename Predicate>
  std::string_view TakeWhile(Predicate accepts) {
    const size_t begin = offset_;
    while (!AtEnd() && accepts(text_[offset_])) Next();
    return text_.substr(begin, offset_ - begin);
  }

  [[noreturn]] void Fail(const std::string& what) const;

 private:
  std::string_view text_;
  size_t offset_ = 0;
  Position position_;
};

}  // namespace quill::text
