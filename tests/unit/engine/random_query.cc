#include "tests/unit/engine/random_query.h"

#include <fmt/core.h>

#include "bql/check/query.h"
#include "query/semantics/metric_table.h"
#include "tests/unit/engine/draw.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

// Every name of every metric but a user's own. One that the tails of the index serve stands twice: it has two ways to
// go wrong.
Words MetricNames() {
  Words names;
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    if (metric.users_own) continue;
    if (!metric.short_name.empty()) names.emplace_back(metric.short_name);
    names.emplace_back(metric.name);
    if (metric.short_name.empty() && MeasureOf(metric.kind).tails) names.emplace_back(metric.name);
  }
  return names;
}

// An empty name is the metric of a query that names none.
bool TakesPatterns(std::string_view name) {
  bql::Metric named;
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    if (!name.empty() && (metric.name == name || metric.short_name == name)) named.kind = metric.kind;
  }
  return named.definition().patterns == bql::PatternUse::kMeasured;
}

class Maker {
 public:
  Maker(const RandomStore& store, uint64_t seed) : store_(store), draw_(seed) {}

  std::string Make() {
    static const Words kNames = {"x", "y", "z", "w"};
    if (draw_.Percent(5)) return Call();
    static const Words kMetrics = MetricNames();
    const uint64_t many = draw_.Below(100);
    variables_.assign(kNames.begin(), kNames.begin() + (many < 65 ? 1 : many < 93 ? 2 : many < 99 ? 3 : 4));
    const std::string metric = draw_.Percent(55) ? "" : draw_.Of(kMetrics);
    patterns_ = TakesPatterns(metric);
    std::string text = "SELECT " + Columns() + From() + " WHERE " + Condition(draw_.Below(3));
    if (!metric.empty()) text += " DISTANCE " + metric;
    return text + Tail();
  }

  std::string MakeTailSearch(std::string_view metric) {
    static const Words kLengths = {"1", "2", "3", "10", "50", "100", "256"},
                       kDistances = {"0", "100", "300", "500", "800", "999", "any"};
    variables_ = {"x"};
    const auto tail = [&](const std::string& bug) {
      return fmt::format("{}{}[{}]", bug, draw_.Percent(40) ? ".failing" : "", draw_.Of(kLengths));
    };
    std::string left = tail("x"), right = tail(store_.bugs.empty() ? "x" : "`" + Stored() + "`");
    if (draw_.Percent(40)) std::swap(left, right);
    std::string predicate;
    switch (draw_.Below(3)) {
      case 0:
        predicate =
            fmt::format("INTERSECT?({}, {}, d => {}, n => {})", left, right, draw_.Of(kDistances), draw_.Between(1, 2));
        break;
      case 1: predicate = fmt::format("SUBSET?({}, {}, {})", left, right, draw_.Of(kDistances)); break;
      default: predicate = fmt::format("JACCARD?({}, {}, 0.5, {})", left, right, draw_.Of(kDistances));
    }
    return fmt::format("SELECT x, distance FROM ALL WHERE {} DISTANCE {}{}", predicate, metric, Tail());
  }

 private:
  std::string Variable() { return draw_.Of(variables_); }

  std::string Field() {
    static const Words kFields = {"id",  "project", "status",   "severity", "title",  "reporter",  "version",
                                  "url", "created", "resolved", "test",     "signal", "component", "`odd field`"};
    return draw_.Of(kFields);
  }

  std::string Columns() {
    std::string list;
    for (const std::string& variable : variables_) list += (list.empty() ? "" : ", ") + variable;
    if (draw_.Percent(8)) return "COUNT(" + list + ")";
    if (draw_.Percent(30)) list += ", distance";
    for (uint64_t i = draw_.Percent(20) ? draw_.Between(1, 3) : 0; i > 0; --i)
      list += ", " + Variable() + "." + Field();
    // A field before the bug, or without it.
    if (draw_.Percent(5)) list = variables_[0] + "." + Field() + ", " + list;
    return list;
  }

