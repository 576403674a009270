#include "base/result.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

namespace oscope {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Invalid("{} is odd", value);
  return value / 2;
}

Result<int> Quarter(int value) {
  OSCOPE_ASSIGN_OR_RETURN(const int half, Half(value));
  OSCOPE_ASSIGN_OR_RETURN(const int quarter, Half(half));
  return quarter;
}

Status CheckQuarter(int value) {
  OSCOPE_RETURN_IF_ERROR(Quarter(value));
  return {};
}

TEST(Result, PassesValuesAndTheFirstError) {
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_EQ(Quarter(6).error().message, "3 is odd");
  EXPECT_TRUE(CheckQuarter(4).ok());
  EXPECT_EQ(CheckQuarter(5).error().code, ErrorCode::kInvalid);
}

TEST(Result, MovesOutValuesThatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, ErrorsAreToldFromFurtherOut) {
  EXPECT_EQ(Corrupt("bad magic").Within("segment 12").message, "segment 12: bad magic");
  EXPECT_EQ(Corrupt("bad magic").Within("segment 12").code, ErrorCode::kCorrupt);
}

TEST(Result, IoErrorTellsTheReason) {
  const Error error = IoError(ENOSPC, "write", "a/b");
  EXPECT_EQ(error.code, ErrorCode::kIo);
  EXPECT_EQ(error.message, "write a/b: No space left on device");
}

TEST(ResultDeathTest, TheValueOfAFailedResultEndsTheProcess) {
  EXPECT_DEATH((void)Half(1).value(), "value of a failed Result: 1 is odd");
}

}  // namespace
}  // namespace oscope
