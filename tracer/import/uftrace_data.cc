// Reads the files of `uftrace record`: the list of tasks and sessions first (task.txt), then the records of each task
// (TID.dat) against the memory map of the session that was current at the time of the record.
//
// A process that calls exec begins a new session, and one task's file may thus span several programs. ProcessOf and
// SessionOf answer "which program was it then"; a lookup is repeated only when a record lies after the start of the
// next process. Files with arguments or a foreign byte order are refused with the advice to use `uftrace dump`, whose
// text the other importer reads.
#include "tracer/import/uftrace_data.h"

#include <string.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

#include "base/bytes.h"
#include "tracer/import/text_lines.h"
#include "tracer/import/uftrace_calls.h"
#include "tracer/import/uftrace_symbols.h"

namespace oscope {
namespace {

constexpr uint32_t kMinVersion = 3;
constexpr uint32_t kMaxVersion = 4;
constexpr uint8_t kLittleEndian = 1;
constexpr uint64_t kRelativeSymbols = 1 << 5;  // of the features
constexpr size_t kRecordBytes = 16;
constexpr uint64_t kRecordMagic = 5;
constexpr uint64_t kNsPerSecond = 1'000'000'000;

enum class RecordType : uint8_t { kEntry = 0, kExit = 1, kLost = 2, kEvent = 3 };

struct Info {
  bool relative = false;
  std::map<std::string_view, std::string_view> fields;  // the first of a name
};

struct Task {
  uint32_t pid = 0;
  uint32_t parent = 0;  // 0: none
  uint64_t start_ns = 0;
};

// A program in a process: what a fork or an exec began.
struct Process {
  uint32_t pid = 0;
  uint64_t start_ns = 0;
  const UftraceSession* session = nullptr;  // nullptr: that of the parent
};

// "2680.850329283", in nanoseconds.
std::optional<uint64_t> ParseTime(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || text.size() - dot != 10) return std::nullopt;
  const auto seconds = ParseNumber(text.substr(0, dot));
  const auto nanoseconds = ParseNumber(text.substr(dot + 1));
  if (!seconds || !nanoseconds || *seconds > UINT64_MAX / kNsPerSecond - 1) return std::nullopt;
  return *seconds * kNsPerSecond + *nanoseconds;
}

// The value of " key=value" or " key=\"value\"" in a line of task.txt.
std::string_view ValueOf(std::string_view line, std::string_view key) {
  const size_t at = line.find(fmt::format(" {}=", key));
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + key.size() + 2);
  if (Consume(line, "\"")) return line.substr(0, line.rfind('"'));
  return line.substr(0, line.find(' '));
}

uint32_t IdOf(std::string_view line, std::string_view key) {
  const auto id = ParseNumber(ValueOf(line, key));
  return id && *id <= UINT32_MAX ? static_cast<uint32_t>(*id) : 0;
}

class UftraceFiles {
 public:
  UftraceFiles(std::span<const TarMember> files, ImportBatch& batch) : files_(files), batch_(batch) {}

  void Parse() {
    const TarMember* info = Find("info");
    if (info == nullptr) return batch_.AddProblem(0, "no file 'info': not a data directory of uftrace");
    if (!ReadInfo(info->bytes)) return;
    for (const TarMember& file : files_) {
      if (BaseNameOf(file.name).ends_with(".sym")) symbols_.emplace_back(file.bytes);
    }
    const TarMember* tasks = Find("task.txt");
    if (tasks == nullptr) return batch_.AddProblem(0, "no file 'task.txt'");
    ReadTasks(tasks->bytes);
    ReadRecords();
  }

