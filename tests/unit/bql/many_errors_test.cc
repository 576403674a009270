// Statements with more errors, warnings, names and arguments than people write: the first are told, the others counted,
// and nobody is asked for the same thing over and over.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

// What takes a read of the whole store, counted.
class CountingCatalog : public ListCatalog {
 public:
  std::vector<std::string> CustomFields() const override {
    ++reads;
    return ListCatalog::CustomFields();
  }
  std::vector<std::string> Projects() const override {
    ++reads;
    return ListCatalog::Projects();
  }
  std::vector<std::string> NearestEvents(std::string_view name) const override {
    ++suggestions;
    return ListCatalog::NearestEvents(name);
  }
  mutable size_t reads = 0, suggestions = 0;
};

template <typename Unit>
std::string Repeated(size_t count, const std::string& separator, const Unit& unit) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : separator) + unit(i);
  return text;
}

class ManyErrors : public testing::Test {
 protected:
  CheckedStatement Compiled(const std::string& text) {
    CheckedStatement checked = Compile(text, catalog_, context_);
    EXPECT_LE(checked.diagnostics.size(), kMaxDiagnostics + 1);
    return checked;
  }
  static std::string LastOf(const CheckedStatement& checked) {
    return checked.diagnostics.empty() ? "" : checked.diagnostics.back().message;
  }
  static std::string UnknownFields(size_t count) {
    return "SELECT b WHERE " + Repeated(count, " || ", [](size_t i) { return fmt::format("b.f{} = 1", i); });
  }

  CountingCatalog catalog_;
  CheckContext context_;
};

