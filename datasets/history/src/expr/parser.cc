#include "quill/expr/parser.h"

namespace quill::expr {
namespace {

constexpr int kPowerStrength = 7;

// 0 for what stands between no two operands.
int Strength(const Token& token) {
  if (token.kind != TokenKind::kOperator) return 0;
  const std::string& text = token.text;
  if (text == "||") return 1;
  if (text == "&&") return 2;
  if (text == "==" || text == "!=") return 3;
  if (text == "<" || text == "<=" || text == ">" || text == ">=") return 4;
  if (text == "+" || text == "-") return 5;
  if (text == "*" || text == "/" || text == "%") return 6;
  if (text == "^") return kPowerStrength;
  return 0;
}

NodePtr MakeBinary(const std::string& operation, NodePtr left, NodePtr right) {
  if (operation == "||" || operation == "&&") {
    return std::make_unique<Junction>(operation == "&&", std::move(left), std::move(right));
  }
  if (operation.size() == 1 &&
      std::string_view("+-*/%^").find(operation) != std::string_view::npos) {
    return std::make_unique<Arithmetic>(operation[0], std::move(left), std::move(right));
  }
  return std::make_unique<Comparison>(operation, std::move(left), std::move(right));
}

}  // namespace

Parser::Parser(std::string_view text, pool::StringPool& names, const FunctionTable& functions)
    : lexer_(text), token_(lexer_.Next()), names_(names), functions_(functions) {}

NodePtr Parser::ParseAll() {
  NodePtr node = ParseConditional();
  if (token_.kind != TokenKind::kEnd) Fail("unexpected '" + token_.text + "'");
  return node;
}

bool Parser::Is(std::string_view operation) const {
  return token_.kind == TokenKind::kOperator && token_.text == operation;
}

bool Parser::Take(std::string_view operation) {
  if (!Is(operation)) return false;
  token_ = lexer_.Next();
  return true;
}

void Parser::Expect(std::string_view operation) {
  if (!Take(operation)) Fail("expected '" + std::string(operation) + "'");
}

void Parser::Fail(const std::string& what) const { throw ParseError(what, token_.position); }

NodePtr Parser::ParseConditional() {
  NodePtr condition = ParseBinary(1);
  if (!Take("?")) return condition;
  NodePtr yes = ParseConditional();
  Expect(":");
  NodePtr no = ParseConditional();
  return std::make_unique<Conditional>(std::move(condition), std::move(yes), std::move(no));
}

NodePtr Parser::ParseBinary(int weakest) {
  NodePtr left = ParseUnary();
  for (;;) {
    const int strength = Strength(token_);
    if (strength == 0 || strength < weakest) return left;
    const std::string operation = token_.text;
    token_ = lexer_.Next();
    const bool right_first = strength == kPowerStrength;
    NodePtr right = ParseBinary(right_first ? strength : strength + 1);
    left = MakeBinary(operation, std::move(left), std::move(right));
  }
}

NodePtr Parser::ParseUnary() {
  // "^" is stronger than a sign before its left side: -2^2 is -(2^2).
  if (Take("-")) return std::make_unique<Negation>(ParseBinary(kPowerStrength));
  if (Take("!")) return std::make_unique<Inversion>(ParseUnary());
  return ParsePrimary();
}

NodePtr Parser::ParsePrimary() {
  const Token token = token_;
  if (Take("(")) {
    NodePtr inner = ParseConditional();
    Expect(")");
    return inner;
  }
  if (token.kind == TokenKind::kEnd) Fail("unexpected end");
  if (token.kind == TokenKind::kOperator) Fail("unexpected '" + token.text + "'");
  token_ = lexer_.Next();
  if (token.kind == TokenKind::kNumber) return std::make_unique<Literal>(token.number);
  if (token.kind == TokenKind::kText) return std::make_unique<Literal>(token.text);
  if (Is("(")) return token.text == "sum" ? ParseSum() : ParseCall(token.text);
  if (token.text == "true") return std::make_unique<Literal>(true);
  if (token.text == "false") return std::make_unique<Literal>(false);
  return std::make_unique<Variable>(token.text, names_.Intern(token.text));
}

NodePtr Parser::ParseCall(const std::string& name) {
  const Function* const function = functions_.Find(name);
  if (function == nullptr) Fail("no function '" + name + "'");
  std::vector<NodePtr> arguments = ParseArguments();
  if (arguments.size() < function->min_arguments) Fail("too few arguments for '" + name + "'");
  if (arguments.size() > function->max_arguments) Fail("too many arguments for '" + name + "'");
  return std::make_unique<Call>(*function, std::move(arguments));
}

NodePtr Parser::ParseSum() {
  Expect("(");
  if (token_.kind != TokenKind::kName) Fail("expected a variable");
  const pool::Symbol variable = names_.Intern(token_.text);
  token_ = lexer_.Next();
  Expect(",");
  NodePtr first = ParseConditional();
  Expect(",");
  NodePtr last = ParseConditional();
  Expect(",");
  NodePtr term = ParseConditional();
  Expect(")");
  return std::make_unique<Sum>(variable, std::move(first), std::move(last), std::move(term));
}

std::vector<NodePtr> Parser::ParseArguments() {
  std::vector<NodePtr> arguments;
  Expect("(");
  if (Take(")")) return arguments;
  do {
    arguments.push_back(ParseConditional());
  } while (Take(","));
  Expect(")");
  return arguments;
}

}  // namespace quill::expr
