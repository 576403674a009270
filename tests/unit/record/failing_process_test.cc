// Which process of a run went wrong.
#include "tracer/record/failing_process.h"

#include <gtest/gtest.h>

#include <vector>

namespace oscope {
namespace {

// A run as it is recorded: each line is an image, ordinals count from 0.
class Images {
 public:
  Images& Program(int code, bool only_exit = true) {
    return Add({.pid = kProgram, .code = code, .only_exit = only_exit});
  }
  Images& Fork(uint32_t parent, uint32_t pid, int code, bool only_exit = true) {
    return Add({.parent = parent, .forked = true, .pid = pid, .code = code, .only_exit = only_exit});
  }
  Images& Exec(uint32_t pid, int code, bool only_exit = true) {
    return Add({.pid = pid, .code = code, .only_exit = only_exit});
  }

  size_t Failing(int code) const { return FailingProcess(images_, code); }
  size_t LastImage() const { return LastImageOfProgram(images_); }

  static constexpr uint32_t kProgram = 100;
  static constexpr int kNoEnd = 137;  // of an image that executed another

 private:
  Images& Add(ProcessFate fate) {
    fate.ordinal = static_cast<uint32_t>(images_.size());
    images_.push_back(fate);
    return *this;
  }
  std::vector<ProcessFate> images_;
};

TEST(FailingProcessTest, TheProgramAlone) { EXPECT_EQ(Images().Program(1).Failing(1), 0u); }

TEST(FailingProcessTest, AShellPassesOnWhatItRan) {
  EXPECT_EQ(Images().Program(1).Fork(0, 101, Images::kNoEnd).Exec(101, 1).Failing(1), 2u);
  EXPECT_EQ(Images().Program(1).Fork(0, 101, 1).Failing(1), 1u) << "a subshell";
}

TEST(FailingProcessTest, AShellsOwnCodeIsItsOwn) {
  EXPECT_EQ(Images().Program(3).Fork(0, 101, Images::kNoEnd).Exec(101, 1).Failing(3), 0u);
  EXPECT_EQ(Images().Program(3).Fork(0, 101, 1).Fork(1, 102, 2).Failing(3), 0u);
}

TEST(FailingProcessTest, ACrashBehindADriverWithACodeOfItsOwn) {
  EXPECT_EQ(Images().Program(2).Fork(0, 101, 134, false).Failing(2), 1u) << "make";
  EXPECT_EQ(Images().Program(8).Fork(0, 101, 0).Fork(0, 102, 139, false).Fork(0, 103, 1).Failing(8), 2u) << "ctest";
  EXPECT_EQ(Images().Program(1).Fork(0, 101, 139, false).Fork(0, 102, 1).Failing(1), 2u)
      << "a code that fits comes first";
  EXPECT_EQ(Images().Program(0).Fork(0, 101, 134, false).Failing(0), 0u) << "it did not matter";
}

TEST(FailingProcessTest, TheLastThatFits) {
  EXPECT_EQ(Images().Program(1).Fork(0, 101, 1).Fork(0, 102, 1).Fork(0, 103, 0).Fork(0, 104, 2).Failing(1), 2u);
}

TEST(FailingProcessTest, AShellWithinAShell) {
  EXPECT_EQ(Images()
                .Program(2)
                .Fork(0, 101, Images::kNoEnd)
                .Exec(101, 2)
                .Fork(2, 102, Images::kNoEnd)
                .Exec(102, 2)
                .Failing(2),
            4u);
  EXPECT_EQ(Images()
                .Program(2)
                .Fork(0, 101, Images::kNoEnd)
                .Exec(101, 2)
                .Fork(2, 102, Images::kNoEnd)
                .Exec(102, 1)
                .Failing(2),
            2u);
}

TEST(FailingProcessTest, WhatTellsMoreThanAnExitIsNotPassedOn) {
  EXPECT_EQ(Images().Program(1, false).Fork(0, 101, 1).Failing(1), 0u);
  EXPECT_EQ(Images().Program(1).Fork(0, 101, 1, false).Fork(1, 102, 1).Failing(1), 1u) << "a test whose helper failed";
}

TEST(FailingProcessTest, ASignalBecomesACode) {
  EXPECT_EQ(Images().Program(139).Fork(0, 101, 1).Fork(0, 102, 139, false).Fork(0, 103, 0).Failing(139), 2u);
}

TEST(FailingProcessTest, WhatCameUpThroughItsParentBeforeWhatDidNot) {
  // cat missing; code=$?; ./clean_up.sh (which asks grep, and passes); exit $code
  EXPECT_EQ(Images().Program(1).Fork(0, 101, 1).Fork(0, 102, 0).Fork(2, 103, 1).Failing(1), 1u);
  // exit $(sh -c './test; echo $?')
  EXPECT_EQ(Images().Program(5).Fork(0, 101, 0).Fork(1, 102, 5).Failing(5), 2u);
}

TEST(FailingProcessTest, AnImageAfterAnExecIsStillTheProgram) {
  const Images helped =
      Images().Program(Images::kNoEnd).Fork(0, 101, Images::kNoEnd).Exec(101, 1).Exec(Images::kProgram, 1);
  EXPECT_EQ(helped.Failing(1), 3u) << "the helper was the shell's";
  EXPECT_EQ(helped.LastImage(), 3u);
  EXPECT_EQ(Images().Program(Images::kNoEnd).Fork(0, 101, 7).Exec(Images::kProgram, 1).Failing(1), 2u);
  EXPECT_EQ(Images().Program(Images::kNoEnd).Exec(Images::kProgram, 1).Fork(1, 101, 1).Failing(1), 2u)
      << "what the last image ran";
}

TEST(FailingProcessTest, AProcessIdThatIsGivenAgain) {
  EXPECT_EQ(Images().Program(1).Fork(0, 101, 1).Fork(0, 101, 0).Failing(1), 1u);
  EXPECT_EQ(Images().Program(1).Fork(0, 101, 0).Fork(0, 101, Images::kNoEnd).Exec(101, 1).Failing(1), 3u);
}

TEST(FailingProcessTest, ParentsThatNobodyKnows) {
  EXPECT_EQ(Images().Program(1).Exec(101, 1).Failing(1), 1u);
  EXPECT_EQ(Images().Program(1).Fork(77, 101, 1).Failing(1), 1u);
  EXPECT_EQ(Images().Program(1).Fork(1, 101, 1).Failing(1), 1u) << "no parent of itself";
}

TEST(FailingProcessTest, NoCodeIsPassedOnByWhatATestHarnessCallsAFailure) {
  EXPECT_EQ(Images().Program(0).Fork(0, 101, 0).Failing(0), 0u);
}

}  // namespace
}  // namespace oscope
