// A state machine over RunSink's calls. Guard checks that each call comes in the order that the format allows, and
// keeps the first error, so that after a failure nothing more is written; above all no trailer, without which readers
// refuse the file.
//
// Symbols are written where they first occur, so that the file can be streamed to a reader that starts before it ends.
// translation_ maps the sender's numbers to the file's, and is cleared when a run comes with another table of symbols.
// A chunk of events with long values is divided into several records, since a record must fit into a block.
#include "tracer/format/osct_writer.h"

#include <algorithm>

#include "base/limits.h"
#include "tracer/format/osct_events.h"
#include "tracer/format/osct_records.h"

namespace oscope {

using osct::RecordKind;

namespace {

// How many of the chunk's first events make a record: as many as may, while their values fit in a block.
size_t RecordLength(const EventChunk& chunk, size_t begin) {
  const size_t most = std::min(limits::kChunkEvents, chunk.events.size() - begin);
  size_t bytes = 0;
  for (size_t i = 0; i < most && !chunk.values.empty(); ++i) {
    bytes += chunk.values[begin + i].size();
    if (i > 0 && bytes > osct::kBlockTargetBytes) return i;
  }
  return most;
}

template <typename T>
std::span<const T> Stretch(std::span<const T> list, size_t begin, size_t count) {
  return list.empty() ? list : list.subspan(begin, count);
}

Status CheckChunk(const EventChunk& chunk, const TraceHeader& trace) {
  const size_t count = chunk.events.size();
  const auto fits = [&](const auto& list, bool announced) { return list.size() == (announced ? count : 0); };
  if (!fits(chunk.depths, trace.has_depths) || !fits(chunk.outcomes, trace.has_outcomes) ||
      !fits(chunk.values, trace.has_values)) {
    return Invalid("a chunk's parallel lists are not those of the trace's header, or differ in length");
  }
  for (const uint32_t depth : chunk.depths) {
    if (depth > limits::kMaxDepth) return Limit("call depth {}: the limit is {}", depth, limits::kMaxDepth);
  }
  for (const std::string& value : chunk.values) {
    if (value.size() > limits::kMaxNameBytes) {
      return Limit("a value of {} bytes: the limit is {}", value.size(), limits::kMaxNameBytes);
    }
  }
  return {};
}

Status CheckSymbol(std::string_view name, const SymbolAttributes& attributes) {
  const size_t longest = std::max({name.size(), attributes.signature.size(), attributes.file.size(),
                                   attributes.object.size(), attributes.build_id.size()});
  if (longest <= limits::kMaxNameBytes) return {};
  return Limit("symbol '{}…': {} bytes in a field, the limit is {}", name.substr(0, 60), longest,
               limits::kMaxNameBytes);
}

}  // namespace

OsctWriter::OsctWriter(Out out, OsctWriterOptions options) : blocks_(std::move(out), options.compress, options.level) {}

OsctWriter::OsctWriter(WritableFile& file, OsctWriterOptions options)
    : OsctWriter([&file](std::string_view bytes) { return file.Append(bytes); }, options) {}

Status OsctWriter::Guard(State expected, auto work) {
  if (error_) return *error_;
  OSCOPE_CHECK(state_ == expected);
  Status status = work();
  if (!status.ok()) error_ = status.error();
  return status;
}

Status OsctWriter::AddBug(const Bug& bug) {
  return Guard(State::kIdle, [&]() -> Status {
    OSCOPE_RETURN_IF_ERROR(Validate(bug));
    osct::EncodeBug(bug, payload_);
    ++totals_.bugs;
    return PutRecord(RecordKind::kBug);
  });
}

Status OsctWriter::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  return Guard(State::kIdle, [&]() -> Status {
    OSCOPE_RETURN_IF_ERROR(Validate(run));
    source_ = &symbols;
    if (source_uid_ != symbols.uid()) translation_.clear();
    source_uid_ = symbols.uid();
    run_traces_ = 0;
    run_events_ = 0;
    run_trace_ids_.clear();
    state_ = State::kInRun;
    osct::EncodeRun(run, payload_);
    return PutRecord(RecordKind::kRun);
  });
}

Status OsctWriter::BeginTrace(const TraceHeader& trace) {
  return Guard(State::kInRun, [&]() -> Status {
    OSCOPE_RETURN_IF_ERROR(Validate(trace));
    if (!run_trace_ids_.emplace(trace.process, trace.thread, trace.kind).second) {
      return Invalid("trace {}.{} {} comes twice in a run", trace.process, trace.thread, TraceKindName(trace.kind));
    }
    if (run_traces_ == osct::kMaxRunTraces) return Limit("more than {} traces in a run", osct::kMaxRunTraces);
    trace_ = trace;
    trace_events_ = 0;
    state_ = State::kInTrace;
    osct::EncodeTrace(trace, payload_);
    return PutRecord(RecordKind::kTrace);
  });
}

Status OsctWriter::AddEvents(const EventChunk& chunk) {
  return Guard(State::kInTrace, [&]() -> Status {
    OSCOPE_RETURN_IF_ERROR(CheckChunk(chunk, trace_));
    for (size_t begin = 0; begin < chunk.events.size();) {
      const size_t count = RecordLength(chunk, begin);
      OSCOPE_RETURN_IF_ERROR(AddChunk({Stretch(chunk.events, begin, count), Stretch(chunk.depths, begin, count),
                                       Stretch(chunk.outcomes, begin, count), Stretch(chunk.values, begin, count)}));
      begin += count;
    }
    return {};
  });
}

