// What checked queries hold.
#include "bql/check/check.h"

#include <gtest/gtest.h>

#include "bql/check/print.h"
#include "tests/unit/bql/list_catalog.h"
#include "tracer/model/granularity.h"

namespace oscope::bql {
namespace {

class CheckTest : public ::testing::Test {
 protected:
  Select Checked(std::string_view text) {
    const CheckedStatement checked = Compile(text, catalog_, context_);
    EXPECT_TRUE(checked.ok()) << RenderDiagnostics(text, checked.diagnostics);
    return checked.select.value_or(Select{});
  }
  SetPredicate Predicate(const std::string& predicate) { return Checked("SELECT b WHERE " + predicate).where.set; }

  ListCatalog catalog_;
  CheckContext context_;
};

TEST_F(CheckTest, TellsVariablesFromBugs) {
  const SetPredicate predicate = Predicate("SUBSET?(b, b527, 10)");
  EXPECT_EQ(predicate.kind, SetPredicate::Kind::kSubset);
  EXPECT_EQ(predicate.left.variable, 0u);
  EXPECT_FALSE(predicate.right.traces.variable);
  EXPECT_EQ(predicate.right.traces.bug, (BugKey{"Demo", "b527"}));
  EXPECT_EQ(predicate.distance, 10u);
}

TEST_F(CheckTest, PutsParametersIn) {
  context_.parameters = {{"tbug", "b1"}, {"len", "50"}, {"distance", "7"}, {"p", "Rhino"}, {"f", "x%"}, {"n", "2"}};
  const Select select = Checked(
      "SELECT bug FROM :p WHERE INTERSECT?(tbug[:len], [:len]bug, :distance, :n) && bug.title LIKE :f LIMIT :n OFFSET "
      ":len");
  EXPECT_EQ(
      Print(select),
      "SELECT bug FROM Rhino WHERE INTERSECT?(`Demo-b1`[50], [50]bug, 7, 2) && bug.title LIKE 'x%' LIMIT 2 OFFSET 50");
}

TEST_F(CheckTest, TakesAParameterForABugOrAPattern) {
  context_.parameters = {{"bug", "b1"}, {"pattern", "open close"}, {"quoted", "'b1'"}};
  EXPECT_EQ(Predicate("INTERSECT?(b, :bug)").right.kind, TracePattern::Kind::kTraces);
  EXPECT_EQ(Predicate("INTERSECT?(b, :pattern)").right.pattern->text, "open close");
  EXPECT_EQ(Predicate("INTERSECT?(b, :quoted)").right.pattern->text, "b1");
}

TEST_F(CheckTest, TakesARunForABug) {
  context_.parameters = {{"tbug", "run/1f2e3d4c"}, {"quoted", "'run/1f2e3d4c'"}};
  const SetPredicate loose = Predicate("SUBSET?(tbug[5], b, 10)");
  EXPECT_EQ(loose.left.run, catalog_.runs[0].id);
  EXPECT_EQ(loose.left.bug, BugKey());
  const SetPredicate linked = Predicate("INTERSECT?(b, `run/2a00`)");
  EXPECT_EQ(linked.right.traces.run, catalog_.runs[1].id);
  EXPECT_EQ(linked.right.traces.bug, (BugKey{"Demo", "b1"}));
  EXPECT_EQ(Predicate("INTERSECT?(b, :tbug)").right.kind, TracePattern::Kind::kTraces);
  EXPECT_EQ(Predicate("INTERSECT?(b, :quoted)").right.kind, TracePattern::Kind::kQuoted);
}

TEST_F(CheckTest, PutsParametersIntoPatterns) {
  context_.parameters = {{"a", "open"}, {"b", "read | write"}};
  EXPECT_EQ(Predicate("INTERSECT?(b, \":a -> :b close\")").right.pattern->text, "open -> (read | write) close");
  EXPECT_EQ(Predicate("INTERSECT?(b, \":b\")").right.pattern->text, "read | write");
  EXPECT_EQ(Predicate("INTERSECT?(b, \"net::a `:a` /:a/\")").right.pattern->text, "net::a `:a` /:a/");
}

TEST_F(CheckTest, FindsABugByTheProjectsOfFrom) {
  EXPECT_EQ(Checked("SELECT b FROM Rhino WHERE SUBSET?(b, 323)").where.set.right.traces.bug, (BugKey{"Rhino", "323"}));
  EXPECT_EQ(Checked("SELECT b WHERE SUBSET?(b, `Configuration-323`)").where.set.right.traces.bug,
            (BugKey{"Configuration", "323"}));
}

TEST_F(CheckTest, SortsProjects) {
  EXPECT_EQ(Checked("SELECT b FROM Rhino, Beanutils, Rhino WHERE b.id = 'x'").projects,
            (std::vector<std::string>{"Beanutils", "Rhino"}));
  EXPECT_TRUE(Checked("SELECT b FROM Rhino, ALL WHERE b.id = 'x'").projects.empty());
  EXPECT_TRUE(Checked("SELECT b WHERE b.id = 'x'").projects.empty());
}

TEST_F(CheckTest, OrdersOperatorsFromTheInside) {
  const SetPredicate predicate = Predicate("SUBSET?([5]PROJ(b.failing, class)[20], b1)");
  ASSERT_EQ(predicate.left.ops.size(), 3u);
  EXPECT_TRUE(predicate.left.failing_thread);
  EXPECT_EQ(predicate.left.ops[0].kind, TraceOp::Kind::kProject);
  EXPECT_EQ(predicate.left.ops[0].projection.kind, Projection::Kind::kCoarsen);
  EXPECT_EQ(predicate.left.ops[1].kind, TraceOp::Kind::kSuffix);
  EXPECT_EQ(predicate.left.ops[2].kind, TraceOp::Kind::kPrefix);
}

TEST_F(CheckTest, KnowsEveryProjection) {
  using Kind = Projection::Kind;
  const auto projection = [&](const std::string& events) {
    return Predicate("INTERSECT?(PROJ(b, " + events + "), b1)").left.ops[0].projection;
  };
  EXPECT_EQ(projection("\"read, write,close\"").texts, (std::vector<std::string>{"read", "write", "close"}));
  EXPECT_EQ(projection("\"f<int, x>::g\"").texts, (std::vector<std::string>{"f<int, x>::g"}));
  EXPECT_EQ(projection("org/apache/*").kind, Kind::kGlob);
  EXPECT_EQ(projection("'net::*'").kind, Kind::kGlob);
  EXPECT_EQ(projection("read").kind, Kind::kNames);
  EXPECT_EQ(projection("!/^parse_/").kind, Kind::kRegex);
  EXPECT_TRUE(projection("!/^parse_/").negated);
  EXPECT_EQ(projection("STACK").kind, Kind::kStack);
  EXPECT_EQ(projection("\"stack\"").kind, Kind::kNames);
  EXPECT_EQ(projection("execution").kind, Kind::kExecution);
  EXPECT_EQ(projection("passing").kind, Kind::kPassing);
  EXPECT_EQ(projection("thread:12").thread, 12u);
  EXPECT_EQ(projection("!statement").granularity, Granularity::kStatement);
  EXPECT_EQ(projection("package").kind, Kind::kCoarsen);
}

TEST_F(CheckTest, FlattensUnionsAndConditions) {
  EXPECT_EQ(Predicate("INTERSECT?(b, b1 | (b2 | (\"close\")))").right.parts.size(), 3u);
  EXPECT_EQ(Predicate("INTERSECT?(b, ((\"close\")*)*)").right.parts[0].kind, TracePattern::Kind::kQuoted);
  const Select select =
      Checked("SELECT b WHERE b.id = 'a' && (b.id = 'b' && (b.id = 'c')) && (b.id = 'd' || b.id = 'e')");
  EXPECT_EQ(select.where.parts.size(), 4u);
}

TEST_F(CheckTest, KeepsOneOrTwoNegations) {
  const auto depth = [&](const std::string& negations) {
    const Select select = Checked("SELECT b WHERE " + negations + "b.id = 'x'");
    int n = 0;
    for (const Condition* c = &select.where; c->kind == Condition::Kind::kNot; c = &c->parts[0]) ++n;
    return n;
  };
  EXPECT_EQ(depth("!"), 1);
  EXPECT_EQ(depth("!!"), 2);
  EXPECT_EQ(depth("!!!"), 1);
  EXPECT_EQ(depth(std::string(1000, '!')), 2);
}

TEST_F(CheckTest, ReadsArguments) {
  EXPECT_EQ(Predicate("INTERSECT?(b, b1)").distance, 0u);
  EXPECT_EQ(Predicate("INTERSECT?(b, b1, 5, 3)").count, 3u);
  EXPECT_EQ(Predicate("INTERSECT?(b, b1, n => 3)").count, 3u);
  EXPECT_EQ(Predicate("INTERSECT?(b, b1, d => ANY)").distance, std::nullopt);
  EXPECT_EQ(Predicate("JACCARD?(b, b1, 0.5, 2)").threshold, 500'000'000u);
  EXPECT_EQ(Predicate("JACCARD?(b, b1, t => 1)").threshold, kFractionScale);
  EXPECT_EQ(Predicate("JACCARD?(b, b1, d => 2, t => 0.000000001)").threshold, 1u);
}

TEST_F(CheckTest, ReadsColumnsOrderAndMetric) {
  const Select select = Checked(
      "SELECT b.title, distance, c FROM ALL WHERE INTERSECT?(b, c) DISTANCE u(tokens, 3, \"x\") ORDER BY c.created "
      "DESC WITH SELF");
  EXPECT_EQ(select.variables, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(select.columns.size(), 3u);
  EXPECT_EQ(select.columns[2].variable, 1u);
  EXPECT_EQ(select.order->column.variable, 1u);
  EXPECT_EQ(select.metric.kind, Metric::Kind::kUser);
  EXPECT_EQ(select.metric.user, "tokens");
  EXPECT_EQ(select.metric.arguments, (std::vector<std::string>{"3", "x"}));
  EXPECT_TRUE(select.with_self);
  EXPECT_EQ(Checked("SELECT COUNT(b) WHERE b.id = 'x'").columns[0].kind, OutputColumn::Kind::kCount);
  EXPECT_EQ(Checked("SELECT b WHERE b.id = 'x' ORDER BY created").order->column.field, "created");
  EXPECT_EQ(Checked("SELECT b WHERE b.id = 'x' DISTANCE H").metric.kind, Metric::Kind::kHamming);
}

TEST_F(CheckTest, GivesEqualQueriesForTextsThatMeanTheSame) {
  context_.parameters = {{"d", "10"}};
  EXPECT_EQ(
      Checked("SELECT b FROM ALL WHERE INTERSECT?(b, (b527), d => :d) AND NOT b.status = 'open'"),
      Checked("select b where (intersect?((b), `Demo-b527`, 10, 1) && !(b.status = \"open\")) distance levenshtein"));
  EXPECT_NE(Checked("SELECT b WHERE SUBSET?([5]b[3], b1)"), Checked("SELECT b WHERE SUBSET?(([5]b)[3], b1)"));
}

// All queries of chapter 3 of the thesis, its misprints and metavariables set right.
TEST_F(CheckTest, TakesTheQueriesOfTheThesis) {
  context_.parameters = {
      {"tbug", "Rhino-217951"}, {"len", "50"}, {"distance", "10"}, {"alpha", "'StringEscapeUtils.escapeJava'"}};
  const std::pair<const char*, const char*> queries[] = {
      {"3.3.2", "SELECT b FROM ALL WHERE INTERSECT?(b, \"getKeySet\")"},
      {"3.3.2", "SELECT b FROM ALL WHERE SUBSET?(b, b527)"},
      {"3.3.2", "SELECT b FROM ALL WHERE INTERSECT?(b, b527, 50, 3)"},
      {"3.3.2", "SELECT bug FROM ALL WHERE SUBSET?(\n    PROJ(bug, \"read,write,close\"), b527, 10 )"},
      {"3.3.2", "SELECT bug FROM Configuration WHERE\n    INTERSECT?(bug, \"PC escapeJava\")"},
      {"3.3.4", "SELECT bug FROM Configuration WHERE\n    SUBSET?(bug, \"ConfigurationUtils.copy()\")"},
      {"3.3.4", "SELECT b FROM ALL WHERE INTERSECT?(\n    PROJ(b, org/apache/commons/lang/*), :alpha)"},
      {"3.4.1", "SELECT bug FROM Rhino WHERE\n    SUBSET?(tbug[:len], bug[:len], :distance)"},
      {"3.4.3", "SELECT bug FROM ALL WHERE\n    SUBSET?(tbug[50], bug[50], 30)"},
      {"3.4.4", "SELECT b1, b2 FROM Rhino WHERE SUBSET?(\n    PROJ(b1, stack), PROJ(b2, stack), d => any) LIMIT 50"},
  };
  for (const auto& [section, text] : queries) {
    const CheckedStatement checked = Compile(text, catalog_, context_);
    EXPECT_TRUE(checked.ok()) << section << "\n" << RenderDiagnostics(text, checked.diagnostics);
  }
}

}  // namespace
}  // namespace oscope::bql
