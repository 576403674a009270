#include "quill/expr/scope.h"

namespace quill::expr {

void Scope::Define(pool::Symbol name, Value value) {
  values_.insert_or_assign(name, std::move(value));
}

const Value* Scope::Find(pool::Symbol name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->values_.find(name);
    if (found != scope->values_.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace quill::expr