TEST_F(ManyErrors, TheFirstFiftyAreTold) {
  const std::string text = "SELECT b WHERE INTERSECT?(b, \"read\", " +
                           Repeated(3000, ", ", [](size_t i) { return fmt::format("q{} => 1", i); }) + ")";
  const CheckedStatement checked = Compiled(text);
  ASSERT_EQ(checked.diagnostics.size(), 51u);
  for (size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(checked.diagnostics[i].message,
              fmt::format("INTERSECT? has no argument 'q{}': INTERSECT?(bug, pattern, d, n)", i));
  }
  EXPECT_EQ(LastOf(checked), "2950 more errors are not shown");
  EXPECT_FALSE(checked.ok());
  EXPECT_FALSE(checked.select);
  const std::string rendered = RenderDiagnostics(text, checked.diagnostics);
  EXPECT_LT(rendered.size(), 20'000u);
  EXPECT_EQ(rendered.find("q50"), rendered.rfind("q50")) << "only in the line that shows the last place";
}

TEST_F(ManyErrors, AsManyAsAreToldNeedNoLastOne) {
  EXPECT_EQ(Compiled(UnknownFields(49)).diagnostics.size(), 49u);
  EXPECT_EQ(Compiled(UnknownFields(50)).diagnostics.size(), 50u);
  EXPECT_TRUE(LastOf(Compiled(UnknownFields(50))).starts_with("unknown field 'f49'"));
  EXPECT_EQ(Compiled(UnknownFields(51)).diagnostics.size(), 51u);
  EXPECT_EQ(LastOf(Compiled(UnknownFields(51))), "1 more error is not shown");
}

TEST_F(ManyErrors, ErrorsComeBeforeWarnings) {
  const auto warnings = [](size_t count) {
    return "INTERSECT?(b, \"" + Repeated(count, " ", [](size_t i) { return fmt::format("unheard{}", i); }) + "\")";
  };
  const CheckedStatement only_odd = Compiled("SELECT b WHERE " + warnings(60));
  EXPECT_TRUE(only_odd.ok());
  EXPECT_TRUE(only_odd.select);
  EXPECT_EQ(LastOf(only_odd), "10 more warnings are not shown");
  EXPECT_EQ(only_odd.diagnostics.back().severity, Severity::kWarning);
  EXPECT_EQ(catalog_.suggestions, 50u) << "nobody looks for names that are not shown";
  const CheckedStatement one_wrong = Compiled("SELECT b WHERE " + warnings(60) + " || b.wrong = 1");
  EXPECT_FALSE(one_wrong.ok());
  EXPECT_EQ(LastOf(one_wrong), "11 more warnings are not shown");
  ASSERT_EQ(one_wrong.diagnostics.size(), 51u);
  EXPECT_EQ(one_wrong.diagnostics[49].message, "unknown field 'wrong'");
  const CheckedStatement both = Compiled(UnknownFields(51) + " || " + warnings(2));
  EXPECT_EQ(LastOf(both), "1 more error and 2 more warnings are not shown");
  EXPECT_EQ(both.diagnostics.back().severity, Severity::kError);
}

TEST_F(ManyErrors, TheParserTellsAsMany) {
  const CheckedStatement checked =
      Compiled("SELECT b WHERE " + Repeated(3000, " && ", [](size_t) { return std::string("b.id"); }));
  ASSERT_EQ(checked.diagnostics.size(), 51u);
  EXPECT_EQ(LastOf(checked), "too many errors: the rest of the statement was not read");
}

// --- what is asked of the catalog ---

TEST_F(ManyErrors, FieldsThatEveryBugHasAreNotLookedUp) {
  const std::string text =
      "SELECT b, b.title WHERE " + Repeated(5000, " || ", [](size_t i) { return fmt::format("b.id = {}", i); });
  EXPECT_TRUE(Compiled(text).ok());
  EXPECT_EQ(catalog_.reads, 0u);
}

TEST_F(ManyErrors, OnlyNamesThatAreShownGetSuggestions) {
  EXPECT_FALSE(Compiled(UnknownFields(5000)).ok());
  // HasCustomField of this catalog reads too, once a field.
  EXPECT_EQ(catalog_.reads, 5000u + 50u);
}

// --- many variables, parameters, parts ---

TEST_F(ManyErrors, ManyVariables) {
  const std::string variables = Repeated(20'000, ", ", [](size_t i) { return fmt::format("v{}", i); });
  EXPECT_EQ(Compiled("SELECT " + variables + " WHERE v19999.id = 1").diagnostics.size(), 1u);
}

TEST_F(ManyErrors, ManyParametersOfADefinition) {
  const auto definition = [](const std::string& last) {
    return "CREATE QUERY many(" + Repeated(20'000, ", ", [](size_t i) { return fmt::format("p{}", i); }) + ", " + last +
           ") AS SELECT b WHERE b.id = :p19999";
  };
  EXPECT_TRUE(Compiled(definition("another")).ok());
  EXPECT_EQ(LastOf(Compiled(definition("p7"))), "the parameter 'p7' is named twice");
}

TEST_F(ManyErrors, ManyArgumentsOfACall) {
  SavedQuery query{"many", {}, "SELECT b WHERE b.id = :p0", false};
  for (int i = 0; i < 5000; ++i) query.parameters.push_back({fmt::format("p{}", i), {}});
  context_.saved_queries = {query};
  const auto call = [](const std::string& name) {
    return "CALL many(" + Repeated(5000, ", ", [&](size_t i) { return fmt::format("{}{} => 1", name, i); }) + ")";
  };
  EXPECT_TRUE(Compiled(call("p")).ok());
  const CheckedStatement wrong = Compiled(call("q"));
  EXPECT_EQ(LastOf(wrong), "4950 more errors are not shown");
  const CheckedStatement missing = Compiled("CALL many");
  ASSERT_EQ(missing.diagnostics.size(), 1u);
  EXPECT_TRUE(LastOf(missing).starts_with("'p0' is missing: many(p0, p1, ")) << LastOf(missing);
  EXPECT_LT(LastOf(missing).size(), 400u) << "a list of five thousand helps nobody";
}

TEST_F(ManyErrors, AnErrorInASavedQueryLiesAtItsArgument) {
  SavedQuery query{"many", {}, "", false};
  for (int i = 0; i < 2000; ++i) query.parameters.push_back({fmt::format("p{}", i), {}});
  query.text = "SELECT b WHERE " +
               Repeated(2000, " || ", [](size_t i) { return fmt::format("INTERSECT?(b, b1, d => :p{})", i); });
  context_.saved_queries = {query};
  const std::string call = "CALL many(" + Repeated(2000, ", ", [](size_t i) { return fmt::format("'{}'", i); });
  EXPECT_TRUE(Compiled(call + ")").ok());
  const CheckedStatement wrong = Compiled("CALL many('x', " + call.substr(15) + ")");
  ASSERT_EQ(wrong.diagnostics.size(), 1u);
  EXPECT_EQ(wrong.diagnostics[0].span.begin, 10u);
  EXPECT_EQ(LastOf(wrong), "in many: d is a whole number, not 'x' (of :p0)");
}

TEST_F(ManyErrors, LongChainsInManyParentheses) {
  const std::string chain = Repeated(10'000, "||", [](size_t i) { return fmt::format("b.id={}", i); });
  const CheckedStatement checked = Compiled("SELECT b WHERE " + std::string(190, '(') + chain +
                                            Repeated(190, "", [](size_t) { return "||b.id=0)"; }));
  ASSERT_TRUE(checked.ok());
  EXPECT_EQ(checked.select->where.parts.size(), 10'190u);
  const std::string bugs = Repeated(10'000, "|", [](size_t) { return std::string("b1"); });
  const CheckedStatement united = Compiled("SELECT b WHERE SUBSET?(b, " + std::string(150, '(') + bugs +
                                           Repeated(150, "", [](size_t) { return "|b2)"; }) + ")");
  ASSERT_TRUE(united.ok());
  EXPECT_EQ(united.select->where.set.right.parts.size(), 10'150u);
}

// --- stopping ---

TEST_F(ManyErrors, ACheckThatIsStoppedGivesNoQueryAndSaysWhy) {
  const std::string text =
      "SELECT b, b.title FROM Rhino WHERE b.votes = 1 && SUBSET?(PROJ(b, \"read\"), b1 | \"open\")";
  uint64_t asked = 0;
  for (uint64_t n = 1;; ++n) {
    uint64_t questions = 0;
    context_.ask = [&]() -> Status {
      if (++questions >= n) return Limit("time is up");
      return {};
    };
    const CheckedStatement checked = Compiled(text);
    if (questions < n) {
      EXPECT_TRUE(checked.ok() && checked.select);
      break;
    }
    ++asked;
    ASSERT_TRUE(checked.stopped) << n;
    EXPECT_EQ(checked.stopped->message, "time is up");
    EXPECT_FALSE(checked.ok());
    EXPECT_FALSE(checked.select);
  }
  EXPECT_GE(asked, 8u);
}

}  // namespace
}  // namespace oscope::bql
