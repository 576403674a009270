#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <random>
#include <sstream>

#include "tests/unit/symbols/built_program.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

ErrorCode CodeOf(const std::string& path) {
  const auto object = ObjectFile::Open(path);
  EXPECT_FALSE(object.ok()) << path;
  if (object.ok()) return ErrorCode::kCancelled;
  EXPECT_NE(object.error().message.find(path), std::string::npos) << object.error().message;
  return object.error().code;
}

std::string Contents(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

// What must hold of whatever answer, and how many of each there were.
struct Answers {
  int opened = 0, refused = 0, functions = 0, lines = 0, instructions = 0;
};

void AskEverything(const std::string& path, uint64_t first, Answers& answers) {
  auto object = ObjectFile::Open(path, {.debug_roots = {}});
  if (!object.ok()) {
    ++answers.refused;
    const ErrorCode code = object.error().code;
    EXPECT_TRUE(code == ErrorCode::kInvalid || code == ErrorCode::kUnsupported || code == ErrorCode::kCorrupt)
        << ErrorCodeName(code);
    EXPECT_NE(object.error().message.find(path), std::string::npos) << object.error().message;
    return;
  }
  ++answers.opened;
  for (uint64_t at = first; at < first + 64; at += 4) {
    if (const auto function = object->FunctionAt(at)) {
      ++answers.functions;
      EXPECT_TRUE(function->size > 0 && at - function->start < function->size)
          << "a function that does not cover the place";
      EXPECT_EQ(object->FunctionAt(function->start), object->FunctionAt(function->start))
          << "the same question, another answer";
      EXPECT_NE(object->DeclaredAt(function->entry).value_or(1), 0u);
    }
    if (const auto line = object->LineAt(at)) {
      ++answers.lines;
      EXPECT_NE(line->line, 0u);
    }
    const auto instruction = object->InstructionAt(at);
    if (instruction) {
      ++answers.instructions;
      EXPECT_TRUE(instruction->size > 0 && instruction->size <= 15 && !instruction->opcode.empty())
          << instruction->opcode;
    }
    EXPECT_TRUE(instruction.has_value() || !object->BranchOrdinal(at)) << "a jump that is no instruction";
    EXPECT_EQ(object->InlinedAt(at), object->InlinedAt(at));
  }
}

constexpr std::string_view kProgram =
    "static inline __attribute__((always_inline)) int f(int x) { return x > 2 ? x : 3; }\n"
    "int main(int argc, char **argv) { return f(argc); }\n";

TEST(HostileObjects, ErrorsSayWhoCanAct) {
  BuildDirectory build;
  EXPECT_EQ(CodeOf(build.Path("none")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf("[vdso]"), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(build.Write("text", "#!/bin/sh\necho a script that is longer than a header\n")),
            ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf(build.Write("empty", "")), ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf(build.Write("magic",
                               "\x7f"
                               "ELF")),
            ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf(build.Write("header", std::string("\x7f"
                                                     "ELF\2\1\1",
                                                     7) +
                                             std::string(20, '\0'))),
            ErrorCode::kCorrupt);
  EXPECT_EQ(CodeOf(build.Path("")), ErrorCode::kInvalid);
  ASSERT_EQ(mkfifo(build.Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(CodeOf(build.Path("pipe")), ErrorCode::kInvalid);
  build.Write("program.c", kProgram);
  EXPECT_EQ(CodeOf(build.Compile("object.o", "program.c", {"-c"})), ErrorCode::kUnsupported);
}

TEST(HostileObjects, ATruncatedFileIsCorrupt) {
  BuildDirectory build;
  build.Write("program.c", kProgram);
  const std::string program = build.Compile("program", "program.c", {"-g", "-O0"});
  const std::string bytes = Contents(program);
  for (size_t size = 64; size < bytes.size(); size += 97) {
    EXPECT_EQ(CodeOf(build.Write("cut", bytes.substr(0, size))), ErrorCode::kCorrupt) << size;
  }
}

TEST(HostileObjects, ChangedBytesAreNoCrash) {
  BuildDirectory build;
  build.Write("program.c", kProgram);
  std::mt19937 random(11);
  for (const char* format : {"-gdwarf-4", "-gdwarf-5"}) {
    const std::string program = build.Compile("program", "program.c", {format, "-O0"});
    const uint64_t main = AddressOf(program, "main");
    const std::string bytes = Contents(program);
    Answers whole, answers;
    AskEverything(program, main, whole);
    ASSERT_EQ(whole.opened, 1);
    ASSERT_TRUE(whole.functions > 0 && whole.lines > 0 && whole.instructions > 0);
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
      std::string changed = bytes;
      for (int i = 0; i < 20; ++i) changed[random() % changed.size()] = static_cast<char>(random());
      AskEverything(build.Write("changed", changed), main, answers);
    }
    EXPECT_EQ(answers.opened + answers.refused, kRounds);
    // Twenty bytes of some 16 KB seldom lie where it matters: most questions are answered as before.
    EXPECT_GT(answers.opened, kRounds / 2);
    EXPECT_GT(answers.refused, 0);
    EXPECT_GT(answers.functions, whole.functions * answers.opened / 2);
    EXPECT_GT(answers.lines, whole.lines * answers.opened / 4);
    EXPECT_GT(answers.instructions, whole.instructions * answers.opened / 2);
  }
}

}  // namespace
}  // namespace oscope
