#include <gtest/gtest.h>

#include "quill/expr/engine.h"

namespace quill::expr {
namespace {

Value Evaluate(const std::string& text) {
  Engine engine;
  return engine.Evaluate(text);
}

TEST(Expr, Calculates) {
  EXPECT_EQ(Evaluate("1 + 2 * 3").AsNumber(), 7);
  EXPECT_EQ(Evaluate("(1 + 2) * 3").AsNumber(), 9);
  EXPECT_EQ(Evaluate("10 - 4 - 3").AsNumber(), 3);
  EXPECT_EQ(Evaluate("7 % 4 + 2 ^ 3").AsNumber(), 11);
  EXPECT_EQ(Evaluate("-3 + 5").AsNumber(), 2);
  EXPECT_EQ(Evaluate("1.5 * 4").ToText(), "6");
}

TEST(Expr, Compares) {
  EXPECT_TRUE(Evaluate("1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3").AsTruth());
  EXPECT_TRUE(Evaluate("\"abc\" < \"abd\" && \"a\" != \"b\"").AsTruth());
  EXPECT_FALSE(Evaluate("1 == 2 || !true").AsTruth());
  EXPECT_THROW(Evaluate("1 < \"a\""), EvaluationError);
}

TEST(Expr, ChoosesAndCalls) {
  Engine engine;
  engine.Define("age", 17);
  EXPECT_EQ(engine.Evaluate("age >= 18 ? \"adult\" : age > 12 ? \"teen\" : \"child\"").AsText(),
            "teen");
  EXPECT_EQ(engine.Evaluate("max(1, age, 3) + min(4, 2) + abs(-1)").AsNumber(), 20);
  EXPECT_EQ(engine.Evaluate("upper(\"ab\") + concat(1, \"-\", 2.5)").AsText(), "AB1-2.5");
  EXPECT_EQ(engine.Evaluate("sum(i, 1, 10, i * i)").AsNumber(), 385);
}

TEST(Expr, RefusesWhatIsNoExpression) {
  for (const char* const text :
       {"", "1 +", "(1", "1 2", "foo(1)", "abs(1, 2)", "a ? b", "\"open", "1 $ 2", ")"}) {
    EXPECT_THROW(Evaluate(text), ParseError) << text;
  }
}

TEST(Expr, FunctionsCanBeAdded) {
  Engine engine;
  engine.AddFunction("twice", {1, 1, [](const Arguments& a) { return a[0].AsNumber() * 2; }});
  EXPECT_EQ(engine.Evaluate("twice(twice(3))").AsNumber(), 12);
  EXPECT_THROW(engine.Evaluate("sqrt(0 - 1)"), EvaluationError);
  EXPECT_THROW(engine.Evaluate("1 / 0"), EvaluationError);
}

TEST(Expr, PowersTakeTheirRightSideFirst) { EXPECT_EQ(Evaluate("2 ^ 3 ^ 2").AsNumber(), 512); }

TEST(Expr, APowerOfAPowerInASum) { EXPECT_EQ(Evaluate("(1 + 1) ^ 2 ^ 4 + 10").AsNumber(), 65546); }

TEST(Expr, TowersOfVariables) {
  Engine engine;
  engine.Define("base", 2);
  engine.Define("n", 3);
  EXPECT_EQ(engine.Evaluate("sum(i, 1, 3, base ^ i ^ (n - 1))").AsNumber(), 2 + 16 + 512);
}

TEST(Expr, ASignIsWeakerThanAPower) { EXPECT_EQ(Evaluate("-2 ^ 2").AsNumber(), -4); }

TEST(Expr, ASignBeforeAPowerOfASum) { EXPECT_EQ(Evaluate("-(1 + 4) ^ 2 + 3 * 10").AsNumber(), 5); }

TEST(Expr, PolynomialsMayBeginWithASign) {
  Engine engine;
  engine.Define("x", 3);
  engine.Define("a", 2);
  EXPECT_EQ(engine.Evaluate("-x^2 + a*x + 5").AsNumber(), 2);
  EXPECT_EQ(engine.Evaluate("max(-x^2, -a^4)").AsNumber(), -9);
}

TEST(Expr, UnknownVariablesAreErrors) { EXPECT_THROW(Evaluate("1 + unknown"), EvaluationError); }

TEST(Expr, MisspeltVariablesAreErrors) {
  EXPECT_THROW(Evaluate("(3 + 4.5) * widht - 2 / 8"), EvaluationError);
}

TEST(Expr, UnknownVariablesInsideASumAreErrors) {
  Engine engine;
  engine.Define("n", 4);
  EXPECT_EQ(engine.Evaluate("sum(i, 1, n, i)").AsNumber(), 10);
  EXPECT_THROW(engine.Evaluate("sum(i, 1, n, sum(j, 1, i, j * step))"), EvaluationError);
}

TEST(Expr, ASumsVariableEndsWithIt) {
  Engine engine;
  engine.Define("total", 0);
  EXPECT_EQ(engine.Evaluate("sum(k, 1, 3, k) + total").AsNumber(), 6);
  EXPECT_THROW(engine.Evaluate("max(total, k)"), EvaluationError);
}

TEST(Expr, TheLargestOfNothingIsAnError) {
  EXPECT_EQ(Evaluate("max(3)").AsNumber(), 3);
  EXPECT_THROW(Evaluate("max()"), ParseError);
}

TEST(Expr, TheLargestOfNothingInADifferenceIsAnError) {
  EXPECT_EQ(Evaluate("max(2, 7, 5, 1) * 2").AsNumber(), 14);
  EXPECT_THROW(Evaluate("100 - 4 * max()"), ParseError);
}

TEST(Expr, TheMeanOfNothingIsAnError) {
  Engine engine;
  engine.Define("scale", 10);
  EXPECT_EQ(engine.Evaluate("mean(1, 2, 3) * scale").AsNumber(), 20);
  EXPECT_THROW(engine.Evaluate("scale > 5 ? mean() * scale : 0"), ParseError);
}

TEST(Expr, FunctionsOfOneNeedOne) { EXPECT_THROW(Evaluate("1 + abs()"), ParseError); }

TEST(Expr, AndGuardsADivision) {
  Engine engine;
  engine.Define("count", 0);
  engine.Define("total", 12);
  EXPECT_FALSE(engine.Evaluate("count != 0 && total / count > 3").AsTruth());
}

TEST(Expr, TwoAndsGuardADivision) {
  Engine engine;
  engine.Define("rows", 0);
  engine.Define("columns", 5);
  engine.Define("cells", 40);
  EXPECT_FALSE(engine.Evaluate("columns > 2 && rows > 0 && cells / rows >= columns").AsTruth());
}

TEST(Expr, OrStopsAtTheFirstTruth) {
  Engine engine;
  engine.Define("debug", true);
  EXPECT_EQ(engine.Evaluate("debug || level > 3 ? \"all\" : \"errors\"").AsText(), "all");
}

TEST(Engine, ParsesAnExpressionOnce) {
  Engine engine;
  engine.Define("x", 1);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(engine.Evaluate("x * 2 + 1").AsNumber(), 3);
  EXPECT_EQ(engine.parsed(), 1u);
}

TEST(Engine, SharesNamesBetweenExpressions) {
  Engine engine(2);
  engine.Define("x", 2);
  EXPECT_EQ(engine.Evaluate("x + 1").AsNumber(), 3);
  engine.Define("x", 5);
  EXPECT_EQ(engine.Evaluate("x + 1").AsNumber(), 6);
  EXPECT_EQ(engine.Evaluate("x + 2").AsNumber(), 7);
  EXPECT_EQ(engine.Evaluate("x + 3").AsNumber(), 8);
}

TEST(Engine, NamesMayBeLong) {
  Engine engine;
  engine.Define("rate", 2);
  engine.Define("base", 10);
  EXPECT_EQ(engine.Evaluate("base * (1 + rate)").AsNumber(), 30);
  const std::string name = "generated_" + std::string(6000, 'x');
  engine.Define(name, 4);
  EXPECT_EQ(engine.Evaluate(name + " * rate").AsNumber(), 8);
}

}  // namespace
}  // namespace quill::expr
