// Makes nodes of the text of an expression. From weak to strong:
//   a ? b : c    ||    &&    == !=    < <= > >=    + -    * / %    -a !a    a ^ b
// "^" takes its right side first (2^3^2 is 2^9); all others their left side.
#pragma once

#include <string_view>
#include <vector>

#include "quill/expr/lexer.h"
#include "quill/expr/node.h"

namespace quill::expr {

class Parser {
 public:
  // Names of variables go to `names`; the nodes point into `functions`.
  Parser(std::string_view text, pool::StringPool& names, const FunctionTable& functions);
  // The whole text as one expression; fails with ParseError.
  NodePtr ParseAll();

 private:
  bool Is(std::string_view operation) const;
  bool Take(std::string_view operation);
  void Expect(std::string_view operation);
  [[noreturn]] void Fail(const std::string& what) const;

  NodePtr ParseConditional();
  NodePtr ParseBinary(int weakest);
  NodePtr ParseUnary();
  NodePtr ParsePrimary();
  NodePtr ParseCall(const std::string& name);
  NodePtr ParseSum();
  std::vector<NodePtr> ParseArguments();

  Lexer lexer_;
  Token token_;
  pool::StringPool& names_;
  const FunctionTable& functions_;
};

}  // namespace quill::expr
