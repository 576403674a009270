#include "index/store/symbol_table_file.h"

#include "index/store/arrow_columns.h"

namespace oscope {

std::shared_ptr<arrow::Schema> SymbolTableSchema() {
  return arrow::schema({
      arrow::field("event", arrow::utf8(), false),
      arrow::field("signature", arrow::utf8()),
      arrow::field("file", arrow::utf8()),
      arrow::field("line", arrow::uint32()),
      arrow::field("object", arrow::utf8()),
      arrow::field("build_id", arrow::utf8()),
      arrow::field("address", arrow::uint64()),
  });
}

Status WriteSymbols(ParquetWriter& writer, const SymbolTable& symbols, std::span<const SymbolId> which) {
  const size_t n = which.size();
  const auto attributes = [&](size_t i) -> const SymbolAttributes& { return symbols.attributes(which[i]); };
  const auto text = [&](const std::string SymbolAttributes::* member) {
    return TextColumn(n, true, [&, member](size_t i) -> std::string_view { return attributes(i).*member; });
  };
  return writer.WriteRowGroup(
      {
          TextColumn(n, false, [&](size_t i) -> std::string_view { return symbols.name(which[i]); }),
          text(&SymbolAttributes::signature),
          text(&SymbolAttributes::file),
          NumberColumn<arrow::UInt32Builder>(n,
                                             [&](size_t i) {
                                               return attributes(i).line == 0
                                                          ? std::nullopt
                                                          : std::optional<uint32_t>(attributes(i).line);
                                             }),
          text(&SymbolAttributes::object),
          text(&SymbolAttributes::build_id),
          NumberColumn<arrow::UInt64Builder>(n,
                                             [&](size_t i) {
                                               return attributes(i).address == 0
                                                          ? std::nullopt
                                                          : std::optional<uint64_t>(attributes(i).address);
                                             }),
      },
      static_cast<int64_t>(n));
}

Status ReadSymbols(TableReader& reader, SymbolTable& symbols) {
  for (int group = 0; group < reader.num_row_groups(); ++group) {
    OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, ReadColumns(reader, group, {}));
    const auto text = [&](const char* name, int64_t i) { return TextAt(ColumnOf(*table, name), i); };
    for (int64_t i = 0; i < table->num_rows(); ++i) {
      symbols.Intern(
          text("event", i),
          {text("signature", i), text("file", i),
           NumberAt<arrow::UInt32Array, uint32_t>(ColumnOf(*table, "line"), i).value_or(0), text("object", i),
           text("build_id", i), NumberAt<arrow::UInt64Array, uint64_t>(ColumnOf(*table, "address"), i).value_or(0)});
    }
  }
  return {};
}

}  // namespace oscope
