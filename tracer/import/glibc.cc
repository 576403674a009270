// Aborts of the C and C++ libraries. Such a report has neither a header nor an end, and lies between other output. It
// begins with a message that the libraries are known to print, or with a line in the form of backtrace_symbols(3), and
// ends with the next line that is neither of these and not blank.
//
// Messages in other languages than English are not recognised; the lines of the backtrace are.
#include "tracer/import/glibc.h"

#include <array>

#include "tracer/import/import_batch.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr int32_t kSigAbrt = 6;

struct AbortReport {
  uint64_t line = 0;
  std::string message;
  std::string reason;
  std::optional<StackFrame> assertion;  // where a failed assert() says it is
  std::vector<StackFrame> frames;       // innermost first

  bool empty() const { return line == 0; }
};

// "./prog(_Z1fv+0x1d)[0x4005fd]", "./prog(+0x1139) [0x55d0]", "./prog[0x4005fd]"; the address ends
// the line.
std::optional<StackFrame> ParseBacktraceLine(std::string_view line) {
  line = Trim(line);
  if (!line.ends_with(']')) return std::nullopt;
  const size_t bracket = line.rfind("[0x");
  if (bracket == kNone || bracket == 0) return std::nullopt;
  std::string_view inside = line.substr(bracket + 1, line.size() - bracket - 2);
  StackFrame frame;
  const auto address = ConsumeHex(inside);
  if (!address || !inside.empty()) return std::nullopt;
  frame.attributes.address = *address;

  std::string_view place = Trim(line.substr(0, bracket));
  if (place.ends_with(')')) {
    const size_t open = place.rfind('(');
    if (open == kNone) return std::nullopt;
    const std::string_view symbol = place.substr(open + 1, place.size() - open - 2);
    const size_t plus = symbol.rfind("+0x");
    if (plus == kNone && !symbol.empty()) return std::nullopt;
    frame.name = symbol.substr(0, plus);
    place = place.substr(0, open);
  }
  if (place.empty()) return std::nullopt;
  frame.attributes.object = place;
  return frame;
}

// "prog: file.c:12: function: Assertion `x' failed."; the program's name may be missing.
std::optional<StackFrame> ParseAssertion(std::string_view line) {
  const size_t at = line.find(": Assertion `");
  if (at == kNone || !Contains(line.substr(at), "' failed")) return std::nullopt;
  std::string_view before = line.substr(0, at);
  // The function may hold "::", so the file's ":12: " is looked for from the left.
  for (size_t colon = 0; (colon = before.find(':', colon)) != kNone; ++colon) {
    std::string_view rest = before.substr(colon + 1);
    const auto number = ConsumeNumber(rest);
    if (!number || *number > UINT32_MAX || !Consume(rest, ": ")) continue;
    std::string_view file = before.substr(0, colon);
    if (const size_t program = file.find(": "); program != kNone) file = file.substr(program + 2);
    StackFrame frame;
    frame.name = rest;
    if (rest.ends_with(')')) frame.attributes.signature = rest;
    frame.attributes.file = file;
    frame.attributes.line = static_cast<uint32_t>(*number);
    return frame;
  }
  return std::nullopt;
}

// Why the library gave up, when `line` is one of its messages.
std::string_view ReasonOf(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kMessages = {
      {{"*** Error in `", "abort"},
       {"*** stack smashing detected ***", "stack smashing"},
       {"*** buffer overflow detected ***", "buffer overflow"},
       {"*** %n in writable segment", "abort"},
       {"terminate called ", "throw"},
       {"double free or corruption", "abort"},
       {"corrupted ", "abort"},
       {"free(): ", "abort"},
       {"malloc(): ", "abort"},
       {"malloc_consolidate(): ", "abort"},
       {"realloc(): ", "abort"},
       {"munmap_chunk(): ", "abort"},
       {"pure virtual method called", "abort"}}};
  for (const auto& [prefix, reason] : kMessages) {
    if (line.starts_with(prefix)) return reason;
  }
  return {};
}

