// Reads both forms of a uftrace recording. The text that `uftrace dump` prints is parsed here; a data directory comes
// as a tar archive, so that one importer gets one sequence of bytes, and is read by uftrace_data.cc. Both feed
// UftraceCalls, which turns entries and exits into a trace.
//
// The dump has names, but neither files nor the exit status; the directory has both.
#include "tracer/import/uftrace.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/file_system.h"
#include "base/limits.h"
#include "tracer/import/import_batch.h"
#include "tracer/import/tar_members.h"
#include "tracer/import/text_lines.h"
#include "tracer/import/uftrace_calls.h"
#include "tracer/import/uftrace_data.h"

namespace oscope {
namespace {

constexpr std::string_view kHeader = "uftrace file header:";

// A line of `uftrace dump`.
struct DumpLine {
  uint64_t time_ns = 0;
  uint32_t tid = 0;
  std::string_view kind;  // "entry", "exit ", "lost ", "event", "args ", "retval"
  std::string_view name;
  uint64_t address = 0;
  uint64_t depth = 0;
};

// "2681.184992359  31588: [entry] main(55ff1decc3cf) depth: 0"; nothing for other lines.
std::optional<DumpLine> ParseDumpLine(std::string_view line) {
  DumpLine parsed;
  const auto seconds = ConsumeNumber(line);
  if (!seconds || !Consume(line, ".")) return std::nullopt;
  const auto nanoseconds = ConsumeNumber(line);
  if (!nanoseconds || *seconds > UINT64_MAX / 2'000'000'000) return std::nullopt;
  parsed.time_ns = *seconds * 1'000'000'000 + *nanoseconds;
  line = Trim(line);
  const auto tid = ConsumeNumber(line);
  if (!tid || *tid > UINT32_MAX || !Consume(line, ": [")) return std::nullopt;
  parsed.tid = static_cast<uint32_t>(*tid);
  const size_t bracket = line.find(']');
  if (bracket == std::string_view::npos) return std::nullopt;
  parsed.kind = line.substr(0, bracket);
  line = Trim(line.substr(bracket + 1));
  // A name may hold brackets of its own: the address is in the last ones.
  const size_t depth = line.rfind(" depth: ");
  const size_t open = line.rfind('(', depth);
  if (depth == std::string_view::npos || open == std::string_view::npos) return parsed;
  parsed.name = line.substr(0, open);
  std::string_view address = line.substr(open + 1);
  parsed.address = ConsumeHexDigits(address).value_or(0);
  parsed.depth = ParseNumber(line.substr(depth + 8)).value_or(limits::kMaxDepth);
  return parsed;
}

class DumpParser {
 public:
  explicit DumpParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    run_ = &batch_.AddRun();
    uint64_t number = 0;
    bool in_task = false;
    std::string storage;
    for (std::string_view line : SplitLines(bytes)) {
      ++number;
      line = WithoutColour(line, storage);
      // What perf and the kernel recorded beside the tasks is not of the program.
      if (line.starts_with("reading ")) in_task = ParseNumber(line.substr(8, line.find(".dat") - 8)).has_value();
      const auto parsed = in_task ? ParseDumpLine(line) : std::nullopt;
      if (parsed) Take(*parsed, number);
    }
    Finish();
  }

 private:
  void Take(const DumpLine& line, uint64_t number) {
    const bool is_call = line.kind == "entry" || line.kind == "exit ";
    if (!is_call && line.kind != "lost ") return;
    if (line.depth >= limits::kMaxDepth) {
      return batch_.AddLimit(number, fmt::format("a depth of {} or more, or none", limits::kMaxDepth));
    }
    UftraceCalls& calls = calls_[line.tid];
    const auto depth = static_cast<uint32_t>(line.depth);
    if (line.kind == "lost ") {
      calls.Lose(line.address);
    } else if (line.kind == "exit ") {
      calls.Leave(depth, line.time_ns);
    } else {
      calls.Enter(FunctionOf(line.name, number), depth, line.time_ns);
    }
  }

  SymbolId FunctionOf(std::string_view name, uint64_t number) {
    const auto known = functions_.find(name);
    if (known != functions_.end()) return known->second;
    StackFrame frame;
    frame.name = name;
    frame.exact = name.starts_with('<');  // "<55ff1dec>": uftrace knew no name
    if (frame.exact) frame.name.clear();
    is_cxx_ |= Contains(name, "::");
    const std::string event = name.size() > limits::kMaxNameBytes ? std::string(name) : FrameEvent(frame);
    return functions_[std::string(name)] = batch_.Intern(*run_, number, event);
  }

  // Threads are numbered by their first record.
  void Finish() {
    std::vector<UftraceCalls*> ordered;
    for (auto& [tid, calls] : calls_) {
      if (!calls.empty()) ordered.push_back(&calls);
    }
    std::ranges::stable_sort(ordered, {}, &UftraceCalls::first_ns);
    for (size_t i = 0; i < ordered.size(); ++i)
      run_->run.traces.push_back(ordered[i]->Finish(0, static_cast<uint32_t>(i)));
    if (is_cxx_) run_->run.header.language = "c++";
    if (ordered.empty()) batch_.runs().pop_back();
  }

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  ImportBatch& batch_;
  ImportedRun* run_ = nullptr;
  std::map<uint32_t, UftraceCalls> calls_;  // by tid
  std::unordered_map<std::string, SymbolId, Hash, std::equal_to<>> functions_;
  bool is_cxx_ = false;
};

class Uftrace final : public Importer {
 public:
  std::string_view name() const override { return "uftrace"; }
  std::string_view description() const override { return "uftrace: a data directory, or the output of uftrace dump"; }
  std::string_view expected() const override {
    return "a data directory of uftrace record, or the output of uftrace dump";
  }

