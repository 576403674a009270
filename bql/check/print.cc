// Writes a checked query as BQL in one canonical form: bugs with their projects, names in backquotes only where they
// are needed, defaults left out, arguments by place where possible.
//
// That text is the identity of a query. A job carries it to another process, which compiles it again; so printing and
// compiling must give an equal query. Spans are not part of that, and two queries that differ only in spaces print
// alike.
#include "bql/check/print.h"

#include <fmt/core.h>

#include "bql/ast/print.h"
#include "bql/check/parameters.h"
#include "tracer/model/granularity.h"

namespace oscope::bql {
namespace {

using ast::NameText;
using ast::Quote;
using Variables = std::vector<std::string>;

template <typename Items, typename ToText>
std::string Join(const Items& items, std::string_view separator, const ToText& to_text) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += separator;
    text += to_text(item);
  }
  return text;
}

std::string FractionText(uint64_t fraction) {
  std::string text = fmt::format("{}.{:09}", fraction / kFractionScale, fraction % kFractionScale);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string ArgumentsText(const SetPredicate& predicate) {
  const bool any = !predicate.distance;
  std::string text;
  if (predicate.kind == SetPredicate::Kind::kJaccard) text += ", " + FractionText(predicate.threshold);
  if (any) {
    text += ", d => any";
  } else if (*predicate.distance != 0 || predicate.count != 1) {
    text += fmt::format(", {}", *predicate.distance);
  }
  if (predicate.kind == SetPredicate::Kind::kIntersect && predicate.count != 1) {
    text += fmt::format(", {}{}", any ? "n => " : "", predicate.count);
  }
  return text;
}

std::string ColumnText(const OutputColumn& column, const Variables& variables) {
  switch (column.kind) {
    case OutputColumn::Kind::kBug: return NameText(variables[column.variable]);
    case OutputColumn::Kind::kField: return NameText(variables[column.variable]) + "." + NameText(column.field);
    case OutputColumn::Kind::kDistance: return "distance";
    case OutputColumn::Kind::kCount: return fmt::format("COUNT({})", Join(variables, ", ", NameText));
  }
  return "";
}

std::string OperandText(const Condition& condition, Condition::Kind parent, const Variables& variables) {
  const bool chain = condition.kind == Condition::Kind::kAnd || condition.kind == Condition::Kind::kOr;
  const bool bare = !chain || (parent == Condition::Kind::kOr && condition.kind == Condition::Kind::kAnd);
  return bare ? Print(condition, variables) : fmt::format("({})", Print(condition, variables));
}

std::string TailText(const Select& select) {
  std::string text;
  if (select.metric != Metric{}) text += " DISTANCE " + Print(select.metric);
  if (select.order) {
    text += fmt::format(" ORDER BY {}{}", ColumnText(select.order->column, select.variables),
                        select.order->descending ? " DESC" : "");
  }
  if (select.limit) text += fmt::format(" LIMIT {}", *select.limit);
  if (select.offset != 0) text += fmt::format(" OFFSET {}", select.offset);
  if (select.with_self) text += " WITH SELF";
  return text;
}

}  // namespace

std::string Print(const Projection& projection) {
  using Kind = Projection::Kind;
  const std::string_view negation = projection.negated ? "!" : "";
  switch (projection.kind) {
    case Kind::kNames:
    case Kind::kGlob:
      return fmt::format("{}{}", negation,
                         Quote(Join(projection.texts, ",", [](const std::string& t) { return t; }), '"'));
    case Kind::kRegex: return fmt::format("{}/{}/", negation, projection.texts.front());
    case Kind::kStack: return "stack";
    case Kind::kExecution: return "execution";
    case Kind::kPassing: return "passing";
    case Kind::kThread: return fmt::format("thread:{}", projection.thread);
    case Kind::kGranularity:
    case Kind::kCoarsen: return fmt::format("{}{}", negation, GranularityName(projection.granularity));
  }
  return "";
}

