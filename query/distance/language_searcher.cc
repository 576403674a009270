// Many sequences against one language. The row of costs over all states, after an event, is a function of the row
// before it and of the event's class (events that lie in the same sets of the language are one class). With a bound
// there are finitely many rows. So each distinct row becomes a state of a deterministic automaton that is built while
// sequences are read; a step that was taken before is a table lookup.
//
// Building that automaton in advance would be a Levenshtein automaton, whose size is exponential in the bound in the
// worst case; most of its states never come up. Even the rows that do come up may be too many, so the table has a
// limit: when it is full it is emptied, and after several times the searcher gives up and computes each distance by
// PatternDistance.
#include "query/distance/language_searcher.h"

#include <algorithm>

#include "query/distance/language_product.h"

namespace oscope {
namespace {

using language_product::Costs, language_product::kNever, language_product::Product;

constexpr uint64_t kMaxBound = 1000;        // beyond, hardly two rows of costs are the same
constexpr uint32_t kUnknown = UINT32_MAX;   // not computed yet
constexpr uint32_t kDead = UINT32_MAX - 1;  // nothing within the bound can follow
constexpr int kMaxRestarts = 8;
constexpr uint32_t kMaxRemembered = 1 << 22;  // event ids whose class is kept

std::optional<Costs> CostsOf(PatternMetric metric) {
  if (metric == PatternMetric::kLevenshtein) return Costs{.replace = 1, .remove = 1, .insert = 1};
  if (metric == PatternMetric::kLcs) return Costs{.remove = 1, .insert = 1};
  return std::nullopt;
}

}  // namespace

class LanguageSearcher::Table {
 public:
  Table(const Language& language, Costs costs, uint64_t bound, size_t max_cells)
      : language_(language), bound_(bound), max_cells_(max_cells), product_(language, costs, bound) {
    product_.Insert();
    start_costs_ = product_.costs();
    Restart();
  }

  bool worn_out() const { return restarts_ > kMaxRestarts; }

  std::optional<uint64_t> Distance(Sequence x) {
    uint32_t row = start_;
    for (const uint32_t event : x) {
      if (row == kDead) return std::nullopt;
      row = Next(row, ClassOfEvent(event), event);
    }
    if (row == kDead || rows_[row].accepting > bound_) return std::nullopt;
    return rows_[row].accepting;
  }

 private:
  struct Row {
    const std::vector<uint64_t>* costs = nullptr;  // the key in known_
    uint64_t accepting = kNever;                   // the least cost of an accepting state
    std::vector<uint32_t> next;                    // by class
  };

  void Restart() {
    known_.clear();
    rows_.clear();
    cells_ = 0;
    ++restarts_;
    product_.Resume(start_costs_);
    start_ = RowOfProduct();
  }

  // The row of the costs that the product holds now.
  uint32_t RowOfProduct() {
    if (!product_.alive()) return kDead;
    const auto [known, added] = known_.emplace(product_.costs(), static_cast<uint32_t>(rows_.size()));
    if (added) {
      rows_.push_back({&known->first, product_.LeastAccepting(), {}});
      cells_ += 2 * language_.states;  // a cost takes two cells
    }
    return known->second;
  }

  uint32_t Next(uint32_t row, uint32_t event_class, uint32_t event) {
    std::vector<uint32_t>& next = rows_[row].next;
    if (event_class < next.size() && next[event_class] != kUnknown) return next[event_class];
    if (cells_ > max_cells_) return RestartFrom(row, event);
    if (event_class >= next.size()) {
      cells_ += event_class + 1 - next.size();
      next.resize(event_class + 1, kUnknown);
    }
    Step(*rows_[row].costs, event);
    const uint32_t to = RowOfProduct();
    rows_[row].next[event_class] = to;  // `next` may have moved
    return to;
  }

  uint32_t RestartFrom(uint32_t row, uint32_t event) {
    const std::vector<uint64_t> costs = *rows_[row].costs;
    Restart();
    Step(costs, event);
    return RowOfProduct();
  }

  void Step(const std::vector<uint64_t>& costs, uint32_t event) {
    product_.Resume(costs);
    product_.Read(event);
    product_.Insert();
  }

  // Events that lie in the same sets are one class.
  uint32_t ClassOfEvent(uint32_t event) {
    if (event < class_of_.size() && class_of_[event] != kUnknown) return class_of_[event];
    const uint32_t found = FindClass(event);
    if (event >= kMaxRemembered) return found;
    if (event >= class_of_.size()) class_of_.resize(std::min<size_t>(kMaxRemembered, 2 * size_t{event} + 1), kUnknown);
    return class_of_[event] = found;
  }

  uint32_t FindClass(uint32_t event) {
    std::vector<bool> sets(language_.sets.size());
    for (size_t i = 0; i < sets.size(); ++i) sets[i] = language_.sets[i].Contains(event);
    return classes_.emplace(std::move(sets), static_cast<uint32_t>(classes_.size())).first->second;
  }

  const Language& language_;
  uint64_t bound_;
  size_t max_cells_;
  Product product_;
  std::vector<uint64_t> start_costs_;
  std::map<std::vector<uint64_t>, uint32_t> known_;
  std::vector<Row> rows_;
  std::vector<uint32_t> class_of_;  // by event
  std::map<std::vector<bool>, uint32_t> classes_;
  uint32_t start_ = kDead;
  size_t cells_ = 0;
  int restarts_ = -1;
};

LanguageSearcher::LanguageSearcher(const Language& language, PatternMetric metric, uint64_t bound, size_t max_cells)
    : language_(language), metric_(metric), bound_(bound) {
  const auto costs = CostsOf(metric);
  if (costs && bound <= kMaxBound) table_ = std::make_unique<Table>(language, *costs, bound, max_cells);
}

LanguageSearcher::~LanguageSearcher() = default;

std::optional<uint64_t> LanguageSearcher::Distance(Sequence x) {
  if (table_ != nullptr && table_->worn_out()) table_.reset();
  return table_ != nullptr ? table_->Distance(x) : PatternDistance(x, language_, metric_, bound_);
}

}  // namespace oscope
