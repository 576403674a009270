// The functions that expressions may call.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "quill/expr/value.h"

namespace quill::expr {

using Arguments = std::vector<Value>;

struct Function {
  size_t min_arguments = 0;
  size_t max_arguments = 0;
  std::function<Value(const Arguments&)> call;
};

class FunctionTable {
 public:
  // abs round floor sqrt min max mean len upper contains concat
  static FunctionTable Standard();

  void Add(std::string name, Function function);
  // Null if there is none of that name.
  const Function* Find(std::string_view name) const;

 private:
  std::map<std::string, Function, std::less<>> functions_;
};

}  // namespace quill::expr
