// A parser with an explicit stack of open parentheses instead of recursion: patterns come from users and may nest
// deeply. It writes postfix steps, so that the automaton can be built by a stack machine. Two items side by side are
// joined by kGap (other events may lie between), or by kThen after an arrow or beside an anchor.
#include "bql/pattern/pattern_parser.h"

#include <fmt/core.h>

namespace oscope::bql {
namespace {

using Kind = PatternToken::Kind;
using Step = PatternStep::Kind;

// A pair of parentheses that is open, or the pattern itself.
struct Level {
  TextSpan open;
  size_t sequences = 0;  // finished ones
  bool has_item = false;
  bool after_anchor = false;
  bool after_arrow = false;
  TextSpan arrow;
};

bool IsRepetition(Kind kind) { return kind == Kind::kStar || kind == Kind::kPlus || kind == Kind::kOption; }

Step StepOf(Kind repetition) {
  return repetition == Kind::kStar ? Step::kStar : repetition == Kind::kPlus ? Step::kPlus : Step::kOption;
}

class Parser {
 public:
  Parser(const std::vector<PatternToken>& tokens, TextSpan whole, size_t max_depth,
         std::vector<Diagnostic>& diagnostics)
      : tokens_(tokens), whole_(whole), max_depth_(max_depth), diagnostics_(diagnostics) {
    levels_.push_back({whole, 0, false, false, false, {}});
  }

  std::vector<PatternStep> Run() {
    for (at_ = 0; at_ < tokens_.size() && errors_ < kMaxPatternErrors; ++at_) Token(tokens_[at_]);
    if (errors_ >= kMaxPatternErrors) return {};
    if (levels_.size() > 1) {
      Error(levels_.back().open, "unclosed parenthesis");
      return {};
    }
    FinishSequence(whole_, tokens_.empty() ? "an empty pattern: '.' is any event" : "expected an event at the end");
    return std::move(steps_);
  }

 private:
  void Error(TextSpan span, std::string message) {
    ++errors_;
    diagnostics_.push_back({Severity::kError, span, std::move(message)});
  }

  void Token(const PatternToken& token) {
    switch (token.kind) {
      case Kind::kAny:
      case Kind::kName:
      case Kind::kGlob:
      case Kind::kRegex: steps_.push_back({Step::kEvent, at_}); return FinishItem(false);
      case Kind::kBegin:
      case Kind::kEnd:
        steps_.push_back({token.kind == Kind::kBegin ? Step::kBegin : Step::kEnd, at_});
        return FinishItem(true);
      case Kind::kOpen: return Open(token);
      case Kind::kClose: return Close(token);
      case Kind::kBar: FinishSequence(token.span, "expected an event before '|'"); return;
      case Kind::kArrow: return Arrow(token);
      case Kind::kStar:
      case Kind::kPlus:
      case Kind::kOption:
        return Error(token.span, "nothing to repeat: '*', '+' and '?' come after an event; '.' is any event");
    }
  }

  void Open(const PatternToken& token) {
    if (levels_.size() > max_depth_) {
      Error(token.span, fmt::format("parentheses nested deeper than {}", max_depth_));
      at_ = tokens_.size();
      levels_.resize(1);
      levels_.back().has_item = true;
      return;
    }
    levels_.push_back({token.span, 0, false, false, false, {}});
  }

  void Close(const PatternToken& token) {
    if (levels_.size() == 1) return Error(token.span, "')' without '('");
    const bool empty = !levels_.back().has_item && levels_.back().sequences == 0;
    FinishSequence(token.span, empty ? "empty parentheses" : "expected an event before ')'");
    levels_.pop_back();
    FinishItem(false);
  }

  void Arrow(const PatternToken& token) {
    Level& level = levels_.back();
    if (level.after_arrow || !level.has_item) Error(token.span, "expected an event before '->'");
    level.after_arrow = true;
    level.arrow = token.span;
  }

  // The item that the last steps make: takes what repeats it and joins it to the one before.
  void FinishItem(bool anchor) {
    while (at_ + 1 < tokens_.size() && IsRepetition(tokens_[at_ + 1].kind)) {
      ++at_;
      if (anchor) Error(tokens_[at_].span, "an anchor cannot be repeated");
      // (x*)* is x*: a tower of repetitions needs no states of its own.
      const Step repetition = StepOf(tokens_[at_].kind);
      if (steps_.empty() || steps_.back().kind != repetition) steps_.push_back({repetition, at_});
    }
    Level& level = levels_.back();
    const bool direct = level.after_arrow || anchor || level.after_anchor;
    if (level.has_item) steps_.push_back({direct ? Step::kThen : Step::kGap, at_});
    level.has_item = true;
    level.after_anchor = anchor;
    level.after_arrow = false;
  }

  void FinishSequence(TextSpan at, std::string_view when_empty) {
    Level& level = levels_.back();
    if (level.after_arrow) {
      Error(level.arrow, "expected an event after '->'");
    } else if (!level.has_item) {
      Error(at, std::string(when_empty));
    }
    if (level.sequences > 0) steps_.push_back({Step::kEither, at_});
    ++level.sequences;
    level.has_item = level.after_anchor = level.after_arrow = false;
  }

  const std::vector<PatternToken>& tokens_;
  TextSpan whole_;
  size_t max_depth_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<Level> levels_;
  std::vector<PatternStep> steps_;
  size_t at_ = 0, errors_ = 0;
};

}  // namespace

std::vector<PatternStep> ParseSteps(const std::vector<PatternToken>& tokens, TextSpan whole, size_t max_depth,
                                    std::vector<Diagnostic>& diagnostics) {
  return Parser(tokens, whole, max_depth, diagnostics).Run();
}

}  // namespace oscope::bql
