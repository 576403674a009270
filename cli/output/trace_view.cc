// Prints a trace event by event. With a coarser granularity equal neighbours become one line with a count, so one line
// is always held back until the next event is known; a failure mark ends such a stretch.
#include "cli/output/trace_view.h"

#include <algorithm>
#include <unordered_map>

#include "base/limits.h"
#include "cli/output/text.h"
#include "tracer/model/event.h"

namespace oscope::cli {
namespace {

constexpr uint32_t kMaxIndent = 40;  // levels; deeper calls would leave the screen

std::string_view ColourOf(const Palette& palette, Granularity granularity) {
  switch (granularity) {
    case Granularity::kInstruction: return palette.dim;
    case Granularity::kStatement: return palette.green;
    case Granularity::kBlock: return palette.yellow;
    case Granularity::kMethod: return {};
    case Granularity::kClass: return palette.cyan;
    case Granularity::kPackage: return palette.blue;
  }
  return {};
}

std::string_view OutcomeText(EventOutcome outcome) {
  switch (outcome) {
    case EventOutcome::kNone: return "";
    case EventOutcome::kTaken: return "taken";
    case EventOutcome::kNotTaken: return "not taken";
    case EventOutcome::kReturned: return "returned";
    case EventOutcome::kThrew: return "threw";
  }
  return "";
}

class TraceLines {
 public:
  TraceLines(const TraceHeader& header, const TraceViewOptions& options, const SymbolTable& symbols,
             const std::function<void(std::string_view)>& print)
      : header_(header), options_(options), symbols_(symbols), print_(print), palette_(options.color) {
    digits_ = std::max<size_t>(fmt::formatted_size("{}", header.event_count), 4);
  }

  void Add(uint64_t number, const Trace& piece, size_t i) {
    Line line{number, piece.depths.empty() ? 0 : piece.depths[i], Text(piece.events[i]), Suffix(piece, i), 1};
    if (options_.coarsen && pending_ && pending_->text == line.text && !IsMark(number)) {
      ++pending_->repeats;
      return;
    }
    Flush();
    if (IsMark(number)) PrintMark();
    pending_ = std::move(line);
  }

  void Finish(uint64_t next) {
    Flush();
    if (IsMark(next)) PrintMark();
  }

 private:
  struct Line {
    uint64_t number;
    uint32_t depth;
    std::string text, suffix;
    uint64_t repeats;
  };

  bool IsMark(uint64_t number) const { return header_.mark && header_.mark->events == number; }

  const std::string& Text(SymbolId id) {
    auto [entry, is_new] = texts_.try_emplace(id);
    if (is_new) {
      const std::string& name = symbols_.name(id);
      entry->second = options_.coarsen ? Coarsen(name, *options_.coarsen, symbols_.attributes(id).object) : name;
    }
    return entry->second;
  }

  std::string Suffix(const Trace& piece, size_t i) const {
    std::string suffix;
    if (options_.coarsen) return suffix;
    if (!piece.outcomes.empty() && piece.outcomes[i] != EventOutcome::kNone)
      suffix += fmt::format("  [{}]", OutcomeText(piece.outcomes[i]));
    if (!piece.values.empty() && !piece.values[i].empty()) suffix += "  = " + Shown(piece.values[i]);
    return suffix;
  }

  void Flush() {
    if (!pending_) return;
    const Line& line = *pending_;
    const std::string indent(2 * std::min(line.depth, kMaxIndent), ' ');
    const std::string_view colour = ColourOf(palette_, ParseEvent(line.text).granularity);
    const std::string repeats = line.repeats > 1 ? fmt::format("  x{}", line.repeats) : "";
    print_(fmt::format("{}{:>{}}{}  {}{}{}{}{}{}\n", palette_.dim, line.number + 1, digits_, palette_.reset, indent,
                       colour, Shown(line.text), colour.empty() ? "" : palette_.reset, line.suffix, repeats));
    pending_.reset();
  }

  void PrintMark() {
    print_(fmt::format("{}{}──── failure: {} ────{}\n", palette_.bold, palette_.red, Shown(header_.mark->reason),
                       palette_.reset));
  }

  const TraceHeader& header_;
  const TraceViewOptions& options_;
  const SymbolTable& symbols_;
  const std::function<void(std::string_view)>& print_;
  const Palette palette_;
  size_t digits_;
  std::optional<Line> pending_;
  std::unordered_map<SymbolId, std::string> texts_;
};

}  // namespace

Status ShowTrace(const Snapshot& snapshot, const TraceId& id, const TraceHeader& header,
                 const TraceViewOptions& options, const std::function<void(std::string_view)>& print) {
  SymbolTable symbols;
  TraceLines lines(header, options, symbols, print);
  uint64_t next = std::min(options.window.first, header.event_count);
  const uint64_t end = next + std::min(options.window.count, header.event_count - next);
  while (next < end) {
    const uint64_t count = std::min<uint64_t>(limits::kChunkEvents, end - next);
    OSCOPE_ASSIGN_OR_RETURN(const Trace piece, snapshot.ReadTrace(id, symbols, next, count));
    if (piece.events.empty()) return Corrupt("trace {}: events {} to {} are missing", ToString(id), next, end);
    for (size_t i = 0; i < piece.events.size(); ++i) {
      OSCOPE_RETURN_IF_ERROR(snapshot.cancel().Check());
      if (options.stop && options.stop()) return {};
      lines.Add(next + i, piece, i);
    }
    next += piece.events.size();
  }
  lines.Finish(next);
  return {};
}

}  // namespace oscope::cli