  // A query that comes with the program, about a stored bug.
  std::string Call() {
    static const Words kPatterns = {"read", "'a -> b'", "\"open | read\"", "'.'"};
    const std::string bug = store_.bugs.empty() ? "tbug" : draw_.Percent(30) ? "tbug" : "`" + Stored() + "`";
    switch (draw_.Below(5)) {
      case 0:
        return fmt::format("CALL suffix({}{}{})", bug, draw_.Percent(50) ? fmt::format(", len => {}", Length()) : "",
                           draw_.Percent(50) ? fmt::format(", d => {}", draw_.Below(12)) : "");
      case 1: return fmt::format("CALL regex({})", draw_.Of(kPatterns));
      case 2: return fmt::format("CALL stack({}, {})", bug, draw_.Below(6));
      case 3: return fmt::format("CALL duplicates({})", draw_.Of(store_.projects));
      default: return fmt::format("CALL before({}, {})", draw_.Of(kPatterns), draw_.Of(kPatterns));
    }
  }

  std::string From() {
    if (draw_.Percent(40)) return " FROM ALL";
    if (draw_.Percent(50)) return "";
    std::string list = " FROM " + draw_.Of(store_.projects);
    if (draw_.Percent(40)) list += ", " + draw_.Of(store_.projects);
    return list;
  }

  // Its clauses may stand in any order.
  std::string Tail() {
    static const Words kOrder = {"", " ASC", " DESC"};
    Words clauses;
    if (draw_.Percent(20))
      clauses.push_back(" ORDER BY " + (draw_.Percent(40) ? "distance" : Variable() + "." + Field()) +
                        draw_.Of(kOrder));
    if (draw_.Percent(25)) clauses.push_back(fmt::format(" LIMIT {}", draw_.Below(6)));
    if (draw_.Percent(8)) clauses.push_back(fmt::format(" OFFSET {}", draw_.Below(4)));
    if (draw_.Percent(15)) clauses.push_back(" WITH SELF");
    std::string tail;
    while (!clauses.empty()) {
      const auto at = clauses.begin() + static_cast<ptrdiff_t>(draw_.Below(clauses.size()));
      tail += *at;
      clauses.erase(at);
    }
    return tail;
  }

  std::string Condition(uint64_t depth) {
    if (depth == 0 || draw_.Percent(25)) return draw_.Percent(80) ? SetPredicate() : FieldPredicate();
    const uint64_t kind = draw_.Below(10);
    // Without parentheses now and then: `!` binds tightest, then `&&`.
    if (kind < 4) return Condition(depth - 1) + (draw_.Percent(80) ? " && " : " AND ") + Condition(depth - 1);
    if (kind < 6)
      return "(" + Condition(depth - 1) + (draw_.Percent(80) ? " || " : " OR ") + Condition(depth - 1) + ")";
    if (kind < 7) return Condition(depth - 1) + " || " + Condition(depth - 1);
    if (kind < 8) return (draw_.Percent(80) ? "!(" : "NOT (") + Condition(depth - 1) + ")";
    return SetPredicate();
  }

  std::string SetPredicate() {
    const std::string sides = Bug(true) + ", " + Pattern(2);
    switch (draw_.Below(3)) {
      case 0:
        if (draw_.Percent(10)) return fmt::format("INTERSECT?({}, {}, {})", sides, draw_.Below(7), draw_.Between(1, 3));
        return fmt::format("INTERSECT?({}{}{})", sides, Distance("d => "),
                           draw_.Percent(25) ? fmt::format(", n => {}", draw_.Between(1, 3)) : "");
      case 1: return fmt::format("SUBSET?({}{})", sides, Distance(""));
      default: {
        // Shares of two, three and four traces, and the least above and below them.
        static const Words kThresholds = {"0",           "0.25",        "0.5",         "0.667",
                                          "1",           "0.333333333", "0.333333334", "0.000000001",
                                          "0.500000001", "0.999999999", "0.75"};
        return fmt::format("JACCARD?({}, {}{}{})", sides, draw_.Percent(20) ? "t => " : "", draw_.Of(kThresholds),
                           Distance("d => "));
      }
    }
  }