// Of these messages all but assertions and exceptions come with an abort(); a bare backtrace tells nothing.
FailureKind KindOf(std::string_view reason) {
  if (reason.empty()) return FailureKind::kUnknown;
  if (reason == "assertion") return FailureKind::kAssertion;
  return reason == "throw" ? FailureKind::kTerminate : FailureKind::kAbort;
}

class GlibcParser {
 public:
  explicit GlibcParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    for (const std::string_view line : SplitLines(bytes)) {
      ++line_;
      if (line.starts_with("======= Backtrace:")) {
        in_backtrace_ = true;
      } else if (line.starts_with("======= Memory map:")) {
        in_backtrace_ = false;
      } else if (auto frame = ParseBacktraceLine(line)) {
        frame->line = line_;
        if (report_.empty()) report_.line = line_;
        report_.frames.push_back(*std::move(frame));
      } else if (in_backtrace_ && !IsBlank(line)) {
        batch_.AddProblem(line_, "expected 'object(function+0x12)[0x34]'");
      } else {
        MessageLine(line);
      }
    }
    EndReport();
  }

 private:
  void MessageLine(std::string_view line) {
    if (auto assertion = ParseAssertion(line)) {
      EndReport();
      Begin(line, "assertion");
      assertion->line = line_;
      report_.assertion = std::move(assertion);
    } else if (const std::string_view reason = ReasonOf(line); !reason.empty()) {
      if (!report_.frames.empty() || report_.assertion) EndReport();
      Begin(line, reason);
    } else if (std::string_view what = Trim(line); report_.reason == "throw" && Consume(what, "what():")) {
      report_.message += fmt::format(": {}", Trim(what));
    } else if (!report_.frames.empty() && !IsBlank(line)) {
      EndReport();
    }
  }

  void Begin(std::string_view line, std::string_view reason) {
    if (report_.empty()) report_.line = line_;
    if (!report_.message.empty()) report_.message += '\n';
    report_.message += Trim(line);
    report_.reason = reason;
  }

  void EndReport() {
    AbortReport report = std::exchange(report_, {});
    in_backtrace_ = false;
    if (report.empty()) return;
    if (report.frames.empty() && report.assertion) report.frames.push_back(*report.assertion);
    if (report.frames.empty()) {
      return batch_.AddProblem(report.line, fmt::format("'{}' is not followed by a backtrace", report.message));
    }
    ImportedRun& imported = batch_.AddRun();
    RunHeader& header = imported.run.header;
    header.failure.message = report.message;
    if (report.assertion) header.language = NativeLanguageOf({*report.assertion});
    for (StackFrame& frame : report.frames) {
      if (frame.name.starts_with("_Z") && header.language.empty()) header.language = "c++";
    }
    // A backtrace alone may have been printed by a program that went on.
    if (!report.reason.empty()) SetSignal(header, kSigAbrt);
    Trace& trace = batch_.AddStack(imported, 0, report.frames);
    ImportBatch::MarkFailure(imported, trace, KindOf(report.reason),
                             report.reason.empty() ? "backtrace" : report.reason);
  }

  ImportBatch& batch_;
  uint64_t line_ = 0;
  AbortReport report_;
  bool in_backtrace_ = false;  // after the headline that promises nothing but frames
};

class Glibc final : public Importer {
 public:
  std::string_view name() const override { return "glibc"; }
  std::string_view description() const override {
    return "aborts of the C and C++ libraries, failed assertions, backtrace_symbols lines";
  }
  std::string_view expected() const override {
    return "a backtrace line such as './prog(main+0x1d)[0x4005fd]' or a failed assertion";
  }
  Failures failures() const override { return Failures::kTold; }

  int Sniff(std::string_view head) const override {
    if (Contains(head, "======= Backtrace:") || Contains(head, ": Assertion `")) return 70;
    if (Contains(head, ")[0x") || Contains(head, ") [0x")) return 65;
    const bool has_message = Contains(head, "*** Error in `") || Contains(head, "terminate called ") ||
                             Contains(head, "*** stack smashing detected");
    return has_message ? 40 : 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override { GlibcParser(batch).Parse(bytes); }
};

}  // namespace

const Importer& GlibcImporter() {
  static const Glibc importer;
  return importer;
}

}  // namespace oscope
