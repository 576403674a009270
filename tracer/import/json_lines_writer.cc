// The pair of json_lines.cc: fields by the model's lists, one WriteValue for each type. The first chunk of events is
// written on the line of its trace, because a small trace should be one line that a person can read. The trace's line
// is therefore held back until the first chunk comes (trace_line_). Large attachments are divided into several lines,
// since a reader must hold a whole line.
#include "tracer/import/json_lines_writer.h"

#include <optional>

#include "tracer/import/base64.h"
#include "tracer/import/json_object_writer.h"
#include "tracer/import/json_outcomes.h"
#include "tracer/import/json_repeat.h"
#include "tracer/import/json_text.h"
#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope {
namespace {

// The bytes of an attachment in one line.
constexpr size_t kAttachmentLineBytes = 4 << 20;

std::string JsonOf(const Comment& comment) {
  ObjectWriter out;
  out.Text("author", comment.author);
  out.Time("at", comment.at_ns);
  out.Text("text", comment.text);
  return out.Take();
}

std::string JsonOf(const BugKey& key) {
  ObjectWriter out;
  out.Text("project", key.project);
  out.Text("id", key.id);
  return out.Take();
}

std::string JsonOf(const RunInput& input) {
  ObjectWriter out;
  out.Text("name", input.name);
  out.Text("base64", EncodeBase64(input.bytes));
  return out.Take();
}

std::string JsonOf(const ThreadRef& thread) {
  ObjectWriter out;
  out.Number("process", thread.process);
  out.Number("thread", thread.thread);
  return out.Take();
}

std::string JsonOf(const FailureMark& mark) {
  ObjectWriter out;
  out.Number("events", mark.events);
  out.Text("reason", mark.reason);
  return out.Take();
}

// Writes a value under its name. A default value is left out, unless its row says that it must be written.
template <typename Row>
void WriteValue(ObjectWriter& out, const Row& row, const std::string& text) {
  if (row.even_if_empty && text.empty()) return out.Raw(row.name, "\"\"");
  out.Text(row.name, text);
}
template <typename Row>
void WriteValue(ObjectWriter& out, const Row& row, const std::optional<int64_t>& time_ns) {
  out.Time(row.name, time_ns);
}
template <typename Row, typename Number>
  requires std::is_integral_v<Number>
void WriteValue(ObjectWriter& out, const Row& row, const std::optional<Number>& number) {
  out.Number(row.name, number);
}
template <typename Row>
void WriteValue(ObjectWriter& out, const Row& row, uint32_t number) {
  out.Number(row.name, number);
}
template <typename Row>
void WriteValue(ObjectWriter& out, const Row& row, bool flag) {
  out.Flag(row.name, flag);
}
template <typename Row, typename Enum>
  requires std::is_enum_v<Enum>
void WriteValue(ObjectWriter& out, const Row& row, Enum value) {
  if (row.required || value != Enum{}) out.Text(row.name, EnumText<Enum>::Name(value));
}
template <typename Row>
void WriteValue(ObjectWriter& out, const Row& row, RunId id) {
  out.Text(row.name, ToString(id));
}
template <typename Row>
void WriteValue(ObjectWriter& out, const Row& row, const std::optional<ThreadRef>& thread) {
  if (thread) out.Raw(row.name, JsonOf(*thread));
}
template <typename Row, typename Item>
void WriteValue(ObjectWriter& out, const Row& row, const std::vector<Item>& list) {
  out.Array(row.name, list, [](std::string& json, const Item& item) {
    if constexpr (std::is_same_v<Item, std::string>) {
      AppendJsonText(json, item);
    } else {
      json += JsonOf(item);
    }
  });
}
template <typename Row>
void WriteValue(ObjectWriter& out, const Row& row, const std::map<std::string, std::string>& map) {
  out.Map(row.name, map);
}

template <typename Row, typename Record>
void WriteField(ObjectWriter& out, const Row& row, const Record& record) {
  std::visit([&](const auto& member) { WriteValue(out, row, member.read(record)); }, row.member);
}

// The fields of a record; those of a group are an object, which is left out where it would be empty.
template <typename Row, typename Record>
void WriteFields(ObjectWriter& out, std::span<const Row* const> fields, const Record& record) {
  ForEachGroup(
      fields, [&](const Row& field) { WriteField(out, field, record); },
      [&](const char* group, std::span<const Row* const> members) {
        ObjectWriter inner;
        for (const Row* member : members) WriteField(inner, *member, record);
        if (!inner.empty()) out.Raw(group, inner.Take());
      });
}

}  // namespace