  std::string Distance(const std::string& name) {
    static const Words kDistances = {"0", "1", "1", "2", "2", "3", "4", "6", "10", "30", "300", "any"};
    if (draw_.Percent(3)) return ", " + name + ":d";
    return draw_.Percent(15) ? "" : ", " + name + draw_.Of(kDistances);
  }

  // A set of traces. The left side of a predicate is a variable more often than not.
  std::string Bug(bool left) {
    const bool stored = store_.bugs.empty() ? false : draw_.Percent(left ? 20 : 55);
    std::string text = stored ? (draw_.Percent(10) ? "tbug" : "`" + Stored() + "`") : Variable();
    if (draw_.Percent(15)) text += ".failing";
    if (draw_.Percent(3)) text = "(" + text + ")";
    for (uint64_t i = draw_.Percent(35) ? 0 : draw_.Percent(75) ? 1 : draw_.Between(2, 3); i > 0; --i)
      text = Operator(text);
    return text;
  }

  // A bug, or now and then a run in its place; half of them the last ones, which may be without a bug.
  std::string Stored() {
    if (store_.runs.empty() || draw_.Percent(70)) return draw_.Of(store_.bugs);
    if (draw_.Percent(50)) return "run/" + draw_.Of(store_.runs);
    return "run/" + store_.runs[store_.runs.size() - 1 - draw_.Below(std::min<size_t>(2, store_.runs.size()))];
  }

  std::string Operator(const std::string& bug) {
    const uint64_t kind = draw_.Below(10);
    if (kind < 5) return fmt::format("{}[{}]", bug, draw_.Percent(3) ? ":len" : Length());
    if (kind < 6) return fmt::format("([{}]{})", Length(), bug);
    return fmt::format("PROJ({}, {})", bug, Events());
  }

  // Around what sketches, words of bit vectors and tails hold.
  std::string Length() {
    static const Words kLengths = {"1",  "2",  "3",  "5",   "10",  "24",  "25",  "26", "49",
                                   "50", "51", "64", "128", "255", "256", "257", "300"};
    return draw_.Of(kLengths);
  }

  std::string Events() {
    static const Words kWords = {"stack",   "execution", "method",   "statement", "block", "instruction", "class",
                                 "package", "thread:0",  "thread:1", "passing",   "stack", "thread:2"};
    static const Words kSets = {"\"a,b\"",      "\"read\"",
                                "\"Socket,c\"", "\"a,b,c,read,open\"",
                                "net::*",       "*read",
                                "org/*",        "\"net::*\"",
                                "/Socket/",     "/^[ab]$/",
                                "/e/",          "method",
                                "statement",    "block",
                                "instruction",  ":events",
                                "/x\\/Y/",      "\"v<int>::at,c\"",
                                "'*'"};
    if (draw_.Percent(55)) return draw_.Of(kWords);
    return (draw_.Percent(40) ? "!" : "") + draw_.Of(kSets);
  }

  std::string Pattern(uint64_t depth) {
    if (patterns_ && draw_.Percent(2)) return ":pattern";
    if (depth == 0 || draw_.Percent(75)) return patterns_ && draw_.Percent(40) ? "\"" + Quoted(2) + "\"" : Bug(false);
    if (patterns_ && draw_.Percent(25)) return "(" + Pattern(depth - 1) + ")*";
    return "(" + Pattern(depth - 1) + " | " + Pattern(depth - 1) + ")";
  }

  std::string Quoted(uint64_t depth) {
    std::string text = Sequence(depth);
    if (draw_.Percent(20)) text = "^" + text;
    if (draw_.Percent(20)) text += "$";
    return text;
  }

