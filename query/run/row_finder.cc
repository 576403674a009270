// Joins what is known of the predicates into rows, by nested loops over the variables: each variable takes the
// shortest list of candidates that a search or a join gives for it, given the bugs bound before, and each full row is
// judged by the whole condition. With at most a few variables and lists that are already filtered that is enough; a
// cost-based order of the variables would have little to gain.
//
// With a LIMIT far more rows may be found than are shown. Then the rows so far are ranked and cut whenever there are
// twice as many as needed (DropFarRows), so that memory stays bounded by the limit and not by the answer.
#include "query/run/row_finder.h"

#include <algorithm>

#include "query/semantics/expressions.h"
#include "query/semantics/symmetry.h"

namespace oscope {

namespace {
constexpr size_t kRankedAtOnce = 4096;  // rows; ranking them takes a millisecond
}  // namespace

using bql::Condition;
using Role = PredicatePlan::Role;

RowFinder::RowFinder(const PreparedQuery& query, const std::vector<PredicateFacts>& facts, const BugFields& fields,
                     uint64_t max_rows)
    : query_(query), facts_(facts), fields_(fields), max_rows_(max_rows) {
  const bql::Select& select = query.select();
  uint64_t leaves = 1;
  ForEachSetPredicate(select.where, [&](const bql::SetPredicate& predicate) {
    index_of_.emplace(&predicate, query.plan().IndexOf(predicate));
    ++leaves;
  });
  ForEachFieldPredicate(select.where, [&](const bql::FieldPredicate&) { ++leaves; });
  between_questions_ = std::max<uint64_t>(1, between_questions_ / leaves);
  const auto add_conjunct = [&](const Condition& part) {
    if (part.kind == Condition::Kind::kSet) conjuncts_.push_back(index_of_.at(&part.set));
  };
  add_conjunct(select.where);
  if (select.where.kind == Condition::Kind::kAnd)
    std::for_each(select.where.parts.begin(), select.where.parts.end(), add_conjunct);
  const uint32_t variables = static_cast<uint32_t>(select.variables.size());
  for (uint32_t a = 0; a < variables; ++a) {
    for (uint32_t b = a + 1; b < variables; ++b) {
      if (IsSymmetric(select, a, b)) symmetric_.emplace_back(a, b);
    }
  }
}

Result<std::vector<FoundRow>> RowFinder::Find() {
  OSCOPE_RETURN_IF_ERROR(Extend());
  return std::move(rows_);
}

const SearchResult* RowFinder::Candidates(uint32_t variable) {
  static const SearchResult kNone;
  const SearchResult* best = nullptr;
  const auto consider = [&](const SearchResult& list) {
    if (best == nullptr || list.size() < best->size()) best = &list;
  };
  for (const size_t i : conjuncts_) {
    const PredicatePlan& plan = query_.plan().predicates[i];
    if (plan.role == Role::kConstant && !facts_[i].constant.holds) return &kNone;
    if (plan.role == Role::kSearch && plan.variable == variable) consider(facts_[i].search);
    if (plan.role == Role::kJoin && plan.other == variable && plan.variable < row_.size()) {
      consider(facts_[i].join[row_[plan.variable]]);
    }
    if (plan.role == Role::kJoin && plan.variable == variable && plan.other < row_.size()) {
      consider(facts_[i].turned[row_[plan.other]]);
    }
  }
  return best;
}

Status RowFinder::Extend() {
  const uint32_t variable = static_cast<uint32_t>(row_.size());
  if (variable == query_.select().variables.size()) return Ask();
  const auto bind = [&](uint32_t bug) -> Status {
    row_.push_back(bug);
    Status status;
    if (query_.IsCandidate(bug) && IsAllowed()) status = Extend();
    row_.pop_back();
    return status;
  };
  if (const SearchResult* candidates = Candidates(variable)) {
    for (const BugMatch& match : *candidates) OSCOPE_RETURN_IF_ERROR(bind(match.bug));
    return {};
  }
  for (uint32_t bug = 0; bug < query_.corpus().bugs(); ++bug) OSCOPE_RETURN_IF_ERROR(bind(bug));
  return {};
}

bool RowFinder::IsAllowed() const {
  const size_t last = row_.size() - 1;
  for (size_t i = 0; i < last; ++i) {
    if (row_[i] == row_[last]) return false;
  }
  return std::none_of(symmetric_.begin(), symmetric_.end(),
                      [&](const auto& pair) { return pair.second == last && row_[pair.first] > row_[last]; });
}

Judgement RowFinder::JudgementOf(const bql::SetPredicate& predicate) {
  const size_t index = index_of_.at(&predicate);
  const PredicatePlan& plan = query_.plan().predicates[index];
  const auto judgement_of = [](const BugMatch* match) {
    return match == nullptr ? Judgement{} : Judgement{.holds = true, .distance = match->distance, .pair = {}};
  };
  switch (plan.role) {
    case Role::kConstant: return facts_[index].constant;
    case Role::kSearch: return judgement_of(FindMatch(facts_[index].search, row_[plan.variable]));
    case Role::kJoin: return judgement_of(FindMatch(facts_[index].join[row_[plan.variable]], row_[plan.other]));
    case Role::kPerRow: break;
  }
  Result<Judgement> judgement = query_.Evaluate(plan.predicate, row_);
  if (judgement.ok()) return *std::move(judgement);
  status_ = std::move(judgement).error();
  return {};
}

// Leaves the rows that LIMIT can still show. Only when that is half of them, so that a row is not ranked over and over.
bool RowFinder::DropFarRows() {
  const bql::Select& select = query_.select();
  if (!select.limit || select.offset + *select.limit > max_rows_ || select.offset + *select.limit < *select.limit)
    return false;
  if (rows_.size() < 2 * (select.offset + *select.limit)) return true;
  bql::Select kept;  // of what RankRows reads: a condition may be long
  kept.order = select.order;
  kept.limit = select.offset + *select.limit;
  kept.offset = 0;
  RankRows(kept, fields_, rows_);
  return true;
}

Status RowFinder::Ask() {
  if (++asked_ % between_questions_ == 0) OSCOPE_RETURN_IF_ERROR(query_.context().Check());
  const Judgement judgement = Judge(
      query_.select().where, [&](const bql::SetPredicate& predicate) { return JudgementOf(predicate); },
      [&](const bql::FieldPredicate& field) { return fields_.Satisfies(row_[field.variable], field); });
  OSCOPE_RETURN_IF_ERROR(status_);
  if (!judgement.holds) return {};
  ++found_;
  if (CountsOnly(query_.select())) return {};
  // With a LIMIT far fewer are kept than were found.
  const bool has_room =
      rows_.size() < std::min<uint64_t>(kRankedAtOnce, max_rows_) || DropFarRows() || rows_.size() < max_rows_;
  if (!has_room) {
    return Limit("the answer has more than {} rows: add a LIMIT or narrow the condition, or raise --max-rows",
                 max_rows_);
  }
  rows_.push_back({row_, judgement});
  return {};
}

}  // namespace oscope
