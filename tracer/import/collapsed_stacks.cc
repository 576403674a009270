// Each distinct stack becomes a trace, with its number of samples as the thread's name; the order of samples is not in
// the text.
#include "tracer/import/collapsed_stacks.h"

#include <algorithm>
#include <unordered_map>

#include "tracer/import/import_batch.h"
#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

struct CollapsedStack {
  uint64_t line = 0;
  std::string_view frames;
  uint64_t samples = 0;
};

// "main;read 3" -> frames "main;read", samples 3. Names may hold spaces.
std::optional<CollapsedStack> ParseLine(std::string_view line) {
  line = Trim(line);
  const size_t space = line.rfind(' ');
  if (space == std::string_view::npos || space == 0) return std::nullopt;
  const auto samples = ParseNumber(line.substr(space + 1));
  const std::string_view frames = Trim(line.substr(0, space));
  const bool has_gap = frames.starts_with(';') || frames.ends_with(';') || Contains(frames, ";;");
  if (!samples || has_gap) return std::nullopt;
  return CollapsedStack{0, frames, *samples};
}

StackFrame ParseFrame(std::string_view name, uint64_t line) {
  for (const std::string_view mark : {"_[k]", "_[j]", "_[i]", "_[0]", "_[1]"}) {
    if (name.ends_with(mark) && name.size() > mark.size()) {
      name.remove_suffix(mark.size());
      break;
    }
  }
  StackFrame frame;
  frame.line = line;
  frame.name = name;
  frame.exact = name.starts_with('[');  // "[libc.so.6]" and "[unknown]" are no methods
  return frame;
}

class CollapsedStacks final : public Importer {
 public:
  std::string_view name() const override { return "collapsed"; }
  std::string_view description() const override { return "collapsed stacks of profilers and flame graphs"; }
  std::string_view expected() const override { return "lines such as 'main;parse;read 3'"; }

  int Sniff(std::string_view head) const override {
    for (const std::string_view line : SplitLines(head)) {
      if (IsBlank(line) || line.starts_with('#')) continue;
      const auto stack = ParseLine(line);
      if (!stack) return 0;
      return Contains(stack->frames, ";") ? 50 : 20;
    }
    return 0;
  }

 protected:
  void Parse(std::string_view bytes, ImportBatch& batch) const override {
    std::vector<CollapsedStack> stacks;
    std::unordered_map<std::string_view, size_t> known;
    uint64_t number = 0;
    for (const std::string_view line : SplitLines(bytes)) {
      ++number;
      if (IsBlank(line) || line.starts_with('#')) continue;
      auto stack = ParseLine(line);
      if (!stack) {
        batch.AddProblem(number, "expected 'frame;frame;frame count'");
        continue;
      }
      stack->line = number;
      const auto [at, is_new] = known.emplace(stack->frames, stacks.size());
      if (is_new) {
        stacks.push_back(*stack);
      } else if (stack->samples > UINT64_MAX - stacks[at->second].samples) {
        batch.AddLimit(number, "the counts of one stack exceed 64 bits");
      } else {
        stacks[at->second].samples += stack->samples;
      }
    }
    if (!stacks.empty()) AddRun(stacks, batch);
  }

 private:
  static void AddRun(const std::vector<CollapsedStack>& stacks, ImportBatch& batch) {
    ImportedRun& imported = batch.AddRun();
    uint32_t thread = 0;
    for (const CollapsedStack& stack : stacks) {
      std::vector<StackFrame> frames;
      for (std::string_view rest = stack.frames; !rest.empty();) {
        const size_t end = std::min(rest.find(';'), rest.size());
        frames.push_back(ParseFrame(rest.substr(0, end), stack.line));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
      std::reverse(frames.begin(), frames.end());
      Trace& trace = batch.AddStack(imported, thread++, frames);
      trace.header.thread_name = fmt::format("samples: {}", stack.samples);
    }
  }
};

}  // namespace

const Importer& CollapsedStacksImporter() {
  static const CollapsedStacks importer;
  return importer;
}

}  // namespace oscope
