#include "tracer/record/trace_settings.h"

#include <gtest/gtest.h>

#include "base/glob.h"
#include "tracer/model/granularity.h"
#include "tracer/record/default_rules.h"
#include "tracer/record/trace_config.h"

namespace oscope {
namespace {

TEST(ChopPointTest, ReadsTheThreeForms) {
  EXPECT_EQ(*ParseChopPoint("start parser::parse"),
            (ChopPoint{.kind = ChopPoint::Kind::kStart, .place = "parser::parse"}));
  EXPECT_EQ(*ParseChopPoint(" stop @ file.c:120 "),
            (ChopPoint{.kind = ChopPoint::Kind::kStop, .is_line = true, .place = "file.c:120"}));
  EXPECT_EQ(
      *ParseChopPoint("statement within parser::*"),
      (ChopPoint{.kind = ChopPoint::Kind::kWithin, .granularity = Granularity::kStatement, .place = "parser::*"}));
}

TEST(ChopPointTest, SaysWhatIsWrong) {
  for (const char* text : {"", "start", "begin f", "start @ file.c", "start @ :12", "stop @ file.c:0", "statement f",
                           "class within f", "start a\tb"}) {
    const Result<ChopPoint> chop = ParseChopPoint(text);
    ASSERT_FALSE(chop.ok()) << text;
    EXPECT_EQ(chop.error().code, ErrorCode::kInvalid) << text;
  }
}

TEST(GlobTest, FitsTheWholeText) {
  EXPECT_TRUE(GlobFits("std::*", "std::vector<int>::push_back"));
  EXPECT_FALSE(GlobFits("std::*", "mystd::f"));
  EXPECT_TRUE(GlobFits("*::parse", "a::b::parse"));
  EXPECT_FALSE(GlobFits("*::parse", "a::parser"));
  EXPECT_TRUE(GlobFits("a?c*e", "abcde"));
  EXPECT_TRUE(GlobFits("*", ""));
  EXPECT_TRUE(GlobFits("", ""));
  EXPECT_FALSE(GlobFits("", "a"));
  // What is exponential where a glob is tried naively.
  EXPECT_FALSE(GlobFits("*a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
}

TEST(RulesTest, TheDefaultListLeavesOutFrameworksAndLibraries) {
  const std::vector<KeepRule> rules = EffectiveRules({});
  EXPECT_FALSE(IsKept(rules, "/lib/x86_64-linux-gnu/libc.so.6", "puts"));
  EXPECT_FALSE(IsKept(rules, "/home/x/parser_test", "testing::Test::Run"));
  EXPECT_FALSE(IsKept(rules, "/home/x/parser_test", "std::vector<int>::size"));
  EXPECT_TRUE(IsKept(rules, "/home/x/parser_test", "parser::parse"));
  EXPECT_TRUE(IsKept(rules, "/home/x/libcalc.so.1", "add"));
}

TEST(RulesTest, AProjectChangesIt) {
  TraceSettings settings;
  settings.rules = {{true, KeepRule::What::kName, "std::filesystem::*"}, {false, KeepRule::What::kName, "log_*"}};
  const std::vector<KeepRule> rules = EffectiveRules(settings);
  EXPECT_TRUE(IsKept(rules, "/p", "std::filesystem::path::path"));
  EXPECT_FALSE(IsKept(rules, "/p", "std::string::size"));
  EXPECT_FALSE(IsKept(rules, "/p", "log_line"));
  settings.all = true;
  EXPECT_TRUE(IsKept(EffectiveRules(settings), "/p", "std::string::size"));
  EXPECT_FALSE(IsKept(EffectiveRules(settings), "/p", "log_line"));
}

TEST(RulesTest, NamesAreLeftOutOfObjectsThatWereAskedFor) {
  TraceSettings settings;
  settings.rules = {{false, KeepRule::What::kObject, "*"}, {true, KeepRule::What::kObject, "libfoo.so*"}};
  const std::vector<KeepRule> rules = EffectiveRules(settings);
  EXPECT_TRUE(IsKept(rules, "/usr/lib/libfoo.so.1", "foo"));
  EXPECT_FALSE(IsKept(rules, "/usr/lib/libfoo.so.1", "std::string::size"));
  EXPECT_FALSE(IsKept(rules, "/usr/bin/prog", "main"));
}

TEST(SettingsTest, RendersWhatARecorderReads) {
  TraceSettings settings;
  settings.granularity = Granularity::kStatement;
  settings.all = true;
  settings.rules = {{false, KeepRule::What::kName, "log_*"}};
  settings.chops = {*ParseChopPoint("start f"), *ParseChopPoint("stop @ a.c:3"), *ParseChopPoint("block within g")};
  settings.values = {"open"};
  settings.event_limit = 1;
  const std::string text = RenderSettings(settings);
  EXPECT_TRUE(text.starts_with("version\t1\ngranularity\tstatement\nthreads\tall\nring-chunks\t2\n")) << text;
  EXPECT_NE(text.find("leave-out\tname\tlog_*\nvalues\topen\n"), std::string::npos) << text;
  EXPECT_NE(text.find("mark\t0\t-\t0\t0\ts0,s1,i2,s3\t__assert_fail\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("chop\tstart\tname\tf\nchop\tstop\tline\ta.c:3\nchop\twithin\tblock\tname\tg\n")) << text;
}

TEST(SettingsTest, RefusesWhatCannotBeRecorded) {
  TraceSettings settings;
  EXPECT_TRUE(Validate(settings).ok());
  settings.granularity = Granularity::kClass;
  EXPECT_FALSE(Validate(settings).ok());
  settings = {};
  settings.event_limit = 0;
  EXPECT_FALSE(Validate(settings).ok());
  settings = {};
  settings.rules = {{true, KeepRule::What::kName, "a\nb"}};
  EXPECT_FALSE(Validate(settings).ok());
}

TEST(TraceConfigTest, ReadsTheTable) {
  const Result<TraceConfig> config = ParseTraceConfig(
      "project = \"p\"\n[trace]\ngranularity = \"block\"\nlimit = 5\nleave_out = [\"a*\"]\nkeep_objects = "
      "[\"libstdc++*\"]\nvalues = [\"open\"]\n"
      "recorder = \"pin\"\n",
      "oscope.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->settings.granularity, Granularity::kBlock);
  EXPECT_EQ(config->settings.event_limit, 5u);
  EXPECT_EQ(config->settings.rules, (std::vector<KeepRule>{{true, KeepRule::What::kObject, "libstdc++*"},
                                                           {false, KeepRule::What::kName, "a*"}}));
  EXPECT_EQ(config->settings.values, std::vector<std::string>{"open"});
  EXPECT_EQ(config->recorder, "pin");
}

TEST(TraceConfigTest, LocatesWhatIsWrong) {
  EXPECT_EQ(ParseTraceConfig("[trace]\nleaveout = []\n", "oscope.toml").error().message,
            "oscope.toml:2: trace.leaveout: not known; did you mean 'leave_out'?");
  EXPECT_EQ(ParseTraceConfig("[trace]\nlimit = 0\n", "f").error().message,
            "f:2: trace.limit must be a number of events above 0");
  EXPECT_EQ(ParseTraceConfig("trace = 1\n", "f").error().message, "f:1: trace must be a table: [trace]");
}

}  // namespace
}  // namespace oscope
