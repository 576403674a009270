// Each kind of record as an encoder beside its decoder, so that both can be read together with docs/formats/osct.md.
//
// The decoders read a stranger's bytes. FieldReader keeps the first failure and returns empty values from then on, so
// a decoder is a list of fields without a check after each, and fails once at its end. It keeps two kinds of failure
// apart: a field over its limit (kLimit, which the sender can act on) and bytes that make no sense (kCorrupt). A count
// is compared with the bytes that are left before anything is allocated for it, since each item takes at least a byte.
// Whatever is decoded is then validated as the model demands; a reader never hands on a run that a store would refuse.
//
// Formats grow in two ways. Optional parts have a bit in the record's flags; an unknown bit is refused, since its
// bytes could not be skipped. New fields of bugs and runs are appended as tagged values from the model's list of
// fields (tracer/model/appended_fields.h), so that adding a field changes nothing here.
//
// What is left out: bytes are not compressed or checksummed here (osct_blocks.cc), and the order of records is checked
// by the reader (osct_reader.cc).
#include "tracer/format/osct_records.h"

#include <optional>

#include "base/limits.h"
#include "tracer/format/osct_repeat.h"
#include "tracer/model/appended_fields.h"
#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope::osct {
namespace {

using limits::kMaxFields;
using limits::kMaxIdBytes;
using limits::kMaxNameBytes;
using limits::kMaxTextBytes;

// A ByteReader that tells a field over its limit from bytes that make no sense.
class FieldReader {
 public:
  explicit FieldReader(std::string_view payload) : in_(payload) {}

  std::string Text(std::string_view field, size_t limit) {
    const uint64_t length = Within(field, limit);
    return std::string(in_.Bytes(length));
  }
  // How many items follow; each takes at least a byte, so a larger count is a lie.
  uint64_t Count(std::string_view field) {
    const uint64_t count = Within(field, kMaxFields);
    if (count > in_.remaining()) Fail(fmt::format("{}: {} announced, {} bytes left", field, count, in_.remaining()));
    return ok() ? count : 0;
  }
  uint64_t Number() { return in_.Varint(); }
  int64_t Signed() { return in_.ZigZag(); }
  uint64_t Fixed64() { return in_.U64(); }
  uint32_t Number32(std::string_view field) {
    const uint64_t value = in_.Varint();
    if (value > UINT32_MAX) Fail(fmt::format("{}: {} exceeds 32 bits", field, value));
    return static_cast<uint32_t>(value);
  }
  int32_t Signed32(std::string_view field) {
    const int64_t value = in_.ZigZag();
    if (value != static_cast<int32_t>(value)) Fail(fmt::format("{}: {} exceeds 32 bits", field, value));
    return static_cast<int32_t>(value);
  }
  uint64_t Flags(uint64_t known) {
    const uint64_t flags = in_.Varint();
    if ((flags & ~known) != 0) Fail(fmt::format("flags 0x{:x} are unknown", flags & ~known));
    return flags;
  }
  // An enumerator below `count`; the first one on failure.
  template <typename Enum>
  Enum Choice(std::string_view field, uint64_t count) {
    const uint64_t value = in_.Varint();
    if (value < count) return static_cast<Enum>(value);
    Fail(fmt::format("{} {} is unknown", field, value));
    return Enum{};
  }
  std::optional<int64_t> Time(bool present) { return present ? std::optional(in_.ZigZag()) : std::nullopt; }

  void Fail(std::string message) { in_.Fail(std::move(message)); }
  bool ok() const { return in_.ok(); }
  size_t remaining() const { return in_.remaining(); }
  Status status() const { return limit_ ? Status(*limit_) : in_.status(); }
  Status Finish() const { return limit_ ? Status(*limit_) : in_.ExpectEnd(); }
  // What is left over.
  std::string_view Rest() { return in_.Bytes(in_.remaining()); }

 private:
  uint64_t Within(std::string_view field, size_t limit) {
    const uint64_t value = in_.Varint();
    if (value <= limit) return value;
    if (ok()) limit_ = Limit("{}: {} is over the limit of {}", field, value, limit);
    Fail("over a limit");
    return 0;
  }

