// The parts of a parsed expression. Immutable.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "quill/expr/functions.h"
#include "quill/expr/scope.h"

namespace quill::expr {

class Node {
 public:
  virtual ~Node() = default;
  // Fails with EvaluationError.
  virtual Value Evaluate(const Scope& scope) const = 0;
};

using NodePtr = std::unique_ptr<const Node>;

class Literal : public Node {
 public:
  explicit Literal(Value value) : value_(std::move(value)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  Value value_;
};

class Variable : public Node {
 public:
  Variable(std::string name, pool::Symbol symbol) : name_(std::move(name)), symbol_(symbol) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  std::string name_;
  pool::Symbol symbol_;
};

class Negation : public Node {  // "-a"
 public:
  explicit Negation(NodePtr operand) : operand_(std::move(operand)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  NodePtr operand_;
};

class Inversion : public Node {  // "!a"
 public:
  explicit Inversion(NodePtr operand) : operand_(std::move(operand)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  NodePtr operand_;
};

class Arithmetic : public Node {  // "a + b" and the like; "+" joins texts
 public:
  Arithmetic(char operation, NodePtr left, NodePtr right)
      : operation_(operation), left_(std::move(left)), right_(std::move(right)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  char operation_;
  NodePtr left_;
  NodePtr right_;
};

class Comparison : public Node {  // "a <= b" and the like
 public:
  Comparison(std::string operation, NodePtr left, NodePtr right)
      : operation_(std::move(operation)), left_(std::move(left)), right_(std::move(right)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  std::string operation_;
  NodePtr left_;
  NodePtr right_;
};

class Junction : public Node {  // "a && b", "a || b"; b only if a does not decide
 public:
  Junction(bool all, NodePtr left, NodePtr right)
      : all_(all), left_(std::move(left)), right_(std::move(right)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  bool all_;
  NodePtr left_;
  NodePtr right_;
};

class Conditional : public Node {  // "a ? b : c"
 public:
  Conditional(NodePtr condition, NodePtr yes, NodePtr no)
      : condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  NodePtr condition_;
  NodePtr yes_;
  NodePtr no_;
};

class Call : public Node {  // "max(a, b)"
 public:
  Call(const Function& function, std::vector<NodePtr> arguments)
      : function_(function), arguments_(std::move(arguments)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  const Function& function_;
  std::vector<NodePtr> arguments_;
};

class Sum : public Node {  // "sum(i, 1, 10, i * i)"
 public:
  Sum(pool::Symbol variable, NodePtr first, NodePtr last, NodePtr term)
      : variable_(variable),
        first_(std::move(first)),
        last_(std::move(last)),
        term_(std::move(term)) {}
  Value Evaluate(const Scope& scope) const override;

 private:
  pool::Symbol variable_;
  NodePtr first_;
  NodePtr last_;
  NodePtr term_;
};

}  // namespace quill::expr
