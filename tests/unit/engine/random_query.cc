#include "tests/unit/engine/random_query.h"

#include <fmt/format.h>

#include "tests/unit/engine/draw.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

class Maker {
 public:
  Maker(const RandomStore& store, uint64_t seed) : store_(store), draw_(seed) {}

  std::string Make() {
    static const Words kNames = {"x", "y", "z"};
    static const Words kMetrics = {"l", "levenshtein", "h", "hamming", "lcs", "embedding", "vsm", "weighted", "recent", "recent", "renamed", "words"};
    const uint64_t many = draw_.Below(100);
    variables_.assign(kNames.begin(), kNames.begin() + (many < 65 ? 1 : many < 93 ? 2 : 3));
    const std::string metric = draw_.Percent(55) ? "" : draw_.Of(kMetrics);
    patterns_ = metric != "vsm" && metric != "weighted" && metric != "recent" && metric != "renamed" && metric != "words";
    std::string text = "SELECT " + Columns() + From() + " WHERE " + Condition(draw_.Below(3));
    if (!metric.empty()) text += " DISTANCE " + metric;
    return text + Tail();
  }

  std::string MakeTailSearch(std::string_view metric) {
    static const Words kLengths = {"1", "2", "3", "10", "50", "100", "256"}, kDistances = {"0", "100", "300", "500", "800", "999", "any"};
    variables_ = {"x"};
    const auto tail = [&](const std::string& bug) { return fmt::format("{}{}[{}]", bug, draw_.Percent(40) ? ".failing" : "", draw_.Of(kLengths)); };
    std::string left = tail("x"), right = tail(store_.bugs.empty() ? "x" : "`" + Stored() + "`");
    if (draw_.Percent(40)) std::swap(left, right);
    std::string predicate;
    switch (draw_.Below(3)) {
      case 0:
        predicate = fmt::format("INTERSECT?({}, {}, d => {}, n => {})", left, right, draw_.Of(kDistances), draw_.Between(1, 2));
        break;
      case 1:
        predicate = fmt::format("SUBSET?({}, {}, {})", left, right, draw_.Of(kDistances));
        break;
      default:
        predicate = fmt::format("JACCARD?({}, {}, 0.5, {})", left, right, draw_.Of(kDistances));
    }
    return fmt::format("SELECT x, distance FROM ALL WHERE {} DISTANCE {}{}", predicate, metric, Tail());
  }

 private:
  std::string Variable() { return draw_.Of(variables_); }

  std::string Field() {
    static const Words kFields = {"id", "project", "status", "severity", "title", "created", "test", "signal", "component"};
    return draw_.Of(kFields);
  }

  std::string Columns() {
    std::string list;
    for (const std::string& variable : variables_) list += (list.empty() ? "" : ", ") + variable;
    if (draw_.Percent(8)) return "COUNT(" + list + ")";
    if (draw_.Percent(30)) list += ", distance";
    if (draw_.Percent(20)) list += ", " + Variable() + "." + Field();
    return list;
  }

  std::string From() {
    if (draw_.Percent(40)) return " FROM ALL";
    if (draw_.Percent(50)) return "";
    std::string list = " FROM " + draw_.Of(store_.projects);
    if (draw_.Percent(40)) list += ", " + draw_.Of(store_.projects);
    return list;
  }

  std::string Tail() {
    std::string tail;
    if (draw_.Percent(15)) {
      static const Words kOrder = {"", " ASC", " DESC"};
      tail += " ORDER BY " + (draw_.Percent(40) ? "distance" : Variable() + "." + Field()) + draw_.Of(kOrder);
    }
    if (draw_.Percent(25)) tail += fmt::format(" LIMIT {}", draw_.Below(6));
    if (draw_.Percent(8)) tail += fmt::format(" OFFSET {}", draw_.Below(4));
    if (draw_.Percent(15)) tail += " WITH SELF";
    return tail;
  }

  std::string Condition(uint64_t depth) {
    if (depth == 0 || draw_.Percent(25)) return draw_.Percent(80) ? SetPredicate() : FieldPredicate();
    const uint64_t kind = draw_.Below(10);
    if (kind < 4) return Condition(depth - 1) + " && " + Condition(depth - 1);
    if (kind < 7) return "(" + Condition(depth - 1) + " || " + Condition(depth - 1) + ")";
    if (kind < 8) return "!(" + Condition(depth - 1) + ")";
    return SetPredicate();
  }

  std::string SetPredicate() {
    const std::string sides = Bug(true) + ", " + Pattern(2);
    switch (draw_.Below(3)) {
      case 0:
        return fmt::format("INTERSECT?({}{}{})", sides, Distance("d => "), draw_.Percent(25) ? fmt::format(", n => {}", draw_.Between(1, 3)) : "");
      case 1:
        return fmt::format("SUBSET?({}{})", sides, Distance(""));
      default: {
        static const Words kThresholds = {"0", "0.25", "0.5", "0.667", "1"};
        return fmt::format("JACCARD?({}, {}{})", sides, draw_.Of(kThresholds), Distance("d => "));
      }
    }
  }

