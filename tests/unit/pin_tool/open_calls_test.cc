#include "tracer/pin/open_calls.h"

#include <gtest/gtest.h>

namespace oscope::pin {
namespace {

OpenCall Call(uint64_t sp, uint64_t return_address, uint32_t site) {
  OpenCall call;
  call.sp = sp;
  call.return_address = return_address;
  call.site = site;
  return call;
}

std::string Print(const std::vector<EndedCall>& ended) {
  std::string text;
  for (const EndedCall& one : ended)
    text += (one.returned ? "returned " : "left ") + std::to_string(one.call.site) + "; ";
  return text;
}

TEST(PinOpenCalls, ReturnsAreMatchedByStackPointerAndAddress) {
  OpenCalls calls;
  EXPECT_EQ(calls.lowest_sp(), OpenCalls::kNone);
  EXPECT_EQ(Print(calls.Enter(Call(1000, 7, 1))), "");
  EXPECT_EQ(Print(calls.Enter(Call(900, 8, 2))), "");
  EXPECT_EQ(calls.lowest_sp(), 900u);
  EXPECT_EQ(Print(calls.Return(800, 9)), "");
  EXPECT_EQ(Print(calls.Return(900, 8)), "returned 2; ");
  EXPECT_EQ(Print(calls.Return(1000, 7)), "returned 1; ");
  EXPECT_EQ(calls.lowest_sp(), OpenCalls::kNone);
}

TEST(PinOpenCalls, RecursionHasOneFrameACall) {
  OpenCalls calls;
  for (uint64_t sp = 1000; sp > 900; sp -= 20) EXPECT_EQ(Print(calls.Enter(Call(sp, 7, 1))), "");
  EXPECT_EQ(Print(calls.Return(920, 7)), "returned 1; ");
  EXPECT_EQ(Print(calls.Return(940, 7)), "returned 1; ");
}

TEST(PinOpenCalls, ATailCallReturnsForBoth) {
  OpenCalls calls;
  calls.Enter(Call(1000, 7, 1));
  EXPECT_EQ(Print(calls.Enter(Call(1000, 7, 2))), "");
  EXPECT_EQ(Print(calls.Return(1000, 7)), "returned 2; returned 1; ");
}

TEST(PinOpenCalls, WhatIsDeeperThanTheThreadNowIsWasLeft) {
  OpenCalls calls;
  calls.Enter(Call(1000, 7, 1));
  calls.Enter(Call(900, 8, 2));
  calls.Enter(Call(800, 9, 3));
  EXPECT_EQ(Print(calls.ReachAt(900)), "left 3; ");
  EXPECT_EQ(Print(calls.Return(1000, 7)), "left 2; returned 1; ");
}

TEST(PinOpenCalls, AHandlerEndsWhatLayAtItsCall) {
  OpenCalls calls;
  calls.Enter(Call(1000, 7, 1));
  calls.Enter(Call(900, 8, 2));  // throws; the function of 1 catches, and calls the runtime from the same depth
  EXPECT_EQ(Print(calls.Catch(900)), "left 2; ");
  EXPECT_EQ(Print(calls.Return(1000, 7)), "returned 1; ");
}

TEST(PinOpenCalls, TheSameFunctionAgainAtTheSamePlaceIsANewCall) {
  OpenCalls calls;
  calls.Enter(Call(900, 8, 2));  // jumped out of
  EXPECT_EQ(Print(calls.Enter(Call(900, 8, 2))), "left 2; ");
  EXPECT_EQ(Print(calls.Enter(Call(900, 9, 3))), "left 2; ");
  EXPECT_EQ(Print(calls.Return(900, 9)), "returned 3; ");
}

TEST(PinOpenCalls, AReturnToElsewhereIsAnothersReturn) {
  OpenCalls calls;
  calls.Enter(Call(900, 8, 2));  // jumped out of; then a call that nobody asked about returns from the same depth
  EXPECT_EQ(Print(calls.Return(900, 11)), "left 2; ");
}

TEST(PinOpenCalls, TheInnermostGranularityCounts) {
  OpenCalls calls;
  Granularity found = Granularity::kOff;
  OpenCall outer = Call(1000, 7, 1), inner = Call(900, 8, 2);
  outer.has_granularity = inner.has_granularity = true;
  outer.granularity = Granularity::kStatement;
  inner.granularity = Granularity::kBlock;
  EXPECT_FALSE(calls.FindGranularity(&found));
  calls.Enter(outer);
  calls.Enter(inner);
  calls.Enter(Call(800, 9, 3));
  EXPECT_TRUE(calls.FindGranularity(&found));
  EXPECT_EQ(found, Granularity::kBlock);
  calls.Return(900, 8);
  EXPECT_TRUE(calls.FindGranularity(&found));
  EXPECT_EQ(found, Granularity::kStatement);
}

}  // namespace
}  // namespace oscope::pin
