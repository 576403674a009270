// JSON Pointer (RFC 6901): "/servers/0/na~1me" is a place in a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quill/json/value.h"

namespace quill::json {

class Pointer {
 public:
  // Fails if the text is neither empty nor begins with '/'.
  static Pointer FromText(std::string_view text);

  // "~" is written "~0" and "/" is written "~1".
  std::string ToText() const;
  Pointer& Append(std::string name);

  // Null if there is nothing at the place.
  const Value* Find(const Value& root) const;
  // Sets the value at the place; objects on the way are made, "-" adds to an array.
  void Set(Value& root, Value value) const;
  // False if there was nothing.
  bool Remove(Value& root) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace quill::json
