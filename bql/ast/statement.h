// The syntax tree of one statement: what was written, with its places, before any name is looked up.
//
// A node that the parser could not finish is `broken` or kMissing: what it holds is as written, what it lacks is not
// told of again.
// Trees are shallow: chains (a && b && c, [5][5]b, !!x) are lists, so only parentheses nest, and SyntaxLimits bounds
// those.
// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bql/diagnostic.h"

namespace oscope::bql::ast {

// A leaf.
struct Term {
  enum class Kind : uint8_t {
    kMissing,
    kName,       // b527, `BEANUTILS-342`
    kParameter,  // :len
    kNumber,     // 10, -3, 0.5
    kText,       // "read write", 'resolved', and the bare date 2026-01-02
    kBare,       // org/apache/*, stack: only as the events of PROJ
    kRegex,      // /^parse_/: only as the events of PROJ
  };
  Kind kind = Kind::kMissing;
  std::string text;  // without the quotes, doubled quotes made one; of a parameter without the colon
  char quote = 0;    // '"', '\'' or '`'; 0 for none
  TextSpan span;
};

// S of PROJ(bug, S).
struct EventSet {
  bool negated = false;
  Term term;
  TextSpan span;
};

struct TraceOp {
  enum class Kind : uint8_t { kPrefix, kSuffix, kProject };
  Kind kind = Kind::kSuffix;
  Term length;
  EventSet events;
  TextSpan span;
};

// A bug or a pattern: base, operators on it (innermost first), then perhaps a star.
struct Traces {
  enum class Kind : uint8_t { kMissing, kTerm, kGroup };
  Kind kind = Kind::kMissing;
  Term term;                  // kTerm
  bool failing = false;       // term.failing
  std::vector<Traces> parts;  // kGroup: the parts of a union; one when it stands in parentheses for its star's sake
  std::vector<TraceOp> ops;
  bool star = false;
  TextSpan span;
};

// `10` or `d => 10`.
struct Argument {
  std::optional<Term> name;
  Term value;
  TextSpan span;
};

struct SetPredicate {
  enum class Kind : uint8_t { kIntersect, kJaccard, kSubset };
  Kind kind = Kind::kIntersect;
  Traces left, right;
  std::vector<Argument> arguments;
  bool broken = false;
  TextSpan span;
};

struct FieldPredicate {
  enum class Op : uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kLike,
    kIn,
    kIsNull,
    kIsNotNull
  };
  Term variable, field;
  Op op = Op::kEqual;
  bool negated = false;  // NOT LIKE, NOT IN
  std::vector<Term> values;
  bool broken = false;
  TextSpan span;
};

struct Condition {
  enum class Kind : uint8_t { kMissing, kAnd, kOr, kSet, kField };
  Kind kind = Kind::kMissing;
  uint32_t negations = 0;  // how many ! stand before it
  std::vector<Condition> parts;
  SetPredicate set;
  FieldPredicate field;
  TextSpan span;
};

// b, b.title, distance, COUNT(b).
struct Column {
  enum class Kind : uint8_t { kMissing, kBug, kField, kDistance, kCount };
  Kind kind = Kind::kMissing;
  Term variable;  // kMissing in ORDER BY created
  Term field;
  std::vector<Term> counted;  // COUNT(a, b)
  TextSpan span;
};

struct Metric {
  Term name;
  std::vector<Term> arguments;  // u(name, …): with the name
  bool broken = false;
  TextSpan span;
};

struct OrderBy {
  Column column;
  bool descending = false;
  TextSpan span;
};

struct Select {
  std::vector<Column> columns;
  std::vector<Term> from;  // names, the bare word ALL, parameters; empty: ALL
  Condition where;
  std::optional<Metric> metric;
  std::optional<OrderBy> order;
  std::optional<Term> limit, offset;
  bool with_self = false;
  TextSpan span;
};

struct Call {
  Term name;
  std::vector<Argument> arguments;
  bool broken = false;
  TextSpan span;
};

struct QueryParameter {
  Term name;
  std::optional<Term> default_value;
  TextSpan span;
};

// CREATE QUERY name(p, q = 10) AS select.
struct Definition {
  Term name;
  std::vector<QueryParameter> parameters;
  Select select;
  std::string select_text;  // as written
  bool broken = false;
  TextSpan span;
};

struct Statement {
  enum class Kind : uint8_t { kSelect, kCall, kCreateQuery, kShowQueries, kDropQuery };
  Kind kind = Kind::kSelect;
  bool explain = false;
  bool analyze = false;
  Select select;          // kSelect
  Call call;              // kCall
  Definition definition;  // kCreateQuery
  Term name;              // kDropQuery
  TextSpan span;
};

}  // namespace oscope::bql::ast
