// Quotes each event name once for each table of symbols, since a trace repeats few names millions of times.
#include "tracer/export/quoted_names.h"

#include <nlohmann/json.hpp>

namespace oscope {

std::string QuoteJson(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const std::string& QuotedNames::Of(const SymbolTable& symbols, SymbolId id) {
  if (uid_ != symbols.uid()) names_.clear();
  uid_ = symbols.uid();
  const uint32_t index = static_cast<uint32_t>(id);
  if (index >= names_.size()) names_.resize(symbols.size());
  if (names_[index].empty()) names_[index] = QuoteJson(symbols.name(id));
  return names_[index];
}

}  // namespace oscope
