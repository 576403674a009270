#include "tracer/pin/settings.h"

#include <gtest/gtest.h>

#include "tracer/record/default_rules.h"
#include "tracer/record/trace_settings.h"

namespace oscope::pin {
namespace {

TEST(PinSettings, ReadsEveryLine) {
  Settings settings;
  std::string error;
  ASSERT_TRUE(ParseSettings(
      "version\t1\ngranularity\tblock\nthreads\tmain\nring-chunks\t12\nstring-limit\t100\nstdin-limit\t5000000000\n"
      "leave-out\tobject\tlibc.so*\nkeep\tname\ta*\nvalues\topen\nmark\t3\t1\t-2\t7\ts2,i3,S4\ttesting::*\n"
      "mark\t4\t-\t0\t0\t-\tabort\nchop\tstart\tname\tf\nchop\tstop\tline\tsrc/"
      "a.c:120\nchop\twithin\tstatement\tname\tg\n",
      &settings, &error))
      << error;
  EXPECT_EQ(settings.granularity, Granularity::kBlock);
  EXPECT_TRUE(settings.main_thread_only);
  EXPECT_EQ(settings.ring_chunks, 12u);
  EXPECT_EQ(settings.string_limit, 100u);
  EXPECT_EQ(settings.stdin_limit, 5000000000u);
  ASSERT_EQ(settings.rules.size(), 2u);
  EXPECT_TRUE(settings.rules[0].by_object && !settings.rules[0].keep);
  EXPECT_TRUE(!settings.rules[1].by_object && settings.rules[1].keep);
  EXPECT_EQ(settings.values, std::vector<std::string>{"open"});
  ASSERT_EQ(settings.marks.size(), 2u);
  EXPECT_EQ(settings.marks[0].index, 3u);
  EXPECT_EQ(settings.marks[0].argument, 1u);
  EXPECT_EQ(settings.marks[0].low, -2);
  EXPECT_EQ(settings.marks[0].high, 7);
  ASSERT_EQ(settings.marks[0].captures.size(), 3u);
  EXPECT_EQ(settings.marks[0].captures[2].kind, 'S');
  EXPECT_EQ(settings.marks[0].captures[2].argument, 4u);
  EXPECT_TRUE(settings.marks[1].always);
  ASSERT_EQ(settings.chops.size(), 3u);
  EXPECT_EQ(settings.chops[1].place, "src/a.c");
  EXPECT_EQ(settings.chops[1].line, 120u);
  EXPECT_EQ(settings.chops[2].granularity, Granularity::kStatement);
}

TEST(PinSettings, RefusesWhatItDoesNotKnow) {
  for (const char* line : {"colour\tblue", "version\t2", "granularity\tclass", "threads\tsome", "ring-chunks\t0",
                           "ring-chunks\t-1", "ring-chunks\tx", "leave-out\tthing\ta", "leave-out\tobject",
                           "mark\t0\t-\t0\t0\tq1\tf", "mark\t0\t6\t0\t0\t-\tf", "mark\t0\t-\t0\tf", "chop\tstart\tf",
                           "chop\tstop\tline\tfile", "chop\tstop\tline\tfile:0", "chop\twithin\tcoarse\tname\tf",
                           "string-limit\t1\t2", "version", "string-limit\t99999999999999999999"}) {
    Settings settings;
    std::string error;
    EXPECT_FALSE(ParseSettings(std::string("version\t1\n") + line + "\n", &settings, &error)) << line;
    EXPECT_NE(error.find("line 2"), std::string::npos) << error;
  }
}

TEST(PinSettings, UnderstandsWhatOscopeWrites) {
  oscope::TraceSettings request;
  request.rules = {{.keep = true, .what = oscope::KeepRule::What::kName, .glob = "a::*"}};
  request.values = {"open", "close"};
  for (const char* chop : {"start parser::parse", "stop @ file.c:120", "statement within parser::parse"}) {
    request.chops.push_back(*oscope::ParseChopPoint(chop));
  }
  Settings settings;
  std::string error;
  ASSERT_TRUE(ParseSettings(oscope::RenderSettings(request), &settings, &error)) << error;
  EXPECT_EQ(settings.granularity, Granularity::kMethod);
  EXPECT_EQ(settings.rules.size(), oscope::EffectiveRules(request).size());
  EXPECT_EQ(settings.marks.size(), oscope::MarkRules().size());
  EXPECT_EQ(settings.values.size(), 2u);
  EXPECT_EQ(settings.chops.size(), 3u);
  EXPECT_EQ(settings.string_limit, request.string_limit);
}

TEST(PinSettings, TextsAreCutSoThatARecordFitsAChunk) {
  Settings settings;
  std::string error;
  ASSERT_TRUE(ParseSettings("string-limit\t4000000000\n", &settings, &error)) << error;
  EXPECT_EQ(settings.string_limit, kMaxStringLimit);
}

}  // namespace
}  // namespace oscope::pin