Status JsonLinesWriter::AddBug(const Bug& bug) {
  ObjectWriter out("bug");
  WriteFields<BugField>(out, kInOrder<kBugFields, &BugField::lines>, bug);
  return output_(out.Take() + "\n");
}

Status JsonLinesWriter::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  symbols_ = &symbols;
  ++run_;
  text_numbers_.clear();
  described_.clear();
  ObjectWriter out("run");
  WriteFields<RunField>(out, kInOrder<kRunFields, &RunField::lines>, run);
  if (!run.repeat.empty()) out.Raw("repeat", JsonOf(run.repeat));
  return output_(out.Take() + "\n");
}

Status JsonLinesWriter::BeginTrace(const TraceHeader& trace) {
  ObjectWriter out("trace");
  out.Number("process", trace.process);
  out.Number("thread", trace.thread);
  out.Text("kind", TraceKindName(trace.kind));
  out.Text("thread_name", trace.thread_name);
  out.Flag("partial", trace.partial);
  out.Text("partial_note", trace.partial_note);
  if (trace.mark) out.Raw("mark", JsonOf(*trace.mark));
  trace_line_ = out.TakeOpen();
  return {};
}

std::optional<SymbolId>& JsonLinesWriter::DescribedAs(SymbolId id) {
  const auto index = static_cast<size_t>(id);
  if (texts_.size() <= index) texts_.resize(symbols_->size());
  if (texts_[index].run != run_) {
    const auto next = static_cast<uint32_t>(described_.size());
    const auto [text, is_new] = text_numbers_.try_emplace(symbols_->name(id), next);
    if (is_new) described_.emplace_back();
    texts_[index] = {run_, text->second};
  }
  return described_[texts_[index].number];
}

void JsonLinesWriter::AppendEvent(std::string& json, SymbolId id) {
  const SymbolAttributes& attributes = symbols_->attributes(id);
  // Nothing was described in this run, so that a bare text stands for no attributes.
  if (attributes.empty() && described_.empty()) return AppendJsonText(json, symbols_->name(id));
  std::optional<SymbolId>& described = DescribedAs(id);
  const bool is_known = described ? *described == id : attributes.empty();
  if (is_known) return AppendJsonText(json, symbols_->name(id));
  described = id;
  ObjectWriter out;
  out.Text("event", symbols_->name(id));
  out.Text("signature", attributes.signature);
  out.Text("file", attributes.file);
  out.Number("line", attributes.line);
  out.Text("object", attributes.object);
  out.Text("build_id", attributes.build_id);
  out.Number("address", attributes.address);
  json += out.Take();
}

Status JsonLinesWriter::AddEvents(const EventChunk& chunk) {
  ObjectWriter lists;
  lists.Array("events", chunk.events, [&](std::string& json, SymbolId id) { AppendEvent(json, id); });
  lists.Array("depths", chunk.depths, [](std::string& json, uint32_t depth) { json += std::to_string(depth); });
  lists.Array("outcomes", chunk.outcomes, [](std::string& json, EventOutcome outcome) {
    AppendJsonText(json, kJsonEventOutcomes[static_cast<size_t>(outcome)]);
  });
  lists.Array("values", chunk.values, [](std::string& json, const std::string& value) { AppendJsonText(json, value); });
  std::string line = std::exchange(trace_line_, {});
  if (line.empty()) line = R"({"type":"events")";
  const std::string body = lists.Take();
  if (body != "{}") line += ',';
  return output_(line + body.substr(1) + "\n");
}

Status JsonLinesWriter::EndTrace() {
  if (trace_line_.empty()) return {};
  return output_(std::exchange(trace_line_, {}) + "}\n");
}

Status JsonLinesWriter::EndRun() {
  symbols_ = nullptr;
  return {};
}

Status JsonLinesWriter::AddAttachment(const Attachment& attachment) {
  const AttachmentHeader& header = attachment.header;
  OSCOPE_RETURN_IF_ERROR(Validate(header));
  uint64_t offset = 0;
  do {
    const std::string_view piece = std::string_view(attachment.bytes).substr(offset, kAttachmentLineBytes);
    ObjectWriter out("attachment");
    if (header.owner.is_run()) {
      out.Text("run", ToString(header.owner.run));
    } else {
      out.Text("project", header.owner.bug.project);
      out.Text("bug", header.owner.bug.id);
    }
    out.Text("kind", header.kind);
    out.Text("name", header.name);
    out.Text("sha256", header.sha256);
    out.Number("size", header.size);
    out.Number("offset", offset);
    out.Text("base64", EncodeBase64(piece));
    OSCOPE_RETURN_IF_ERROR(output_(out.Take() + "\n"));
    offset += piece.size();
  } while (offset < header.size);
  return {};
}

}  // namespace oscope
