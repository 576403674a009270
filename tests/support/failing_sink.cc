#include "tests/support/failing_sink.h"

#include <algorithm>
#include <array>

#include "base/checksum.h"
#include "base/limits.h"

namespace oscope {
namespace {

// Of all that a chunk says, so that two that differ have different lines.
std::string ChunkLine(const EventChunk& chunk, const SymbolTable& symbols) {
  WideHasher hasher;
  for (const SymbolId event : chunk.events) hasher.UpdateString(symbols.contains(event) ? symbols.name(event) : "");
  for (const uint32_t depth : chunk.depths) hasher.UpdateNumber(depth);
  for (const EventOutcome outcome : chunk.outcomes) hasher.UpdateNumber(static_cast<uint64_t>(outcome));
  for (const std::string& value : chunk.values) hasher.UpdateString(value);
  return fmt::format("events {} {}", chunk.events.size(), ToHex(hasher.Digest()));
}

std::string ErrorProblem(const Status& status, const Error& expected) {
  if (status.ok()) return "the error was dropped";
  const Error& error = status.error();
  if (error.code != expected.code) {
    return fmt::format("the code {} became {} ('{}')", ErrorCodeName(expected.code), ErrorCodeName(error.code),
                       error.message);
  }
  if (error.message.find(expected.message) == std::string::npos)
    return fmt::format("the message became '{}'", error.message);
  return "";
}

// One pass in which call `n` fails; `undisturbed` made the calls of `log`.
std::string OnePassProblem(const std::function<Status(RunSink&)>& send, uint64_t n, ErrorCode code,
                           const std::vector<std::string>& log) {
  const Error error{code, fmt::format("the sink failed at call {}", n)};
  FailingSink sink(n, error);
  const Status status = send(sink);
  if (!sink.misuse().empty()) return sink.misuse();
  if (sink.calls() != n) return fmt::format("{} calls came", sink.calls());
  if (!std::equal(sink.log().begin(), sink.log().end(), log.begin()))
    return "the calls before it differ from an undisturbed pass";
  return ErrorProblem(status, error);
}

}  // namespace

std::span<const ErrorCode> EveryErrorCode() {
  static constexpr std::array<ErrorCode, 9> kCodes = {
      ErrorCode::kInvalid, ErrorCode::kNotFound, ErrorCode::kConflict, ErrorCode::kLimit,     ErrorCode::kUnsupported,
      ErrorCode::kCorrupt, ErrorCode::kIo,       ErrorCode::kBusy,     ErrorCode::kCancelled,
  };
  return kCodes;
}

FailingSink::FailingSink(uint64_t fail_at, Error error) : fail_at_(fail_at), error_(std::move(error)) {}

void FailingSink::Misuse(std::string_view what) {
  if (misuse_.empty()) misuse_ = fmt::format("call {} ({}): {}", log_.size(), log_.empty() ? "" : log_.back(), what);
}

template <typename T>
void FailingSink::CheckValid(const T& header) {
  if (const Status valid = Validate(header); !valid.ok()) Misuse(valid.error().message);
}

Status FailingSink::Take(std::string line, State expected, State next) {
  log_.push_back(std::move(line));
  if (failed_) Misuse(fmt::format("it came after call {} had failed", fail_at_));
  if (state_ != expected) Misuse("it is out of place");
  if (log_.size() == fail_at_) {
    failed_ = true;
    return error_;
  }
  state_ = next;
  return {};
}

Status FailingSink::AddBug(const Bug& bug) {
  const Status status = Take(fmt::format("bug {} {}", ToString(bug.key), bug.title), State::kIdle, State::kIdle);
  CheckValid(bug);
  return status;
}

Status FailingSink::AddAttachment(const Attachment& attachment) {
  const AttachmentHeader& header = attachment.header;
  const Status status = Take(
      fmt::format("attachment of {}: {} '{}' {}", ToString(header.owner), header.kind, header.name, attachment.bytes),
      State::kIdle, State::kIdle);
  CheckValid(attachment);
  return status;
}

Status FailingSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  const Status status = Take(fmt::format("run {} of {} bug '{}' test '{}' {} '{}'", ToString(run.id), run.project,
                                         run.bug, run.test, OutcomeName(run.outcome), run.failure.message),
                             State::kIdle, State::kInRun);
  CheckValid(run);
  symbols_ = &symbols;
  return status;
}

