#include "base/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace oscope {
namespace {

using testing::ExitedWithCode;
using testing::MatchesRegex;

// In a process of its own, since the variable is read once.
[[noreturn]] void LogEach(const char* level) {
  if (level == nullptr) {
    ::unsetenv("OSCOPE_LOG");
  } else {
    ::setenv("OSCOPE_LOG", level, 1);
  }
  LogDebug("d {}", 1);
  LogInfo("i {}", 2);
  LogWarning("w {}", 3);
  _exit(LogsAt(LogLevel::kDebug) * 4 + LogsAt(LogLevel::kInfo) * 2 + LogsAt(LogLevel::kWarning));
}

constexpr const char* kTime = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z ";

std::string Entries(const std::vector<std::string>& entries) {
  std::string regex;
  for (const std::string& entry : entries) regex += kTime + entry + "\n";
  return regex;
}

TEST(LogDeathTest, IsQuietUnlessItIsAskedFor) {
  EXPECT_EXIT(LogEach(nullptr), ExitedWithCode(0), testing::Eq(""));
  EXPECT_EXIT(LogEach(""), ExitedWithCode(0), testing::Eq(""));
}

TEST(LogDeathTest, ALevelTakesThoseAboveItAlong) {
  EXPECT_EXIT(LogEach("warning"), ExitedWithCode(1), MatchesRegex(Entries({"warning w 3"})));
  EXPECT_EXIT(LogEach("info"), ExitedWithCode(3), MatchesRegex(Entries({"info i 2", "warning w 3"})));
  EXPECT_EXIT(LogEach("debug"), ExitedWithCode(7), MatchesRegex(Entries({"debug d 1", "info i 2", "warning w 3"})));
}

TEST(LogDeathTest, ALevelThatIsUnknownIsTold) {
  EXPECT_EXIT(
      LogEach("a\x1b"), ExitedWithCode(0),
      MatchesRegex(Entries({"warning OSCOPE_LOG is 'a\\\\x1b': debug, info and warning are known, and nothing is "
                            "logged"})));
}

TEST(LogDeathTest, AnEntryIsOneLineThatDrivesNoTerminal) {
  const auto log = [] {
    ::setenv("OSCOPE_LOG", "info", 1);
    LogInfo("store {}: {} {{}} %v", "a\nb\x1b[2J", "{}");
    _exit(0);
  };
  EXPECT_EXIT(log(), ExitedWithCode(0), MatchesRegex(Entries({R"(info store a\\nb\\x1b\[2J: \{\} \{\} %v)"})));
}

}  // namespace
}  // namespace oscope
