#include "tracer/harness/rerun_command.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

using Words = std::vector<std::string>;

TEST(RerunCommand, SplitsAsAShellDoes) {
  EXPECT_EQ(*SplitWords(R"(a  'b c' "d e" f\ g ''  h"i"'j' "\"\x" '\')"),
            (Words{"a", "b c", "d e", "f g", "", "hij", "\"\\x", "\\"}));
  EXPECT_EQ(*SplitWords(" \t\n"), Words{});
  EXPECT_FALSE(SplitWords("a 'b").ok());
  EXPECT_FALSE(SplitWords("a \"b").ok());
}

// No shell: what a report says cannot become a second command or argument.
TEST(RerunCommand, NamesStayOneArgument) {
  JUnitCase one;
  one.name = "x; rm -rf \"$HOME\" 'y";
  one.classname = "tests.a b";
  one.file = "tests/a.py";
  one.line = 7;
  const Result<RerunCommand> command = RerunCommand::Parse("pytest '{file}::{name}' {classname} {line}$HOME {{x}}");
  ASSERT_TRUE(command.ok()) << command.error().message;
  EXPECT_EQ(command->For(one), (Words{"pytest", "tests/a.py::x; rm -rf \"$HOME\" 'y", "tests.a b", "7$HOME", "{x}"}));
}

TEST(RerunCommand, TellsWhatTheReportDoesNot) {
  JUnitCase one;
  one.name = "n";
  const RerunCommand command = *RerunCommand::Parse("pytest {name} {file}:{line}");
  EXPECT_EQ(command.Missing(one), "file");
  one.file = "a.py";
  EXPECT_EQ(command.Missing(one), "line");
  one.line = 1;
  EXPECT_EQ(command.Missing(one), "");
}

TEST(RerunCommand, WrongOnesAreRefused) {
  for (const char* text : {"", "  ", "run", "run {nmae}", "run {name", "run 'x"})
    EXPECT_FALSE(RerunCommand::Parse(text).ok()) << text;
}

}  // namespace
}  // namespace oscope
