// Writes JSON text.
#pragma once

#include <string>
#include <string_view>

#include "quill/json/value.h"

namespace quill::json {

struct WriteOptions {
  size_t indent = 0;        // blanks a level; 0 writes one line
  bool ascii_only = false;  // \u for all that is not ASCII
};

std::string Write(const Value& value, const WriteOptions& options = {});

class Writer {
 public:
  explicit Writer(const WriteOptions& options) : options_(options) {}
  void Add(const Value& value);
  const std::string& text() const { return out_; }

 private:
  void AddArray(const Array& array);
  void AddObject(const Object& object);
  void AddNumber(double number);
  void AddString(std::string_view text);
  void AddCharacter(char c);
  void AddUnit(uint32_t unit);
  void AddCodePoint(uint32_t code_point);
  void NewLine();

  WriteOptions options_;
  size_t depth_ = 0;
  std::string out_;
};

}  // namespace quill::json