  std::string Sequence(uint64_t depth) {
    std::string text = Item(depth);
    for (uint64_t i = draw_.Below(3); i > 0; --i)
      text += (draw_.Percent(40) ? " -> " : draw_.Percent(70) ? " " : " | ") + Item(depth);
    return text;
  }

  std::string Item(uint64_t depth) {
    static const Words kEvents = {"a",       "b",    "c",       "read",   "Socket",    "net", "Socket::read",
                                  "open()",  ".",    "`*read`", "/^net/", "org/x/Y.m", "MOV", "`S a: x = 1;`",
                                  "unknown", ":name"};
    static const Words kRepeats = {"*", "+", "?"};
    std::string text = depth > 0 && draw_.Percent(20) ? "(" + Sequence(depth - 1) + ")" : draw_.Of(kEvents);
    if (draw_.Percent(25)) text += draw_.Of(kRepeats);
    return text;
  }

  std::string FieldPredicate() {
    static const Words kEqual = {"=", "==", "!=", "<>"}, kOrder = {"<", "<=", ">", ">=", "=", "!="};
    const std::string variable = Variable();
    switch (draw_.Below(14)) {
      case 0: return variable + ".status " + draw_.Of(kEqual) + " 'open'";
      case 1: return variable + ".status " + (draw_.Percent(50) ? "IN" : "NOT IN") + " ('resolved', 'closed')";
      case 2: return variable + ".created " + draw_.Of(kOrder) + fmt::format(" 2026-01-0{}", draw_.Between(1, 4));
      case 3:
        return variable + ".title " + (draw_.Percent(50) ? "LIKE" : "NOT LIKE") +
               (draw_.Percent(50) ? " '%rash%'" : " '_ang'");
      case 4: return variable + "." + Field() + (draw_.Percent(50) ? " IS NULL" : " IS NOT NULL");
      case 5: return variable + ".component " + (draw_.Percent(50) ? draw_.Of(kOrder) + " 9" : "= 'parser'");
      case 6:
        return variable + ".test " +
               (draw_.Percent(50)   ? draw_.Of(kEqual) + " 't1'"
                : draw_.Percent(50) ? "LIKE 't%'"
                                    : "NOT IN ('t0', 't2')");
      case 7: return variable + ".signal " + draw_.Of(kEqual) + (draw_.Percent(50) ? " 'SIGSEGV'" : " 6");
      case 8: return variable + ".id " + (draw_.Percent(50) ? draw_.Of(kOrder) + " 'b7'" : "NOT IN ('b4', 'b5', 'b1')");
      case 9: return variable + ".project " + draw_.Of(kEqual) + " '" + draw_.Of(store_.projects) + "'";
      case 10: return variable + ".severity " + draw_.Of(kOrder) + " \"minor\"";
      case 11:
        return variable + ".resolved " + draw_.Of(kOrder) +
               fmt::format(" '2026-02-0{}T12:00:00Z'", draw_.Between(1, 3));
      case 12: return variable + "." + (draw_.Percent(50) ? "reporter" : "version") + " " + draw_.Of(kOrder) + " '1.5'";
      default:
        return variable + "." + (draw_.Percent(50) ? "`odd field`" : "url") + " " +
               (draw_.Percent(50) ? "LIKE '%x%'" : draw_.Of(kEqual) + " :name");
    }
  }

  const RandomStore& store_;
  Draw draw_;
  Words variables_;
  bool patterns_ = true;
};

}  // namespace

std::string MakeRandomTailSearch(const RandomStore& store, std::string_view metric, uint64_t seed) {
  return Maker(store, seed).MakeTailSearch(metric);
}

std::string MakeRandomQuery(const RandomStore& store, uint64_t seed) { return Maker(store, seed).Make(); }

std::map<std::string, std::string> RandomParameters(const RandomStore& store) {
  return {{"tbug", store.bugs.empty() ? "none" : store.bugs.front()},
          {"len", "5"},
          {"d", "2"},
          {"pattern", "'open -> read'"},
          {"events", "net::*"},
          {"name", "read"}};
}

}  // namespace oscope
