#include "base/cancel.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

namespace oscope {
namespace {

constexpr int kAsked = 7, kNotAsked = 8, kNotWoken = 9;
constexpr unsigned kDeadlineSeconds = 30;

TEST(CancelToken, OneOfNobodyIsNeverCancelled) {
  EXPECT_FALSE(CancelToken().cancelled());
  EXPECT_TRUE(CancelToken().Check().ok());
}

TEST(CancelToken, AsksWhatItIsGivenEveryTime) {
  bool wanted = false;
  uint64_t asked = 0;
  const CancelToken token([&] {
    ++asked;
    return wanted;
  });
  const CancelToken copy = token;
  EXPECT_FALSE(token.cancelled());
  wanted = true;
  EXPECT_TRUE(token.cancelled());
  EXPECT_TRUE(copy.cancelled());
  EXPECT_FALSE(copy.Check().ok());
  EXPECT_EQ(asked, 4u);
}

TEST(CancelSource, TellsUntilItIsReset) {
  CancelSource source;
  const CancelToken token = source.token();
  EXPECT_TRUE(token.Check().ok());
  EXPECT_FALSE(token.cancelled());
  EXPECT_FALSE(source.requested());
  source.Cancel();
  EXPECT_TRUE(token.cancelled());
  EXPECT_TRUE(token.cancelled()) << "the question does not take the wish away";
  EXPECT_TRUE(source.requested());
  EXPECT_EQ(token.Check().error().code, ErrorCode::kCancelled);
  EXPECT_EQ(token.Check().error().message, "cancelled");
  source.Reset();
  EXPECT_FALSE(token.cancelled());
  EXPECT_TRUE(token.Check().ok());
}

TEST(CancelSource, OfTwoThatFollowAThirdEachIsCancelledAlone) {
  CancelSource parent;
  CancelSource one(parent.token()), other(parent.token());
  one.Cancel();
  EXPECT_TRUE(one.token().cancelled());
  EXPECT_FALSE(other.token().cancelled());
  EXPECT_FALSE(parent.token().cancelled());
  one.Reset();
  parent.Cancel();
  EXPECT_TRUE(one.token().cancelled());
  EXPECT_TRUE(other.token().cancelled());
  EXPECT_FALSE(one.requested()) << "it was the parent";
  one.Reset();
  EXPECT_TRUE(one.token().cancelled()) << "the parent's wish is not its own to take back";
}

TEST(CancelSource, ACopyIsTheSameSource) {
  CancelSource source;
  CancelSource copy = source;
  copy.Cancel();
  EXPECT_TRUE(source.token().cancelled());
}

TEST(CancelSource, ATokenMayOutliveIt) {
  CancelToken token;
  {
    CancelSource source(CancelSource().token());
    token = source.token();
    source.Cancel();
  }
  EXPECT_TRUE(token.cancelled());
}

[[noreturn]] void ExitAsCancelled(const CancelSource& process) {
  _exit(process.token().cancelled() ? kAsked : kNotAsked);
}

// In a process of its own: takes the signals, one after another.
void Take(std::initializer_list<int> signals) {
  const CancelSource process = InstallCancelOnSignals();
  for (const int signal_number : signals) ::raise(signal_number);
  ExitAsCancelled(process);
}

TEST(CancelDeathTest, NothingIsAskedBeforeASignal) { EXPECT_EXIT(Take({}), ::testing::ExitedWithCode(kNotAsked), ""); }

TEST(CancelDeathTest, TheFirstSignalAsks) {
  EXPECT_EXIT(Take({SIGINT}), ::testing::ExitedWithCode(kAsked), "");
  EXPECT_EXIT(Take({SIGTERM}), ::testing::ExitedWithCode(kAsked), "");
}

TEST(CancelDeathTest, TheSecondInterruptEndsTheProcess) {
  EXPECT_EXIT(Take({SIGINT, SIGINT}), ::testing::ExitedWithCode(130), "");
  EXPECT_EXIT(Take({SIGTERM, SIGTERM, SIGINT}), ::testing::ExitedWithCode(130), "");
}

// Who stops a service sends SIGTERM, perhaps again: what is under way must still end as it should.
TEST(CancelDeathTest, AnotherSigtermDoesNot) {
  EXPECT_EXIT(Take({SIGTERM, SIGTERM}), ::testing::ExitedWithCode(kAsked), "");
  EXPECT_EXIT(Take({SIGINT, SIGTERM}), ::testing::ExitedWithCode(kAsked), "");
}

TEST(CancelDeathTest, AnInterruptAfterARequestEndsTheProcess) {
  EXPECT_EXIT(
      {
        InstallCancelOnSignals().Cancel();
        Take({SIGINT});
      },
      ::testing::ExitedWithCode(130), "");
}

TEST(CancelDeathTest, AfterItIsClearedAnInterruptAsksAgain) {
  EXPECT_EXIT(
      {
        CancelSource process = InstallCancelOnSignals();
        ::raise(SIGINT);
        process.Reset();
        if (process.token().cancelled()) _exit(kNotWoken);
        ::raise(SIGINT);
        ExitAsCancelled(process);
      },
      ::testing::ExitedWithCode(kAsked), "");
}

// Waits for a byte that never comes, while signals do.
[[noreturn]] void WaitInARead() {
  ::alarm(kDeadlineSeconds);  // ends the process if the read goes on
  const CancelSource process = InstallCancelOnSignals();
  int ends[2];
  if (::pipe(ends) != 0) _exit(kNotWoken);
  const pthread_t reader = ::pthread_self();
  // One may come before the read waits; so more of them come, and SIGTERM may.
  std::atomic<bool> woken = false;
  std::thread sender([&] {
    while (!woken) {
      ::pthread_kill(reader, SIGTERM);
      std::this_thread::yield();
    }
  });
  char byte = 0;
  const ssize_t count = ::read(ends[0], &byte, 1);
  const bool interrupted = count < 0 && errno == EINTR;
  woken = true;
  sender.join();
  _exit(interrupted && process.token().cancelled() ? kAsked : kNotWoken);
}

TEST(CancelDeathTest, ASignalWakesABlockingCall) { EXPECT_EXIT(WaitInARead(), ::testing::ExitedWithCode(kAsked), ""); }

}  // namespace
}  // namespace oscope
