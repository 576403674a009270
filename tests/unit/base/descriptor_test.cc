#include "base/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace oscope {
namespace {

bool IsOpen(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

Descriptor OpenNull() { return Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC)); }

TEST(Descriptor, ClosesWhatItOwnsOnce) {
  int number = -1;
  {
    const Descriptor file = OpenNull();
    number = file.get();
    EXPECT_TRUE(file.is_open());
    EXPECT_TRUE(IsOpen(number));
  }
  EXPECT_FALSE(IsOpen(number));
  Descriptor file = OpenNull();
  const int closed = file.get();
  file.Close();
  EXPECT_FALSE(file.is_open());
  EXPECT_EQ(file.get(), -1);
  const Descriptor other = OpenNull();
  EXPECT_EQ(other.get(), closed) << "the lowest number that is free";
  file.Close();
  EXPECT_TRUE(IsOpen(closed)) << "it is another's now";
}

TEST(Descriptor, MovesAndLetsGo) {
  Descriptor first = OpenNull(), second = OpenNull();
  const int one = first.get(), two = second.get();
  second = std::move(first);
  EXPECT_FALSE(IsOpen(two)) << "what it had";
  EXPECT_EQ(second.get(), one);
  EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move)
  Descriptor third(std::move(second));
  EXPECT_EQ(third.get(), one);
  EXPECT_EQ(third.Release(), one);
  EXPECT_FALSE(third.is_open());
  EXPECT_TRUE(IsOpen(one));
  ::close(one);
  EXPECT_FALSE(Descriptor().is_open());
  EXPECT_FALSE(Descriptor(-1).is_open());
}

// In a process of its own, whose standard input is closed.
TEST(DescriptorDeathTest, KeepsClearOfTheStandardStreams) {
  const auto try_it = [] {
    ::close(STDIN_FILENO);
    Descriptor low = OpenNull();
    if (low.get() != STDIN_FILENO) _exit(1);
    const Descriptor moved = std::move(low).AboveStandardStreams();
    if (moved.get() <= STDERR_FILENO || IsOpen(STDIN_FILENO)) _exit(2);
    if ((::fcntl(moved.get(), F_GETFD) & FD_CLOEXEC) == 0) _exit(3);
    Result<Pipe> pipe = MakePipe("x");
    if (!pipe.ok() || pipe->read_end.get() <= STDERR_FILENO || pipe->write_end.get() <= STDERR_FILENO) _exit(4);
    if (IsOpen(STDIN_FILENO)) _exit(5);
    _exit(0);
  };
  EXPECT_EXIT(try_it(), ::testing::ExitedWithCode(0), "");
  const int high = OpenNull().AboveStandardStreams().Release();
  EXPECT_GT(high, STDERR_FILENO);
  EXPECT_TRUE(IsOpen(high)) << "one that is clear already stays";
  ::close(high);
}

TEST(Descriptor, APipeCarriesBytes) {
  Result<Pipe> pipe = MakePipe("x");
  ASSERT_TRUE(pipe.ok());
  ASSERT_EQ(::write(pipe->write_end.get(), "ab", 2), 2);
  pipe->write_end.Close();
  char bytes[4] = {};
  EXPECT_EQ(::read(pipe->read_end.get(), bytes, sizeof bytes), 2);
  EXPECT_EQ(::read(pipe->read_end.get(), bytes, sizeof bytes), 0) << "the end";
}

}  // namespace
}  // namespace oscope
