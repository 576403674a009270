// The columns of a table whose rows are records of the model: one list for the schema, the writer and the reader.
//
// AddFields makes the columns of the rows of a list (bug_fields.h, run_fields.h), each by the type of its member; what
// only the store knows is added by hand between them. A reader takes a column as a whole, so that nothing is looked up
// for every value.
// Threads: a list of columns is immutable once made.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

#include "index/store/arrow_columns.h"
#include "index/store/table_reader.h"
#include "tracer/model/field.h"

namespace oscope {

template <typename Row>
struct TableColumn {
  std::shared_ptr<arrow::Field> field;
  std::function<ArrayPtr(std::span<const Row* const> rows)> write;
  // Sets `rows` from the values [first, first + rows.size()). kInvalid when a value makes no sense.
  std::function<Status(const arrow::Array& values, int64_t first, std::span<Row> rows)> read;
  // Whether the row has nothing to store here; null: it is not known.
  std::function<bool(const Row& row)> is_empty = nullptr;
};

template <typename Row>
using TableColumns = std::vector<TableColumn<Row>>;

template <typename Row>
std::shared_ptr<arrow::Schema> SchemaOfColumns(const TableColumns<Row>& columns) {
  arrow::FieldVector fields;
  for (const TableColumn<Row>& column : columns) fields.push_back(column.field);
  return arrow::schema(std::move(fields));
}

// The columns in which none of the rows that were noted has anything.
//
// Rows lie anywhere in memory, and a pass over them for each column waits for each of them. Most columns of imported
// runs hold nothing, so these are found while a row is still at hand, and are written without looking at the rows.
template <typename Row>
class EmptyColumns {
 public:
  // `columns` is borrowed.
  explicit EmptyColumns(const TableColumns<Row>& columns) : columns_(&columns) {
    const Row nothing;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].is_empty != nullptr && columns[i].is_empty(nothing)) empty_.push_back(i);
    }
  }
  void Note(const Row& row) {
    std::erase_if(empty_, [&](size_t column) { return !(*columns_)[column].is_empty(row); });
  }
  bool Contains(size_t column) const { return std::binary_search(empty_.begin(), empty_.end(), column); }

 private:
  const TableColumns<Row>* columns_;
  std::vector<size_t> empty_;  // ascending
};

// All rows must have been noted in `empty`, as they are now. An empty column is written as that of one row that holds
// nothing.
template <typename Row>
std::vector<ArrayPtr> WriteColumns(const TableColumns<Row>& columns, std::span<const Row* const> rows,
                                   const EmptyColumns<Row>& empty) {
  const Row nothing;
  const std::vector<const Row*> nothings(rows.size(), &nothing);
  std::vector<ArrayPtr> arrays;
  for (size_t i = 0; i < columns.size(); ++i) {
    const TableColumn<Row>& column = columns[i];
    if (rows.empty() || !empty.Contains(i)) {
      arrays.push_back(column.write(rows));
    } else if (const ArrayPtr one = column.write(std::span(nothings).first(1));
               one->IsNull(0) && one->type()->num_fields() == 0) {
      arrays.push_back(*arrow::MakeArrayOfNull(one->type(), static_cast<int64_t>(rows.size())));
    } else {
      arrays.push_back(column.write(nothings));
    }
  }
  return arrays;
}

// Sets `rows` from those of the table that begin with `first`. Columns that were not read are passed over.
template <typename Row>
Status ReadColumns(const TableColumns<Row>& columns, const arrow::Table& table, int64_t first, std::span<Row> rows) {
  for (const TableColumn<Row>& column : columns) {
    const std::shared_ptr<arrow::ChunkedArray> values = table.GetColumnByName(column.field->name());
    if (values != nullptr) OSCOPE_RETURN_IF_ERROR(column.read(*values->chunk(0), first, rows));
  }
  return {};
}

// How a member of a type is stored: Type, Write (value(i) gives the i-th) and Read.
template <typename Value>
struct ColumnOfType;

template <>
struct ColumnOfType<std::string> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::utf8(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool required, Get value) {
    return TextColumn(rows, !required, [&](size_t i) -> std::string_view { return value(i); });
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, std::string& out) {
    out = TextAt(values, row);
    return {};
  }
};

