// How a run was made, in JSON lines: there and back, with any bytes, and what is wrong is named.

#include <gtest/gtest.h>

#include "tracer/import/json_lines.h"
#include "tracer/import/json_lines_writer.h"

namespace oscope {
namespace {

Repeat RepeatOf(const std::string& bytes) {
  Repeat repeat;
  repeat.directory = "build/tests";
  repeat.revision = "4f0c";
  repeat.changes = std::string(64, '7');
  repeat.selection = {"ctest", "GoogleTest", bytes};
  repeat.expected = {-1, true, {bytes, ""}, {"", bytes}};
  repeat.builds = {{bytes, "9d1e", {bytes, "clang 19"}}, {"lib.so", "", {}}};
  repeat.not_kept = {{"input", bytes}, {"inputs", ""}};
  return repeat;
}

std::string LineOf(const Repeat& repeat) {
  RunHeader header;
  header.id.value = {1, 2};
  header.project = "P";
  header.repeat = repeat;
  SymbolTable symbols;
  std::string text;
  JsonLinesWriter writer([&](std::string_view line) {
    text += line;
    return Status();
  });
  EXPECT_TRUE(writer.BeginRun(header, symbols).ok());
  EXPECT_TRUE(writer.EndRun().ok());
  return text;
}

Status Import(std::string_view text, RunCollector& collected) {
  std::vector<ImportProblem> problems;
  return JsonLinesImporter().Import(text, {.project = "P"}, collected, problems);
}

TEST(JsonRepeat, ComesBack) {
  for (const std::string& bytes : {std::string("Suite.Case"), std::string("\xff\0\"\\\n", 5), std::string()}) {
    RunCollector collected;
    const Status status = Import(LineOf(RepeatOf(bytes)), collected);
    ASSERT_TRUE(status.ok()) << status.error().message;
    ASSERT_EQ(collected.runs.size(), 1u);
    EXPECT_EQ(collected.runs[0].header.repeat, RepeatOf(bytes));
  }
}

TEST(JsonRepeat, ARunWithoutOneHasNoSuchField) {
  EXPECT_EQ(LineOf({}).find("repeat"), std::string::npos);
  EXPECT_NE(LineOf(RepeatOf("x")).find("\"repeat\":{\"directory\":\"build/tests\""), std::string::npos);
}

TEST(JsonRepeat, AZeroExitCodeIsTold) {
  Repeat repeat;
  repeat.expected.exit_code = 0;
  RunCollector collected;
  ASSERT_TRUE(Import(LineOf(repeat), collected).ok());
  EXPECT_EQ(collected.runs[0].header.repeat, repeat);
}

TEST(JsonRepeat, WhatIsWrongIsRefused) {
  for (const char* wrong :
       {R"("x")", R"({"directory":3})", R"({"directory":"/abs"})", R"({"changes":"some"})", R"({"unknown":1})",
        R"({"expected":{"exit_code":99999999999}})", R"({"selection":{"unknown":""}})",
        R"({"builds":[{"compilers":"gcc"}]})", R"({"not_kept":[{"name":"x"}]})", R"({"not_kept":["x"]})"}) {
    RunCollector collected;
    const std::string line = fmt::format(R"({{"type":"run","repeat":{}}})", wrong);
    EXPECT_FALSE(Import(line, collected).ok()) << wrong;
    EXPECT_TRUE(collected.runs.empty()) << wrong;
  }
}

}  // namespace
}  // namespace oscope