  ByteReader in_;
  std::optional<Error> limit_;
};

using Custom = std::map<std::string, std::string>;

void EncodeCustom(const Custom& custom, ByteWriter& out) {
  out.Varint(custom.size());
  for (const auto& [name, value] : custom) {
    out.String(name);
    out.String(value);
  }
}

Custom DecodeCustom(FieldReader& in) {
  Custom custom;
  const uint64_t count = in.Count("custom fields");
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    std::string name = in.Text("custom field name", kMaxNameBytes);
    std::string value = in.Text("custom field", kMaxTextBytes);
    if (!custom.empty() && name <= custom.rbegin()->first) in.Fail("custom fields are not in ascending order");
    custom.emplace_hint(custom.end(), std::move(name), std::move(value));
  }
  return custom;
}

void EncodeTime(const std::optional<int64_t>& time, ByteWriter& out) {
  if (time) out.ZigZag(*time);
}

void EncodeComments(const std::vector<Comment>& comments, ByteWriter& out) {
  out.Varint(comments.size());
  for (const Comment& comment : comments) {
    out.U8(comment.at_ns ? 1 : 0);
    EncodeTime(comment.at_ns, out);
    out.String(comment.author);
    out.String(comment.text);
  }
}

std::vector<Comment> DecodeComments(FieldReader& in) {
  std::vector<Comment> comments;
  const uint64_t count = in.Count("comments");
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    Comment& comment = comments.emplace_back();
    comment.at_ns = in.Time(in.Flags(1) != 0);
    comment.author = in.Text("comment author", kMaxNameBytes);
    comment.text = in.Text("comment", kMaxTextBytes);
  }
  return comments;
}

void EncodeFix(const Fix& fix, ByteWriter& out) {
  out.U8(fix.at_ns ? 1 : 0);
  EncodeTime(fix.at_ns, out);
  for (const std::string* text : {&fix.commit, &fix.diff, &fix.author, &fix.note}) out.String(*text);
}

Fix DecodeFix(FieldReader& in) {
  Fix fix;
  fix.at_ns = in.Time(in.Flags(1) != 0);
  fix.commit = in.Text("fix commit", kMaxNameBytes);
  fix.diff = in.Text("fix diff", kMaxTextBytes);
  fix.author = in.Text("fix author", kMaxNameBytes);
  fix.note = in.Text("fix note", kMaxTextBytes);
  return fix;
}

// The fields that only a failing run has; how it ended is among the fields of the run itself.
void EncodeFailure(const Failure& failure, ByteWriter& out) {
  out.U8(static_cast<uint8_t>(failure.kind));
  out.String(failure.place.file);
  out.Varint(failure.place.line);
  out.String(failure.place.function);
  out.String(failure.fingerprint);
}

void DecodeFailure(FieldReader& in, Failure& failure) {
  failure.kind = in.Choice<FailureKind>("failure kind", kFailureKinds);
  failure.place.file = in.Text("failure's file", kMaxNameBytes);
  failure.place.line = in.Number32("failure's line");
  failure.place.function = in.Text("failure's function", kMaxNameBytes);
  failure.fingerprint = in.Text("fingerprint", kMaxNameBytes);
}

// Reads the fields that end a record of version 2.
template <const auto& kFields, typename Record>
Status FinishFields(FieldReader& in, uint16_t version, Record& record) {
  if (version == 1 || !in.ok()) return in.Finish();
  return ReadAppended<kFields>(in.Rest(), record);
}

constexpr uint64_t kCreated = 1;
constexpr uint64_t kResolved = 2;
constexpr uint64_t kAllBugFlags = 3;

constexpr uint64_t kStarted = 1;
constexpr uint64_t kDuration = 2;
constexpr uint64_t kExitCode = 4;
constexpr uint64_t kSignalNumber = 8;
constexpr uint64_t kFailingThread = 16;
constexpr uint64_t kIncomplete = 32;
constexpr uint64_t kFailure = 64;  // since version 2
constexpr uint64_t kRepeat = 128;  // since version 2
constexpr uint64_t kAllRunFlags = 255;
constexpr uint64_t kRunFlagsOfVersion1 = 63;

constexpr uint64_t kMark = 1;
constexpr uint64_t kPartial = 2;
constexpr uint64_t kDepths = 4;
constexpr uint64_t kOutcomes = 8;
constexpr uint64_t kValues = 16;
constexpr uint64_t kAllTraceFlags = 31;

constexpr uint64_t kSignature = 1;
constexpr uint64_t kFile = 2;
constexpr uint64_t kLine = 4;
constexpr uint64_t kObject = 8;
constexpr uint64_t kBuildId = 16;
constexpr uint64_t kAddress = 32;
constexpr uint64_t kAllSymbolFlags = 63;

constexpr uint64_t kOfRun = 1;  // the owner of an attachment