template <>
struct ColumnOfType<std::optional<int64_t>> {
  static std::shared_ptr<arrow::DataType> Type() { return TimeType(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get value) {
    return TimeColumn(rows, value);
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, std::optional<int64_t>& out) {
    out = NumberAt<arrow::TimestampArray, int64_t>(values, row);
    return {};
  }
};

// A number that may be unknown.
template <typename Number>
  requires std::is_integral_v<Number>
struct ColumnOfType<std::optional<Number>> {
  using Arrow = typename arrow::CTypeTraits<Number>::ArrowType;
  static std::shared_ptr<arrow::DataType> Type() { return arrow::TypeTraits<Arrow>::type_singleton(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get value) {
    return NumberColumn<typename arrow::TypeTraits<Arrow>::BuilderType>(rows, value);
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, std::optional<Number>& out) {
    out = NumberAt<typename arrow::TypeTraits<Arrow>::ArrayType, Number>(values, row);
    return {};
  }
};

// A number whose 0 means, where it is not required, that it is not known: null.
template <>
struct ColumnOfType<uint32_t> {
  using Optional = ColumnOfType<std::optional<uint32_t>>;
  static std::shared_ptr<arrow::DataType> Type() { return Optional::Type(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool required, Get value) {
    return Optional::Write(rows, required, [&](size_t i) {
      const uint32_t number = value(i);
      return number == 0 && !required ? std::nullopt : std::optional(number);
    });
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, uint32_t& out) {
    out = NumberAt<arrow::UInt32Array, uint32_t>(values, row).value_or(0);
    return {};
  }
};

template <>
struct ColumnOfType<bool> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::boolean(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get value) {
    return BoolColumn(rows, value);
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, bool& out) {
    out = BoolAt(values, row);
    return {};
  }
};

// What every row has beside the model's fields: a number and a time.
template <>
struct ColumnOfType<uint64_t> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::uint64(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get value) {
    return NumberColumn<arrow::UInt64Builder>(rows, value);
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, uint64_t& out) {
    out = NumberAt<arrow::UInt64Array, uint64_t>(values, row).value_or(0);
    return {};
  }
};

template <>
struct ColumnOfType<int64_t> {
  static std::shared_ptr<arrow::DataType> Type() { return TimeType(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get value) {
    return TimeColumn(rows, [&](size_t i) { return std::optional<int64_t>(value(i)); });
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, int64_t& out) {
    out = NumberAt<arrow::TimestampArray, int64_t>(values, row).value_or(0);
    return {};
  }
};

// The name of the value. In a column that is not required, the first value of the enumeration (unknown) is null.
template <typename Enum>
  requires std::is_enum_v<Enum>
struct ColumnOfType<Enum> {
  static std::shared_ptr<arrow::DataType> Type() { return arrow::utf8(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool required, Get value) {
    return TextColumn(rows, !required, [&](size_t i) {
      const Enum named = value(i);
      return required || named != Enum{} ? EnumText<Enum>::Name(named) : std::string_view();
    });
  }
  static Status Read(const arrow::Array& values, int64_t row, bool required, Enum& out) {
    const std::string name = TextAt(values, row);
    if (name.empty() && !required) return {};
    OSCOPE_ASSIGN_OR_RETURN(out, EnumText<Enum>::Parse(name));
    return {};
  }
};

template <>
struct ColumnOfType<std::map<std::string, std::string>> {
  static std::shared_ptr<arrow::DataType> Type() { return TextMapType(); }
  template <typename Get>
  static ArrayPtr Write(size_t rows, bool, Get value) {
    return TextMapColumn(rows, value);
  }
  static Status Read(const arrow::Array& values, int64_t row, bool, std::map<std::string, std::string>& out) {
    out = TextMapAt(values, row);
    return {};
  }
};

// Adds a column for a value that value(row) gives by reference, of a const row and of one that is being read.
template <typename Row, typename Access>
void AddColumn(TableColumns<Row>& columns, const char* name, bool required, Access value) {
  using Value = std::remove_cvref_t<decltype(value(std::declval<Row&>()))>;
  using Type = ColumnOfType<Value>;
  columns.push_back({
      arrow::field(name, Type::Type(), !required),
      [=](std::span<const Row* const> rows) {
        return Type::Write(rows.size(), required, [&](size_t i) -> const Value& { return value(*rows[i]); });
      },
      [=](const arrow::Array& values, int64_t first, std::span<Row> rows) -> Status {
        for (size_t i = 0; i < rows.size(); ++i) {
          OSCOPE_RETURN_IF_ERROR(Type::Read(values, first + static_cast<int64_t>(i), required, value(rows[i])));
        }
        return {};
      },
      [=](const Row& row) { return HoldsDefault(value(row)); },
  });
}

// Adds a column for a member of the record that record(row) gives; none for a row without one.
template <typename Row, typename ModelField, typename Record>
void AddField(TableColumns<Row>& columns, const ModelField& field, Record record) {
  if (field.column == nullptr) return;
  std::visit(
      [&]<typename Of, typename Value>(const Member<Of, Value>& member) {
        // A type that no column can hold is stored by hand.
        if constexpr (requires { ColumnOfType<Value>::Type(); }) {
          AddColumn(columns, field.column, field.required, [member, record](auto& row) -> auto& {
            if constexpr (std::is_const_v<std::remove_reference_t<decltype(row)>>) {
              return member.read(record(row));
            } else {
              return member.change(record(row));
            }
          });
        }
      },
      field.member);
}

}  // namespace oscope
