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

TEST(Cancel, IsToldUntilItIsCleared) {
  EXPECT_TRUE(CheckCancelled().ok());
  EXPECT_FALSE(Cancelled());
  RequestCancel();
  EXPECT_TRUE(Cancelled());
  EXPECT_TRUE(Cancelled()) << "the question does not take the wish away";
  EXPECT_EQ(CheckCancelled().error().code, ErrorCode::kCancelled);
  EXPECT_EQ(CheckCancelled().error().message, "cancelled");
  ClearCancel();
  EXPECT_FALSE(Cancelled());
  EXPECT_TRUE(CheckCancelled().ok());
}

[[noreturn]] void ExitAsCancelled() { _exit(Cancelled() ? kAsked : kNotAsked); }

// In a process of its own: takes the signals, one after another.
void Take(std::initializer_list<int> signals) {
  InstallCancelOnSignals();
  for (const int signal_number : signals) ::raise(signal_number);
  ExitAsCancelled();
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
        RequestCancel();
        Take({SIGINT});
      },
      ::testing::ExitedWithCode(130), "");
}

TEST(CancelDeathTest, AfterItIsClearedAnInterruptAsksAgain) {
  EXPECT_EXIT(
      {
        InstallCancelOnSignals();
        ::raise(SIGINT);
        ClearCancel();
        if (Cancelled()) _exit(kNotWoken);
        ::raise(SIGINT);
        ExitAsCancelled();
      },
      ::testing::ExitedWithCode(kAsked), "");
}

// Waits for a byte that never comes, while signals do.
[[noreturn]] void WaitInARead() {
  ::alarm(kDeadlineSeconds);  // ends the process if the read goes on
  InstallCancelOnSignals();
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
  _exit(interrupted && Cancelled() ? kAsked : kNotWoken);
}

TEST(CancelDeathTest, ASignalWakesABlockingCall) { EXPECT_EXIT(WaitInARead(), ::testing::ExitedWithCode(kAsked), ""); }

}  // namespace
}  // namespace oscope
