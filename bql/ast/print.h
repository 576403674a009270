// Nodes print themselves as BQL: keywords in capitals, one blank between words, the fewest parentheses that keep the
// meaning. What is printed of an unbroken statement parses to the same tree (places aside).
#pragma once

#include <string>
#include <string_view>

#include "bql/ast/statement.h"

namespace oscope::bql::ast {

std::string ToText(const Term& term);
std::string ToText(const EventSet& events);
std::string ToText(const Traces& traces);
std::string ToText(const Argument& argument);
std::string ToText(const SetPredicate& predicate);
std::string ToText(const FieldPredicate& predicate);
std::string ToText(const Condition& condition);
std::string ToText(const Column& column);
std::string ToText(const Metric& metric);
std::string ToText(const Select& select);
std::string ToText(const Statement& statement);

std::string_view SetPredicateName(SetPredicate::Kind kind);  // "INTERSECT?"
std::string_view OperatorText(FieldPredicate::Op op);        // "<=", "LIKE", "IS NOT NULL"
std::string Quote(std::string_view text, char quote);        // doubles the quotes inside

// Whether a name may stand bare: letters, digits, _ and single - inside, no keyword.
bool IsPlainName(std::string_view name);
bool IsReservedWord(std::string_view word);
// The name, in backquotes where it needs them.
std::string NameText(std::string_view name);

}  // namespace oscope::bql::ast
