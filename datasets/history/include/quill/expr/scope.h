// Variables by name; a scope without a variable asks the scope around it.
#pragma once

#include <map>

#include "quill/expr/value.h"
#include "quill/pool/string_pool.h"

namespace quill::expr {

class Scope {
 public:
  // `outer` is null for the outermost scope, else it outlives this one.
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  void Define(pool::Symbol name, Value value);
  // The nearest definition, or null.
  const Value* Find(pool::Symbol name) const;

 private:
  const Scope* outer_;
  std::map<pool::Symbol, Value> values_;
};

}  // namespace quill::expr
