// The fields of bugs and runs are read by the model's lists (kBugFields, kRunFields): ReadValue has an overload for
// each type of member, and a new field of a known type needs nothing here. Only what is not a field of a record is
// read by hand: traces with their events, and attachments, whose bytes may be spread over several lines.
//
// A bare event text means the event with the attributes that it was last given in this run (described_), so that
// attributes are written once.
//
// Each line is a JSON document of its own, parsed whole. Its length and nesting are limited before the parser sees it.
#include "tracer/import/json_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/limits.h"
#include "tracer/import/base64.h"
#include "tracer/import/import_batch.h"
#include "tracer/import/json_fields.h"
#include "tracer/import/json_outcomes.h"
#include "tracer/import/json_repeat.h"
#include "tracer/import/json_text.h"
#include "tracer/import/text_lines.h"
#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope {
namespace {

using Json = nlohmann::json;

// The name and the bytes of an object that may have more fields.
void ReadBytes(JsonFields& fields, RunInput& input) {
  fields.Text("name", input.name);
  fields.Text("text", input.bytes);
  std::string encoded;
  fields.Text("base64", encoded);
  if (auto bytes = DecodeBase64(encoded); !bytes.ok()) {
    fields.Wrong("base64", bytes.error().message);
  } else if (!encoded.empty()) {
    input.bytes = *std::move(bytes);
  }
}

RunInput ReadInput(JsonFields& fields) {
  RunInput input;
  ReadBytes(fields, input);
  fields.Finish();
  return input;
}

void ReadValue(JsonFields& fields, const char* name, const RunHeader&, std::vector<RunInput>& inputs) {
  for (JsonFields& inner : fields.Objects(name)) inputs.push_back(ReadInput(inner));
}
void ReadValue(JsonFields& fields, const char* name, const RunHeader&, std::vector<std::string>& texts) {
  fields.Texts(name, texts);
}
void ReadValue(JsonFields& fields, const char* name, const RunHeader&, RunId& id) {
  fields.Named(name, id, ParseRunId);
}
void ReadValue(JsonFields& fields, const char* name, const RunHeader&, std::optional<ThreadRef>& thread) {
  auto inner = fields.Inner(name);
  if (!inner) return;
  thread.emplace();
  inner->Number("process", thread->process);
  inner->Number("thread", thread->thread);
  inner->Finish();
}
void ReadValue(JsonFields& fields, const char* name, const RunHeader&, bool& flag) { fields.Flag(name, flag); }
void ReadValue(JsonFields& fields, const char* name, const RunHeader&, uint32_t& number) {
  fields.Number(name, number);
}

void ReadValue(JsonFields& fields, const char* name, const Bug&, std::vector<Comment>& comments) {
  for (JsonFields& inner : fields.Objects(name)) {
    Comment comment;
    inner.Text("author", comment.author);
    inner.Time("at", comment.at_ns);
    inner.Text("text", comment.text);
    inner.Finish();
    comments.push_back(std::move(comment));
  }
}

// The project comes before it, and is that of a key which has none.
void ReadValue(JsonFields& fields, const char* name, const Bug& bug, std::vector<BugKey>& keys) {
  for (JsonFields& inner : fields.Objects(name)) {
    BugKey key{bug.key.project, {}};
    inner.Text("project", key.project);
    inner.Text("id", key.id);
    inner.Finish();
    keys.push_back(std::move(key));
  }
}

template <typename Record>
void ReadValue(JsonFields& fields, const char* name, const Record&, std::string& text) {
  fields.Text(name, text);
}
template <typename Record>
void ReadValue(JsonFields& fields, const char* name, const Record&, std::optional<int64_t>& time_ns) {
  fields.Time(name, time_ns);
}
template <typename Record, typename Number>
  requires std::is_integral_v<Number>
void ReadValue(JsonFields& fields, const char* name, const Record&, std::optional<Number>& number) {
  fields.Number(name, number);
}
template <typename Record>
void ReadValue(JsonFields& fields, const char* name, const Record&, std::map<std::string, std::string>& map) {
  fields.Map(name, map);
}
template <typename Record, typename Enum>
  requires std::is_enum_v<Enum>
void ReadValue(JsonFields& fields, const char* name, const Record&, Enum& value) {
  fields.Named(name, value, EnumText<Enum>::Parse);
}

template <typename Row, typename Record>
void ReadField(JsonFields& fields, const Row& field, Record& record) {
  std::visit([&](const auto& member) { ReadValue(fields, field.name, record, member.change(record)); }, field.member);
}

template <typename Row, typename Record>
void ReadRecord(JsonFields& fields, std::span<const Row* const> rows, Record& record) {
  ForEachGroup(
      rows, [&](const Row& field) { ReadField(fields, field, record); },
      [&](const char* group, std::span<const Row* const> members) {
        auto inner = fields.Inner(group);
        if (!inner) return;
        for (const Row* member : members) ReadField(*inner, *member, record);
        inner->Finish();
      });
}

class JsonLinesParser {
 public:
  explicit JsonLinesParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    for (const std::string_view line : SplitLines(bytes)) {
      ++line_;
      if (!IsBlank(line)) Line(line);
    }
    ExpectWholeAttachment();
  }

