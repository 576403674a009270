// Event names as JSON strings, quoted once each. Invalid UTF-8 becomes U+FFFD: JSON has no other place for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tracer/model/symbols.h"

namespace oscope {

std::string QuoteJson(std::string_view text);

class QuotedNames {
 public:
  const std::string& Of(const SymbolTable& symbols, SymbolId id);

 private:
  uint64_t uid_ = 0;  // of the table the names came from
  std::vector<std::string> names_;
};

}  // namespace oscope
