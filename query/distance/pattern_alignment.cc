// The nearest word of a language, with the steps to it. The whole product of positions and states is kept, with how
// each cell was reached, and then followed backwards. The distance alone needs one row at a time
// (pattern_distance.cc); this is only asked for the few rows that are shown.
#include <algorithm>

#include "query/distance/pattern_distance.h"

namespace oscope {
namespace {

constexpr uint32_t kNever = UINT32_MAX;
constexpr uint32_t kNoEdge = UINT32_MAX;

// How a state was reached: over which edge (kNoEdge: from the same state), and what became of x there.
struct Step {
  EditKind kind = EditKind::kKeep;
  uint32_t edge = kNoEdge;
};

class Table {
 public:
  Table(Sequence x, const Language& language)
      : x_(x),
        language_(language),
        steps_((x.size() + 1) * language.states),
        cost_(language.states, kNever),
        first_(language.states + 1, 0) {
    for (const LanguageEdge& edge : language.edges) ++first_[edge.from + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  std::optional<std::vector<PatternEdit>> Run() {
    for (const uint32_t state : language_.start) cost_[state] = 0;
    Insert(0);
    for (size_t i = 0; i < x_.size(); ++i) {
      Read(i);
      Insert(i + 1);
    }
    uint32_t best = kNoEdge;
    for (uint32_t state = 0; state < language_.states; ++state) {
      if (!language_.accepting[state] || cost_[state] == kNever) continue;
      if (best == kNoEdge || cost_[state] < cost_[best]) best = state;
    }
    if (best == kNoEdge) return std::nullopt;
    return WayTo(best);
  }

 private:
  Step& StepAt(size_t row, uint32_t state) { return steps_[row * language_.states + state]; }

  void Reach(size_t row, std::vector<uint32_t>& costs, uint32_t state, uint32_t cost, Step step) {
    if (cost >= costs[state]) return;
    costs[state] = cost;
    StepAt(row, state) = step;
  }

  void Read(size_t i) {
    std::vector<uint32_t> next(language_.states, kNever);
    // A kept event first, then a replaced one: of equal ways the one that keeps is shown.
    for (const bool keep : {true, false}) {
      for (uint32_t e = 0; e < language_.edges.size(); ++e) {
        const LanguageEdge& edge = language_.edges[e];
        if (cost_[edge.from] == kNever || language_.sets[edge.set].Contains(x_[i]) != keep) continue;
        Reach(i + 1, next, edge.to, cost_[edge.from] + !keep, {keep ? EditKind::kKeep : EditKind::kReplace, e});
      }
    }
    for (uint32_t state = 0; state < language_.states; ++state) {
      if (cost_[state] != kNever) Reach(i + 1, next, state, cost_[state] + 1, {EditKind::kDelete, kNoEdge});
    }
    cost_ = std::move(next);
  }

  void Insert(size_t row) {
    std::vector<std::pair<uint32_t, uint32_t>> order;
    for (uint32_t state = 0; state < language_.states; ++state) {
      if (cost_[state] != kNever) order.emplace_back(cost_[state], state);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::pair<uint32_t, uint32_t>> queue;
    for (size_t s = 0, q = 0; s < order.size() || q < queue.size();) {
      const auto [cost, state] =
          q < queue.size() && (s == order.size() || queue[q].first <= order[s].first) ? queue[q++] : order[s++];
      if (cost_[state] != cost) continue;
      for (uint32_t e = first_[state]; e < first_[state + 1]; ++e) {
        const uint32_t to = language_.edges[e].to;
        if (cost + 1 >= cost_[to]) continue;
        Reach(row, cost_, to, cost + 1, {EditKind::kInsert, e});
        queue.emplace_back(cost + 1, to);
      }
    }
  }

  std::vector<PatternEdit> WayTo(uint32_t state) {
    std::vector<PatternEdit> script;
    size_t row = x_.size();
    while (row > 0 || !IsStart(row, state)) {
      const Step step = StepAt(row, state);
      if (step.kind != EditKind::kInsert) --row;
      const bool has_edge = step.edge != kNoEdge;
      const auto index = step.kind == EditKind::kInsert ? 0u : static_cast<uint32_t>(row);
      script.push_back({step.kind, index, has_edge ? language_.edges[step.edge].set : 0});
      if (has_edge) state = language_.edges[step.edge].from;
    }
    std::reverse(script.begin(), script.end());
    return script;
  }

  // Row 0 is entered for nothing only at a start, and no insertion overwrites that.
  bool IsStart(size_t row, uint32_t state) const {
    return row == 0 && std::find(language_.start.begin(), language_.start.end(), state) != language_.start.end();
  }

  Sequence x_;
  const Language& language_;
  std::vector<Step> steps_;
  std::vector<uint32_t> cost_;
  std::vector<uint32_t> first_;
};

}  // namespace

Result<std::optional<std::vector<PatternEdit>>> AlignWithPattern(Sequence x, const Language& language) {
  if (language.states == 0) return std::optional<std::vector<PatternEdit>>();
  constexpr uint64_t kMaxCells = kMaxAlignCells / sizeof(Step);
  if (x.size() + 1 > kMaxCells / language.states) {
    return Limit("alignment of {} events and {} states: more than {} cells", x.size(), language.states, kMaxCells);
  }
  return Table(x, language).Run();
}

}  // namespace oscope
