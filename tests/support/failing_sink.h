// A sink, a file and a source that fail at the n-th call of them, and checks of what must hold then of those who call.
//
// The checks answer with the first thing that is wrong, or with nothing. They run `send` (or `write`) once undisturbed
// and then again and again, so it must do the same each time: for every call of a sink and every error code, for every
// call of a file.
//
// Example:
//   EXPECT_EQ(FailingSinkProblem([&](RunSink& sink) { return importer.Import(text, {.project = "P"}, sink, problems);
//   }), "");
//
// Threads: none of these is shared.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "tracer/format/byte_source.h"
#include "tracer/model/run_sink.h"

namespace oscope {

// All there are: callers must not treat one of them as theirs.
std::span<const ErrorCode> EveryErrorCode();

// Takes what comes, and watches that the calls keep to the contract of RunSink: their order, valid headers, lists as
// the header announces them, events that have a symbol, as many as the header says, and no call after the one that
// failed.
class FailingSink : public RunSink {
 public:
  FailingSink() = default;                     // never fails
  FailingSink(uint64_t fail_at, Error error);  // fails at that call, counted from 1

  Status AddBug(const Bug& bug) override;
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;
  Status AddEvents(const EventChunk& chunk) override;
  Status EndTrace() override;
  Status EndRun() override;
  Status AddAttachment(const Attachment& attachment) override;

  uint64_t calls() const { return log_.size(); }
  const std::vector<std::string>& log() const { return log_; }  // what each call brought, in a line
  bool open() const { return state_ != State::kIdle; }          // a run was begun and not ended
  const std::string& misuse() const { return misuse_; }  // the first breach of the contract; empty when there is none

 private:
  enum class State : uint8_t { kIdle, kInRun, kInTrace };

  // Counts a call that may come in state `expected`; its answer.
  Status Take(std::string line, State expected, State next);
  void Misuse(std::string_view what);
  template <typename T>
  void CheckValid(const T& header);

  uint64_t fail_at_ = 0;
  Error error_{ErrorCode::kIo, ""};
  bool failed_ = false;
  State state_ = State::kIdle;
  const SymbolTable* symbols_ = nullptr;
  TraceHeader trace_;
  uint64_t trace_events_ = 0;
  std::vector<std::string> log_;
  std::string misuse_;
};

// What is wrong with how `send` deals with a sink that fails. At every call the very error must come back (its message
// may get context around it), the sink must not be called again, and until then the calls must be the ones of an
// undisturbed pass, which succeeds.
std::string FailingSinkProblem(const std::function<Status(RunSink&)>& send,
                               std::span<const ErrorCode> codes = EveryErrorCode());

// Fails at its n-th Append, Sync or Close. Of an Append that fails the first half is written all the same.
class FailingFile : public WritableFile {
 public:
  FailingFile() = default;
  FailingFile(uint64_t fail_at, Error error) : fail_at_(fail_at), error_(std::move(error)) {}

  Status Append(std::string_view bytes) override;
  Status Sync() override { return Take(); }
  Status Close() override { return Take(); }

  uint64_t calls() const { return calls_; }
  bool failed() const { return fail_at_ != 0 && calls_ >= fail_at_; }
  const std::string& bytes() const { return bytes_; }

 private:
  Status Take();

  uint64_t fail_at_ = 0;
  Error error_{ErrorCode::kIo, ""};
  uint64_t calls_ = 0;
  std::string bytes_;
};

// The same for writers: at every call the very error must come back, nothing is written after it, and what was written
// until then is a beginning of what an undisturbed pass writes.
std::string FailingFileProblem(const std::function<Status(WritableFile&)>& write);

// Bytes that fail to be read at the n-th Read or Rewind, that come in small pieces, or that seem to end early.
class FailingSource : public ByteSource {
 public:
  struct Faults {
    uint64_t fail_at = 0;  // the call that fails, from 1; 0: none
    Error error{ErrorCode::kIo, "the source failed"};
    uint64_t end_at = 0;     // from this Read on there is nothing; 0: the bytes end where they end
    size_t most = SIZE_MAX;  // a Read gives no more than so many bytes
  };
  FailingSource(std::string_view bytes, Faults faults) : bytes_(bytes), faults_(std::move(faults)) {}

  Result<size_t> Read(char* out, size_t max) override;
  Status Rewind() override;

  uint64_t calls() const { return calls_; }

 private:
  std::string_view bytes_;
  Faults faults_;
  size_t position_ = 0;
  uint64_t calls_ = 0;
};

}  // namespace oscope