// What an entry of a SymbolTable takes beside its texts, rounded up.
constexpr uint64_t kSymbolCost = 256;

uint64_t CostOf(std::string_view name, const SymbolAttributes& attributes) {
  return kSymbolCost + name.size() + attributes.signature.size() + attributes.file.size() + attributes.object.size() +
         attributes.build_id.size();
}

SymbolAttributes DecodeAttributes(FieldReader& in) {
  SymbolAttributes attributes;
  const uint64_t flags = in.Flags(kAllSymbolFlags);
  if (flags & kSignature) attributes.signature = in.Text("signature", kMaxNameBytes);
  if (flags & kFile) attributes.file = in.Text("file", kMaxNameBytes);
  if (flags & kLine) attributes.line = in.Number32("line");
  if (flags & kObject) attributes.object = in.Text("object", kMaxNameBytes);
  if (flags & kBuildId) attributes.build_id = in.Text("build id", kMaxNameBytes);
  if (flags & kAddress) attributes.address = in.Number();
  return attributes;
}

}  // namespace

void EncodeBug(const Bug& bug, ByteWriter& out) {
  out.String(bug.key.project);
  out.String(bug.key.id);
  out.U8(static_cast<uint8_t>(bug.status));
  out.Varint((bug.created_ns ? kCreated : 0) | (bug.resolved_ns ? kResolved : 0));
  EncodeTime(bug.created_ns, out);
  EncodeTime(bug.resolved_ns, out);
  for (const std::string* text : {&bug.title, &bug.severity, &bug.reporter, &bug.url, &bug.version, &bug.text}) {
    out.String(*text);
  }
  EncodeComments(bug.comments, out);
  EncodeFix(bug.fix, out);
  out.Varint(bug.duplicates.size());
  for (const BugKey& duplicate : bug.duplicates) {
    out.String(duplicate.project);
    out.String(duplicate.id);
  }
  EncodeCustom(bug.custom, out);
  WriteAppended<kBugFields>(bug, out);
}

Result<Bug> DecodeBug(std::string_view payload, uint16_t version) {
  FieldReader in(payload);
  Bug bug;
  bug.key.project = in.Text("project", kMaxIdBytes);
  bug.key.id = in.Text("bug id", kMaxIdBytes);
  bug.status = in.Choice<BugStatus>("status", 4);
  const uint64_t flags = in.Flags(kAllBugFlags);
  bug.created_ns = in.Time((flags & kCreated) != 0);
  bug.resolved_ns = in.Time((flags & kResolved) != 0);
  bug.title = in.Text("title", kMaxNameBytes);
  bug.severity = in.Text("severity", kMaxNameBytes);
  bug.reporter = in.Text("reporter", kMaxNameBytes);
  bug.url = in.Text("url", kMaxNameBytes);
  bug.version = in.Text("version", kMaxNameBytes);
  bug.text = in.Text("text", kMaxTextBytes);
  bug.comments = DecodeComments(in);
  bug.fix = DecodeFix(in);
  const uint64_t duplicates = in.Count("duplicates");
  for (uint64_t i = 0; i < duplicates && in.ok(); ++i) {
    BugKey& duplicate = bug.duplicates.emplace_back();
    duplicate.project = in.Text("project of a duplicate", kMaxIdBytes);
    duplicate.id = in.Text("id of a duplicate", kMaxIdBytes);
  }
  bug.custom = DecodeCustom(in);
  OSCOPE_RETURN_IF_ERROR(FinishFields<kBugFields>(in, version, bug));
  OSCOPE_RETURN_IF_ERROR(Validate(bug));
  return bug;
}

