// Reports of the sanitizers, line by line. A report has several stacks (the access, the allocation, the other thread
// of a race), each introduced by a line that becomes its name. Addresses are removed from these names, as they differ
// from run to run. A runtime error of UndefinedBehaviorSanitizer may have no stack at all; then its place is a stack
// of one frame.
#include "tracer/import/sanitizer.h"

#include <array>

#include "tracer/import/import_batch.h"
#include "tracer/import/sanitizer_frame.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;

struct SanitizerStack {
  std::string title;
  std::vector<StackFrame> frames;  // innermost first
};

struct SanitizerReport {
  uint64_t line = 0;
  std::string message;
  std::string kind;  // "heap-use-after-free"
  std::vector<SanitizerStack> stacks;
  SymbolAttributes place;  // where a runtime error says it is; used when it has no stack
};

// "    #3 rest": the number, and `line` becomes the rest.
std::optional<uint64_t> ConsumeFrameNumber(std::string_view& line) {
  std::string_view rest = line.substr(IndentOf(line));
  if (rest.size() == line.size() || !Consume(rest, "#")) return std::nullopt;
  const auto number = ConsumeNumber(rest);
  if (!number || !(rest.empty() || rest.starts_with(' '))) return std::nullopt;
  line = rest;
  return number;
}

// What follows "==12==ERROR: AddressSanitizer: " or "WARNING: ThreadSanitizer: "; nullopt on any
// other line.
std::optional<std::string_view> HeadlineOf(std::string_view line) {
  for (const std::string_view level : {"ERROR: ", "WARNING: "}) {
    const size_t at = line.find(level);
    if (at == kNone || (at > 0 && line[at - 1] != '=' && line[at - 1] != ' ')) continue;
    const std::string_view rest = line.substr(at + level.size());
    const size_t end = rest.find("Sanitizer: ");
    if (end == kNone || rest.find(' ') < end) continue;
    return rest.substr(end + 11);
  }
  return std::nullopt;
}

// "heap-use-after-free on address 0x…" -> "heap-use-after-free"; "data race (pid=12)" -> "data
// race".
std::string KindOf(std::string_view headline) {
  for (const std::string_view end : {" on ", " (", ":", " 0x", " at "}) {
    headline = headline.substr(0, headline.find(end));
  }
  Consume(headline, "attempting ");
  return std::string(Trim(headline).substr(0, 100));
}

// Addresses differ from run to run: "READ of size 4 at 0x602000000010 thread T0" -> "READ of size 4
// thread T0".
std::string TitleOf(std::string_view line) {
  line = Trim(line);
  if (line.ends_with(':')) line.remove_suffix(1);
  std::string title;
  while (!line.empty()) {
    const size_t at = line.find(" at 0x");
    title += line.substr(0, at);
    if (at == kNone) break;
    const size_t end = line.find_first_not_of("0123456789abcdef", at + 6);
    line.remove_prefix(end == kNone ? line.size() : end);
  }
  return title;
}

// The signal that would have ended the program without the sanitizer; nullopt where the program would have gone on.
std::optional<std::string> SignalNameOf(std::string_view kind) {
  if (kind == "stack-overflow") return "SIGSEGV";
  constexpr std::array<std::string_view, 6> kDeadly = {"SEGV", "FPE", "BUS", "ILL", "ABRT", "TRAP"};
  for (const std::string_view name : kDeadly) {
    if (kind == name) return "SIG" + std::string(name);
  }
  return std::nullopt;
}

