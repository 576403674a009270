// Names kept once each and told apart by number.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "quill/pool/arena.h"

namespace quill::pool {

enum class Symbol : uint32_t {};

class StringPool {
 public:
  // The same symbol for the same text.
  Symbol Intern(std::string_view text);
  std::optional<Symbol> Find(std::string_view text) const;
  // The text of a symbol that this pool gave out since the last Clear; fails for others.
  std::string_view Name(Symbol symbol) const;
  // Forgets all symbols.
  void Clear();

  size_t size() const { return names_.size(); }

 private:
  Arena arena_;
  std::vector<std::string_view> names_;  // by symbol
  std::unordered_map<std::string_view, Symbol> symbols_;
};

}  // namespace quill::pool
