// Field values, spans, calls and texts at their edges: what every engine shares, so that no comparison of engines would
// see it.
#include <gtest/gtest.h>

#include "bql/ast/print.h"
#include "bql/check/check.h"
#include "bql/check/fields.h"
#include "bql/check/print.h"
#include "bql/check/scope.h"
#include "bql/syntax/scan.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

using Op = FieldPredicate::Op;

bool Satisfies(const std::string& field, Op op, const std::string& written, std::string_view stored) {
  FieldPredicate predicate;
  predicate.field = field;
  predicate.op = op;
  predicate.values = {written};
  return ValueSatisfies(predicate, stored);
}

// Which of = != < <= > >= hold, in this order.
std::string Holding(const std::string& field, std::string_view stored, const std::string& written) {
  std::string holding;
  for (const auto& [op, sign] : {std::pair(Op::kEqual, "="),
                                 {Op::kNotEqual, "!="},
                                 {Op::kLess, "<"},
                                 {Op::kLessEqual, "<="},
                                 {Op::kGreater, ">"},
                                 {Op::kGreaterEqual, ">="}}) {
    if (Satisfies(field, op, written, stored)) holding += std::string(holding.empty() ? "" : " ") + sign;
  }
  return holding;
}

constexpr const char* kLess = "!= < <=";
constexpr const char* kEqual = "= <= >=";
constexpr const char* kGreater = "!= > >=";

TEST(FieldEdges, NumbersAndTexts) {
  EXPECT_EQ(Holding("votes", "9", "10"), kLess);
  EXPECT_EQ(Holding("votes", "10", "9"), kGreater);
  EXPECT_EQ(Holding("votes", "1e1", "10.0"), kEqual);
  EXPECT_EQ(Holding("votes", "-3", "2"), kLess);
  // One of them is no number: both are texts.
  EXPECT_EQ(Holding("votes", "9", "10x"), kGreater);
  EXPECT_EQ(Holding("votes", "9x", "10"), kGreater);
  EXPECT_EQ(Holding("votes", "10", "9 "), kLess);
  EXPECT_EQ(Holding("title", "9", "10"), kGreater);
  EXPECT_EQ(Holding("id", "9", "10"), kLess);
}

// Words that a computer takes for numbers are words.
TEST(FieldEdges, NotANumberIsAText) {
  EXPECT_EQ(Holding("component", "5", "nan"), kLess);
  EXPECT_EQ(Holding("component", "nan", "5"), kGreater);
  EXPECT_EQ(Holding("component", "nan", "nan"), kEqual);
  EXPECT_EQ(Holding("component", "inf", "infinity"), kLess);
  EXPECT_EQ(Holding("component", "inf", "9"), kGreater);
  EXPECT_EQ(Holding("component", "infinity", "infinity"), kEqual);
}

