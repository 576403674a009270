// The functions that mark a failure, as data: the name, which argument decides, and which arguments make the message.
// The recorders get the table in their settings and know nothing of test frameworks, so a new framework is a few lines
// here.
//
// Rules about objects come before rules about names, and the last rule that fits decides. A name is therefore always
// stronger than the object it lies in, whether the default list or the user named it.
#include "tracer/record/default_rules.h"

#include <array>

#include "base/glob.h"
#include "tracer/model/project_frames.h"

namespace oscope {
namespace {

constexpr int32_t kLowest = INT32_MIN, kHighest = INT32_MAX;

// Member functions have `this` as argument 0.
constexpr std::array kMarks = {
    MarkRule{"assertion", "__assert_fail", -1, 0, 0, "s0,s1,i2,s3", "{1}:{2}: {3}: Assertion `{0}' failed."},
    MarkRule{"assertion", "__assert_perror_fail", -1, 0, 0, "i0,s1,i2,s3", "{1}:{2}: {3}: Unexpected error {0}."},
    MarkRule{"abort", "__fortify_fail", -1, 0, 0, "s0", "*** {0} ***: terminated"},
    MarkRule{"abort", "abort", -1, 0, 0, "-", ""},
    MarkRule{"terminate", "std::terminate", -1, 0, 0, "-", ""},
    // GoogleTest: the result's type is 1 for EXPECT_, 2 for ASSERT_ and FAIL(); 0 is a success, 3 a skip.
    MarkRule{"test failure", "testing::UnitTest::AddTestPartResult", 1, 1, 2, "s2,i3,S4", "{0}:{1}: {2}"},
    // Catch2: bit 4 of ResultWas::OfType means a failure.
    MarkRule{"test failure", "Catch::RunContext::reportExpr", 2, 16, 0xffff, "-", ""},
    MarkRule{"test failure", "Catch::RunContext::handleMessage", 2, 16, 0xffff, "-", ""},
    MarkRule{"test failure", "Catch::RunContext::handleUnexpectedInflightException", -1, 0, 0, "-", ""},
    MarkRule{"test failure", "Catch::RunContext::handleUnexpectedExceptionNotThrown", -1, 0, 0, "-", ""},
    // Boost.Test: AR_FAILED is 0.
    MarkRule{"test failure", "boost::unit_test::framework::assertion_result", 0, 0, 0, "-", ""},
    MarkRule{"test failure", "boost::unit_test::framework::exception_caught", -1, 0, 0, "-", ""},
    MarkRule{"exit", "exit", 0, 1, kHighest, "i0", "exit code {0}"},
    MarkRule{"exit", "exit", 0, kLowest, -1, "i0", "exit code {0}"},
    MarkRule{"exit", "quick_exit", 0, 1, kHighest, "i0", "exit code {0}"},
    MarkRule{"exit", "_exit", 0, 1, kHighest, "i0", "exit code {0}"},
    MarkRule{"exit", "_exit", 0, kLowest, -1, "i0", "exit code {0}"},
};

std::vector<KeepRule> MakeDefaultRules() {
  std::vector<KeepRule> rules;
  const auto leave_out = [&](KeepRule::What what, std::span<const std::string_view> globs) {
    for (const std::string_view glob : globs) rules.push_back({.keep = false, .what = what, .glob = std::string(glob)});
  };
  leave_out(KeepRule::What::kObject, ForeignObjects());
  leave_out(KeepRule::What::kName, ForeignMethods());
  return rules;
}

}  // namespace

std::span<const MarkRule> MarkRules() { return kMarks; }

std::span<const KeepRule> DefaultRules() {
  static const std::vector<KeepRule> rules = MakeDefaultRules();
  return rules;
}

std::vector<KeepRule> EffectiveRules(const TraceSettings& settings) {
  std::vector<KeepRule> rules;
  for (const KeepRule::What what : {KeepRule::What::kObject, KeepRule::What::kName}) {
    const auto add = [&](std::span<const KeepRule> from) {
      for (const KeepRule& rule : from) {
        if (rule.what == what) rules.push_back(rule);
      }
    };
    if (!settings.all) add(DefaultRules());
    add(settings.rules);
  }
  return rules;
}

bool IsKept(std::span<const KeepRule> rules, std::string_view object, std::string_view method) {
  const std::string_view base = object.substr(object.rfind('/') + 1);
  for (size_t i = rules.size(); i-- > 0;) {
    const KeepRule& rule = rules[i];
    const bool fits = rule.what == KeepRule::What::kName ? GlobFits(rule.glob, method)
                                                         : GlobFits(rule.glob, object) || GlobFits(rule.glob, base);
    if (fits) return rule.keep;
  }
  return true;
}

}  // namespace oscope
