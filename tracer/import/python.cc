// Python prints the outermost frame first, exceptions after their frames, and chains in the order of time: the
// exception that came first is printed first, with frames only from the function that caught it inwards. So the trace
// of a chain is put together backwards (EndReport): it starts with the frames of the last exception and continues
// inwards with those of the exceptions before it, joined at the function that both have (ContinueInwards). If there is
// no such function the trace is marked partial.
//
// The parser is a line reader with little state: the traceback that is open, whether the next one belongs to the last
// (chained_), and the member of an exception group that it is. Groups are drawn with a frame of bars, which is taken
// off first. Everything between frames that is indented is source text. faulthandler's dumps have the same kind of
// frames in the opposite order and are kept apart.
#include "tracer/import/python.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "tracer/import/import_batch.h"
#include "tracer/import/python_frame.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;

struct Traceback {
  uint64_t line = 0;
  size_t indent = 0;               // of "Traceback"; its frames stand deeper, its exception does not
  std::vector<StackFrame> frames;  // outermost first, as Python prints them
  std::string exception;           // empty until its line has come
};

struct PythonReport {
  std::string thread;
  std::string test;
  std::vector<Traceback> chain;                            // the first exception first
  std::vector<std::pair<std::string, Traceback>> members;  // of an exception group, with their numbers
};

// A thread of faulthandler's dump.
struct FaultStack {
  bool current = false;
  bool cut = false;                // outer frames are missing
  std::vector<StackFrame> frames;  // innermost first
};

// "  | text" or "  + Exception Group Traceback" of an exception group: the text at its own
// indentation.
std::string_view WithoutGroupPrefix(std::string_view line, bool& in_group) {
  const size_t indent = IndentOf(line);
  const std::string_view rest = line.substr(indent);
  in_group = indent > 0 && (rest.starts_with("| ") || rest == "|" || rest.starts_with("+ ") || rest.starts_with("+-"));
  if (!in_group) return line;
  return rest.starts_with("+-") ? rest : rest.substr(std::min<size_t>(2, rest.size()));
}

// "+-+---------------- 1 ----------------" -> "1"; the line that ends a group has no number.
std::string_view MemberNumber(std::string_view rule) {
  const size_t start = rule.find_first_not_of("+- ");
  if (start == kNone) return {};
  return rule.substr(start, rule.find_first_of(" -", start) - start);
}

// "FAIL: test_get (tests.test_bean.BeanTest.test_get)" of unittest; before 3.11 the method is not
// repeated.
std::string TestOf(std::string_view line) {
  if (!Consume(line, "FAIL: ") && !Consume(line, "ERROR: ")) return {};
  const std::string_view method = line.substr(0, line.find(' '));
  const size_t open = line.find('(');
  const size_t close = line.find(')', open == kNone ? 0 : open);
  if (open == kNone || close == kNone) return {};
  const std::string_view scope = line.substr(open + 1, close - open - 1);
  if (scope.ends_with(method)) return std::string(scope);
  return fmt::format("{}.{}", scope, method);
}

std::optional<int32_t> FatalSignal(std::string_view message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kFatal = {{{"Segmentation fault", "SIGSEGV"},
                                                                                    {"Aborted", "SIGABRT"},
                                                                                    {"Bus error", "SIGBUS"},
                                                                                    {"Floating", "SIGFPE"},
                                                                                    {"Illegal instruction", "SIGILL"}}};
  for (const auto& [text, name] : kFatal) {
    if (message.starts_with(text)) return SignalNumber(name);
  }
  return std::nullopt;
}

bool SameFunction(const StackFrame& a, const StackFrame& b) {
  return a.name == b.name && a.attributes.file == b.attributes.file;
}