void EncodeRun(const RunHeader& run, ByteWriter& out) {
  out.U64(run.id.value.high);
  out.U64(run.id.value.low);
  for (const std::string* text : {&run.project, &run.bug, &run.test, &run.version, &run.language, &run.recorder}) {
    out.String(*text);
  }
  out.U8(static_cast<uint8_t>(run.outcome));
  out.Varint((run.started_ns ? kStarted : 0) | (run.duration_ns ? kDuration : 0) |
             (run.failure.exit_code ? kExitCode : 0) | (run.failure.signal ? kSignalNumber : 0) |
             (run.failing_thread ? kFailingThread : 0) | (run.incomplete ? kIncomplete : 0) |
             (run.failure.tells_what_went_wrong() ? kFailure : 0) | (run.repeat.empty() ? 0 : kRepeat));
  EncodeTime(run.started_ns, out);
  if (run.duration_ns) out.Varint(*run.duration_ns);
  if (run.failure.exit_code) out.ZigZag(*run.failure.exit_code);
  if (run.failure.signal) out.ZigZag(*run.failure.signal);
  if (run.failing_thread) {
    out.Varint(run.failing_thread->process);
    out.Varint(run.failing_thread->thread);
  }
  out.String(run.failure.message);
  if (run.failure.tells_what_went_wrong()) EncodeFailure(run.failure, out);
  out.Varint(run.command.size());
  for (const std::string& argument : run.command) out.String(argument);
  out.Varint(run.inputs.size());
  for (const RunInput& input : run.inputs) {
    out.String(input.name);
    out.String(input.bytes);
  }
  EncodeCustom(run.custom, out);
  if (!run.repeat.empty()) out.String(EncodeRepeat(run.repeat));
  WriteAppended<kRunFields>(run, out);
}

Result<RunHeader> DecodeRun(std::string_view payload, uint16_t version) {
  FieldReader in(payload);
  RunHeader run;
  run.id.value.high = in.Fixed64();
  run.id.value.low = in.Fixed64();
  run.project = in.Text("project", kMaxIdBytes);
  run.bug = in.Text("bug id", kMaxIdBytes);
  run.test = in.Text("test", kMaxNameBytes);
  run.version = in.Text("version", kMaxNameBytes);
  run.language = in.Text("language", kMaxNameBytes);
  run.recorder = in.Text("recorder", kMaxNameBytes);
  run.outcome = in.Choice<Outcome>("outcome", 4);
  const uint64_t flags = in.Flags(version == 1 ? kRunFlagsOfVersion1 : kAllRunFlags);
  run.started_ns = in.Time((flags & kStarted) != 0);
  if (flags & kDuration) run.duration_ns = in.Number();
  if (flags & kExitCode) run.failure.exit_code = in.Signed32("exit code");
  if (flags & kSignalNumber) run.failure.signal = in.Signed32("signal");
  if (flags & kFailingThread) {
    const uint32_t process = in.Number32("failing process");
    run.failing_thread = ThreadRef{process, in.Number32("failing thread")};
  }
  run.incomplete = (flags & kIncomplete) != 0;
  run.failure.message = in.Text("message", kMaxTextBytes);
  if (flags & kFailure) DecodeFailure(in, run.failure);
  const uint64_t arguments = in.Count("arguments");
  for (uint64_t i = 0; i < arguments && in.ok(); ++i) run.command.push_back(in.Text("argument", kMaxTextBytes));
  const uint64_t inputs = in.Count("inputs");
  for (uint64_t i = 0; i < inputs && in.ok(); ++i) {
    RunInput& input = run.inputs.emplace_back();
    input.name = in.Text("input name", kMaxNameBytes);
    input.bytes = in.Text("input", kMaxTextBytes);
  }
  run.custom = DecodeCustom(in);
  const std::string repeat = flags & kRepeat ? in.Text("repeat", kMaxTextBytes) : std::string();
  OSCOPE_RETURN_IF_ERROR(FinishFields<kRunFields>(in, version, run));
  if (flags & kRepeat) {
    OSCOPE_ASSIGN_OR_RETURN(run.repeat, DecodeRepeat(repeat));
  }
  TakeFailureFromCustom(run);
  OSCOPE_RETURN_IF_ERROR(Validate(run));
  return run;
}

void EncodeTrace(const TraceHeader& trace, ByteWriter& out) {
  out.Varint((trace.mark ? kMark : 0) | (trace.partial ? kPartial : 0) | (trace.has_depths ? kDepths : 0) |
             (trace.has_outcomes ? kOutcomes : 0) | (trace.has_values ? kValues : 0));
  out.Varint(trace.process);
  out.Varint(trace.thread);
  out.U8(static_cast<uint8_t>(trace.kind));
  out.Varint(trace.event_count);
  out.String(trace.thread_name);
  out.String(trace.partial_note);
  if (!trace.mark) return;
  out.Varint(trace.mark->events);
  out.String(trace.mark->reason);
}

