// Random checked queries, of every kind that can be written.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bql/check/query.h"
#include "tests/unit/bql/list_catalog.h"
#include "tracer/model/granularity.h"

namespace oscope::bql {

class RandomQuery {
 public:
  explicit RandomQuery(uint32_t seed) : random_(seed) {}

  Select Next() {
    Select select;
    const std::vector<std::string> names = {"b", "bug", "odd name", "select", "c-d", "12"};
    for (size_t n = 1 + Below(4); n > 0; --n) select.variables.push_back(names[(n + Below(3)) % names.size()]);
    std::sort(select.variables.begin(), select.variables.end());
    select.variables.erase(std::unique(select.variables.begin(), select.variables.end()), select.variables.end());
    variables_ = static_cast<uint32_t>(select.variables.size());
    Columns(select);
    for (const char* project : {"Beanutils", "Rhino"}) {
      if (Coin()) select.projects.emplace_back(project);
    }
    quoted_ = Coin();
    select.metric = AnyMetric();
    select.where = AnyCondition(3);
    if (Coin()) select.order = OrderBy{Coin() ? OutputColumn{OutputColumn::Kind::kDistance, 0, ""} : Field(), Coin()};
    if (Coin()) select.limit = Below(100);
    if (Coin()) select.offset = Below(100);
    select.with_self = Coin();
    return select;
  }

 private:
  size_t Below(size_t n) { return random_() % n; }
  bool Coin() { return Below(2) == 0; }
  uint32_t Variable() { return static_cast<uint32_t>(Below(variables_)); }
  std::string Text() {
    const std::vector<std::string> texts = {"x", "it's", "say \"x\"", "a--b", "%a_", ";", "ä\n", "''", "`"};
    return texts[Below(texts.size())];
  }

  OutputColumn Field() { return {OutputColumn::Kind::kField, Variable(), Coin() ? "title" : "odd field"}; }

  // Every variable is named, in order; then more columns may follow.
  void Columns(Select& select) {
    if (Below(5) == 0) {
      select.columns = {{OutputColumn::Kind::kCount, 0, ""}};
      return;
    }
    for (uint32_t v = 0; v < variables_; ++v) {
      OutputColumn column{OutputColumn::Kind::kBug, v, ""};
      if (Coin()) column = {OutputColumn::Kind::kField, v, "title"};
      select.columns.push_back(column);
    }
    if (Coin()) select.columns.push_back({OutputColumn::Kind::kDistance, 0, ""});
    if (Coin()) select.columns.push_back(Field());
  }

  Metric AnyMetric() {
    Metric metric;
    do {
      metric.kind = static_cast<MetricKind>(Below(kMetricKinds));
    } while (quoted_ && metric.definition().patterns != PatternUse::kMeasured);
    if (!metric.definition().users_own) return metric;
    metric.user = "tokens";
    for (size_t n = Below(3); n > 0; --n) metric.arguments.push_back(Text());
    return metric;
  }

  Projection AnyProjection() {
    Projection projection;
    projection.kind = static_cast<Projection::Kind>(Below(9));
    switch (projection.kind) {
      case Projection::Kind::kNames: projection.texts = {"read", "map<int, int>::at", "say\"x\""}; break;
      case Projection::Kind::kGlob: projection.texts = {"net::*"}; break;
      case Projection::Kind::kRegex: projection.texts = {"^a\\/b,;"}; break;
      case Projection::Kind::kGranularity:
        projection.granularity = std::vector{Granularity::kInstruction, Granularity::kStatement, Granularity::kBlock,
                                             Granularity::kMethod}[Below(4)];
        break;
      case Projection::Kind::kCoarsen:
        projection.granularity = Coin() ? Granularity::kClass : Granularity::kPackage;
        break;
      case Projection::Kind::kThread: projection.thread = static_cast<uint32_t>(Below(9)); break;
      default: break;
    }
    projection.negated =
        (projection.kind <= Projection::Kind::kRegex || projection.kind == Projection::Kind::kGranularity) && Coin();
    return projection;
  }

