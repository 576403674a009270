// The hash that decides whether two runs with the same id have the same content. Stores keep it, so a run must have the
// same hash in every release: what earlier releases did not know is hashed only where it is present, after everything
// else, and fields that moved (the fingerprint was a custom field once) are hashed where they used to be.
//
// The events are hashed by their names, not their symbol ids, since two files number the same events differently. Five
// streams are hashed side by side and combined at the end, so that the result does not depend on how the events were
// cut into chunks.
#include "tracer/model/content_hash.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/bytes.h"
#include "tracer/model/appended_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope {
namespace {

// Lists are hashed as they lie in memory.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(EventOutcome) == 1);

template <typename T>
std::string_view AsBytes(std::span<const T> list) {
  return {reinterpret_cast<const char*>(list.data()), list.size_bytes()};
}

template <typename T>
void WriteOptional(ByteWriter& out, const std::optional<T>& value) {
  out.U8(value ? 1 : 0);
  if (value) out.ZigZag(static_cast<int64_t>(*value));
}

// The importers of texts make these members from the stack and the message, which are hashed: earlier releases did not
// make them, and the same text must stay the same run.
bool IsMadeFromText(const RunHeader& run) {
  return run.recorder.starts_with("import:") && run.recorder != "import:jsonl";
}

// As earlier releases hashed a run: the fingerprint and the place were custom fields. What they did not know follows
// only where it is known.
void WriteWhatWentWrong(const RunHeader& run, ByteWriter& out) {
  const Failure failure = IsMadeFromText(run) ? Failure{} : run.failure;
  const CustomFields custom = WithFailureFields(run.custom, failure);
  out.Varint(custom.size());
  for (const auto& [name, value] : custom) {
    out.String(name);
    out.String(value);
  }
  if (failure.kind == FailureKind::kUnknown && failure.place.function.empty()) return;
  out.U8(static_cast<uint8_t>(failure.kind));
  out.String(failure.place.function);
}

void WriteTexts(const std::vector<std::string>& texts, ByteWriter& out) {
  out.Varint(texts.size());
  for (const std::string& text : texts) out.String(text);
}

// Earlier releases did not know it: a run without it keeps its hash. The first byte is no kind of a failure.
void WriteRepeat(const Repeat& repeat, ByteWriter& out) {
  if (repeat.empty()) return;
  out.U8(0xff);
  for (const std::string* text : {&repeat.directory, &repeat.revision, &repeat.changes, &repeat.selection.runner,
                                  &repeat.selection.framework, &repeat.selection.filter}) {
    out.String(*text);
  }
  WriteOptional(out, repeat.expected.exit_code);
  out.U8(repeat.expected.fails ? 1 : 0);
  WriteTexts(repeat.expected.output, out);
  WriteTexts(repeat.expected.forbidden_output, out);
  out.Varint(repeat.builds.size());
  for (const BuiltObject& object : repeat.builds) {
    out.String(object.path);
    out.String(object.build_id);
    WriteTexts(object.compilers, out);
  }
  out.Varint(repeat.not_kept.size());
  for (const NotKept& missing : repeat.not_kept) {
    out.String(missing.kind);
    out.String(missing.name);
  }
}

std::string Serialise(const RunHeader& run) {
  ByteWriter out;
  out.U64(run.id.value.high);
  out.U64(run.id.value.low);
  for (const std::string* text : {&run.project, &run.test, &run.version, &run.language, &run.recorder}) {
    out.String(*text);
  }
  out.Varint(run.command.size());
  for (const std::string& argument : run.command) out.String(argument);
  out.Varint(run.inputs.size());
  for (const RunInput& input : run.inputs) {
    out.String(input.name);
    out.String(input.bytes);
  }
  WriteOptional(out, run.started_ns);
  WriteOptional(out, run.duration_ns);
  out.U8(static_cast<uint8_t>(run.outcome));
  WriteOptional(out, run.failure.exit_code);
  WriteOptional(out, run.failure.signal);
  out.String(run.failure.message);
  out.U8(run.failing_thread ? 1 : 0);
  if (run.failing_thread) {
    out.Varint(run.failing_thread->process);
    out.Varint(run.failing_thread->thread);
  }
  out.U8(run.incomplete ? 1 : 0);
  WriteWhatWentWrong(run, out);
  WriteAppended<kRunFields>(run, out);
  WriteRepeat(run.repeat, out);
  return out.Take();
}

}  // namespace

void ContentHasher::Begin(const RunHeader& run) {
  for (WideHasher* stream : {&headers_, &events_, &depths_, &outcomes_, &values_}) stream->Reset();
  headers_.UpdateString(Serialise(run));
}

void ContentHasher::BeginTrace(const TraceHeader& trace) {
  events_in_trace_ = 0;
  // One update for the numbers: this runs for every one of a million small traces.
  const uint64_t flags = static_cast<uint64_t>(trace.kind) | (trace.mark ? 0x100 : 0) | (trace.partial ? 0x200 : 0) |
                         (trace.has_depths ? 0x400 : 0) | (trace.has_outcomes ? 0x800 : 0) |
                         (trace.has_values ? 0x1000 : 0);
  const std::array<uint64_t, 7> numbers = {
      (static_cast<uint64_t>(trace.process) << 32) | trace.thread,
      flags,
      trace.event_count,
      trace.mark ? trace.mark->events : 0,
      trace.thread_name.size(),
      trace.mark ? trace.mark->reason.size() : 0,
      trace.partial_note.size(),
  };
  headers_.Update(AsBytes(std::span<const uint64_t>(numbers)));
  if (!trace.thread_name.empty()) headers_.Update(trace.thread_name);
  if (trace.mark) headers_.Update(trace.mark->reason);
  if (!trace.partial_note.empty()) headers_.Update(trace.partial_note);
}

void ContentHasher::AddEvents(const EventChunk& chunk, const SymbolTable& symbols) {
  CacheNames(symbols);
  std::array<uint64_t, 256> hashes;
  for (size_t begin = 0; begin < chunk.events.size(); begin += hashes.size()) {
    const size_t count = std::min(hashes.size(), chunk.events.size() - begin);
    for (size_t i = 0; i < count; ++i) hashes[i] = name_hashes_[static_cast<uint32_t>(chunk.events[begin + i])];
    events_.Update(AsBytes(std::span<const uint64_t>(hashes.data(), count)));
  }
  events_in_trace_ += chunk.events.size();
  if (!chunk.depths.empty()) depths_.Update(AsBytes(chunk.depths));
  if (!chunk.outcomes.empty()) outcomes_.Update(AsBytes(chunk.outcomes));
  for (const std::string& value : chunk.values) values_.UpdateString(value);
}

void ContentHasher::EndTrace() { headers_.UpdateNumber(events_in_trace_); }

Hash128 ContentHasher::Digest() const {
  WideHasher all;
  for (const WideHasher* stream : {&headers_, &events_, &depths_, &outcomes_, &values_}) {
    const Hash128 part = stream->Digest();
    all.UpdateNumber(part.high);
    all.UpdateNumber(part.low);
  }
  return all.Digest();
}

void ContentHasher::CacheNames(const SymbolTable& symbols) {
  if (cached_uid_ != symbols.uid()) name_hashes_.clear();
  cached_uid_ = symbols.uid();
  for (auto id = static_cast<uint32_t>(name_hashes_.size()); id < symbols.size(); ++id) {
    name_hashes_.push_back(Xxh3(symbols.name(static_cast<SymbolId>(id))));
  }
}

}  // namespace oscope