Result<TraceHeader> DecodeTrace(std::string_view payload) {
  FieldReader in(payload);
  TraceHeader trace;
  const uint64_t flags = in.Flags(kAllTraceFlags);
  trace.process = in.Number32("process");
  trace.thread = in.Number32("thread");
  trace.kind = in.Choice<TraceKind>("trace kind", 2);
  trace.event_count = in.Number();
  trace.thread_name = in.Text("thread name", kMaxNameBytes);
  trace.partial_note = in.Text("partial note", kMaxTextBytes);
  trace.partial = (flags & kPartial) != 0;
  trace.has_depths = (flags & kDepths) != 0;
  trace.has_outcomes = (flags & kOutcomes) != 0;
  trace.has_values = (flags & kValues) != 0;
  if (flags & kMark) {
    const uint64_t events = in.Number();
    trace.mark = FailureMark{events, in.Text("failure reason", kMaxNameBytes)};
  }
  OSCOPE_RETURN_IF_ERROR(in.Finish());
  OSCOPE_RETURN_IF_ERROR(Validate(trace));
  return trace;
}

void EncodeSymbol(std::string_view name, const SymbolAttributes& attributes, ByteWriter& out) {
  out.String(name);
  out.Varint((attributes.signature.empty() ? 0 : kSignature) | (attributes.file.empty() ? 0 : kFile) |
             (attributes.line == 0 ? 0 : kLine) | (attributes.object.empty() ? 0 : kObject) |
             (attributes.build_id.empty() ? 0 : kBuildId) | (attributes.address == 0 ? 0 : kAddress));
  if (!attributes.signature.empty()) out.String(attributes.signature);
  if (!attributes.file.empty()) out.String(attributes.file);
  if (attributes.line != 0) out.Varint(attributes.line);
  if (!attributes.object.empty()) out.String(attributes.object);
  if (!attributes.build_id.empty()) out.String(attributes.build_id);
  if (attributes.address != 0) out.Varint(attributes.address);
}

Status DecodeSymbols(std::string_view payload, SymbolTable& symbols, uint64_t& budget) {
  FieldReader in(payload);
  while (in.ok() && in.remaining() > 0) {
    if (symbols.size() == limits::kMaxSymbols) return Limit("more than {} symbols", limits::kMaxSymbols);
    const std::string name = in.Text("symbol name", kMaxNameBytes);
    SymbolAttributes attributes = DecodeAttributes(in);
    if (!in.ok()) break;
    const uint64_t cost = CostOf(name, attributes);
    if (cost > budget) return Limit("the symbols take more memory than allowed");
    budget -= cost;
    symbols.Append(name, std::move(attributes));
  }
  return in.status();
}

void EncodeRunEnd(const RunEnd& end, ByteWriter& out) {
  out.Varint(end.traces);
  out.Varint(end.events);
}

Result<RunEnd> DecodeRunEnd(std::string_view payload) {
  FieldReader in(payload);
  RunEnd end;
  end.traces = in.Number();
  end.events = in.Number();
  OSCOPE_RETURN_IF_ERROR(in.Finish());
  return end;
}

void EncodeAttachment(const AttachmentHeader& attachment, ByteWriter& out) {
  const AttachmentOwner& owner = attachment.owner;
  out.Varint(owner.is_run() ? kOfRun : 0);
  if (owner.is_run()) {
    out.U64(owner.run.value.high);
    out.U64(owner.run.value.low);
  } else {
    out.String(owner.bug.project);
    out.String(owner.bug.id);
  }
  out.String(attachment.kind);
  out.String(attachment.name);
  out.String(attachment.sha256);
  out.Varint(attachment.size);
}

Result<AttachmentHeader> DecodeAttachment(std::string_view payload) {
  FieldReader in(payload);
  AttachmentHeader attachment;
  if (in.Flags(kOfRun) != 0) {
    attachment.owner.run.value.high = in.Fixed64();
    attachment.owner.run.value.low = in.Fixed64();
  } else {
    attachment.owner.bug.project = in.Text("project", kMaxIdBytes);
    attachment.owner.bug.id = in.Text("bug id", kMaxIdBytes);
  }
  attachment.kind = in.Text("kind", kMaxIdBytes);
  attachment.name = in.Text("name", kMaxNameBytes);
  attachment.sha256 = in.Text("sha256", kMaxIdBytes);
  attachment.size = in.Number();
  OSCOPE_RETURN_IF_ERROR(in.Finish());
  OSCOPE_RETURN_IF_ERROR(Validate(attachment));
  return attachment;
}

void EncodeTraceEnd(uint64_t events, ByteWriter& out) { out.Varint(events); }

Result<uint64_t> DecodeTraceEnd(std::string_view payload) {
  FieldReader in(payload);
  const uint64_t events = in.Number();
  OSCOPE_RETURN_IF_ERROR(in.Finish());
  return events;
}

}  // namespace oscope::osct
