#include "quill/error.h"

namespace quill {

ParseError::ParseError(const std::string& what, Position position)
    : Error(std::to_string(position.line) + ":" + std::to_string(position.column) + ": " + what),
      position_(position) {}

}  // namespace quill
