// Writes and reads the struct column `repeat`. One struct with nested lists was chosen instead of a dozen columns,
// because most runs have nothing here: a null struct costs one bit. Arrow makes the builders for the whole type at
// once, and Part gives the builder of a named field its C++ type. Stretches of runs without the column are appended
// together.
#include "index/store/repeat_column.h"

#include <utility>

#include "base/checksum.h"
#include "index/store/arrow_columns.h"

namespace oscope {
namespace {

// The fields of the struct, in their order.
enum Field : int {
  kDirectory,
  kRevision,
  kChanges,
  kRunner,
  kFramework,
  kFilter,
  kExitCode,
  kFails,
  kOutput,
  kForbidden,
  kBuilds,
  kNotKept,
};

std::shared_ptr<arrow::DataType> ListOf(std::shared_ptr<arrow::DataType> type) {
  return arrow::list(arrow::field("element", std::move(type), /*nullable=*/false));
}

std::shared_ptr<arrow::DataType> BuildType() {
  return arrow::struct_({arrow::field("path", arrow::utf8(), false), arrow::field("build_id", arrow::utf8()),
                         arrow::field("compilers", ListOf(arrow::utf8()), false)});
}

std::shared_ptr<arrow::DataType> NotKeptType() {
  return arrow::struct_({arrow::field("kind", arrow::utf8(), false), arrow::field("name", arrow::utf8())});
}

void AppendNullable(arrow::StringBuilder& builder, std::string_view text) {
  if (text.empty()) {
    MustBuild(builder.AppendNull());
  } else {
    AppendText(builder, text);
  }
}

// The builder of a type that is named above.
template <typename Builder>
class Part {
 public:
  explicit Part(arrow::ArrayBuilder* builder) : builder_(static_cast<Builder*>(builder)) {}
  Builder* operator->() const { return builder_; }
  Builder& operator*() const { return *builder_; }
  template <typename Inner>
  Part<Inner> Child(int i) const {
    return Part<Inner>(builder_->child_builder(i).get());
  }

 private:
  Builder* builder_;
};

void AppendTexts(arrow::ListBuilder& list, const std::vector<std::string>& texts) {
  MustBuild(list.Append());
  for (const std::string& text : texts) AppendText(static_cast<arrow::StringBuilder&>(*list.value_builder()), text);
}

void AppendRepeat(const Part<arrow::StructBuilder>& out, const Repeat& repeat) {
  const auto text = [&](Field field, const std::string& value) {
    AppendNullable(*out.Child<arrow::StringBuilder>(field), value);
  };
  MustBuild(out->Append());
  text(kDirectory, repeat.directory);
  text(kRevision, repeat.revision);
  text(kChanges, repeat.changes);
  text(kRunner, repeat.selection.runner);
  text(kFramework, repeat.selection.framework);
  text(kFilter, repeat.selection.filter);
  const auto exit_code = out.Child<arrow::Int32Builder>(kExitCode);
  MustBuild(repeat.expected.exit_code ? exit_code->Append(*repeat.expected.exit_code) : exit_code->AppendNull());
  MustBuild(out.Child<arrow::BooleanBuilder>(kFails)->Append(repeat.expected.fails));
  AppendTexts(*out.Child<arrow::ListBuilder>(kOutput), repeat.expected.output);
  AppendTexts(*out.Child<arrow::ListBuilder>(kForbidden), repeat.expected.forbidden_output);
  const auto builds = out.Child<arrow::ListBuilder>(kBuilds);
  MustBuild(builds->Append());
  const Part<arrow::StructBuilder> build(builds->value_builder());
  for (const BuiltObject& object : repeat.builds) {
    MustBuild(build->Append());
    AppendText(*build.Child<arrow::StringBuilder>(0), object.path);
    AppendNullable(*build.Child<arrow::StringBuilder>(1), object.build_id);
    AppendTexts(*build.Child<arrow::ListBuilder>(2), object.compilers);
  }
  const auto list = out.Child<arrow::ListBuilder>(kNotKept);
  MustBuild(list->Append());
  const Part<arrow::StructBuilder> missing(list->value_builder());
  for (const NotKept& one : repeat.not_kept) {
    MustBuild(missing->Append());
    AppendText(*missing.Child<arrow::StringBuilder>(0), one.kind);
    AppendNullable(*missing.Child<arrow::StringBuilder>(1), one.name);
  }
}

// Calls item(values, index) for each item of a row's list.
template <typename Item>
void ForEachItem(const arrow::Array& column, int64_t row, Item item) {
  if (column.IsNull(row)) return;
  const auto& list = static_cast<const arrow::ListArray&>(column);
  for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) item(*list.values(), i);
}

std::vector<std::string> TextsAt(const arrow::Array& column, int64_t row) {
  std::vector<std::string> texts;
  ForEachItem(column, row, [&](const arrow::Array& values, int64_t i) { texts.push_back(TextAt(values, i)); });
  return texts;
}

const arrow::Array& FieldOf(const arrow::Array& column, int field) {
  return *static_cast<const arrow::StructArray&>(column).field(field);
}

}  // namespace

