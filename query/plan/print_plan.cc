// Prints a plan as indented lines, the last step first, for EXPLAIN and the golden tests. Nothing that depends on a
// store's content is printed.
#include <fmt/format.h>

#include "bql/check/print.h"
#include "query/plan/query_plan.h"
#include "query/plan/tails_suffice.h"
#include "query/semantics/expressions.h"
#include "query/semantics/ranked_rows.h"

namespace oscope {
namespace {

using Role = PredicatePlan::Role;

class Printer {
 public:
  explicit Printer(const QueryPlan& plan) : plan_(plan), variables_(plan.select.variables) {}

  std::string Print() {
    Line(0, RankLine());
    if (!plan_.reports_first) Line(1, "read the reports of the rows that are shown");
    Line(1,
         fmt::format("rows of {} where {}", fmt::join(variables_, ", "), bql::Print(plan_.select.where, variables_)));
    if (plan_.reports_first)
      Line(2, plan_.runs_first ? "read the names and fields of all bugs and their runs first"
                               : "read the names and fields of all bugs first");
    for (const PredicatePlan& predicate : plan_.predicates) PrintPredicate(predicate);
    return std::move(text_);
  }

 private:
  void Line(int depth, const std::string& line) { text_ += fmt::format("{:{}}{}\n", "", depth * 2, line); }

  std::string RankLine() const {
    const bql::Select& select = plan_.select;
    if (CountsOnly(select)) return "count";
    std::string line = "rank by distance";
    if (OrdersByField(select)) {
      line = fmt::format("order by {}.{}{}, then rank by distance", variables_[select.order->column.variable],
                         select.order->column.field, select.order->descending ? " descending" : "");
    } else if (select.order && select.order->descending) {
      line = "rank by distance, farthest first";
    }
    if (select.offset > 0) line += fmt::format(", offset {}", select.offset);
    if (select.limit) line += fmt::format(", limit {}", *select.limit);
    return line;
  }

  std::string Reads(const bql::BugTraces& traces) const {
    return plan_.use_tails && TailsSuffice(traces) ? "tails of the index" : "whole traces";
  }

  void PrintPredicate(const PredicatePlan& predicate) {
    const std::string_view comparison = predicate.tails ? predicate.tails->comparison : "every trace by the metric";
    std::string line;
    switch (predicate.role) {
      case Role::kConstant: line = "once"; break;
      case Role::kSearch: line = fmt::format("search {} by {}", variables_[predicate.variable], comparison); break;
      case Role::kJoin:
        line = fmt::format("join {} with {} by {}", variables_[predicate.variable], variables_[predicate.other],
                           comparison);
        break;
      case Role::kPerRow: line = "for each row, every trace by the metric"; break;
    }
    Line(2, fmt::format("{}: {}", bql::Print(predicate.predicate, variables_), line));
    if (predicate.keep_nearest)
      Line(3, fmt::format("keep the {} nearest: the bound falls as they are found", *predicate.keep_nearest));
    Line(3, fmt::format("{}: {}", bql::Print(predicate.predicate.left, variables_), Reads(predicate.predicate.left)));
    ForEachTraces(predicate.predicate.right, [&](const bql::BugTraces& traces) {
      Line(3, fmt::format("{}: {}", bql::Print(traces, variables_), Reads(traces)));
    });
  }

  const QueryPlan& plan_;
  const std::vector<std::string>& variables_;
  std::string text_;
};

}  // namespace

std::string PrintPlan(const QueryPlan& plan) { return Printer(plan).Print(); }

}  // namespace oscope