class SanitizerParser {
 public:
  explicit SanitizerParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    std::string storage;
    for (const std::string_view raw : SplitLines(bytes)) {
      ++line_;
      std::string_view line = WithoutColour(raw, storage);
      if (const auto number = ConsumeFrameNumber(line)) {
        Frame(*number, line);
      } else {
        OtherLine(line);
      }
    }
    EndReport();
  }

 private:
  void OtherLine(std::string_view line) {
    // A blank line inside a report ends a stack, and a title may not be older than it.
    if (IsBlank(line)) {
      in_stack_ = false;
      title_.clear();
    } else if (const auto headline = HeadlineOf(line)) {
      BeginReport(*headline);
    } else if (const size_t at = line.find(": runtime error: "); at != kNone) {
      BeginReport(line.substr(at + 17));
      ParseLocation(Trim(line.substr(0, at)), report_.place);
    } else if (std::string_view rest = Trim(line); Consume(rest, "SUMMARY: ")) {
      Summary(rest);
    } else {
      // Only notes and source lines stand between a runtime error and its stack.
      const bool is_note = line.starts_with(' ') || Contains(line, ": note: ");
      if (!report_.place.empty() && report_.stacks.empty() && !is_note) EndReport();
      in_stack_ = false;
      // "==12==Hint: …" explains the report, not the stack that follows.
      title_ = line.starts_with("==") ? "" : TitleOf(line);
    }
  }

  void BeginReport(std::string_view headline) {
    EndReport();
    in_report_ = true;
    report_.line = line_;
    report_.message = Trim(headline);
    report_.kind = KindOf(headline);
  }

  // "AddressSanitizer: heap-use-after-free /src/a.c:5:3 in f": what follows it is shadow bytes and
  // the like.
  void Summary(std::string_view rest) {
    if (!in_report_) return;
    const bool is_leak_total = Contains(rest, "leaked in");
    if (is_leak_total && report_.kind != "detected memory leaks") return;
    // The summary of a runtime error says less than its own line.
    if (report_.place.empty()) report_.message = Trim(rest);
    EndReport();
  }

  void Frame(uint64_t number, std::string_view text) {
    std::optional<StackFrame> frame = ParseSanitizerFrame(text);
    if (!frame) {
      batch_.AddProblem(line_, fmt::format("frame #{} is not 'address in function place'", number));
      frame = StackFrame{};
    }
    frame->line = line_;
    if (number == 0 || !in_stack_) {
      // __sanitizer_print_stack_trace() prints a stack without a report around it.
      in_report_ = in_stack_ = true;
      if (report_.line == 0) report_.line = line_;
      report_.stacks.push_back({std::exchange(title_, {}), {}});
      next_number_ = 0;
    }
    if (number != next_number_) {
      batch_.AddProblem(line_, fmt::format("frame #{} where #{} was expected", number, next_number_));
    }
    next_number_ = number + 1;
    report_.stacks.back().frames.push_back(*std::move(frame));
  }

  void EndReport() {
    in_stack_ = in_report_ = false;
    title_.clear();
    SanitizerReport report = std::exchange(report_, {});
    if (report.line == 0) return;
    if (report.stacks.empty() && !report.place.empty()) {
      StackFrame frame;
      frame.attributes = report.place;
      frame.line = report.line;
      report.stacks.push_back({{}, {frame}});
    }
    if (report.stacks.empty()) {
      return batch_.AddProblem(report.line, fmt::format("'{}' is not followed by a stack", report.kind));
    }
    AddReport(report);
  }

  void AddReport(const SanitizerReport& report) {
    ImportedRun& imported = batch_.AddRun();
    RunHeader& header = imported.run.header;
    header.failure.message = report.message;
    const std::optional<std::string> signal = SignalNameOf(report.kind);
    if (signal) SetSignal(header, *SignalNumber(*signal));
    std::string reason = signal.value_or(report.kind);
    if (reason.empty()) reason = "report";
    for (uint32_t i = 0; i < report.stacks.size(); ++i) {
      const SanitizerStack& stack = report.stacks[i];
      if (header.language.empty()) header.language = NativeLanguageOf(stack.frames);
      Trace& trace = batch_.AddStack(imported, i, stack.frames);
      trace.header.thread_name = stack.title;
      if (i == 0) {
        ImportBatch::MarkFailure(imported, trace, signal ? FailureKind::kSignal : FailureKind::kSanitizer, reason);
      }
    }
  }

  ImportBatch& batch_;
  uint64_t line_ = 0;
  SanitizerReport report_;
  bool in_report_ = false;
  bool in_stack_ = false;
  uint64_t next_number_ = 0;
  std::string title_;  // the last line that was no frame
};

class Sanitizer final : public Importer {
 public:
  std::string_view name() const override { return "sanitizer"; }
  std::string_view description() const override {
    return "reports of Address-, UndefinedBehavior-, Thread-, Leak- and MemorySanitizer";
  }
  std::string_view expected() const override {
    return "a sanitizer's report such as '==1==ERROR: AddressSanitizer: …' with frames '    #0 "
           "0x401136 in f f.c:3'";
  }
  Failures failures() const override { return Failures::kTold; }

  int Sniff(std::string_view head) const override {
    const bool has_report = Contains(head, "ERROR: AddressSanitizer: ") || Contains(head, "Sanitizer: ");
    if (has_report && (Contains(head, "ERROR: ") || Contains(head, "WARNING: "))) return 90;
    if (Contains(head, ": runtime error: ")) return 85;
    return Contains(head, "    #0 0x") ? 60 : 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override { SanitizerParser(batch).Parse(bytes); }
};

}  // namespace

const Importer& SanitizerImporter() {
  static const Sanitizer importer;
  return importer;
}

}  // namespace oscope