Status FailingSink::BeginTrace(const TraceHeader& trace) {
  const Status status = Take(fmt::format("trace {}.{} {} of {} events, marked {}, '{}'", trace.process, trace.thread,
                                         TraceKindName(trace.kind), trace.event_count,
                                         trace.mark ? trace.mark->events : 0, trace.partial_note),
                             State::kInRun, State::kInTrace);
  CheckValid(trace);
  trace_ = trace;
  trace_events_ = 0;
  return status;
}

Status FailingSink::AddEvents(const EventChunk& chunk) {
  if (symbols_ == nullptr) return Take("events without a run", State::kInTrace, State::kInTrace);
  const Status status = Take(ChunkLine(chunk, *symbols_), State::kInTrace, State::kInTrace);
  const size_t count = chunk.events.size();
  const auto fits = [&](size_t size, bool announced) { return size == (announced ? count : 0); };
  if (count > limits::kChunkEvents) Misuse("the chunk is too large");
  if (!fits(chunk.depths.size(), trace_.has_depths) || !fits(chunk.outcomes.size(), trace_.has_outcomes) ||
      !fits(chunk.values.size(), trace_.has_values)) {
    Misuse("its lists are not those of the trace's header");
  }
  if (!std::ranges::all_of(chunk.events, [&](SymbolId event) { return symbols_->contains(event); }))
    Misuse("an event has no symbol");
  trace_events_ += count;
  return status;
}

Status FailingSink::EndTrace() {
  const Status status = Take("end of trace", State::kInTrace, State::kInRun);
  if (trace_events_ != trace_.event_count)
    Misuse(fmt::format("{} events came, the header says {}", trace_events_, trace_.event_count));
  return status;
}

Status FailingSink::EndRun() { return Take("end of run", State::kInRun, State::kIdle); }

std::string FailingSinkProblem(const std::function<Status(RunSink&)>& send, std::span<const ErrorCode> codes) {
  FailingSink whole;
  const Status status = send(whole);
  if (!status.ok()) return fmt::format("undisturbed: {}", status.error().message);
  if (!whole.misuse().empty()) return fmt::format("undisturbed: {}", whole.misuse());
  if (whole.open()) return "undisturbed: the last run was not ended";
  if (whole.calls() == 0) return "undisturbed: the sink was not called";
  for (uint64_t n = 1; n <= whole.calls(); ++n) {
    for (const ErrorCode code : codes) {
      const std::string problem = OnePassProblem(send, n, code, whole.log());
      if (!problem.empty())
        return fmt::format("call {} of {} ({}) fails with {}: {}", n, whole.calls(), whole.log()[n - 1],
                           ErrorCodeName(code), problem);
    }
  }
  return "";
}

Status FailingFile::Take() {
  if (++calls_ == fail_at_) return error_;
  return {};
}

Status FailingFile::Append(std::string_view bytes) {
  const Status status = Take();
  bytes_ += status.ok() ? bytes : bytes.substr(0, bytes.size() / 2);
  return status;
}

std::string FailingFileProblem(const std::function<Status(WritableFile&)>& write) {
  FailingFile whole;
  const Status status = write(whole);
  if (!status.ok()) return fmt::format("undisturbed: {}", status.error().message);
  if (whole.calls() == 0) return "undisturbed: nothing was written";
  for (uint64_t n = 1; n <= whole.calls(); ++n) {
    // Files fail with kIo; of the other codes each call meets one.
    for (const ErrorCode code : {ErrorCode::kIo, EveryErrorCode()[n % EveryErrorCode().size()]}) {
      const Error error{code, fmt::format("the file failed at call {}", n)};
      FailingFile file(n, error);
      std::string problem = ErrorProblem(write(file), error);
      if (problem.empty() && file.calls() != n) problem = fmt::format("{} calls came", file.calls());
      if (problem.empty() && !whole.bytes().starts_with(file.bytes()))
        problem = "what is written is no beginning of the whole";
      if (!problem.empty())
        return fmt::format("call {} of {} fails with {}: {}", n, whole.calls(), ErrorCodeName(code), problem);
    }
  }
  return "";
}

Result<size_t> FailingSource::Read(char* out, size_t max) {
  if (++calls_ == faults_.fail_at) return faults_.error;
  if (faults_.end_at != 0 && calls_ >= faults_.end_at) return size_t{0};
  const size_t count = bytes_.copy(out, std::min(max, faults_.most), position_);
  position_ += count;
  return count;
}

Status FailingSource::Rewind() {
  if (++calls_ == faults_.fail_at) return faults_.error;
  position_ = 0;
  return {};
}

}  // namespace oscope