TEST(FieldEdges, Dates) {
  EXPECT_EQ(Holding("created", "2026-01-02T00:00:00Z", "2026-01-02"), kEqual);
  EXPECT_EQ(Holding("created", "2026-01-01T23:59:59.999999999Z", "2026-01-02"), kLess);
  EXPECT_EQ(Holding("created", "2026-01-02T23:59:59.999999999Z", "2026-01-02"), kEqual);
  EXPECT_EQ(Holding("created", "2026-01-03T00:00:00Z", "2026-01-02"), kGreater);
  EXPECT_EQ(Holding("resolved", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"), kEqual);
  EXPECT_EQ(Holding("resolved", "2026-01-02T00:00:00.000000001Z", "2026-01-02T00:00:00Z"), kGreater);
  EXPECT_EQ(Holding("resolved", "2026-01-01T23:59:59.999999999Z", "2026-01-02T00:00:00Z"), kLess);
  EXPECT_EQ(Holding("created", "some day", "2026-01-02"), "");
  EXPECT_EQ(Holding("created", "2026-01-02", "some day"), "");
}

TEST(FieldEdges, Signals) {
  EXPECT_EQ(Holding("signal", "11", "SIGSEGV"), kEqual);
  EXPECT_EQ(Holding("signal", "6", "SEGV"), kLess);
  EXPECT_EQ(Holding("signal", "11", "ABRT"), kGreater);
  EXPECT_EQ(Holding("signal", "none", "11"), "");
  EXPECT_EQ(Holding("signal", "11", "11x"), "");
  EXPECT_EQ(Holding("signal", "11", "SIG"), "");
}

TEST(FieldEdges, LikeTakesWholeCharactersAndWholeTexts) {
  const std::string_view longer = "ab%_c";
  EXPECT_FALSE(LikeMatches(longer.substr(0, 2), "abx"));  // a % that is not part of the pattern any more
  EXPECT_FALSE(LikeMatches(std::string_view("ab_").substr(0, 2), "abx"));
  EXPECT_FALSE(LikeMatches(std::string_view("abx").substr(0, 2), "abx"));
  EXPECT_TRUE(LikeMatches("_", std::string_view("a\x80").substr(0, 1)));
  EXPECT_TRUE(LikeMatches("%ä_", "xäö"));
  EXPECT_FALSE(LikeMatches("__", "ä"));
  EXPECT_TRUE(LikeMatches("%%", ""));
  EXPECT_FALSE(LikeMatches("_", ""));
}

TEST(FieldEdges, OperatorsAndValuesThatAreRefused) {
  EXPECT_TRUE(ValidateFieldOperator("title", Op::kLike).ok());
  EXPECT_TRUE(ValidateFieldOperator("status", Op::kLike).ok());
  EXPECT_FALSE(ValidateFieldOperator("created", Op::kLike).ok());
  EXPECT_FALSE(ValidateFieldOperator("signal", Op::kLike).ok());
  for (const Op op : {Op::kLess, Op::kLessEqual, Op::kGreater, Op::kGreaterEqual}) {
    EXPECT_FALSE(ValidateFieldOperator("status", op).ok());
    EXPECT_TRUE(ValidateFieldOperator("created", op).ok());
    EXPECT_TRUE(ValidateFieldOperator("signal", op).ok());
  }
  for (const Op op : {Op::kEqual, Op::kNotEqual, Op::kIn}) EXPECT_TRUE(ValidateFieldOperator("status", op).ok());
  EXPECT_EQ(ValidateFieldValue("status", Op::kEqual, "opne").error().message,
            "unknown status 'opne': did you mean 'open'?");
  EXPECT_TRUE(ValidateFieldValue("status", Op::kLike, "op%").ok());
  EXPECT_TRUE(ValidateFieldValue("status", Op::kEqual, "reopened").ok());
  EXPECT_EQ(ValidateFieldValue("signal", Op::kEqual, "SIGSEGW").error().message,
            "unknown signal 'SIGSEGW': did you mean 'SIGSEGV'?");
  EXPECT_TRUE(ValidateFieldValue("title", Op::kEqual, "anything").ok());
}

// The functions that scan a text stop where it ends, whatever lies behind it in memory.
TEST(ScanEdges, NothingBehindTheTextIsRead) {
  EXPECT_EQ(NumberEnd(std::string_view("12").substr(0, 1), 0), 1u);
  EXPECT_EQ(NumberEnd(std::string_view("1.5").substr(0, 2), 0), 1u);
  EXPECT_EQ(NumberEnd(std::string_view("1.55").substr(0, 3), 0), 3u);
  EXPECT_EQ(NumberEnd(std::string_view("1x").substr(0, 1), 0), 1u);
  EXPECT_EQ(WordEnd(std::string_view("ab").substr(0, 1), 0), 1u);
  EXPECT_EQ(WordEnd(std::string_view("a-b").substr(0, 2), 0), 1u);
  EXPECT_EQ(BareEnd(std::string_view("ab").substr(0, 1), 0), 1u);
  EXPECT_EQ(BareEnd(std::string_view("a--").substr(0, 2), 0), 2u);
  EXPECT_EQ(QuotedEnd(std::string_view("'a''").substr(0, 3), 0), 3u);
  EXPECT_EQ(QuotedEnd(std::string_view("'a'").substr(0, 2), 0), kUnclosed);
  EXPECT_EQ(RegexEnd(std::string_view("/a/").substr(0, 2), 0), kUnclosed);
  EXPECT_EQ(RegexEnd(std::string_view("/\\a/").substr(0, 2), 0), kUnclosed);
  EXPECT_EQ(SkipBlanks(std::string_view("  ").substr(0, 1), 0), 1u);
  EXPECT_EQ(SkipBlanks(std::string_view("--\n").substr(0, 1), 0), 0u);
}

// "begin-end: message" of all that is said.
std::string Spans(std::string_view text) {
  std::string spans;
  for (const Diagnostic& diagnostic : Compile(text, ListCatalog(), {}).diagnostics) {
    spans += fmt::format("{}: {}\n", text.substr(diagnostic.span.begin, diagnostic.span.end - diagnostic.span.begin),
                         diagnostic.message);
  }
  return spans;
}

TEST(CheckEdges, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, \"read )\")"), "): ')' without '('\n");
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, \"raed close\")"),
            "raed: no event is named 'raed': did you mean 'read'?\n");
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, 'a$ ''x''$')"),
            "a$ ''x''$: no trace can match: '^' can only come before the first event, '$' only after the last\n");
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, PROJ(b1, \"raed,close\"))"),
            "raed: no event is named 'raed': did you mean 'read'?\n");
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, PROJ(b1, !stack))"),
            "!stack: 'stack' cannot be negated: ! drops events by name, glob, regular expression or granularity\n");
  EXPECT_EQ(Spans("SELECT b WHERE INTERSECT?(b, b1, t => 5)").substr(0, 8), "t =>: IN");
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(\"x\", b)"),
            "\"x\": the first argument of SUBSET? is a bug, not a pattern\n");
  EXPECT_EQ(Spans("SELECT b WHERE b.titel = 'x'"), "titel: unknown field 'titel': did you mean 'title'?\n");
  EXPECT_EQ(Spans("CALL suffix(b1, len => 0)"), "0: in suffix: a length is at least 1, not '0' (of :len)\n");
}

