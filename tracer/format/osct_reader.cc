// Reads an .osct file record by record into a sink. RecordReader is a state machine that accepts records only in the
// order which the format allows, and checks every count that a later record repeats: a trace's events against its
// header, a run's traces against its end, everything against the trailer.
//
// Recovery of a file that was cut must tell the sink about missing events before it sends those that are there, because
// a trace's header has their number. Therefore the file is read twice with the same code: first into a sink that
// ignores everything, to learn how many records are good and what is open after the last of them; then for real, with
// the headers of the open run and trace corrected before the sink sees them. Repairing the file in place would be an
// alternative, but it would change the only copy.
#include "tracer/format/osct_reader.h"

#include <optional>
#include <set>
#include <tuple>

#include "base/bytes.h"
#include "tracer/format/osct_blocks.h"
#include "tracer/format/osct_events.h"
#include "tracer/format/osct_records.h"
#include "tracer/model/null_sink.h"

namespace oscope {
namespace {

using osct::RecordKind;

// Where a file breaks off, in counts of what lies before.
struct BreakPoint {
  uint64_t records = 0;
  uint64_t runs = 0;    // ended; the next one is open if `run_open`
  uint64_t traces = 0;  // ended
  bool run_open = false;
  bool trace_open = false;
  bool attachment_open = false;
  uint64_t open_trace_events = 0;
  std::string reason;
};

std::string_view RecordName(RecordKind kind) {
  switch (kind) {
    case RecordKind::kBug: return "bug";
    case RecordKind::kRun: return "run";
    case RecordKind::kSymbols: return "symbols";
    case RecordKind::kTrace: return "trace";
    case RecordKind::kEvents: return "events";
    case RecordKind::kTraceEnd: return "trace end";
    case RecordKind::kRunEnd: return "run end";
    case RecordKind::kAttachment: return "attachment";
    case RecordKind::kContent: return "content";
  }
  return "unknown";
}

// Takes one record after another, checks it against those before, and passes it to the sink.
class RecordReader {
 public:
  RecordReader(RunSink& sink, uint16_t version, const OsctReadOptions& options, const BreakPoint* known_break)
      : sink_(sink), version_(version), symbol_budget_(options.max_symbol_bytes), break_(known_break) {}

  Status Take(uint64_t kind, std::string_view payload) {
    const RecordKind last = version_ == 1 ? RecordKind::kRunEnd : osct::kLastRecordKind;
    if (kind < static_cast<uint64_t>(RecordKind::kBug) || kind > static_cast<uint64_t>(last)) {
      return Unsupported("record kind {} is unknown: this release knows {} to {}", kind,
                         static_cast<int>(RecordKind::kBug), static_cast<int>(last));
    }
    const auto record = static_cast<RecordKind>(kind);
    if (Status status = Dispatch(record, payload); !status.ok()) {
      return std::move(status).error().Within(fmt::format("record {} ({})", records_ + 1, RecordName(record)));
    }
    ++records_;
    return {};
  }

  // Ends for the sink what the break left open.
  Status CloseOpen() {
    if (in_trace_) OSCOPE_RETURN_IF_ERROR(EndTrace());
    if (in_run_) OSCOPE_RETURN_IF_ERROR(EndRun());
    return {};
  }

  bool in_run() const { return in_run_; }
  bool in_attachment() const { return attachment_.open(); }
  uint64_t records() const { return records_; }
  const osct::Totals& totals() const { return totals_; }
  BreakPoint Here(std::string reason) const {
    return {records_,  totals_.runs,       totals_.traces, in_run_,
            in_trace_, attachment_.open(), trace_events_,  std::move(reason)};
  }

 private:
  Status Dispatch(RecordKind kind, std::string_view payload) {
    switch (kind) {
      case RecordKind::kBug: return TakeBug(payload);
      case RecordKind::kRun: return TakeRun(payload);
      case RecordKind::kSymbols: return osct::DecodeSymbols(payload, symbols_, symbol_budget_);
      case RecordKind::kTrace: return TakeTrace(payload);
      case RecordKind::kEvents: return TakeEvents(payload);
      case RecordKind::kTraceEnd: return TakeTraceEnd(payload);
      case RecordKind::kRunEnd: return TakeRunEnd(payload);
      case RecordKind::kAttachment: return TakeAttachment(payload);
      case RecordKind::kContent: return TakeContent(payload);
    }
    return {};
  }

  Status Expect(bool in_run, bool in_trace) const {
    if (attachment_.open()) return Corrupt("out of place: an attachment is open");
    if (in_run_ == in_run && in_trace_ == in_trace) return {};
    return Corrupt("out of place: {} is open", in_trace_ ? "a trace" : in_run_ ? "a run" : "no run");
  }

  Status TakeBug(std::string_view payload) {
    OSCOPE_RETURN_IF_ERROR(Expect(false, false));
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, osct::DecodeBug(payload, version_));
    OSCOPE_RETURN_IF_ERROR(sink_.AddBug(bug));
    ++totals_.bugs;
    return {};
  }