 private:
  const TarMember* Find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(files_, [&](const TarMember& file) { return BaseNameOf(file.name) == name; });
    return found == files_.end() ? nullptr : &*found;
  }

  bool ReadInfo(std::string_view bytes) {
    ByteReader reader(bytes);
    if (reader.Bytes(kUftraceMagic.size()) != kUftraceMagic) {
      batch_.AddProblem(0, "info: not written by uftrace");
      return false;
    }
    const uint32_t version = reader.U32();
    const uint16_t header_bytes = reader.U16();
    const uint8_t order = reader.U8();
    reader.U8();
    info_.relative = (reader.U64() & kRelativeSymbols) != 0;
    if (!reader.ok() || header_bytes > bytes.size()) {
      batch_.AddProblem(0, "info: the file is cut");
      return false;
    }
    if (version < kMinVersion || version > kMaxVersion || order != kLittleEndian) {
      batch_.AddProblem(
          0,
          fmt::format("info: version {} or its byte order is not known: give the output of 'uftrace dump'", version));
      return false;
    }
    for (const std::string_view line : SplitLines(bytes.substr(header_bytes))) {
      const size_t colon = line.find(':');
      if (colon != std::string_view::npos) info_.fields.emplace(line.substr(0, colon), line.substr(colon + 1));
    }
    return true;
  }

  void ReadTasks(std::string_view text) {
    uint64_t number = 0;
    for (const std::string_view line : SplitLines(text)) {
      ++number;
      if (IsBlank(line)) continue;
      const auto time_ns = ParseTime(ValueOf(line, "timestamp"));
      if (!time_ns) {
        batch_.AddProblem(0, fmt::format("task.txt:{}: no time", number));
      } else if (line.starts_with("TASK ")) {
        tasks_.try_emplace(IdOf(line, "tid"), Task{IdOf(line, "pid"), 0, *time_ns});
      } else if (line.starts_with("FORK ")) {
        const uint32_t pid = IdOf(line, "pid");
        tasks_.try_emplace(pid, Task{pid, IdOf(line, "ppid"), *time_ns});
        processes_.push_back({pid, *time_ns, nullptr});
      } else if (line.starts_with("SESS ")) {
        processes_.push_back({IdOf(line, "pid"), *time_ns, OpenSession(ValueOf(line, "sid"))});
      } else if (line.starts_with("DLOP ")) {
        std::string_view base = ValueOf(line, "base");
        if (const auto address = ConsumeHexDigits(base))
          OpenSession(ValueOf(line, "sid"))->AddLibrary(*address, ValueOf(line, "libname"));
      }
    }
    std::ranges::stable_sort(processes_, {}, &Process::start_ns);
  }

  UftraceSession* OpenSession(std::string_view id) {
    const auto [entry, is_new] = sessions_.try_emplace(std::string(id), nullptr);
    if (is_new) {
      const TarMember* map = Find(fmt::format("sid-{}.map", id));
      entry->second =
          std::make_unique<UftraceSession>(map == nullptr ? std::string_view() : map->bytes, symbols_, info_.relative);
    }
    return entry->second.get();
  }

  // Which process a task was in at a time; processes_.size() when there is none.
  size_t ProcessOf(uint32_t pid, uint64_t time_ns) const {
    size_t found = processes_.size();
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (processes_[i].pid != pid) continue;
      if (found == processes_.size() || processes_[i].start_ns <= time_ns) found = i;
    }
    return found;
  }

  // A child has its parent's session as it was at the fork.
  const UftraceSession* SessionOf(size_t process) const {
    for (size_t steps = 0; process < processes_.size() && steps <= processes_.size(); ++steps) {
      const Process& at = processes_[process];
      if (at.session != nullptr) return at.session;
      const auto task = tasks_.find(at.pid);
      if (task == tasks_.end()) return nullptr;
      process = ProcessOf(task->second.parent, at.start_ns);
    }
    return nullptr;
  }

  void ReadRecords() {
    run_ = &batch_.AddRun();
    for (const TarMember& file : files_) {
      std::string_view name = BaseNameOf(file.name);
      if (!name.ends_with(".dat")) continue;
      name.remove_suffix(4);
      const auto tid = ParseNumber(name);
      // What is wrong with one task is wrong with all.
      if (tid && *tid <= UINT32_MAX && !ReadTask(static_cast<uint32_t>(*tid), file.bytes)) return;
    }
    if (std::ranges::all_of(calls_, [](const auto& entry) { return entry.second.empty(); })) {
      batch_.runs().pop_back();
      return;
    }
    FillHeader();
    AddTraces();
  }

  // False after a problem.
  bool ReadTask(uint32_t tid, std::string_view bytes) {
    const auto known = tasks_.find(tid);
    const uint32_t pid = known == tasks_.end() ? tid : known->second.pid;
    size_t process = processes_.size();
    uint64_t process_until = 0;  // no look-up before
    const UftraceSession* session = nullptr;
    std::unordered_map<uint64_t, SymbolId> functions;
    ByteReader reader(bytes);
    while (reader.remaining() >= kRecordBytes) {
      const uint64_t time_ns = reader.U64();
      const uint64_t word = reader.U64();
      if (((word >> 3) & 7) != kRecordMagic) {
        batch_.AddProblem(0, fmt::format("{}.dat: no record at byte {}", tid, reader.position() - kRecordBytes));
        return false;
      }
      if ((word & 4) != 0) {
        batch_.AddProblem(0, "recorded with arguments, return values or events: give the output of 'uftrace dump'");
        return false;
      }
      if (time_ns >= process_until) {
        const size_t now = ProcessOf(pid, time_ns);
        process_until = NextStart(pid, time_ns);
        if (now != process || session == nullptr) {
          process = now;
          session = SessionOf(process);
          functions.clear();
        }
      }
      UftraceCalls& calls = calls_[{process, tid}];
      const uint64_t address = word >> 16;
      const auto depth = static_cast<uint32_t>((word >> 6) & 0x3ff);
      switch (static_cast<RecordType>(word & 3)) {
        case RecordType::kEntry: calls.Enter(FunctionAt(address, session, functions), depth, time_ns); break;
        case RecordType::kExit: calls.Leave(depth, time_ns); break;
        case RecordType::kLost: calls.Lose(address); break;
        case RecordType::kEvent: break;
      }
    }
    if (reader.remaining() != 0 && !calls_.empty()) calls_[{process, tid}].Cut();
    return true;
  }

  // When a process of this pid next begins, after `time_ns`.
  uint64_t NextStart(uint32_t pid, uint64_t time_ns) const {
    for (const Process& process : processes_) {
      if (process.pid == pid && process.start_ns > time_ns) return process.start_ns;
    }
    return ~uint64_t{0};
  }

  SymbolId FunctionAt(uint64_t address, const UftraceSession* session,
                      std::unordered_map<uint64_t, SymbolId>& functions) {
    if (const auto known = functions.find(address); known != functions.end()) return known->second;
    const StackFrame frame = session == nullptr ? StackFrame() : session->FrameAt(address);
    is_cxx_ |= !frame.attributes.signature.empty();
    return functions[address] = batch_.Intern(*run_, 0, FrameEvent(frame), frame.attributes);
  }

  void FillHeader() {
    RunHeader& header = run_->run.header;
    if (is_cxx_) header.language = "c++";
    if (const auto status = ParseNumber(Field("exit_status"))) SetStatus(header, static_cast<uint32_t>(*status));
    header.command = CommandOf(Field("cmdline"), Field("exename"));
    const std::string_view elapsed = Field("elapsed_time");  // "0.078652309 sec"
    if (const auto duration = ParseTime(elapsed.substr(0, elapsed.find(' ')))) header.duration_ns = *duration;
  }

  // As waitpid(2) gives it.
  static void SetStatus(RunHeader& header, uint32_t status) {
    const auto signal = static_cast<int32_t>(status & 0x7f);
    const auto exit_code = static_cast<int32_t>((status >> 8) & 0xff);
    if (signal != 0) return SetSignal(header, signal);
    header.failure.exit_code = exit_code;
    header.outcome = exit_code == 0 ? Outcome::kPassed : Outcome::kFailed;
  }

  std::string_view Field(std::string_view name) const {
    const auto found = info_.fields.find(name);
    return found == info_.fields.end() ? std::string_view() : found->second;
  }

  // The program and its arguments, which follow uftrace's own.
  static std::vector<std::string> CommandOf(std::string_view line, std::string_view program) {
    std::vector<std::string> words;
    while (!line.empty()) {
      const size_t end = std::min(line.find(' '), line.size());
      const std::string_view word = line.substr(0, end);
      if (!words.empty() || (!word.empty() && BaseNameOf(word) == BaseNameOf(program))) words.emplace_back(word);
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
  }

  void AddTraces() {
    std::map<size_t, uint32_t> next_thread;
    // Threads are numbered by their start; the first thread of a process is 0.
    std::vector<std::pair<const std::pair<size_t, uint32_t>, UftraceCalls>*> ordered;
    for (auto& entry : calls_) {
      if (!entry.second.empty()) ordered.push_back(&entry);
    }
    std::ranges::stable_sort(ordered, {}, [&](const auto* entry) {
      const auto task = tasks_.find(entry->first.second);
      const bool is_main = task == tasks_.end() || task->second.pid == entry->first.second;
      return std::tuple(entry->first.first, !is_main, task == tasks_.end() ? 0 : task->second.start_ns,
                        entry->first.second);
    });
    const UftraceCalls* last = nullptr;
    ThreadRef last_thread;
    uint32_t process = 0;
    for (size_t i = 0; i < ordered.size(); ++i) {
      if (i > 0 && ordered[i]->first.first != ordered[i - 1]->first.first) ++process;
      UftraceCalls& calls = ordered[i]->second;
      const uint32_t thread = next_thread[process]++;
      if (!calls.Open().empty() && (last == nullptr || calls.last_ns() > last->last_ns())) {
        last = &calls;
        last_thread = {process, thread};
      }
      run_->run.traces.push_back(calls.Finish(process, thread));
    }
    if (run_->run.header.failure.signal && last != nullptr) AddFailure(*last, last_thread);
  }

  // The signal ended what was open in the thread that recorded last.
  void AddFailure(const UftraceCalls& calls, ThreadRef where) {
    const char* name = sigabbrev_np(*run_->run.header.failure.signal);
    const std::string reason = name == nullptr ? "signal" : fmt::format("SIG{}", name);
    run_->run.header.failure.message = reason;
    for (Trace& trace : run_->run.traces) {
      if (trace.header.process == where.process && trace.header.thread == where.thread)
        ImportBatch::MarkFailure(*run_, trace, FailureKind::kSignal, reason);
    }
    Trace stack;
    stack.header.process = where.process;
    stack.header.thread = where.thread;
    stack.header.kind = TraceKind::kStack;
    stack.events = calls.Open();
    stack.FinishHeader();
    ImportBatch::MarkFailure(*run_, stack, FailureKind::kSignal, reason);
    run_->run.traces.push_back(std::move(stack));
  }

  std::span<const TarMember> files_;
  ImportBatch& batch_;
  Info info_;
  std::vector<UftraceSymbolFile> symbols_;
  std::map<std::string, std::unique_ptr<UftraceSession>> sessions_;
  std::map<uint32_t, Task> tasks_;  // by tid
  std::vector<Process> processes_;  // by start
  ImportedRun* run_ = nullptr;
  std::map<std::pair<size_t, uint32_t>, UftraceCalls> calls_;  // by process and tid
  bool is_cxx_ = false;
};

}  // namespace

void ParseUftraceFiles(std::span<const TarMember> files, ImportBatch& batch) { UftraceFiles(files, batch).Parse(); }

}  // namespace oscope
