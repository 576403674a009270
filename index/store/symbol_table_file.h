// The symbols table: the attributes of the events of a segment, a row per event and scope (symbol_scopes.h) that has any.
//
//   event, scope?, signature?, file?, line?, object?, build_id?, address?
//
// Version 1 had no scopes: all its rows are in scope 0, and so are all events of the traces beside it.
#pragma once

#include <deque>
#include <span>
#include <unordered_map>

#include "index/store/parquet_file.h"
#include "index/store/symbol_scopes.h"
#include "tracer/model/symbols.h"

namespace oscope {

std::shared_ptr<arrow::Schema> SymbolTableSchema();
// `names` has the texts of the rows.
Status WriteSymbols(ParquetWriter& writer, const SymbolTable& names, std::span<const SymbolScopes::Row* const> rows);

// The table as it was read. Threads: may be read from any thread.
class StoredSymbols {
 public:
  // `reader` may be null: the segment has no such table.
  static Result<StoredSymbols> Read(TableReader* reader);

  // Empty where the table has no row.
  const SymbolAttributes& Of(std::string_view event, uint32_t scope) const;

 private:
  struct Key {
    std::string_view event;
    uint32_t scope;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return std::hash<std::string_view>()(key.event) + key.scope; }
  };
  std::deque<std::string> events_;  // the keys borrow them
  std::unordered_map<Key, SymbolAttributes, KeyHash> attributes_;
};

}  // namespace oscope
