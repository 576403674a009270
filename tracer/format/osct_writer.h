// OsctWriter: writes runs and bugs as an .osct file (osct_format.h), in memory bounded by a block and the distinct
// symbols.
//
// A file without its trailer is refused by readers, so what Finish() did not end, or an error broke off, cannot pass
// for whole. Symbols are numbered by their text as they first occur; of equal texts the attributes of the first are
// kept.
//
// Example:
//   OsctWriter writer(*file);
//   OSCOPE_RETURN_IF_ERROR(SendRun(run, symbols, writer));
//   OSCOPE_RETURN_IF_ERROR(writer.Finish());
#pragma once

#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "base/bytes.h"
#include "base/file_system.h"
#include "tracer/format/osct_blocks.h"
#include "tracer/model/run_sink.h"

namespace oscope {

struct OsctWriterOptions {
  bool compress = true;
  int level = 3;  // zstd's
};

class OsctWriter : public RunSink {
 public:
  using Out = std::function<Status(std::string_view)>;
  explicit OsctWriter(Out out, OsctWriterOptions options = {});
  // Borrows the file; the caller syncs and closes it.
  explicit OsctWriter(WritableFile& file, OsctWriterOptions options = {});

  // Each validates what it is given, and counts against the trace's header. After an error every later call, Finish()
  // too, fails. kLimit for a bug or run header of more than limits::kMaxBlockBytes in all.
  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;
  Status AddEvents(const EventChunk& chunk) override;  // of any length
  Status EndTrace() override;
  Status EndRun() override;
  Status AddAttachment(const Attachment& attachment) override;

  // Writes out what is buffered, so that --recover finds it after a crash. Costs compression when called often.
  Status Flush();
  // Writes the trailer; nothing may follow.
  Status Finish();

  const osct::Totals& totals() const { return totals_; }

 private:
  enum class State { kIdle, kInRun, kInTrace, kFinished };

  Status Guard(State expected, auto work);
  Status AddChunk(const EventChunk& chunk);
  Status Translate(std::span<const SymbolId> events);
  Status Define(SymbolId theirs);
  Status PutSymbols();
  Status PutRecord(osct::RecordKind kind);  // of payload_
  Status PutBlock();

  osct::BlockWriter blocks_;
  bool header_written_ = false;
  State state_ = State::kIdle;
  std::optional<Error> error_;
  osct::Totals totals_;

  const SymbolTable* source_ = nullptr;
  uint64_t source_uid_ = 0;
  std::vector<uint32_t> translation_;  // theirs -> the file's + 1; 0: not yet
  SymbolTable defined_;                // the file's
  std::vector<uint32_t> ids_;

  TraceHeader trace_;
  uint64_t trace_events_ = 0;
  uint64_t run_traces_ = 0;
  uint64_t run_events_ = 0;
  std::set<std::tuple<uint32_t, uint32_t, TraceKind>> run_trace_ids_;

  ByteWriter symbols_;  // defined, not yet in a record
  ByteWriter payload_;
  ByteWriter block_;
};

}  // namespace oscope
