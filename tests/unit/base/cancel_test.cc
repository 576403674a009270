#include "base/cancel.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace oscope {
namespace {

TEST(Cancel, IsToldUntilItIsCleared) {
  EXPECT_TRUE(CheckCancelled().ok());
  RequestCancel();
  EXPECT_TRUE(Cancelled());
  EXPECT_EQ(CheckCancelled().error().code, ErrorCode::kCancelled);
  ClearCancel();
  EXPECT_FALSE(Cancelled());
}

void InterruptOnce(int signal_number) {
  InstallCancelOnSignals();
  ::raise(signal_number);
  _exit(Cancelled() ? 7 : 8);
}

TEST(CancelDeathTest, TheFirstSignalAsks) {
  EXPECT_EXIT(InterruptOnce(SIGINT), ::testing::ExitedWithCode(7), "");
  EXPECT_EXIT(InterruptOnce(SIGTERM), ::testing::ExitedWithCode(7), "");
}

TEST(CancelDeathTest, TheSecondInterruptEndsTheProcess) {
  EXPECT_EXIT(
      {
        InstallCancelOnSignals();
        ::raise(SIGTERM);
        ::raise(SIGTERM);
        ::raise(SIGINT);
      },
      ::testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace oscope