 private:
  void Line(std::string_view text) {
    if (FindTooDeepNesting(text) != 0) {
      return batch_.AddLimit(line_, fmt::format("more than {} levels of brackets", kMaxJsonNesting));
    }
    Json object;
    try {
      object = Json::parse(text.begin(), text.end());
    } catch (const Json::exception& error) {
      return batch_.AddProblem(line_, JsonReason(error.what()));
    }
    if (!object.is_object()) return batch_.AddProblem(line_, "expected a JSON object");
    JsonFields fields(object, "", line_, batch_);
    std::string type;
    fields.Text("type", type);
    if (type == "bug") {
      Bug bug;
      ReadRecord<BugField>(fields, kInOrder<kBugFields, &BugField::lines>, bug);
      batch_.AddBug(std::move(bug));
      fields.Finish();
    } else if (type == "run") {
      RunLine(fields);
    } else if (type == "trace" || type == "events") {
      TraceLine(fields, type == "trace");
    } else if (type == "attachment") {
      AttachmentLine(fields);
    } else {
      batch_.AddProblem(line_, "expected \"type\" to be bug, run, trace, events or attachment");
    }
  }

  void RunLine(JsonFields& fields) {
    run_ = &batch_.AddRun();
    described_.clear();
    ReadRecord<RunField>(fields, kInOrder<kRunFields, &RunField::lines>, run_->run.header);
    if (auto inner = fields.Inner("repeat")) run_->run.header.repeat = ReadRepeat(*inner);
    for (JsonFields& inner : fields.Objects("traces")) {
      ReadTrace(inner);
      inner.Finish();
    }
    fields.Finish();
  }

  void TraceLine(JsonFields& fields, bool is_new) {
    if (run_ == nullptr) return batch_.AddProblem(line_, "no run line before it");
    if (is_new) {
      ReadTrace(fields);
    } else if (run_->run.traces.empty()) {
      return batch_.AddProblem(line_, "no trace line before it");
    } else {
      ReadEvents(fields, run_->run.traces.back());
    }
    fields.Finish();
  }

  // The attachment of a line, or the piece that the line has of one. Without a digest and a size it is all there.
  void AttachmentLine(JsonFields& fields) {
    RunInput piece;
    AttachmentHeader header;
    uint64_t offset = 0;
    fields.Named("run", header.owner.run, ParseRunId);
    fields.Text("project", header.owner.bug.project);
    fields.Text("bug", header.owner.bug.id);
    fields.Text("kind", header.kind);
    fields.Text("sha256", header.sha256);
    fields.Number("size", header.size);
    fields.Number("offset", offset);
    ReadBytes(fields, piece);
    fields.Finish();
    header.name = std::move(piece.name);
    if (header.kind.empty()) header.kind = "file";
    if (offset != 0) return NextPiece(header, offset, piece.bytes);
    ExpectWholeAttachment();
    begun_at_ = line_;
    owner_ = header.owner == AttachmentOwner{} ? run_ : nullptr;
    if (header.owner == AttachmentOwner{} && run_ == nullptr)
      return batch_.AddProblem(line_, "it names neither a run nor a bug, and no run line stands before it");
    if (header.sha256.empty()) {
      if (header.size != 0) return batch_.AddProblem(line_, "size: there is no sha256 with it");
      return batch_.AddAttachment(line_, MakeAttachment(header.owner, header.kind, header.name, std::move(piece.bytes)),
                                  owner_);
    }
    if (header.size > limits::kMaxAttachmentBytes)
      return batch_.AddLimit(
          line_, fmt::format("an attachment of {} bytes; the limit is {}", header.size, limits::kMaxAttachmentBytes));
    attachment_ = {std::move(header), {}};
    TakePiece(piece.bytes);
  }

  void NextPiece(const AttachmentHeader& header, uint64_t offset, std::string_view bytes) {
    if (!attachment_ || attachment_->header != header || attachment_->bytes.size() != offset) {
      attachment_.reset();
      return batch_.AddProblem(line_, "offset: the piece of this attachment before it is missing");
    }
    TakePiece(bytes);
  }

  void TakePiece(std::string_view bytes) {
    const uint64_t size = attachment_->header.size;
    attachment_->bytes += bytes;
    if (attachment_->bytes.size() < size && !bytes.empty()) return;
    Attachment whole = *std::exchange(attachment_, std::nullopt);
    batch_.AddAttachment(line_, std::move(whole), owner_);
  }

  void ExpectWholeAttachment() {
    if (!attachment_) return;
    batch_.AddProblem(begun_at_, fmt::format("{} bytes of the attachment's {} are there", attachment_->bytes.size(),
                                             attachment_->header.size));
    attachment_.reset();
  }

