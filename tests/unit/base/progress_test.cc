#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

namespace oscope {
namespace {

TEST(Progress, TellsWhatIsKnown) {
  EXPECT_EQ(FormatProgress("importing", "traces", 0, 0, 0), "importing  0 traces");
  EXPECT_EQ(FormatProgress("importing", "traces", 5000, 0, 2000), "importing  5,000 traces  2,500/s");
  EXPECT_EQ(FormatProgress("importing", "traces", 5000, 20000, 2000),
            "importing  25%  5,000 traces  2,500/s  0:06 left");
  EXPECT_EQ(FormatProgress("x", "y", 1, 10001, 1000), "x  0%  1 y  1/s  2:46:40 left");
  EXPECT_EQ(FormatProgress("x", "y", 12, 10, 1000), "x  100%  12 y  12/s");
}

// What a Progress writes to a terminal while `add` runs.
std::string Terminal(bool quiet, const std::function<void(Progress&)>& add) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(terminal, 0);
  EXPECT_EQ(::grantpt(terminal), 0);
  EXPECT_EQ(::unlockpt(terminal), 0);
  const int fd = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  EXPECT_GE(fd, 0);
  {
    Progress progress("importing", "traces", 0, quiet, fd);
    add(progress);
  }
  EXPECT_EQ(::write(fd, "$", 1), 1);
  std::string seen;
  for (char c = 0; ::read(terminal, &c, 1) == 1 && c != '$';) seen += c;
  ::close(fd);
  ::close(terminal);
  return seen;
}

TEST(Progress, DrawsOnATerminalAndClears) {
  const std::string seen = Terminal(false, [](Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(150)) progress.Add(1);
  });
  EXPECT_TRUE(seen.starts_with("\r\x1b[Kimporting  ")) << seen;
  EXPECT_TRUE(seen.ends_with("/s\r\x1b[K")) << seen;
}

TEST(Progress, IsSilentWhenQuietOrNotATerminal) {
  EXPECT_EQ(Terminal(true, [](Progress& progress) { progress.Add(1); }), "");
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  {
    Progress("importing", "traces", 0, false, ends[1]).Add(1);
  }
  char c = 0;
  EXPECT_EQ(::read(ends[0], &c, 1), -1);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace oscope
