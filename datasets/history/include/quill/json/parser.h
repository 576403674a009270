// Reads JSON text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quill/json/value.h"
#include "quill/text/cursor.h"

namespace quill::json {

struct ParseOptions {
  size_t max_depth = 64;
  bool comments = false;  // "// to the end of the line", as people write into settings
};

// Fails with ParseError. An integer that does not fit 64 bits becomes a double; half a surrogate
// pair becomes U+FFFD.
Value Parse(std::string_view text, const ParseOptions& options = {});

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options) : cursor_(text), options_(options) {}
  Value ParseDocument();

 private:
  // Counts one level of nesting for as long as it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting();

   private:
    Parser& parser_;
  };

  void SkipBlanks();
  Value ParseValue();
  Value ParseObject();
  Value ParseArray();
  Value ParseNumber();
  std::string ParseString();
  void ParseEscape(std::string& out);
  uint32_t ParseCodePoint();
  uint32_t ParseHex4();

  text::Cursor cursor_;
  ParseOptions options_;
  size_t depth_ = 0;
};

}  // namespace quill::json
