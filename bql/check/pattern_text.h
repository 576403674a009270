// The text of a quoted pattern with its parameters put in, and where each byte of it came from.
//
// `:name` at the beginning of a word stands for the parameter's value: in parentheses when it is more than a plain
// name, bare when it is all of the pattern. Not in backquotes and not in /…/. `::name` and `a:b` are names.
//   ":a :b" with a = open, b = "read | write"   ->   open (read | write)
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bql/ast/statement.h"
#include "bql/diagnostic.h"

namespace oscope::bql {

class PatternText {
 public:
  // `value_of` gives the text of a parameter, at its place in the query; it returns an empty text after an error that
  // it has reported.
  using ValueOf = std::function<std::string(const std::string& name, TextSpan span)>;
  // `literal` is a kText. Of one without a place (a parameter's value) everything lies at its span.
  static PatternText FromLiteral(const ast::Term& literal, const ValueOf& value_of);
  static PatternText FromValue(std::string_view text, TextSpan span);

  const std::string& text() const { return text_; }
  // Where a span of `text` lies in the query.
  TextSpan InQuery(TextSpan span) const;

 private:
  void Append(std::string_view text, TextSpan origin);
  void AppendVerbatim(std::string_view text, size_t& source, char quote);

  std::string text_;
  std::vector<TextSpan> origins_;  // one a byte
  TextSpan all_;
};

}  // namespace oscope::bql
