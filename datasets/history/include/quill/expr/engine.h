// Evaluates expressions. Those used last are kept parsed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "quill/cache/lru_cache.h"
#include "quill/expr/node.h"

namespace quill::expr {

class Engine {
 public:
  explicit Engine(size_t kept_programs = 32);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void Define(std::string_view name, Value value);
  void AddFunction(std::string name, Function function);

  // Fails with ParseError or EvaluationError.
  Value Evaluate(const std::string& text);
  // How often a text had to be parsed.
  size_t parsed() const { return parsed_; }

 private:
  pool::StringPool names_;
  FunctionTable functions_;
  Scope globals_;
  cache::LruCache<std::string, std::shared_ptr<const Node>> programs_;
  size_t parsed_ = 0;
};

}  // namespace quill::expr
