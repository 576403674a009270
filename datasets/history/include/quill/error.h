// What quill throws: Error for everything, ParseError where a position in a text is known.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace quill {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Both count from 1.
struct Position {
  size_t line = 1;
  size_t column = 1;
};

class ParseError : public Error {
 public:
  ParseError(const std::string& what, Position position);
  Position position() const { return position_; }

 private:
  Position position_;
};

}  // namespace quill
