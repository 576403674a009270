// Prints nodes as BQL with the fewest parentheses. Where precedence matters the printer asks the same question as the
// grammar: a chain inside a chain needs parentheses, except && inside ||; a suffix after a prefix needs them, since a
// suffix binds tighter.
#include "bql/ast/print.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace oscope::bql::ast {
namespace {

constexpr std::array<std::string_view, 17> kReservedWords = {"all", "and",   "by",    "distance", "from", "in",
                                                             "is",  "like",  "limit", "not",      "null", "offset",
                                                             "or",  "order", "proj",  "select",   "where"};

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <typename Nodes>
std::string Join(const Nodes& nodes, std::string_view separator) {
  std::string text;
  for (const auto& node : nodes) {
    if (!text.empty()) text += separator;
    text += ToText(node);
  }
  return text;
}

// Operators are applied from the inside out; a suffix after a prefix needs parentheses, since `[5]b[3]` takes the
// suffix first.
std::string Apply(std::string text, const std::vector<TraceOp>& ops) {
  bool ends_with_prefix = false;
  for (const TraceOp& op : ops) {
    switch (op.kind) {
      case TraceOp::Kind::kPrefix: text = fmt::format("[{}]{}", ToText(op.length), text); break;
      case TraceOp::Kind::kSuffix:
        text = fmt::format(fmt::runtime(ends_with_prefix ? "({})[{}]" : "{}[{}]"), text, ToText(op.length));
        break;
      case TraceOp::Kind::kProject: text = fmt::format("PROJ({}, {})", text, ToText(op.events)); break;
    }
    ends_with_prefix = op.kind == TraceOp::Kind::kPrefix;
  }
  return text;
}

std::string BaseText(const Traces& traces) {
  if (traces.kind == Traces::Kind::kTerm) return ToText(traces.term) + (traces.failing ? ".failing" : "");
  if (traces.kind == Traces::Kind::kMissing) return "?";
  const std::string inner = Join(traces.parts, " | ");
  const bool bare = traces.ops.empty() && !traces.star && traces.parts.size() > 1;
  return bare ? inner : fmt::format("({})", inner);
}

std::string OperandText(const Condition& condition, Condition::Kind parent) {
  const bool is_chain = condition.kind == Condition::Kind::kAnd || condition.kind == Condition::Kind::kOr;
  const bool needs = is_chain && condition.negations == 0 &&
                     !(condition.kind == Condition::Kind::kAnd && parent == Condition::Kind::kOr);
  return needs ? fmt::format("({})", ToText(condition)) : ToText(condition);
}

std::string ChainText(const Condition& condition, std::string_view separator) {
  std::string text;
  for (const Condition& part : condition.parts) {
    if (!text.empty()) text += separator;
    text += OperandText(part, condition.kind);
  }
  return text;
}

std::string DefinitionText(const Definition& definition) {
  std::string parameters;
  for (const QueryParameter& parameter : definition.parameters) {
    if (!parameters.empty()) parameters += ", ";
    parameters += ToText(parameter.name);
    if (parameter.default_value) parameters += " = " + ToText(*parameter.default_value);
  }
  return fmt::format("CREATE QUERY {}({}) AS {}", ToText(definition.name), parameters, ToText(definition.select));
}

}  // namespace

bool IsReservedWord(std::string_view word) {
  return std::any_of(kReservedWords.begin(), kReservedWords.end(), [&](std::string_view reserved) {
    return std::equal(word.begin(), word.end(), reserved.begin(), reserved.end(),
                      [](char a, char b) { return Lower(a) == b; });
  });
}

bool IsPlainName(std::string_view name) {
  if (name.empty() || IsReservedWord(name)) return false;
  bool digits_only = true;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool inner_dash =
        name[i] == '-' && i > 0 && name[i - 1] != '-' && i + 1 < name.size() && IsWordByte(name[i + 1]);
    if (!IsWordByte(name[i]) && !inner_dash) return false;
    digits_only &= name[i] >= '0' && name[i] <= '9';
  }
  return !digits_only;
}

std::string Quote(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    quoted += c;
    if (c == quote) quoted += c;
  }
  return quoted + quote;
}

std::string NameText(std::string_view name) { return IsPlainName(name) ? std::string(name) : Quote(name, '`'); }

std::string_view SetPredicateName(SetPredicate::Kind kind) {
  switch (kind) {
    case SetPredicate::Kind::kIntersect: return "INTERSECT?";
    case SetPredicate::Kind::kJaccard: return "JACCARD?";
    case SetPredicate::Kind::kSubset: return "SUBSET?";
  }
  return "";
}