  std::string Distance(const std::string& name) {
    static const Words kDistances = {"0", "1", "1", "2", "2", "3", "4", "6", "10", "30", "300", "any"};
    return draw_.Percent(15) ? "" : ", " + name + draw_.Of(kDistances);
  }

  // A set of traces. The left side of a predicate is a variable more often than not.
  std::string Bug(bool left) {
    const bool stored = store_.bugs.empty() ? false : draw_.Percent(left ? 20 : 55);
    std::string text = stored ? "`" + Stored() + "`" : Variable();
    if (draw_.Percent(15)) text += ".failing";
    for (uint64_t i = draw_.Percent(35) ? 0 : draw_.Percent(75) ? 1 : draw_.Between(2, 3); i > 0; --i) text = Operator(text);
    return text;
  }

  // A bug, or now and then a run in its place; half of them the last ones, which may be without a bug.
  std::string Stored() {
    if (store_.runs.empty() || draw_.Percent(70)) return draw_.Of(store_.bugs);
    if (draw_.Percent(50)) return "run/" + draw_.Of(store_.runs);
    return "run/" + store_.runs[store_.runs.size() - 1 - draw_.Below(std::min<size_t>(2, store_.runs.size()))];
  }

  std::string Operator(const std::string& bug) {
    static const Words kLengths = {"1", "2", "3", "5", "10", "49", "50", "51", "64", "128", "256", "300"};
    const uint64_t kind = draw_.Below(10);
    if (kind < 5) return fmt::format("{}[{}]", bug, draw_.Of(kLengths));
    if (kind < 6) return fmt::format("([{}]{})", draw_.Of(kLengths), bug);
    return fmt::format("PROJ({}, {})", bug, Events());
  }

  std::string Events() {
    static const Words kWords = {"stack",   "execution", "method",   "statement", "block",   "instruction",
                                 "class",   "package",   "thread:0", "thread:1",  "passing", "stack"};
    static const Words kSets = {"\"a,b\"",    "\"read\"", "\"Socket,c\"", "\"a,b,c,read,open\"", "net::*", "*read", "org/*",
                                "/Socket/",   "/^[ab]$/", "/e/",          "method",              "statement"};
    if (draw_.Percent(55)) return draw_.Of(kWords);
    return (draw_.Percent(40) ? "!" : "") + draw_.Of(kSets);
  }

  std::string Pattern(uint64_t depth) {
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
    for (uint64_t i = draw_.Below(3); i > 0; --i) text += (draw_.Percent(40) ? " -> " : draw_.Percent(70) ? " " : " | ") + Item(depth);
    return text;
  }

  std::string Item(uint64_t depth) {
    static const Words kEvents = {"a",        "b",      "c",           "read",       "Socket",       "net",     "Socket::read", "open()", ".",
                                  "`*read`",  "/^net/", "org/x/Y.m",   "MOV",        "`S a: x = 1;`", "unknown"};
    static const Words kRepeats = {"*", "+", "?"};
    std::string text = depth > 0 && draw_.Percent(20) ? "(" + Sequence(depth - 1) + ")" : draw_.Of(kEvents);
    if (draw_.Percent(25)) text += draw_.Of(kRepeats);
    return text;
  }

  std::string FieldPredicate() {
    const std::string variable = Variable();
    switch (draw_.Below(8)) {
      case 0:
        return variable + ".status " + (draw_.Percent(50) ? "=" : "!=") + " 'open'";
      case 1:
        return variable + ".status " + (draw_.Percent(50) ? "IN" : "NOT IN") + " ('resolved', 'closed')";
      case 2:
        return variable + ".created " + (draw_.Percent(50) ? "<" : ">=") + fmt::format(" 2026-01-0{}", draw_.Between(1, 4));
      case 3:
        return variable + ".title " + (draw_.Percent(50) ? "LIKE" : "NOT LIKE") + " '%rash%'";
      case 4:
        return variable + "." + Field() + (draw_.Percent(50) ? " IS NULL" : " IS NOT NULL");
      case 5:
        return variable + ".component " + (draw_.Percent(50) ? "> 9" : "= 'parser'");
      case 6:
        return variable + ".test = 't1'";
      default:
        return variable + ".signal = 'SIGSEGV'";
    }
  }

  const RandomStore& store_;
  Draw draw_;
  Words variables_;
  bool patterns_ = true;
};

}  // namespace

std::string MakeRandomTailSearch(const RandomStore& store, std::string_view metric, uint64_t seed) { return Maker(store, seed).MakeTailSearch(metric); }

std::string MakeRandomQuery(const RandomStore& store, uint64_t seed) { return Maker(store, seed).Make(); }

}  // namespace oscope