  Status TakeRun(std::string_view payload) {
    OSCOPE_RETURN_IF_ERROR(Expect(false, false));
    OSCOPE_ASSIGN_OR_RETURN(RunHeader run, osct::DecodeRun(payload, version_));
    if (break_ != nullptr && break_->run_open && break_->runs == totals_.runs) run.incomplete = true;
    OSCOPE_RETURN_IF_ERROR(sink_.BeginRun(run, symbols_));
    in_run_ = true;
    run_end_ = {};
    trace_ids_.clear();
    return {};
  }

  Status TakeTrace(std::string_view payload) {
    OSCOPE_RETURN_IF_ERROR(Expect(true, false));
    OSCOPE_ASSIGN_OR_RETURN(trace_, osct::DecodeTrace(payload));
    if (run_end_.traces == osct::kMaxRunTraces) return Limit("more than {} traces in a run", osct::kMaxRunTraces);
    if (!trace_ids_.emplace(trace_.process, trace_.thread, trace_.kind).second) {
      return Corrupt("trace {}.{} {} comes twice in a run", trace_.process, trace_.thread, TraceKindName(trace_.kind));
    }
    if (break_ != nullptr && break_->trace_open && break_->traces == totals_.traces) Shorten(trace_);
    OSCOPE_RETURN_IF_ERROR(sink_.BeginTrace(trace_));
    in_trace_ = true;
    trace_events_ = 0;
    return {};
  }

  void Shorten(TraceHeader& trace) const {
    const uint64_t found = break_->open_trace_events;
    if (found == trace.event_count) return;
    if (!trace.partial_note.empty()) trace.partial_note += "; ";
    trace.partial_note += fmt::format("recovered {} of {} events", found, trace.event_count);
    trace.partial = true;
    trace.event_count = found;
    if (trace.mark && trace.mark->events > found) trace.mark.reset();
  }

  Status TakeEvents(std::string_view payload) {
    OSCOPE_RETURN_IF_ERROR(Expect(true, true));
    OSCOPE_ASSIGN_OR_RETURN(const EventChunk chunk, decoder_.Decode(payload, trace_, symbols_.size()));
    if (chunk.events.size() > trace_.event_count - trace_events_) {
      return Corrupt("{} events where the trace's header leaves {}", chunk.events.size(),
                     trace_.event_count - trace_events_);
    }
    OSCOPE_RETURN_IF_ERROR(sink_.AddEvents(chunk));
    trace_events_ += chunk.events.size();
    return {};
  }

  Status TakeTraceEnd(std::string_view payload) {
    OSCOPE_RETURN_IF_ERROR(Expect(true, true));
    OSCOPE_ASSIGN_OR_RETURN(const uint64_t events, osct::DecodeTraceEnd(payload));
    if (events != trace_events_ || events != trace_.event_count) {
      return Corrupt("{} events came, the trace's end says {}, its header {}", trace_events_, events,
                     trace_.event_count);
    }
    return EndTrace();
  }

  Status EndTrace() {
    OSCOPE_RETURN_IF_ERROR(sink_.EndTrace());
    in_trace_ = false;
    ++run_end_.traces;
    run_end_.events += trace_events_;
    ++totals_.traces;
    totals_.events += trace_events_;
    return {};
  }

  Status TakeRunEnd(std::string_view payload) {
    OSCOPE_RETURN_IF_ERROR(Expect(true, false));
    OSCOPE_ASSIGN_OR_RETURN(const osct::RunEnd end, osct::DecodeRunEnd(payload));
    if (end.traces != run_end_.traces || end.events != run_end_.events) {
      return Corrupt("{} traces and {} events came, the run's end says {} and {}", run_end_.traces, run_end_.events,
                     end.traces, end.events);
    }
    return EndRun();
  }

  Status EndRun() {
    OSCOPE_RETURN_IF_ERROR(sink_.EndRun());
    in_run_ = false;
    ++totals_.runs;
    return {};
  }

  Status TakeAttachment(std::string_view payload) {
    OSCOPE_RETURN_IF_ERROR(Expect(false, false));
    OSCOPE_ASSIGN_OR_RETURN(AttachmentHeader header, osct::DecodeAttachment(payload));
    OSCOPE_RETURN_IF_ERROR(attachment_.Begin(std::move(header)));
    return EndAttachmentIfWhole();
  }

  Status TakeContent(std::string_view payload) {
    if (!attachment_.open()) return Corrupt("out of place: no attachment is open");
    if (payload.empty()) return Corrupt("it is empty");
    OSCOPE_RETURN_IF_ERROR(attachment_.Add(payload));
    return EndAttachmentIfWhole();
  }

  Status EndAttachmentIfWhole() {
    if (attachment_.open()) return {};
    OSCOPE_ASSIGN_OR_RETURN(const Attachment attachment, attachment_.Take());
    return sink_.AddAttachment(attachment);
  }

