// Reads one field of all bugs of a segment from the one Parquet column that holds it. A built-in field has a column of
// its own; any other name is a key of the column `custom`, whose maps are searched row by row for their stored form of
// the name, so that no map is decoded as a whole.
#include "index/store/bug_column.h"

#include "index/store/arrow_columns.h"
#include "index/store/table_reader.h"
#include "tracer/model/bug_fields.h"

namespace oscope {

namespace {

constexpr std::string_view kCustom = "custom";

// The row of a field that has a column of its own; null: it is a custom one.
const BugField* FindField(std::string_view name) {
  for (const BugField* field : kInOrder<kBugFields, &BugField::bql>) {
    if (name == field->name) return field;
  }
  return nullptr;
}

bool IsTime(const BugField* field) {
  return field != nullptr && std::holds_alternative<Member<Bug, std::optional<int64_t>>>(field->member);
}

}  // namespace

class BugColumnReader {
 public:
  BugColumnReader(const TableReader& reader, std::string_view field) : reader_(reader), field_(field) {
    column_.is_time_ = IsTime(FindField(field));
  }

  Result<BugColumn> Read() && {
    const BugField* field = FindField(field_);
    const bool built_in = field != nullptr;
    const std::vector<std::string_view> columns = {built_in ? field->column : kCustom};
    for (int group = 0; group < reader_.num_row_groups(); ++group) {
      OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader_.Read(group, columns));
      const arrow::Array& array = *table->column(0)->chunk(0);
      if (column_.is_time_) {
        AddTimes(static_cast<const arrow::TimestampArray&>(array));
      } else if (built_in) {
        OSCOPE_RETURN_IF_ERROR(AddTexts(static_cast<const arrow::StringArray&>(array)));
      } else {
        AddCustom(static_cast<const arrow::MapArray&>(array));
      }
    }
    return std::move(column_);
  }

 private:
  void Append(std::string_view stored) {
    if (IsPlainText(stored)) {
      column_.text_ += stored;
    } else {
      column_.text_ += FromStoredText(stored);
    }
  }
  void EndRow(bool is_set) {
    column_.offsets_.push_back(column_.text_.size());
    column_.is_set_.push_back(is_set);
    ++column_.size_;
  }

  void AddTimes(const arrow::TimestampArray& array) {
    for (int64_t row = 0; row < array.length(); ++row) {
      column_.times_.push_back(array.IsNull(row) ? 0 : array.Value(row));
      EndRow(array.IsValid(row));
    }
  }

  Status AddTexts(const arrow::StringArray& array) {
    const bool is_status = field_ == "status";
    std::string_view sound;  // the status that was checked last
    for (int64_t row = 0; row < array.length(); ++row) {
      const bool is_set = array.IsValid(row);
      const std::string_view text = is_set ? array.GetView(row) : std::string_view();
      if (is_status && text != sound) {
        OSCOPE_RETURN_IF_ERROR(ParseBugStatus(text));
        sound = text;
      }
      Append(text);
      EndRow(is_set);
    }
    return {};
  }

  void AddCustom(const arrow::MapArray& array) {
    const auto& names = static_cast<const arrow::StringArray&>(*array.keys());
    const std::string stored = ToStoredText(field_);
    for (int64_t row = 0; row < array.length(); ++row) {
      bool is_set = false;
      // As in a report, the first of two that have the name counts.
      for (int64_t i = array.value_offset(row); array.IsValid(row) && i < array.value_offset(row + 1) && !is_set; ++i) {
        if (names.GetView(i) != stored) continue;
        is_set = true;
        if (array.items()->IsValid(i)) Append(static_cast<const arrow::StringArray&>(*array.items()).GetView(i));
      }
      EndRow(is_set);
    }
  }

  const TableReader& reader_;
  const std::string_view field_;
  BugColumn column_;
};

Result<BugColumn> BugColumn::Read(const TableReader& reader, std::string_view field) {
  return BugColumnReader(reader, field).Read();
}

}  // namespace oscope
