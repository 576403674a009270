#include "tracer/pin/chop.h"

#include <gtest/gtest.h>

namespace oscope::pin {
namespace {

Settings Parse(const std::string& text) {
  Settings settings;
  std::string error;
  EXPECT_TRUE(ParseSettings(text, &settings, &error)) << error;
  return settings;
}

OpenCall Within(uint64_t sp, Granularity granularity) {
  OpenCall call;
  call.sp = sp;
  call.has_granularity = true;
  call.granularity = granularity;
  return call;
}

TEST(PinChop, AStartMeansOffAtFirst) {
  ChopSwitch chop_switch(Parse("granularity\tmethod\nchop\tstart\tname\tf\n"));
  ThreadChop thread;
  const OpenCalls none;
  thread.Begin(chop_switch);
  EXPECT_EQ(thread.now(), Granularity::kOff);
  EXPECT_FALSE(thread.Update(chop_switch, none));
  chop_switch.Set(true);
  EXPECT_TRUE(thread.Update(chop_switch, none));
  EXPECT_EQ(thread.now(), Granularity::kMethod);
}

TEST(PinChop, WithinIsForAsLongAsTheCall) {
  const ChopSwitch chop_switch(Parse("granularity\toff\nchop\twithin\tstatement\tname\tf\n"));
  ThreadChop thread;
  OpenCalls calls;
  thread.Begin(chop_switch);
  EXPECT_FALSE(thread.Update(chop_switch, calls));
  EXPECT_EQ(thread.now(), Granularity::kOff);
  calls.Enter(Within(1000, Granularity::kStatement));
  EXPECT_TRUE(thread.Update(chop_switch, calls));
  EXPECT_EQ(thread.now(), Granularity::kStatement);
  calls.Return(1000, 0);
  EXPECT_TRUE(thread.Update(chop_switch, calls));
  EXPECT_EQ(thread.now(), Granularity::kOff);
}

TEST(PinChop, TheSwitchIsStrongerThanWithin) {
  ChopSwitch chop_switch(Parse("granularity\tmethod\nchop\tstop\tname\tg\nchop\twithin\tblock\tname\tf\n"));
  ThreadChop thread;
  OpenCalls calls;
  thread.Begin(chop_switch);
  calls.Enter(Within(1000, Granularity::kBlock));
  EXPECT_TRUE(thread.Update(chop_switch, calls));
  EXPECT_EQ(thread.now(), Granularity::kBlock);
  chop_switch.Set(false);
  EXPECT_TRUE(thread.Update(chop_switch, calls));
  EXPECT_EQ(thread.now(), Granularity::kOff);
}

TEST(PinChop, MethodsBelongIntoEveryGranularity) {
  EXPECT_TRUE(Includes(Granularity::kBlock, Granularity::kMethod));
  EXPECT_TRUE(Includes(Granularity::kBlock, Granularity::kBlock));
  EXPECT_FALSE(Includes(Granularity::kBlock, Granularity::kStatement));
  EXPECT_FALSE(Includes(Granularity::kOff, Granularity::kMethod));
}

}  // namespace
}  // namespace oscope::pin