  BugTraces AnyBug() {
    BugTraces bug;
    if (Coin())
      bug.variable = Variable();
    else if (Below(4) != 0)
      bug.bug = catalog_.bugs[Below(catalog_.bugs.size())];
    else {
      const NamedRun& run = catalog_.runs[Below(catalog_.runs.size())];
      bug.run = run.id;
      bug.bug = run.bug;
    }
    bug.failing_thread = Coin();
    for (size_t n = Below(5); n > 0; --n) {
      TraceOp op;
      op.kind = static_cast<TraceOp::Kind>(Below(3));
      if (op.kind == TraceOp::Kind::kProject)
        op.projection = AnyProjection();
      else
        op.length = 1 + Below(99);
      bug.ops.push_back(std::move(op));
    }
    return bug;
  }

  TracePattern AnyPattern(int depth) {
    TracePattern pattern;
    const size_t kind = depth == 0 ? Below(2) : Below(4);
    if (kind == 1 && quoted_) {
      const std::vector<std::string> texts = {"open close", "open -> (read | write)* -> close", "^open .* close$",
                                              "`odd \"name`", "/a b/"};
      std::vector<Diagnostic> none;
      pattern.kind = TracePattern::Kind::kQuoted;
      pattern.pattern = ParsePattern(texts[Below(texts.size())], {}, 0, none);
    } else if (kind == 2) {
      pattern.kind = TracePattern::Kind::kUnion;
      while (pattern.parts.size() < 2) Add(pattern, AnyPattern(depth - 1));
    } else if (kind == 3 && quoted_) {
      TracePattern inner = AnyPattern(depth - 1);
      if (inner.kind == TracePattern::Kind::kStar) return inner;
      pattern.kind = TracePattern::Kind::kStar;
      pattern.parts.push_back(std::move(inner));
    } else {
      pattern.traces = AnyBug();
    }
    return pattern;
  }

  static void Add(TracePattern& all, TracePattern part) {
    if (part.kind == TracePattern::Kind::kUnion)
      all.parts.insert(all.parts.end(), part.parts.begin(), part.parts.end());
    else
      all.parts.push_back(std::move(part));
  }

  SetPredicate AnySet() {
    SetPredicate set;
    set.kind = static_cast<SetPredicate::Kind>(Below(3));
    set.left = AnyBug();
    set.right = AnyPattern(2);
    set.distance = Below(3) == 0 ? std::nullopt : std::optional<uint64_t>(Below(3));
    if (set.kind == SetPredicate::Kind::kIntersect) set.count = 1 + Below(3);
    if (set.kind == SetPredicate::Kind::kJaccard) set.threshold = Coin() ? Below(kFractionScale + 1) : 250'000'000;
    return set;
  }

  FieldPredicate AnyField() {
    FieldPredicate field;
    field.variable = Variable();
    field.field = Coin() ? "title" : "odd field";
    field.op = static_cast<FieldPredicate::Op>(Below(10));
    if (field.op < FieldPredicate::Op::kIsNull) field.values.push_back(Text());
    if (field.op == FieldPredicate::Op::kIn && Coin()) field.values.push_back(Text());
    field.negated = (field.op == FieldPredicate::Op::kLike || field.op == FieldPredicate::Op::kIn) && Coin();
    return field;
  }

  Condition AnyCondition(int depth) {
    Condition condition;
    condition.kind = static_cast<Condition::Kind>(depth == 0 ? 3 + Below(2) : Below(5));
    switch (condition.kind) {
      case Condition::Kind::kAnd:
      case Condition::Kind::kOr:
        while (condition.parts.size() < 2) {
          Condition part = AnyCondition(depth - 1);
          if (part.kind == condition.kind)
            condition.parts.insert(condition.parts.end(), part.parts.begin(), part.parts.end());
          else
            condition.parts.push_back(std::move(part));
        }
        break;
      case Condition::Kind::kNot: {
        Condition inner = AnyCondition(depth - 1);
        // At most two in a row: !!!x is !x.
        const bool twice = inner.kind == Condition::Kind::kNot && inner.parts[0].kind == Condition::Kind::kNot;
        if (twice) return inner;
        condition.parts.push_back(std::move(inner));
        break;
      }
      case Condition::Kind::kSet: condition.set = AnySet(); break;
      case Condition::Kind::kField: condition.field = AnyField(); break;
    }
    return condition;
  }

  std::mt19937 random_;
  ListCatalog catalog_;
  uint32_t variables_ = 1;
  bool quoted_ = true;
};

}  // namespace oscope::bql