std::shared_ptr<arrow::DataType> RepeatType() {
  using arrow::field;
  return arrow::struct_({
      field("directory", arrow::utf8()),
      field("revision", arrow::utf8()),
      field("changes", arrow::utf8()),
      field("runner", arrow::utf8()),
      field("framework", arrow::utf8()),
      field("filter", arrow::utf8()),
      field("expected_exit_code", arrow::int32()),
      field("expected_to_fail", arrow::boolean(), false),
      field("expected_output", ListOf(arrow::utf8()), false),
      field("forbidden_output", ListOf(arrow::utf8()), false),
      field("builds", ListOf(BuildType()), false),
      field("not_kept", ListOf(NotKeptType()), false),
  });
}

std::shared_ptr<arrow::Array> RepeatColumn(size_t rows, const std::function<const Repeat&(size_t)>& repeat) {
  std::unique_ptr<arrow::ArrayBuilder> builder;
  MustBuild(arrow::MakeBuilder(arrow::default_memory_pool(), RepeatType(), &builder));
  const Part<arrow::StructBuilder> out(builder.get());
  // Of imported runs nothing is known: a stretch of nulls is added at once.
  int64_t nulls = 0;
  const auto add_nulls = [&] { MustBuild(out->AppendNulls(std::exchange(nulls, 0))); };
  for (size_t i = 0; i < rows; ++i) {
    if (repeat(i).empty()) {
      ++nulls;
      continue;
    }
    add_nulls();
    AppendRepeat(out, repeat(i));
  }
  add_nulls();
  return Finish(*builder);
}

Repeat RepeatAt(const arrow::Array& column, int64_t row) {
  Repeat repeat;
  if (column.IsNull(row)) return repeat;
  const auto text = [&](Field field) { return TextAt(FieldOf(column, field), row); };
  repeat.directory = text(kDirectory);
  repeat.revision = text(kRevision);
  repeat.changes = text(kChanges);
  repeat.selection = {text(kRunner), text(kFramework), text(kFilter)};
  repeat.expected.exit_code = NumberAt<arrow::Int32Array, int32_t>(FieldOf(column, kExitCode), row);
  repeat.expected.fails = BoolAt(FieldOf(column, kFails), row);
  repeat.expected.output = TextsAt(FieldOf(column, kOutput), row);
  repeat.expected.forbidden_output = TextsAt(FieldOf(column, kForbidden), row);
  ForEachItem(FieldOf(column, kBuilds), row, [&](const arrow::Array& values, int64_t i) {
    repeat.builds.push_back(
        {TextAt(FieldOf(values, 0), i), TextAt(FieldOf(values, 1), i), TextsAt(FieldOf(values, 2), i)});
  });
  ForEachItem(FieldOf(column, kNotKept), row, [&](const arrow::Array& values, int64_t i) {
    repeat.not_kept.push_back({TextAt(FieldOf(values, 0), i), TextAt(FieldOf(values, 1), i)});
  });
  return repeat;
}

}  // namespace oscope