// Only where so many edits can make any trace match.
TEST(CheckEdges, AWarningThatEveryTraceMatches) {
  const std::string every = "1: every trace matches: 1 edits can turn any trace into the pattern's 1 event\n";
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, \"read\", 1)"), every);
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, \"read\", 1) DISTANCE lcs"), every);
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, \"read\", 1) DISTANCE embedding"), "");
  EXPECT_EQ(Spans("SELECT b WHERE SUBSET?(b, \"read\" | \"read close\", 0)"), "");
}

TEST(CheckEdges, ACallKeepsItsQueryAndValues) {
  const CheckedStatement checked = Compile("CALL suffix(b1, len => 3)", ListCatalog(), {});
  EXPECT_EQ(checked.kind, ast::Statement::Kind::kCall);
  ASSERT_TRUE(checked.call);
  EXPECT_EQ(checked.call->query.name, "suffix");
  EXPECT_EQ(checked.call->values.at("bug").text, "b1");
  EXPECT_EQ(checked.call->values.at("len").text, "3");
  EXPECT_EQ(checked.call->values.at("d").text, "10");
  EXPECT_EQ(Compile("SHOW QUERIES", ListCatalog(), {}).kind, ast::Statement::Kind::kShowQueries);
  EXPECT_EQ(Compile("DROP QUERY x", ListCatalog(), {}).kind, ast::Statement::Kind::kDropQuery);
  EXPECT_EQ(Compile("CREATE QUERY q AS SELECT b WHERE b.id = 'x'", ListCatalog(), {}).kind,
            ast::Statement::Kind::kCreateQuery);
}

