// Java prints the frames that a cause shares with the exception around it as "... n more". So the whole chain is
// collected first, and the root cause's stack is completed from the outside in (ExpandRootCause). Suppressed
// exceptions are told from causes by their indentation and left out.
//
// A stack is recognised by its frames, which look like nothing else. What stands before the first frame may be the
// exception or any line of a log; the last line that looks like a throwable counts (pending_).
#include "tracer/import/java.h"

#include <algorithm>

#include "tracer/import/import_batch.h"
#include "tracer/import/java_frame.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;

// A longer text between a class's name and the first frame is not an exception's message.
constexpr size_t kMaxMessageBytes = 1 << 16;

struct Throwable {
  std::string message;
  std::vector<StackFrame> frames;  // innermost first
  uint64_t more = 0;               // frames in common with the enclosing throwable
  uint64_t more_line = 0;
};

struct JavaReport {
  std::string thread;
  std::string test;
  std::vector<Throwable> chain;  // outermost throwable first, the root cause last
  size_t frame_indent = 0;
  std::string cut;           // why frames are missing
  bool bare_frames = false;  // JUnit's console prints frames without "at "
};

struct DumpedThread {
  std::string name;
  std::vector<StackFrame> frames;
};

// "1) testGet(org.apache.BeanTest)", "testGet(org.apache.BeanTest)  Time elapsed: 0.1 s  <<<
// FAILURE!",
// "[ERROR] org.apache.BeanTest.testGet -- Time elapsed: 0.1 s <<< ERROR!"
std::string TestOf(std::string_view line) {
  line = Trim(line);
  Consume(line, "[ERROR] ");
  std::string_view rest = line;
  const bool numbered = ConsumeNumber(rest) && Consume(rest, ") ");
  if (!numbered && !Contains(line, "<<< ")) return {};
  if (numbered) line = rest;
  const std::string_view word = line.substr(0, line.find(' '));
  const size_t open = word.find('(');
  if (open == kNone) return Contains(word, ".") ? std::string(word) : "";
  const size_t close = word.find(')', open);
  if (close == kNone || close == open + 1) return {};
  return fmt::format("{}.{}", word.substr(open + 1, close - open - 1), word.substr(0, open));
}

// "MethodSource [className = 'BeanTest', methodName = 'testGet', …]" of JUnit 5's console.
std::string MethodSourceOf(std::string_view line) {
  if (!Consume(line, "MethodSource [className = '")) return {};
  const size_t end = line.find("', methodName = '");
  if (end == kNone) return {};
  const std::string_view method = line.substr(end + 17);
  return fmt::format("{}.{}", line.substr(0, end), method.substr(0, method.find('\'')));
}

bool IsAssertion(std::string_view message) {
  const std::string_view type = message.substr(0, message.find(':'));
  return type.ends_with("AssertionError") || type.ends_with("AssertionFailedError") ||
         type.ends_with("ComparisonFailure");
}

