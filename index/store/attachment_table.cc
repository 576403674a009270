// Writes the bytes of equal attachments once for a segment (in the first row that has their digest) and reads them
// back for every row that shares the digest.
//
// The bytes are the only heavy column. Row groups are therefore cut by their weight, after 16 MiB, and headers are
// read without them. ReadAttachmentBytes first reads all headers, collects for each row with bytes the attachments
// that want them, and then visits these rows in order, so that each row group is loaded once and one row group is in
// memory at a time.
#include "index/store/attachment_table.h"

#include <map>
#include <unordered_set>

#include "index/store/arrow_columns.h"

namespace oscope {

namespace {

// Row groups end at kRowGroupBytes of what weighs; here that is reached after 16 MiB.
constexpr size_t kWeight = kRowGroupBytes / (16 << 20);

ArrayPtr RunColumn(std::span<const PendingAttachment* const> rows) {
  arrow::FixedSizeBinaryBuilder builder(arrow::fixed_size_binary(16));
  for (const PendingAttachment* row : rows) {
    const AttachmentOwner& owner = row->stored.header.owner;
    if (!owner.is_run()) {
      MustBuild(builder.AppendNull());
      continue;
    }
    const ArrayPtr one = Hash128Column(1, [&](size_t) { return owner.run.value; });
    MustBuild(builder.Append(static_cast<const arrow::FixedSizeBinaryArray&>(*one).GetValue(0)));
  }
  return Finish(builder);
}

// The bytes of the rows for which `is_first` says that no row before has their digest.
ArrayPtr BytesColumn(std::span<const PendingAttachment* const> rows, const std::vector<bool>& is_first, size_t begin) {
  arrow::BinaryBuilder builder;
  for (size_t i = 0; i < rows.size(); ++i) {
    MustBuild(is_first[begin + i] ? builder.Append(*rows[i]->bytes) : builder.AppendNull());
  }
  return Finish(builder);
}

Status WriteGroup(ParquetWriter& writer, std::span<const PendingAttachment* const> rows,
                  const std::vector<bool>& is_first, size_t begin) {
  const auto header = [&](size_t i) -> const AttachmentHeader& { return rows[i]->stored.header; };
  const auto text = [&](bool nullable, auto get) {
    return TextColumn(rows.size(), nullable, [&](size_t i) -> std::string_view { return get(header(i)); });
  };
  return writer.WriteRowGroup(
      {
          RunColumn(rows),
          text(true, [](const AttachmentHeader& h) -> std::string_view { return h.owner.bug.project; }),
          text(true, [](const AttachmentHeader& h) -> std::string_view { return h.owner.bug.id; }),
          text(false, [](const AttachmentHeader& h) -> std::string_view { return h.kind; }),
          text(false, [](const AttachmentHeader& h) -> std::string_view { return h.name; }),
          text(false, [](const AttachmentHeader& h) -> std::string_view { return h.sha256; }),
          NumberColumn<arrow::UInt64Builder>(rows.size(), [&](size_t i) { return header(i).size; }),
          TimeColumn(rows.size(), [&](size_t i) { return rows[i]->stored.stored_ns; }),
          BytesColumn(rows, is_first, begin),
      },
      static_cast<int64_t>(rows.size()));
}

Result<StoredAttachment> AttachmentAt(const arrow::Table& table, int64_t row) {
  const auto text = [&](const char* name) { return TextAt(ColumnOf(table, name), row); };
  StoredAttachment stored;
  AttachmentHeader& header = stored.header;
  if (const arrow::Array& run = ColumnOf(table, "run_id"); run.IsValid(row))
    header.owner.run = RunId{Hash128At(run, row)};
  header.owner.bug = {text("project"), text("bug")};
  header.kind = text("kind");
  header.name = text("name");
  header.sha256 = text("sha256");
  header.size = NumberAt<arrow::UInt64Array, uint64_t>(ColumnOf(table, "size"), row).value_or(0);
  stored.stored_ns = NumberAt<arrow::TimestampArray, int64_t>(ColumnOf(table, "stored"), row).value_or(0);
  if (Status valid = Validate(header); !valid.ok())
    return Error{ErrorCode::kCorrupt, fmt::format("table attachments: {}", valid.error().message)};
  return stored;
}

}  // namespace

std::shared_ptr<arrow::Schema> AttachmentTableSchema() {
  return arrow::schema({
      arrow::field("run_id", arrow::fixed_size_binary(16)),
      arrow::field("project", arrow::utf8()),
      arrow::field("bug", arrow::utf8()),
      arrow::field("kind", arrow::utf8(), false),
      arrow::field("name", arrow::utf8(), false),
      arrow::field("sha256", arrow::utf8(), false),
      arrow::field("size", arrow::uint64(), false),
      arrow::field("stored", TimeType(), false),
      arrow::field("bytes", arrow::binary()),
  });
}

Status WriteAttachments(ParquetWriter& writer, std::span<const PendingAttachment* const> attachments) {
  std::vector<bool> is_first(attachments.size());
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i < attachments.size(); ++i)
    is_first[i] = seen.insert(attachments[i]->stored.header.sha256).second;
  const auto weight = [&](size_t i) { return is_first[i] ? attachments[i]->bytes->size() * kWeight : 0; };
  return ForEachRowGroup(attachments.size(), weight, [&](size_t begin, size_t count) {
    return WriteGroup(writer, attachments.subspan(begin, count), is_first, begin);
  });
}