  RunSink& sink_;
  const uint16_t version_;  // of the file
  SymbolTable symbols_;
  uint64_t symbol_budget_;
  const BreakPoint* break_;
  uint64_t records_ = 0;
  osct::Totals totals_;

  bool in_run_ = false;
  osct::RunEnd run_end_;
  std::set<std::tuple<uint32_t, uint32_t, TraceKind>> trace_ids_;

  bool in_trace_ = false;
  TraceHeader trace_;
  uint64_t trace_events_ = 0;
  osct::EventDecoder decoder_;

  AttachmentPieces attachment_;
};

Status CheckTrailer(const osct::Block& block, const RecordReader& records) {
  if (records.in_run()) return Corrupt("the trailer comes before a run's end");
  if (records.in_attachment()) return Corrupt("the trailer comes before an attachment's end");
  ByteReader in(block.raw);
  osct::Totals totals;
  for (uint64_t* number : {&totals.bugs, &totals.runs, &totals.traces, &totals.events}) *number = in.U64();
  Hash128 digest;
  digest.high = in.U64();
  digest.low = in.U64();
  if (Status status = in.ExpectEnd(); !status.ok()) return std::move(status).error().Within("trailer");
  if (totals != records.totals()) return Corrupt("the trailer's counts differ from what came");
  if (digest != block.preceding) return Corrupt("the trailer's checksum of the file is wrong");
  return {};
}

// Feeds the block's records; stops early, and says so with false, after the last record before a known break.
Result<bool> TakeRecords(const osct::Block& block, const BreakPoint* known_break, RecordReader& records) {
  ByteReader in(block.raw);
  while (in.remaining() > 0) {
    if (known_break != nullptr && records.records() == known_break->records) return false;
    const uint64_t kind = in.Varint();
    const std::string_view payload = in.Bytes(in.Varint());
    OSCOPE_RETURN_IF_ERROR(in.status());
    OSCOPE_RETURN_IF_ERROR(records.Take(kind, payload));
  }
  return true;
}

// Reads the blocks after the file's header, to the end or to a known break.
Status TakeBlocks(osct::BlockReader& blocks, const BreakPoint* known_break, RecordReader& records) {
  while (known_break == nullptr || records.records() < known_break->records) {
    OSCOPE_ASSIGN_OR_RETURN(const osct::Block block, blocks.Next());
    if (block.kind == osct::BlockKind::kTrailer) {
      OSCOPE_RETURN_IF_ERROR(CheckTrailer(block, records));
      return blocks.ExpectEnd();
    }
    Result<bool> more = TakeRecords(block, known_break, records);
    if (!more.ok()) return std::move(more).error().Within(fmt::format("block at byte {}", block.offset));
    if (!*more) return {};
  }
  return {};
}

// Where the file breaks off; nothing when it is whole.
Result<std::optional<BreakPoint>> FindBreak(ByteSource& source, const OsctReadOptions& options) {
  osct::BlockReader blocks(source);
  OSCOPE_RETURN_IF_ERROR(blocks.ReadFileHeader());
  NullSink nowhere;
  RecordReader records(nowhere, blocks.version(), options, nullptr);
  Status status = TakeBlocks(blocks, nullptr, records);
  if (status.ok()) return std::optional<BreakPoint>();
  if (blocks.source_failed()) return std::move(status).error();
  return std::optional(records.Here(status.error().message));
}

std::string DescribeLoss(const BreakPoint& point) {
  std::string lost = point.reason;
  if (point.run_open) lost += fmt::format("; run {} is incomplete", point.runs + 1);
  if (point.trace_open) lost += fmt::format(", its last trace keeps {} events", point.open_trace_events);
  if (point.attachment_open) lost += "; an attachment that was cut is left out";
  return lost;
}

}  // namespace

Result<OsctReadReport> ReadOsct(ByteSource& source, RunSink& sink, const OsctReadOptions& options) {
  std::optional<BreakPoint> found;
  if (options.recover) {
    OSCOPE_ASSIGN_OR_RETURN(found, FindBreak(source, options));
    OSCOPE_RETURN_IF_ERROR(source.Rewind());
  }
  const BreakPoint* known_break = found ? &*found : nullptr;
  osct::BlockReader blocks(source);
  OSCOPE_RETURN_IF_ERROR(blocks.ReadFileHeader());
  RecordReader records(sink, blocks.version(), options, known_break);
  if (Status status = TakeBlocks(blocks, known_break, records); !status.ok()) {
    Error error = std::move(status).error();
    if (blocks.cut() && !options.recover) error.message += "; --recover reads the records that are whole";
    return error;
  }
  OSCOPE_RETURN_IF_ERROR(records.CloseOpen());
  return OsctReadReport{records.totals(), !found, found ? DescribeLoss(*found) : std::string()};
}

}  // namespace oscope
