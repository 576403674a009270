// A checked query, which every engine evaluates: its names are resolved and its arguments are in range.
//
// Check (check.h) makes it from the syntax tree and a catalog. It contains neither parameters nor unresolved names, so
// that two texts with the same meaning give equal queries. Print (print.h) writes it as BQL that parses to the same
// query again.
// Threads: plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bql/diagnostic.h"
#include "bql/metric_table.h"
#include "bql/pattern/pattern.h"
#include "tracer/model/bug.h"
#include "tracer/model/granularity.h"
#include "tracer/model/run.h"

namespace oscope::bql {

inline constexpr size_t kMaxVariables = 4;
inline constexpr uint64_t kFractionScale = 1'000'000'000;  // a JACCARD? threshold t of 0.5 is 500'000'000
inline constexpr uint64_t kDistanceScale = 1000;           // a distance in [0, 1] is stored in thousandths

// S of PROJ(bug, S).
struct Projection {
  enum class Kind : uint8_t {
    kNames,        // "read,write,close": texts; each matches like a pattern's event name (pattern/event_name.h)
    kGlob,         // texts[0]: * crosses separators; '/', '.' and '::' are the same separator
    kRegex,        // texts[0]: RE2, over the event's full text
    kStack,        // the bug's stack traces instead of what t(b) would take
    kExecution,    // its execution traces, of every granularity
    kGranularity,  // the events of `granularity`, in any trace
    kCoarsen,      // `granularity` is kClass or kPackage: runs of neighbouring events of one become one event
    kThread,       // the traces of thread number `thread`
    kPassing,      // the traces of the passing runs instead of the failing ones
  };
  Kind kind = Kind::kNames;
  bool negated = false;  // drop instead of keep: only for kNames, kGlob, kRegex, kGranularity
  std::vector<std::string> texts;
  Granularity granularity = Granularity::kMethod;
  uint32_t thread = 0;
  bool operator==(const Projection&) const = default;
};

struct TraceOp {
  enum class Kind : uint8_t { kPrefix, kSuffix, kProject };
  Kind kind = Kind::kSuffix;
  uint64_t length = 0;    // of kPrefix, kSuffix; at least 1
  Projection projection;  // of kProject
  bool operator==(const TraceOp&) const = default;
};

// bug ::= name | [len]bug | bug[len] | PROJ(bug, S): a set of traces.
struct BugTraces {
  std::optional<uint32_t> variable;  // an index in Select::variables; else `bug` is a stored one
  BugKey bug;
  // An anonymous bug whose only run is this one; `bug` is then the one that the run belongs to, empty when there is
  // none.
  std::optional<RunId> run;
  bool failing_thread = false;  // b.failing
  std::vector<TraceOp> ops;     // innermost first: PROJ(b, class)[20] is {project, suffix 20}
  TextSpan span;                // of the whole expression; not compared
  bool operator==(const BugTraces& other) const {
    return variable == other.variable && bug == other.bug && run == other.run &&
           failing_thread == other.failing_thread && ops == other.ops;
  }
};

// pat ::= quoted | bug | pat|pat | pat* | (pat)
struct TracePattern {
  enum class Kind : uint8_t { kTraces, kQuoted, kUnion, kStar };
  Kind kind = Kind::kTraces;
  BugTraces traces;                        // kTraces
  std::shared_ptr<const Pattern> pattern;  // kQuoted; shared because queries are copied and patterns never change
  std::vector<TracePattern> parts;         // kUnion: two or more, none of them a kUnion; kStar: one
  TextSpan span;
  bool operator==(const TracePattern& other) const;
};

struct SetPredicate {
  enum class Kind : uint8_t { kIntersect, kJaccard, kSubset };
  Kind kind = Kind::kIntersect;
  BugTraces left;
  TracePattern right;
  std::optional<uint64_t> distance = 0;  // nothing: `d => any`
  uint64_t count = 1;                    // n of INTERSECT?
  uint64_t threshold = 0;                // t of JACCARD?, in 1 / kFractionScale
  TextSpan span;
  bool operator==(const SetPredicate& other) const {
    return kind == other.kind && left == other.left && right == other.right && distance == other.distance &&
           count == other.count && threshold == other.threshold;
  }
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
  uint32_t variable = 0;
  std::string field;  // "status", …, or a custom field's name (fields.h says what each means)
  Op op = Op::kEqual;
  std::vector<std::string> values;  // one; several of kIn; none of kIsNull. Dates as the user wrote them, checked
  bool negated = false;             // NOT LIKE, NOT IN
  TextSpan span;
  bool operator==(const FieldPredicate& other) const {
    return variable == other.variable && field == other.field && op == other.op && values == other.values &&
           negated == other.negated;
  }
};

struct Condition {
  enum class Kind : uint8_t { kAnd, kOr, kNot, kSet, kField };
  Kind kind = Kind::kSet;
  std::vector<Condition> parts;  // kAnd, kOr: two or more, flat (no kAnd inside a kAnd); kNot: one
  SetPredicate set;
  FieldPredicate field;
  bool operator==(const Condition&) const = default;
};

struct Metric {
  using Kind = MetricKind;
  Kind kind = Kind::kLevenshtein;
  std::string user;                    // u(name, …): the name in the configuration
  std::vector<std::string> arguments;  // and what follows it
  const MetricDefinition& definition() const { return DefinitionOf(kind); }
  bool operator==(const Metric&) const = default;
};

// One column of the answer.
struct OutputColumn {
  enum class Kind : uint8_t { kBug, kField, kDistance, kCount };
  Kind kind = Kind::kBug;
  uint32_t variable = 0;
  std::string field;  // of kField
  bool operator==(const OutputColumn&) const = default;
};

struct OrderBy {
  OutputColumn column;  // kField or kDistance
  bool descending = false;
  bool operator==(const OrderBy&) const = default;
};

struct Select {
  std::vector<std::string> variables;  // 1 to kMaxVariables, in order of first appearance after SELECT
  std::vector<OutputColumn> columns;   // what stands after SELECT; {kCount} alone for COUNT(b)
  std::vector<std::string> projects;   // sorted; empty: ALL
  Condition where;
  Metric metric;
  std::optional<OrderBy> order;
  std::optional<uint64_t> limit;
  uint64_t offset = 0;
  bool with_self = false;
  bool operator==(const Select&) const = default;
};

}  // namespace oscope::bql