Result<std::vector<StoredAttachment>> ReadAttachments(TableReader& reader) {
  std::vector<StoredAttachment> attachments;
  for (int group = 0; group < reader.num_row_groups(); ++group) {
    OSCOPE_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Table> table, reader.ReadAll(group, {"bytes"}));
    for (int64_t row = 0; row < table->num_rows(); ++row) {
      OSCOPE_ASSIGN_OR_RETURN(StoredAttachment attachment, AttachmentAt(*table, row));
      attachments.push_back(std::move(attachment));
    }
  }
  return attachments;
}

Status ReadAttachmentBytes(TableReader& reader, const std::function<bool(const StoredAttachment&)>& keep,
                           const std::function<Status(const StoredAttachment&, const std::string& bytes)>& take) {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> all, ReadAttachments(reader));
  // By the row that has the bytes: those that are wanted.
  std::map<size_t, std::vector<const StoredAttachment*>> wanted;
  std::map<std::string_view, size_t> first_of;
  for (size_t row = 0; row < all.size(); ++row) {
    const size_t first = first_of.emplace(all[row].header.sha256, row).first->second;
    if (keep(all[row])) wanted[first].push_back(&all[row]);
  }
  int loaded = -1;
  std::shared_ptr<arrow::Table> table;
  for (const auto& [row, attachments] : wanted) {
    OSCOPE_ASSIGN_OR_RETURN(const RowPosition at, FindRow(reader, row));
    if (at.row_group != loaded) {
      OSCOPE_ASSIGN_OR_RETURN(table, reader.Read(at.row_group, {"bytes"}));
      loaded = at.row_group;
    }
    const arrow::Array& column = ColumnOf(*table, "bytes");
    const auto in_group = static_cast<int64_t>(at.row);
    if (column.IsNull(in_group))
      return Corrupt("table attachments: row {} has no bytes, and no row before it has", row);
    const Attachment first{attachments.front()->header,
                           std::string(static_cast<const arrow::BinaryArray&>(column).GetView(in_group))};
    if (Status valid = Validate(first); !valid.ok())
      return Error{ErrorCode::kCorrupt, fmt::format("table attachments: {}", valid.error().message)};
    for (const StoredAttachment* attachment : attachments) {
      if (attachment->header.size != first.bytes.size())
        return Corrupt("table attachments: '{}' does not have the size of its digest", attachment->header.name);
      OSCOPE_RETURN_IF_ERROR(take(*attachment, first.bytes));
    }
  }
  return {};
}

}  // namespace oscope