std::string_view OperatorText(FieldPredicate::Op op) {
  constexpr std::array<std::string_view, 10> kTexts = {"=",  "!=",   "<",  "<=",      ">",
                                                       ">=", "LIKE", "IN", "IS NULL", "IS NOT NULL"};
  return kTexts[static_cast<size_t>(op)];
}

std::string ToText(const Term& term) {
  switch (term.kind) {
    case Term::Kind::kMissing: return "?";
    case Term::Kind::kName: return term.quote == 0 ? term.text : Quote(term.text, '`');
    case Term::Kind::kParameter: return ":" + term.text;
    case Term::Kind::kText: return Quote(term.text, term.quote == 0 ? '\'' : term.quote);
    case Term::Kind::kRegex: return "/" + term.text + "/";
    case Term::Kind::kNumber:
    case Term::Kind::kBare: return term.text;
  }
  return "";
}

std::string ToText(const EventSet& events) { return (events.negated ? "!" : "") + ToText(events.term); }

std::string ToText(const Traces& traces) { return Apply(BaseText(traces), traces.ops) + (traces.star ? "*" : ""); }

std::string ToText(const Argument& argument) {
  return (argument.name ? ToText(*argument.name) + " => " : "") + ToText(argument.value);
}

std::string ToText(const SetPredicate& predicate) {
  std::string arguments;
  for (const Argument& argument : predicate.arguments) arguments += ", " + ToText(argument);
  return fmt::format("{}({}, {}{})", SetPredicateName(predicate.kind), ToText(predicate.left), ToText(predicate.right),
                     arguments);
}

std::string ToText(const FieldPredicate& predicate) {
  using Op = FieldPredicate::Op;
  std::string text = fmt::format("{}.{} {}{}", ToText(predicate.variable), ToText(predicate.field),
                                 predicate.negated ? "NOT " : "", OperatorText(predicate.op));
  if (predicate.op == Op::kIn) return fmt::format("{} ({})", text, Join(predicate.values, ", "));
  for (const Term& value : predicate.values) text += " " + ToText(value);
  return text;
}

std::string ToText(const Condition& condition) {
  std::string text;
  switch (condition.kind) {
    case Condition::Kind::kMissing: text = "?"; break;
    case Condition::Kind::kAnd: text = ChainText(condition, " && "); break;
    case Condition::Kind::kOr: text = ChainText(condition, " || "); break;
    case Condition::Kind::kSet: text = ToText(condition.set); break;
    case Condition::Kind::kField: text = ToText(condition.field); break;
  }
  if (condition.negations == 0) return text;
  const bool is_chain = condition.kind == Condition::Kind::kAnd || condition.kind == Condition::Kind::kOr;
  return std::string(condition.negations, '!') + (is_chain ? "(" + text + ")" : text);
}

std::string ToText(const Column& column) {
  switch (column.kind) {
    case Column::Kind::kMissing: return "?";
    case Column::Kind::kBug: return ToText(column.variable);
    case Column::Kind::kDistance: return "distance";
    case Column::Kind::kCount: return fmt::format("COUNT({})", Join(column.counted, ", "));
    case Column::Kind::kField:
      return (column.variable.kind == Term::Kind::kMissing ? "" : ToText(column.variable) + ".") + ToText(column.field);
  }
  return "";
}

std::string ToText(const Metric& metric) {
  return ToText(metric.name) + (metric.arguments.empty() ? "" : fmt::format("({})", Join(metric.arguments, ", ")));
}

std::string ToText(const Select& select) {
  std::string text = fmt::format("SELECT {} FROM {} WHERE {}", Join(select.columns, ", "),
                                 select.from.empty() ? "ALL" : Join(select.from, ", "), ToText(select.where));
  if (select.metric) text += " DISTANCE " + ToText(*select.metric);
  if (select.order)
    text += fmt::format(" ORDER BY {}{}", ToText(select.order->column), select.order->descending ? " DESC" : "");
  if (select.limit) text += " LIMIT " + ToText(*select.limit);
  if (select.offset) text += " OFFSET " + ToText(*select.offset);
  if (select.with_self) text += " WITH SELF";
  return text;
}

std::string ToText(const Statement& statement) {
  std::string text = statement.explain ? "EXPLAIN " : "";
  if (statement.analyze) text += "ANALYZE ";
  switch (statement.kind) {
    case Statement::Kind::kSelect: return text + ToText(statement.select);
    case Statement::Kind::kCall:
      return fmt::format("{}CALL {}({})", text, ToText(statement.call.name), Join(statement.call.arguments, ", "));
    case Statement::Kind::kCreateQuery: return DefinitionText(statement.definition);
    case Statement::Kind::kShowQueries: return "SHOW QUERIES";
    case Statement::Kind::kDropQuery: return "DROP QUERY " + ToText(statement.name);
  }
  return text;
}

}  // namespace oscope::bql::ast