TEST(CheckEdges, AllProjectsByParameter) {
  CheckContext context;
  context.parameters = {{"p", "all"}, {"r", "Rhino"}};
  const auto projects = [&](std::string_view text) {
    return Compile(text, ListCatalog(), context).select.value().projects;
  };
  EXPECT_EQ(projects("SELECT b FROM :p WHERE b.id = 'x'"), std::vector<std::string>{});
  EXPECT_EQ(projects("SELECT b FROM :r WHERE b.id = 'x'"), std::vector<std::string>{"Rhino"});
  EXPECT_EQ(projects("SELECT b FROM Rhino, :p WHERE b.id = 'x'"), std::vector<std::string>{});
}

TEST(CheckEdges, NamesOfDigitsStandInBackquotes) {
  for (const char* name : {"10", "0", "99"}) EXPECT_EQ(ast::NameText(name), std::string("`") + name + "`");
  for (const char* name : {"a0", "9z", "1-2"}) EXPECT_EQ(ast::NameText(name), name);
}

TEST(CheckEdges, AQueryIsDroppedByTheNameItHas) {
  CheckContext context;
  context.saved_queries = {{"Near", {}, "SELECT b WHERE b.id = 'x'", false}};
  EXPECT_EQ(Compile("DROP QUERY NEAR", ListCatalog(), context).name, "Near");
  EXPECT_EQ(Compile("DROP QUERY other", ListCatalog(), context).name, "other");
}

TEST(CheckEdges, ValuesInQuotesAreNamesOfEvents) {
  CheckContext context;
  context.parameters = {{"word", "stack"}, {"text", "'stack'"}, {"name", "read"}};
  const auto query = [&](std::string_view text) { return Print(Compile(text, ListCatalog(), context).select.value()); };
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(PROJ(b, :word), b1)"),
            "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, stack), `Demo-b1`)");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(PROJ(b, :text), b1)"),
            "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, \"stack\"), `Demo-b1`)");
  const std::string_view after = "SELECT b WHERE SUBSET?(b, \":name (\")";
  EXPECT_EQ(RenderShort(after, Compile(after, ListCatalog(), context).diagnostics), "1:34: unclosed parenthesis\n");
}

// Half of a statement is never taken for the whole: nothing comes out where a part is wrong.
TEST(CheckEdges, NoPartIsLeftOut) {
  for (const char* condition :
       {"SUBSET?(b, b1 | b5)", "SUBSET?(b, (b5)*)", "SUBSET?(b[x], b1)", "SUBSET?(PROJ(b, !stack), b1)",
        "SUBSET?(b, b1, x)", "JACCARD?(b, b1, 2)", "b.created < 'x'", "b.status IN ('open', 'x')", "b.titel = 'x'",
        "c.id = 'x'", "b.id IN ('x', :y)", "SUBSET?(b, \"(\")", "SUBSET?(:y, b)", "SUBSET?(b, \"read :y\")",
        "SUBSET?(b, b1, :y)", "SUBSET?(PROJ(b, :y), b1)"}) {
    for (const char* form : {"{}", "!{}", "{} && b.id = 'x'", "b.id = 'x' || {}", "!(b.id = 'x' && {})"}) {
      const std::string text = "SELECT b WHERE " + fmt::format(fmt::runtime(form), condition);
      const CheckedStatement checked = Compile(text, ListCatalog(), {});
      EXPECT_FALSE(checked.select) << text;
      // Nor before the errors are looked at.
      const ListCatalog catalog;
      const CheckContext context;
      std::vector<Diagnostic> diagnostics;
      Scope scope(catalog, context, diagnostics);
      EXPECT_FALSE(CheckSelect(scope, ParseStatement(text).statement->select)) << text;
      EXPECT_EQ(checked.diagnostics.size(), 1u) << text << "\n" << RenderShort(text, checked.diagnostics);
    }
  }
}

}  // namespace
}  // namespace oscope::bql