class PythonParser {
 public:
  explicit PythonParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    std::string storage;
    for (const std::string_view raw : SplitLines(bytes)) {
      ++line_;
      bool in_group = false;
      const std::string_view line = WithoutGroupPrefix(WithoutColour(raw, storage), in_group);
      if (FaultLine(line)) continue;
      if (in_group && line.starts_with("+-")) {
        EndTraceback();
        member_ = MemberNumber(line);
      } else if (const std::string_view text = Trim(line);
                 text == "Traceback (most recent call last):" ||
                 text == "Exception Group Traceback (most recent call last):") {
        BeginTraceback(IndentOf(line));
      } else if (open_) {
        TracebackLine(line);
      } else {
        OutsideLine(line, in_group);
      }
    }
    EndReport();
    EndFault();
  }

 private:
  void BeginTraceback(size_t indent) {
    EndTraceback();
    if (!chained_ && member_.empty()) EndReport();
    chained_ = false;
    open_.emplace();
    open_->line = line_;
    open_->indent = indent;
  }

  void TracebackLine(std::string_view line) {
    const size_t indent = IndentOf(line);
    if (IsPythonFrameLine(line) && indent > open_->indent) return FrameLine(line);
    if (IsBlank(line)) return;
    if (RepeatLine(Trim(line))) return;
    if (indent > open_->indent) return;  // source text and its ^^^^
    // Further lines of a message cannot be distinguished from what is printed next.
    open_->exception = line.substr(indent);
    EndTraceback();
  }

  void FrameLine(std::string_view line) {
    std::optional<StackFrame> frame = ParsePythonFrame(line);
    if (!frame) {
      return batch_.AddProblem(line_, "expected 'File \"x.py\", line 12, in f'");
    }
    frame->line = line_;
    open_->frames.push_back(*std::move(frame));
  }

  // "[Previous line repeated 995 more times]"
  bool RepeatLine(std::string_view text) {
    if (!Consume(text, "[Previous line repeated ")) return false;
    const auto times = ConsumeNumber(text);
    if (!times || !Consume(text, " more time") || open_->frames.empty()) {
      batch_.AddProblem(line_, "expected '[Previous line repeated 12 more times]' after a frame");
    } else if (*times > limits::kMaxDepth || open_->frames.size() + *times > limits::kMaxDepth) {
      batch_.AddLimit(line_, fmt::format("a stack of more than {} frames", limits::kMaxDepth));
    } else {
      const StackFrame last = open_->frames.back();
      open_->frames.insert(open_->frames.end(), *times, last);
    }
    return true;
  }

  void OutsideLine(std::string_view line, bool in_group) {
    std::string_view text = Trim(line);
    if (text.empty()) return;
    if (text == "During handling of the above exception, another exception occurred:" ||
        text == "The above exception was the direct cause of the following exception:") {
      const bool of_member = in_group && !report_.members.empty();
      if (of_member) member_ = report_.members.back().first;
      chained_ = !of_member;
      return;
    }
    if (in_group) return;  // a member without a traceback
    // A syntax error in the program itself has no headline.
    if (IsPythonFrameLine(line) && IndentOf(line) > 0 && ParsePythonFrame(line)) {
      BeginTraceback(0);
      return FrameLine(line);
    }
    if (std::string test = TestOf(text); !test.empty()) test_ = std::move(test);
    if (Consume(text, "Exception in thread ")) {
      if (text.ends_with(':')) text.remove_suffix(1);
      thread_ = text;
    }
  }

  void EndTraceback() {
    if (!open_) return;
    Traceback traceback = *std::exchange(open_, std::nullopt);
    if (traceback.exception.empty()) {
      batch_.AddProblem(traceback.line, "a traceback without the line of its exception");
    } else if (traceback.frames.empty()) {
      batch_.AddProblem(traceback.line, "a traceback without frames");
    }
    if (report_.chain.empty()) {
      report_.test = std::exchange(test_, {});
      report_.thread = std::exchange(thread_, {});
    }
    if (member_.empty()) {
      report_.chain.push_back(std::move(traceback));
    } else {
      report_.members.emplace_back(std::exchange(member_, {}), std::move(traceback));
    }
  }

  // An exception that was caught has frames only from the catching function inwards; that
  // function's callers stand in the traceback of the exception that followed. Replaces that one's
  // frames from the catching function on; false when it is not there.
  static bool ContinueInwards(std::vector<StackFrame>& frames, std::vector<StackFrame> inner) {
    size_t callers = frames.size();
    while (callers > 0 && !(inner.size() > 0 && SameFunction(frames[callers - 1], inner[0]))) --callers;
    const bool found = callers > 0;
    frames.resize(found ? callers - 1 : 0);
    std::move(inner.begin(), inner.end(), std::back_inserter(frames));
    return found;
  }

  void EndReport() {
    EndTraceback();
    chained_ = false;
    member_.clear();
    PythonReport report = std::exchange(report_, {});
    if (report.chain.empty()) {
      if (report.members.empty()) return;
      report.chain.push_back(std::move(report.members[0].second));
      report.members.erase(report.members.begin());
    }
    std::vector<StackFrame> frames = report.chain.back().frames;
    bool whole = true;
    for (size_t i = report.chain.size() - 1; i-- > 0;) {
      whole = ContinueInwards(frames, report.chain[i].frames);
    }
    if (!frames.empty()) AddReport(report, std::move(frames), whole);
  }

  void AddReport(const PythonReport& report, std::vector<StackFrame> frames, bool whole) {
    ImportedRun& imported = batch_.AddRun();
    RunHeader& header = imported.run.header;
    header.language = "python";
    header.test = report.test;
    for (const Traceback& traceback : report.chain) {
      header.failure.message += (header.failure.message.empty() ? "" : "\n") + traceback.exception;
    }
    std::reverse(frames.begin(), frames.end());
    Trace& trace = batch_.AddStack(imported, 0, frames);
    trace.header.thread_name = report.thread;
    trace.header.partial = !whole;
    if (!whole) trace.header.partial_note = "the frames around the first exception's are not known";
    const bool assertion = report.chain[0].exception.starts_with("AssertionError");
    ImportBatch::MarkFailure(imported, trace, FailureKind::kException, assertion ? "assertion" : "throw");
    uint32_t thread = 0;
    for (const auto& [number, member] : report.members) {
      std::vector<StackFrame> inner(member.frames.rbegin(), member.frames.rend());
      Trace& further = batch_.AddStack(imported, ++thread, inner);
      further.header.thread_name = fmt::format("exception {}: {}", number, member.exception.substr(0, 200));
    }
  }

  // faulthandler's dump: "Fatal Python error: …", then a stack for every thread, most recent call
  // first.
  bool FaultLine(std::string_view line) {
    std::string_view text = line;
    if (Consume(text, "Fatal Python error: ")) {
      EndReport();
      EndFault();
      fault_message_ = Trim(text);
      in_fault_ = true;
      return true;
    }
    if (line.ends_with("(most recent call first):")) {
      if (!in_fault_) EndReport();
      in_fault_ = true;
      fault_stacks_.push_back({.current = !line.starts_with("Thread"), .frames = {}});
      return true;
    }
    if (!fault_stacks_.empty() && IndentOf(line) > 0 && NoFrameLine(Trim(line))) return true;
    if (!in_fault_ || fault_stacks_.empty() || !IsPythonFrameLine(line)) {
      if (!fault_stacks_.empty() && !IsBlank(line)) EndFault();
      return false;
    }
    if (std::optional<StackFrame> frame = ParsePythonFrame(line)) {
      frame->line = line_;
      fault_stacks_.back().frames.push_back(*std::move(frame));
    } else {
      batch_.AddProblem(line_, "expected 'File \"x.py\", line 12 in f'");
    }
    return true;
  }

  // What faulthandler writes for a thread that runs no Python, and where a stack is longer than it shows.
  bool NoFrameLine(std::string_view text) {
    if (text == "...") fault_stacks_.back().cut = true;
    return text == "..." || text == "<no Python frame>";
  }

  void EndFault() {
    in_fault_ = false;
    const auto stacks = std::exchange(fault_stacks_, {});
    const std::string message = std::exchange(fault_message_, {});
    const bool any =
        std::any_of(stacks.begin(), stacks.end(), [](const FaultStack& stack) { return !stack.frames.empty(); });
    if (!any) return;
    ImportedRun& imported = batch_.AddRun();
    RunHeader& header = imported.run.header;
    header.language = "python";
    header.failure.message = message;
    if (const auto signal = FatalSignal(message)) SetSignal(header, *signal);
    for (size_t i = 0; i < stacks.size(); ++i) {
      const FaultStack& stack = stacks[i];
      if (stack.frames.empty()) continue;
      // The main thread comes last in a dump of them all.
      Trace& trace = batch_.AddStack(imported, static_cast<uint32_t>(stacks.size() - 1 - i), stack.frames);
      trace.header.partial = stack.cut;
      if (stack.cut) trace.header.partial_note = "outer frames are not in the text";
      if (stack.current) {
        const bool by_signal = header.failure.signal.has_value();
        ImportBatch::MarkFailure(imported, trace, by_signal ? FailureKind::kSignal : FailureKind::kUnknown,
                                 "fatal error");
      }
    }
  }

  ImportBatch& batch_;
  uint64_t line_ = 0;
  PythonReport report_;
  std::optional<Traceback> open_;
  bool chained_ = false;  // the next traceback belongs to the last one
  std::string member_;    // the next traceback is this member of a group
  std::string test_;
  std::string thread_;

  bool in_fault_ = false;
  std::string fault_message_;
  std::vector<FaultStack> fault_stacks_;
};

class Python final : public Importer {
 public:
  std::string_view name() const override { return "python"; }
  std::string_view description() const override {
    return "Python tracebacks, chained and grouped, and faulthandler's dumps";
  }
  std::string_view expected() const override {
    return "'Traceback (most recent call last):' with frames such as '  File \"x.py\", line 12, in "
           "f'";
  }
  Failures failures() const override { return Failures::kTold; }

  int Sniff(std::string_view head) const override {
    if (Contains(head, "Traceback (most recent call last):")) return 85;
    if (Contains(head, "(most recent call first):")) return 85;
    return Contains(head, "  File \"") && Contains(head, "Error: ") ? 75 : 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override { PythonParser(batch).Parse(bytes); }
};

}  // namespace

const Importer& PythonImporter() {
  static const Python importer;
  return importer;
}

}  // namespace oscope