class JavaParser {
 public:
  explicit JavaParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    for (const std::string_view line : SplitLines(bytes)) {
      ++line_;
      if (in_dump_ && DumpLine(line)) continue;
      if (line.starts_with("Full thread dump")) {
        EndReport();
        in_dump_ = true;
        dump_message_ = Trim(line);
      } else if (!StackLine(line)) {
        OtherLine(line);
      }
    }
    EndReport();
    EndDump();
  }

 private:
  // Lines that only occur within a stack trace.
  bool StackLine(std::string_view line) {
    std::string_view text = Trim(line);
    if (Consume(text, "at ")) return AtLine(line, text);
    if (report_.chain.empty()) return false;
    if (text.starts_with("Caused by: ")) return CauseLine(line, text.substr(11));
    if (text.starts_with("Suppressed: ")) return SuppressedLine(line);
    if (Consume(text, "... ")) return MoreLine(line, text);
    return report_.bare_frames && BareLine(line, text);
  }

  bool AtLine(std::string_view line, std::string_view text) {
    std::optional<StackFrame> frame = ParseJavaFrame(text);
    const bool in_stack = !report_.chain.empty() && seen_frame_;
    if (!frame) {
      // Prose may begin with "at ", but not within a stack.
      if (!in_stack || IndentOf(line) == 0) return false;
      batch_.AddProblem(line_, "expected 'at package.Class.method(File.java:12)'");
      return true;
    }
    frame->line = line_;
    if (report_.chain.empty()) BeginReport();
    AddFrame(line, *std::move(frame));
    return true;
  }

  bool BareLine(std::string_view line, std::string_view text) {
    if (text == "[...]") {
      report_.cut = "JUnit left frames out";
      return true;
    }
    std::optional<StackFrame> frame = ParseJavaFrame(text);
    if (!frame) return false;
    frame->line = line_;
    AddFrame(line, *std::move(frame));
    return true;
  }

  void AddFrame(std::string_view line, StackFrame frame) {
    if (!seen_frame_ && !suppressed_ && report_.chain.size() == 1) report_.frame_indent = IndentOf(line);
    seen_frame_ = true;
    if (!suppressed_) report_.chain.back().frames.push_back(std::move(frame));
  }

  // A cause that is indented like the frames belongs to a suppressed exception.
  bool CauseLine(std::string_view line, std::string_view message) {
    seen_frame_ = false;
    if (suppressed_ && IndentOf(line) >= report_.frame_indent) return true;
    suppressed_ = false;
    report_.chain.emplace_back().message = Trim(message);
    return true;
  }

  bool SuppressedLine(std::string_view line) {
    if (IndentOf(line) == 0 && report_.frame_indent > 0) return false;
    seen_frame_ = false;
    return suppressed_ = true;
  }

  // "12 more" or, from some loggers, "12 common frames omitted"
  bool MoreLine(std::string_view line, std::string_view text) {
    const auto count = ConsumeNumber(text);
    const bool known = text == " more" || text == " common frames omitted";
    if (suppressed_ && known) return seen_frame_ = true;
    if (!count || !known) {
      if (!seen_frame_ || IndentOf(line) == 0) return false;
      batch_.AddProblem(line_, "expected '... 12 more'");
      return true;
    }
    report_.chain.back().more = *count;
    report_.chain.back().more_line = line_;
    seen_frame_ = true;
    return true;
  }

  void OtherLine(std::string_view line) {
    const bool in_message = !report_.chain.empty() && !seen_frame_;
    if (in_message) {
      // That of a suppressed exception is left out with it.
      if (!suppressed_) report_.chain.back().message += fmt::format("\n{}", line);
      return;
    }
    if (!report_.chain.empty()) {
      // Locks ("- locked <0x…>") and blank lines do not end a stack.
      if (Trim(line).starts_with("- ") || IsBlank(line)) return;
      EndReport();
    }
    if (std::string test = TestOf(line); !test.empty()) {
      test_ = std::move(test);
    } else if (std::string source = MethodSourceOf(Trim(line)); !source.empty()) {
      test_ = std::move(source);
    }
    if (auto header = ParseThrowableLine(line)) {
      pending_ = std::move(header);
      pending_rest_.clear();
      if (Trim(line).starts_with("=> ")) {  // nothing else announces a stack there
        BeginReport();
        report_.bare_frames = true;
      }
    } else if (pending_) {
      pending_rest_ += fmt::format("\n{}", line);
      if (pending_rest_.size() > kMaxMessageBytes) pending_.reset();
    } else if (!IsBlank(line)) {
      last_line_ = Trim(line);
    }
  }

  void BeginReport() {
    report_ = {};
    report_.test = std::exchange(test_, {});
    Throwable throwable;
    if (pending_) {
      report_.thread = pending_->thread;
      throwable.message = pending_->message + pending_rest_;
    } else {
      throwable.message = last_line_;
    }
    pending_.reset();
    pending_rest_.clear();
    last_line_.clear();
    report_.chain.push_back(std::move(throwable));
    seen_frame_ = suppressed_ = false;
  }

  // The root cause's frames, with those it shares with the throwables around it, innermost first.
  std::vector<StackFrame> ExpandRootCause() {
    std::vector<StackFrame> around;  // outermost first, so that what is shared stays in place
    for (Throwable& throwable : report_.chain) {
      // A log may begin in the middle of a chain: then there is nothing to fill in from.
      const bool is_cut = &throwable == &report_.chain[0] || !report_.cut.empty();
      if (is_cut && throwable.more > around.size()) {
        report_.cut = fmt::format("{} outer frames are not in the text", throwable.more - around.size());
        throwable.more = around.size();
      }
      if (throwable.more > around.size()) {
        batch_.AddProblem(throwable.more_line, fmt::format("'... {} more', but the exception around it has {} frames",
                                                           throwable.more, around.size()));
        return {};
      }
      around.resize(throwable.more);
      around.insert(around.end(), throwable.frames.rbegin(), throwable.frames.rend());
    }
    std::reverse(around.begin(), around.end());
    return around;
  }

  std::string ChainMessage() const {
    std::string message;
    for (const Throwable& throwable : report_.chain) {
      if (!message.empty()) message += "\nCaused by: ";
      message += throwable.message;
    }
    return message;
  }

  void EndReport() {
    if (report_.chain.empty()) return;
    const std::vector<StackFrame> frames = ExpandRootCause();
    if (!frames.empty()) {
      ImportedRun& imported = batch_.AddRun();
      RunHeader& header = imported.run.header;
      header.language = "java";
      header.test = report_.test;
      header.failure.message = ChainMessage();
      Trace& trace = batch_.AddStack(imported, 0, frames);
      trace.header.thread_name = report_.thread;
      trace.header.partial = !report_.cut.empty();
      trace.header.partial_note = report_.cut;
      const bool assertion = IsAssertion(report_.chain.back().message);
      ImportBatch::MarkFailure(imported, trace, FailureKind::kException, assertion ? "assertion" : "throw");
    }
    report_ = {};
    seen_frame_ = suppressed_ = false;
  }

  // A line of a thread dump; false when the dump is over.
  bool DumpLine(std::string_view line) {
    std::string_view text = Trim(line);
    if (line.starts_with('"')) {
      const size_t quote = line.rfind("\" ");
      const std::string_view name = line.substr(1, (quote == kNone ? line.rfind('"') : quote) - 1);
      threads_.push_back({std::string(name), {}});
    } else if (Consume(text, "at ")) {
      std::optional<StackFrame> frame = ParseJavaFrame(text);
      if (!frame || threads_.empty()) {
        batch_.AddProblem(line_, "expected a thread's 'at package.Class.method(File.java:12)'");
        return true;
      }
      frame->line = line_;
      threads_.back().frames.push_back(*std::move(frame));
    } else if (line.starts_with("Found ") && Contains(line, "deadlock")) {
      // What follows repeats the stacks of the threads above.
      dump_message_ = Trim(line);
      EndDump();
      in_deadlock_ = true;
    } else if (line.starts_with("Full thread dump") || line.starts_with("Exception in thread \"")) {
      EndDump();
      return in_dump_ = false;
    }
    return true;
  }

  void EndDump() {
    std::vector<DumpedThread> threads = std::exchange(threads_, {});
    const bool repeated = std::exchange(in_deadlock_, false);
    std::erase_if(threads, [](const DumpedThread& thread) { return thread.frames.empty(); });
    if (threads.empty() || repeated) return;
    std::stable_partition(threads.begin(), threads.end(),
                          [](const DumpedThread& thread) { return thread.name == "main"; });
    ImportedRun& imported = batch_.AddRun();
    imported.run.header.language = "java";
    imported.run.header.failure.message = dump_message_;
    for (uint32_t i = 0; i < threads.size(); ++i) {
      Trace& trace = batch_.AddStack(imported, i, threads[i].frames);
      trace.header.thread_name = threads[i].name;
    }
  }

  ImportBatch& batch_;
  uint64_t line_ = 0;

  std::optional<ThrowableLine> pending_;  // a line that may be a throwable's first
  std::string pending_rest_;              // what came after it
  std::string last_line_;
  std::string test_;
  JavaReport report_;
  bool seen_frame_ = false;  // of the throwable at hand
  bool suppressed_ = false;  // within a suppressed exception, which is left out

  bool in_dump_ = false;
  bool in_deadlock_ = false;
  std::string dump_message_;
  std::vector<DumpedThread> threads_;
};

class Java final : public Importer {
 public:
  std::string_view name() const override { return "java"; }
  std::string_view description() const override { return "Java stack traces, JUnit output and thread dumps"; }
  std::string_view expected() const override { return "a Java frame such as 'at org.apache.Bean.get(Bean.java:12)'"; }
  Failures failures() const override { return Failures::kTold; }

  int Sniff(std::string_view head) const override {
    if (Contains(head, "Full thread dump ")) return 80;
    for (size_t at = 0; (at = head.find("at ", at)) != kNone; at += 3) {
      if (at == 0 || (head[at - 1] != '\t' && head[at - 1] != ' ')) continue;
      const std::string_view window = head.substr(at + 3, 4096);
      if (ParseJavaFrame(window.substr(0, window.find('\n')))) return 80;
    }
    return Contains(head, "MethodSource [className") ? 70 : 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override { JavaParser(batch).Parse(bytes); }
};

}  // namespace

const Importer& JavaImporter() {
  static const Java importer;
  return importer;
}

}  // namespace oscope
