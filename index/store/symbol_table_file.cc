// Writes and reads the symbols table. Reading builds a map from event and scope to attributes; the event names live in
// a deque, whose elements never move, so that the keys can borrow them.
#include "index/store/symbol_table_file.h"

#include "index/store/arrow_columns.h"

namespace oscope {

std::shared_ptr<arrow::Schema> SymbolTableSchema() {
  return arrow::schema({
      arrow::field("event", arrow::utf8(), false),
      arrow::field("scope", arrow::uint32()),
      arrow::field("signature", arrow::utf8()),
      arrow::field("file", arrow::utf8()),
      arrow::field("line", arrow::uint32()),
      arrow::field("object", arrow::utf8()),
      arrow::field("build_id", arrow::utf8()),
      arrow::field("address", arrow::uint64()),
  });
}

Status WriteSymbols(ParquetWriter& writer, const SymbolTable& names, std::span<const SymbolScopes::Row* const> rows) {
  const size_t n = rows.size();
  const auto text = [&](const std::string SymbolAttributes::* member) {
    return TextColumn(n, true, [&, member](size_t i) -> std::string_view { return rows[i]->attributes.*member; });
  };
  const auto unless_zero = []<typename Number>(Number number) {
    return number == 0 ? std::nullopt : std::optional<Number>(number);
  };
  return writer.WriteRowGroup(
      {
          TextColumn(n, false,
                     [&](size_t i) -> std::string_view { return names.name(static_cast<SymbolId>(rows[i]->text)); }),
          NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) { return rows[i]->scope; }),
          text(&SymbolAttributes::signature),
          text(&SymbolAttributes::file),
          NumberColumn<arrow::UInt32Builder>(n, [&](size_t i) { return unless_zero(rows[i]->attributes.line); }),
          text(&SymbolAttributes::object),
          text(&SymbolAttributes::build_id),
          NumberColumn<arrow::UInt64Builder>(n, [&](size_t i) { return unless_zero(rows[i]->attributes.address); }),
      },
      static_cast<int64_t>(n));
}

Result<StoredSymbols> StoredSymbols::Read(TableReader* reader) {
  StoredSymbols symbols;
  for (int group = 0; reader != nullptr && group < reader->num_row_groups(); ++group) {
    OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader->ReadAll(group));
    const auto text = [&](const char* name, int64_t i) { return TextAt(ColumnOf(*table, name), i); };
    const auto number = [&](const char* name, int64_t i) {
      return NumberAt<arrow::UInt32Array, uint32_t>(ColumnOf(*table, name), i).value_or(0);
    };
    for (int64_t i = 0; i < table->num_rows(); ++i) {
      const std::string& event = symbols.events_.emplace_back(text("event", i));
      symbols.attributes_.try_emplace(
          {event, number("scope", i)},
          SymbolAttributes{text("signature", i), text("file", i), number("line", i), text("object", i),
                           text("build_id", i),
                           NumberAt<arrow::UInt64Array, uint64_t>(ColumnOf(*table, "address"), i).value_or(0)});
    }
  }
  return symbols;
}

const SymbolAttributes& StoredSymbols::Of(std::string_view event, uint32_t scope) const {
  static const SymbolAttributes kNone;
  const auto found = attributes_.find({event, scope});
  return found == attributes_.end() ? kNone : found->second;
}

}  // namespace oscope
