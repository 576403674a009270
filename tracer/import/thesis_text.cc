// Reads the trace texts of the Oscilloscope thesis: one event on each line, in the notation of the thesis, with comment
// lines that describe the run which follows.
#include "tracer/import/thesis_text.h"

#include <algorithm>

#include "tracer/import/import_batch.h"
#include "tracer/import/text_lines.h"
#include "tracer/model/event.h"

namespace oscope {
namespace {

constexpr std::string_view kSpaces = " \t\v\f\r";

// The next word of `text`, which loses it; empty at the end.
std::string_view ConsumeWord(std::string_view& text) {
  text = Trim(text);
  const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
  text = Trim(text.substr(word.size()));
  return word;
}

class ThesisTextParser {
 public:
  explicit ThesisTextParser(ImportBatch& batch) : batch_(batch) {}

  void Parse(std::string_view bytes) {
    std::string joined;
    uint64_t joined_line = 0;
    for (const std::string_view line : SplitLines(bytes)) {
      ++line_;
      std::string_view text = Trim(line);
      if (text.ends_with('\\')) {
        if (joined_line == 0) joined_line = line_;
        text.remove_suffix(1);
        joined += fmt::format("{} ", text);
        continue;
      }
      if (joined_line == 0) {
        Line(text, line_);
        continue;
      }
      joined += text;
      Line(Trim(joined), joined_line);
      joined.clear();
      joined_line = 0;
    }
    if (joined_line != 0) batch_.AddProblem(joined_line, "the line continues, but the text ends");
    EndRun();
  }

 private:
  void Line(std::string_view text, uint64_t line) {
    event_line_ = line;
    if (text.empty()) return EndRun();
    if (Consume(text, "#")) return Comment(Trim(text));
    const std::string_view kind = ConsumeWord(text);
    if (kind == "M" || kind == "S") return Method(text);
    if (kind == "I") return Instruction(text);
    batch_.AddProblem(line, "expected M, S or I and its words");
  }

  void Method(std::string_view text) {
    const std::string_view scope = ConsumeWord(text);
    const std::string_view name = ConsumeWord(text);
    // The thesis prints a stop after its example.
    if (text.ends_with(" .")) text.remove_suffix(2);
    std::string signature(text);
    std::erase_if(signature, [](char c) { return kSpaces.find(c) != std::string_view::npos; });
    if (name.empty() || !signature.starts_with('(')) {
      return batch_.AddProblem(event_line_, "expected class, method and signature, such as 'M a/B get (I)V'");
    }
    std::string method = fmt::format("{}.{}", scope, name);
    std::replace(method.begin(), method.end(), '/', '.');
    SymbolAttributes attributes;
    attributes.signature = std::move(signature);
    Add(batch_.Intern(Begin(), event_line_, MethodEvent(method), attributes), "");
  }

  void Instruction(std::string_view text) {
    const std::string_view opcode = ConsumeWord(text);
    if (opcode.empty()) return batch_.AddProblem(event_line_, "expected an opcode, such as 'I ALOAD 0'");
    Add(batch_.Intern(Begin(), event_line_, InstructionEvent(opcode)), text);
  }

  void Add(SymbolId symbol, std::string_view value) {
    Trace& trace = run_->run.traces[0];
    trace.events.push_back(symbol);
    if (!value.empty()) trace.values.resize(trace.events.size() - 1);
    if (!value.empty() || !trace.values.empty()) trace.values.emplace_back(value);
  }

  // The run at hand; made when the first header line or event comes.
  ImportedRun& Begin() {
    if (run_ == nullptr) {
      run_ = &batch_.AddRun();
      run_->run.header.language = "java";
      run_->run.traces.emplace_back();
      run_line_ = event_line_;
    }
    return *run_;
  }

  void Comment(std::string_view text) {
    if (text == "run") {
      EndRun();
      Begin();
      return;
    }
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view key = text.substr(0, colon);
    if (key.empty() || key.find_first_of(kSpaces) != std::string_view::npos) return;
    if (run_ != nullptr && !run_->run.traces[0].events.empty()) EndRun();
    Field(key, Trim(text.substr(colon + 1)));
  }

  void Field(std::string_view key, std::string_view value) {
    RunHeader& header = Begin().run.header;
    if (key == "project")
      header.project = value;
    else if (key == "bug")
      header.bug = value;
    else if (key == "test")
      header.test = value;
    else if (key == "version")
      header.version = value;
    else if (key == "message")
      header.failure.message = value;
    else if (key == "outcome")
      SetOutcome(value);
    else if (key == "mark")
      SetMark(value);
    else
      header.custom[std::string(key)] = value;
  }

  void SetOutcome(std::string_view value) {
    if (const auto outcome = ParseOutcome(value); outcome.ok()) {
      run_->run.header.outcome = *outcome;
    } else {
      batch_.AddProblem(event_line_, outcome.error().message);
    }
  }

  void SetMark(std::string_view value) {
    const auto events = ParseNumber(value);
    if (!events || *events == 0) {
      return batch_.AddProblem(event_line_, fmt::format("'{}': a mark is a number of events", value));
    }
    mark_line_ = event_line_;
    run_->run.traces[0].header.mark = FailureMark{*events, "mark"};
    run_->run.header.failing_thread = ThreadRef{};
  }

  void EndRun() {
    if (run_ == nullptr) return;
    Trace& trace = run_->run.traces[0];
    if (!trace.values.empty()) trace.values.resize(trace.events.size());
    trace.FinishHeader();
    if (trace.events.empty()) batch_.AddProblem(run_line_, "a run without events");
    if (trace.header.mark && trace.header.mark->events > trace.events.size()) {
      batch_.AddProblem(mark_line_,
                        fmt::format("the mark lies at event {} of {}", trace.header.mark->events, trace.events.size()));
    }
    run_ = nullptr;
  }

  ImportBatch& batch_;
  uint64_t line_ = 0;
  uint64_t event_line_ = 0;
  uint64_t run_line_ = 0;
  uint64_t mark_line_ = 0;
  ImportedRun* run_ = nullptr;
};

class ThesisText final : public Importer {
 public:
  std::string_view name() const override { return "thesis"; }
  std::string_view description() const override {
    return "the trace text of the Oscilloscope thesis (M, S and I lines)";
  }
  std::string_view expected() const override {
    return "an event line such as 'M org/apache/Bean get (I)Ljava/lang/String;'";
  }
  Failures failures() const override { return Failures::kCarried; }

  int Sniff(std::string_view head) const override {
    for (const std::string_view line : SplitLines(head)) {
      std::string_view text = Trim(line);
      if (text.empty() || text.starts_with('#')) continue;
      const std::string_view kind = ConsumeWord(text);
      if (kind == "I") return text.empty() ? 0 : 55;
      if (kind != "M" && kind != "S") return 0;
      const std::string_view scope = ConsumeWord(text);
      return Contains(scope, "/") || text.ends_with('\\') || Contains(text, "(") ? 60 : 0;
    }
    return 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override { ThesisTextParser(batch).Parse(bytes); }
};

}  // namespace

const Importer& ThesisTextImporter() {
  static const ThesisText importer;
  return importer;
}

}  // namespace oscope