Status OsctWriter::AddChunk(const EventChunk& chunk) {
  OSCOPE_RETURN_IF_ERROR(Translate(chunk.events));
  osct::EncodeEvents(ids_, chunk, payload_);
  trace_events_ += chunk.events.size();
  return PutRecord(RecordKind::kEvents);
}

Status OsctWriter::EndTrace() {
  return Guard(State::kInTrace, [&]() -> Status {
    if (trace_events_ != trace_.event_count) {
      return Invalid("a trace has {} events, its header says {}", trace_events_, trace_.event_count);
    }
    run_events_ += trace_events_;
    ++run_traces_;
    state_ = State::kInRun;
    osct::EncodeTraceEnd(trace_events_, payload_);
    return PutRecord(RecordKind::kTraceEnd);
  });
}

Status OsctWriter::EndRun() {
  return Guard(State::kInRun, [&]() -> Status {
    ++totals_.runs;
    totals_.traces += run_traces_;
    totals_.events += run_events_;
    source_ = nullptr;
    state_ = State::kIdle;
    osct::EncodeRunEnd({run_traces_, run_events_}, payload_);
    return PutRecord(RecordKind::kRunEnd);
  });
}

Status OsctWriter::AddAttachment(const Attachment& attachment) {
  return Guard(State::kIdle, [&]() -> Status {
    OSCOPE_RETURN_IF_ERROR(Validate(attachment));
    osct::EncodeAttachment(attachment.header, payload_);
    OSCOPE_RETURN_IF_ERROR(PutRecord(RecordKind::kAttachment));
    for (std::string_view left = attachment.bytes; !left.empty();) {
      const std::string_view piece = left.substr(0, osct::kContentBytes);
      left.remove_prefix(piece.size());
      payload_.Bytes(piece);
      OSCOPE_RETURN_IF_ERROR(PutRecord(RecordKind::kContent));
    }
    return {};
  });
}

Status OsctWriter::Flush() {
  OSCOPE_CHECK(state_ != State::kFinished);
  return Guard(state_, [&] { return PutBlock(); });
}

Status OsctWriter::Finish() {
  return Guard(State::kIdle, [&]() -> Status {
    OSCOPE_RETURN_IF_ERROR(PutBlock());
    state_ = State::kFinished;
    const Hash128 digest = blocks_.digest();
    ByteWriter trailer;
    for (const uint64_t number :
         {totals_.bugs, totals_.runs, totals_.traces, totals_.events, digest.high, digest.low}) {
      trailer.U64(number);
    }
    return blocks_.Write(osct::BlockKind::kTrailer, trailer.bytes());
  });
}

Status OsctWriter::Translate(std::span<const SymbolId> events) {
  if (translation_.size() < source_->size()) translation_.resize(source_->size());
  ids_.resize(events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    const auto theirs = static_cast<uint32_t>(events[i]);
    if (theirs >= translation_.size()) return Invalid("event {} has no symbol", theirs);
    if (translation_[theirs] == 0) OSCOPE_RETURN_IF_ERROR(Define(events[i]));
    ids_[i] = translation_[theirs] - 1;
  }
  return PutSymbols();
}

Status OsctWriter::Define(SymbolId theirs) {
  const std::string& name = source_->name(theirs);
  const SymbolAttributes& attributes = source_->attributes(theirs);
  const uint32_t before = defined_.size();
  const SymbolId id = defined_.Intern(name, attributes);
  translation_[static_cast<uint32_t>(theirs)] = static_cast<uint32_t>(id) + 1;
  if (defined_.size() == before) return {};
  if (before == limits::kMaxSymbols) return Limit("more than {} symbols", limits::kMaxSymbols);
  OSCOPE_RETURN_IF_ERROR(CheckSymbol(name, attributes));
  osct::EncodeSymbol(name, attributes, symbols_);
  return symbols_.size() < osct::kBlockTargetBytes ? Status() : PutSymbols();
}

Status OsctWriter::PutSymbols() {
  if (symbols_.size() == 0) return {};
  payload_.Bytes(symbols_.bytes());
  symbols_.clear();
  return PutRecord(RecordKind::kSymbols);
}

Status OsctWriter::PutRecord(RecordKind kind) {
  ByteWriter head;
  head.Varint(static_cast<uint64_t>(kind));
  head.Varint(payload_.size());
  const size_t size = head.size() + payload_.size();
  if (size > limits::kMaxBlockBytes)
    return Limit("a record of {} bytes: the limit is {}", size, limits::kMaxBlockBytes);
  if (block_.size() + size > osct::kBlockTargetBytes) OSCOPE_RETURN_IF_ERROR(PutBlock());
  block_.Bytes(head.bytes());
  block_.Bytes(payload_.bytes());
  payload_.clear();
  return {};
}

Status OsctWriter::PutBlock() {
  if (!header_written_) OSCOPE_RETURN_IF_ERROR(blocks_.WriteFileHeader());
  header_written_ = true;
  if (block_.size() == 0) return {};
  const Status status = blocks_.Write(osct::BlockKind::kRecords, block_.bytes());
  block_.clear();
  return status;
}

}  // namespace oscope
