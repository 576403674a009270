// The symbols table: the attributes of the events of a segment, a row per event that has any.
//
//   event, signature?, file?, line?, object?, build_id?, address?
#pragma once

#include "index/store/parquet_file.h"
#include "tracer/model/symbols.h"

namespace oscope {

std::shared_ptr<arrow::Schema> SymbolTableSchema();
Status WriteSymbols(ParquetWriter& writer, const SymbolTable& symbols, std::span<const SymbolId> which);
// Adds every row to `symbols` unless its event is there already.
Status ReadSymbols(TableReader& reader, SymbolTable& symbols);

}  // namespace oscope