  int Sniff(std::string_view head) const override {
    // No other importer takes an archive, and the file that would tell may come late in it.
    if (LooksLikeTar(head)) return Contains(head, kUftraceMagic) ? 95 : 30;
    std::string storage;
    for (const std::string_view line : SplitLines(head.substr(0, 4096))) {
      if (IsBlank(line)) continue;
      const std::string_view plain = WithoutColour(line, storage);
      if (plain.starts_with(kHeader)) return 95;
      if (!plain.starts_with("reading ")) return 0;
      return Contains(plain, ".dat") && Contains(head, "] ") && Contains(head, " depth: ") ? 80 : 0;
    }
    return 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override {
    if (!LooksLikeTar(bytes)) return DumpParser(batch).Parse(bytes);
    const auto members = ReadTar(bytes);
    if (!members.ok()) return batch.AddProblem(0, members.error().message);
    ParseUftraceFiles(*members, batch);
  }
};

bool IsWanted(std::string_view name) {
  const bool is_task = name.ends_with(".dat") && ParseNumber(name.substr(0, name.size() - 4)).has_value();
  return name == "info" || name == "task.txt" || is_task || name.ends_with(".sym") ||
         (name.starts_with("sid-") && name.ends_with(".map"));
}

}  // namespace

const Importer& UftraceImporter() {
  static const Uftrace importer;
  return importer;
}

bool IsUftraceDirectory(const std::string& path) {
  const auto info = PosixFileSystem().Open(JoinPath(path, "info"));
  if (!info.ok() || (*info)->size() < kUftraceMagic.size()) return false;
  std::string magic(kUftraceMagic.size(), '\0');
  return (*info)->ReadAt(0, magic.size(), magic.data()).ok() && magic == kUftraceMagic;
}

Result<std::string> PackUftraceDirectory(const std::string& path, uint64_t max_bytes) {
  FileSystem& fs = PosixFileSystem();
  OSCOPE_ASSIGN_OR_RETURN(std::vector<std::string> names, fs.List(path));
  // The member that identifies the format comes first.
  std::ranges::stable_partition(names, [](const std::string& name) { return name == "info"; });
  std::string archive;
  for (const std::string& name : names) {
    if (!IsWanted(name)) continue;
    const uint64_t left = max_bytes - std::min<uint64_t>(max_bytes, archive.size());
    OSCOPE_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(fs, JoinPath(path, name), left));
    OSCOPE_RETURN_IF_ERROR(AppendToTar(name, bytes, archive));
  }
  return archive;
}

}  // namespace oscope