std::string Print(const BugTraces& traces, const Variables& variables) {
  const std::string stored = traces.run ? std::string(kRunPrefix) + ToString(*traces.run) : ToString(traces.bug);
  std::vector<std::string> before;  // the innermost first
  std::string after = traces.variable ? NameText(variables[*traces.variable]) : Quote(stored, '`');
  if (traces.failing_thread) after += ".failing";
  bool ends_with_prefix = false;
  for (const TraceOp& op : traces.ops) {
    switch (op.kind) {
      case TraceOp::Kind::kPrefix: before.push_back(fmt::format("[{}]", op.length)); break;
      // A suffix binds tighter than a prefix.
      case TraceOp::Kind::kSuffix:
        if (ends_with_prefix) before.emplace_back("(");
        after += fmt::format("{}[{}]", ends_with_prefix ? ")" : "", op.length);
        break;
      case TraceOp::Kind::kProject:
        before.emplace_back("PROJ(");
        after += fmt::format(", {})", Print(op.projection));
        break;
    }
    ends_with_prefix = op.kind == TraceOp::Kind::kPrefix;
  }
  std::string text;
  for (auto part = before.rbegin(); part != before.rend(); ++part) text += *part;
  return text + after;
}

std::string Print(const TracePattern& pattern, const Variables& variables) {
  const auto part = [&](const TracePattern& p) { return Print(p, variables); };
  switch (pattern.kind) {
    case TracePattern::Kind::kTraces: return Print(pattern.traces, variables);
    case TracePattern::Kind::kQuoted: return Quote(pattern.pattern->text, '"');
    case TracePattern::Kind::kUnion: return Join(pattern.parts, " | ", part);
    case TracePattern::Kind::kStar: {
      const TracePattern& inner = pattern.parts.front();
      return fmt::format(fmt::runtime(inner.kind == TracePattern::Kind::kUnion ? "({})*" : "{}*"), part(inner));
    }
  }
  return "";
}

std::string Print(const SetPredicate& predicate, const Variables& variables) {
  return fmt::format("{}({}, {}{})", ast::SetPredicateName(static_cast<ast::SetPredicate::Kind>(predicate.kind)),
                     Print(predicate.left, variables), Print(predicate.right, variables), ArgumentsText(predicate));
}

std::string Print(const FieldPredicate& predicate, const Variables& variables) {
  std::string text = fmt::format("{}.{} {}{}", NameText(variables[predicate.variable]), NameText(predicate.field),
                                 predicate.negated ? "NOT " : "",
                                 ast::OperatorText(static_cast<ast::FieldPredicate::Op>(predicate.op)));
  const std::string values = Join(predicate.values, ", ", [](const std::string& v) { return Quote(v, '\''); });
  if (predicate.op == FieldPredicate::Op::kIn) return fmt::format("{} ({})", text, values);
  return values.empty() ? text : text + " " + values;
}

std::string Print(const Condition& condition, const Variables& variables) {
  const auto operand = [&](const Condition& part) { return OperandText(part, condition.kind, variables); };
  switch (condition.kind) {
    case Condition::Kind::kAnd: return Join(condition.parts, " && ", operand);
    case Condition::Kind::kOr: return Join(condition.parts, " || ", operand);
    case Condition::Kind::kNot: return "!" + operand(condition.parts.front());
    case Condition::Kind::kSet: return Print(condition.set, variables);
    case Condition::Kind::kField: return Print(condition.field, variables);
  }
  return "";
}

std::string Print(const Metric& metric) {
  std::string text(metric.definition().name);
  if (!metric.definition().users_own) return text;
  std::string arguments = Quote(metric.user, '"');
  for (const std::string& argument : metric.arguments) arguments += ", " + Quote(argument, '"');
  return fmt::format("{}({})", text, arguments);
}

std::string Print(const Select& select) {
  const auto column = [&](const OutputColumn& c) { return ColumnText(c, select.variables); };
  return fmt::format("SELECT {} FROM {} WHERE {}{}", Join(select.columns, ", ", column),
                     select.projects.empty() ? "ALL" : Join(select.projects, ", ", NameText),
                     Print(select.where, select.variables), TailText(select));
}

}  // namespace oscope::bql