  void ReadTrace(JsonFields& fields) {
    Trace& trace = run_->run.traces.emplace_back();
    TraceHeader& header = trace.header;
    fields.Number("process", header.process);
    fields.Number("thread", header.thread);
    fields.Named("kind", header.kind, ParseTraceKind);
    fields.Text("thread_name", header.thread_name);
    fields.Flag("partial", header.partial);
    fields.Text("partial_note", header.partial_note);
    if (auto inner = fields.Inner("mark")) {
      FailureMark& mark = header.mark.emplace();
      inner->Number("events", mark.events);
      inner->Text("reason", mark.reason);
      inner->Finish();
    }
    ReadEvents(fields, trace);
  }

  void ReadEvents(JsonFields& fields, Trace& trace) {
    if (const Json* events = fields.Array("events")) {
      for (const Json& event : *events) trace.events.push_back(ReadEvent(event));
    }
    if (const Json* depths = fields.Array("depths")) {
      for (const Json& depth : *depths) trace.depths.push_back(ReadDepth(fields, depth));
    }
    if (const Json* outcomes = fields.Array("outcomes")) {
      for (const Json& outcome : *outcomes) trace.outcomes.push_back(ReadOutcome(fields, outcome));
    }
    fields.Texts("values", trace.values);
    CheckLength(fields, "depths", trace.depths.size(), trace);
    CheckLength(fields, "outcomes", trace.outcomes.size(), trace);
    CheckLength(fields, "values", trace.values.size(), trace);
    trace.FinishHeader();
  }

  static void CheckLength(JsonFields& fields, const char* name, size_t size, const Trace& trace) {
    if (size == 0 || size == trace.events.size()) return;
    fields.Wrong(name, fmt::format("{} for {} events", size, trace.events.size()));
  }

  SymbolId ReadEvent(const Json& value) {
    std::optional<std::string> text = JsonTextOf(value);
    if (text && !text->empty()) {
      const auto described = described_.find(*text);
      return described != described_.end() ? described->second : batch_.Intern(*run_, line_, *text, {});
    }
    SymbolAttributes attributes;
    if (!text && value.is_object()) {
      JsonFields fields(value, "events", line_, batch_);
      fields.Text("event", text.emplace());
      fields.Text("signature", attributes.signature);
      fields.Text("file", attributes.file);
      fields.Number("line", attributes.line);
      fields.Text("object", attributes.object);
      fields.Text("build_id", attributes.build_id);
      fields.Number("address", attributes.address);
      fields.Finish();
    }
    if (!text || text->empty()) batch_.AddProblem(line_, "an event is a text, or an object with \"event\"");
    const SymbolId symbol = batch_.Intern(*run_, line_, text.value_or(""), attributes);
    described_.insert_or_assign(text.value_or(""), symbol);
    return symbol;
  }

  uint32_t ReadDepth(JsonFields& fields, const Json& value) {
    if (!value.is_number_unsigned()) {
      fields.Wrong("depths", "expected whole numbers");
      return 0;
    }
    const uint64_t depth = value.get<uint64_t>();
    if (depth > limits::kMaxDepth) {
      batch_.AddLimit(line_, fmt::format("a call depth of {}; the limit is {}", depth, limits::kMaxDepth));
      return 0;
    }
    return static_cast<uint32_t>(depth);
  }

  static EventOutcome ReadOutcome(JsonFields& fields, const Json& value) {
    const auto name = value.is_string() ? std::string_view(value.get_ref<const std::string&>()) : "";
    const auto at = std::find(kJsonEventOutcomes.begin(), kJsonEventOutcomes.end(), name);
    if (at == kJsonEventOutcomes.end()) {
      fields.Wrong("outcomes", "expected none, taken, not taken, returned or threw");
      return EventOutcome::kNone;
    }
    return static_cast<EventOutcome>(at - kJsonEventOutcomes.begin());
  }

  ImportBatch& batch_;
  uint64_t line_ = 0;
  ImportedRun* run_ = nullptr;            // that trace lines belong to
  std::optional<Attachment> attachment_;  // of which pieces are yet to come
  ImportedRun* owner_ = nullptr;          // of it, where its line does not say whose it is
  uint64_t begun_at_ = 0;                 // the line of its first piece
  // What a bare text means in this run: the event with the attributes that it was last given.
  std::unordered_map<std::string, SymbolId> described_;
};

class JsonLines final : public Importer {
 public:
  std::string_view name() const override { return "jsonl"; }
  std::string_view description() const override { return "JSON lines: oscope's own text form of bugs and runs"; }
  std::string_view expected() const override {
    return "a line such as {\"type\":\"run\",\"traces\":[{\"events\":[\"main\"]}]}";
  }
  Failures failures() const override { return Failures::kCarried; }

  int Sniff(std::string_view head) const override {
    const std::string_view text = Trim(head);
    const std::string_view line = Trim(text.substr(0, text.find('\n')));
    if (!line.starts_with('{') || !Contains(line, "\"type\"")) return 0;
    return Contains(line, "\"run\"") || Contains(line, "\"bug\"") ? 95 : 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override { JsonLinesParser(batch).Parse(bytes); }
};

}  // namespace

const Importer& JsonLinesImporter() {
  static const JsonLines importer;
  return importer;
}

}  // namespace oscope
